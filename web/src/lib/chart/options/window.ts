import { type PricedTurn, type Quantity, WINDOW_PARTS, type WindowPart, weakest } from "@plimsoll/api/model";
import { format, formatCount, shortTokens } from "#lib/format.ts";
import { extentOf, shortDollars, shortSeconds, valueAxis } from "../axis.ts";
import type { ChartAxis, ChartOption } from "../option.ts";
import { type CurvePoint, limitLine, lineSeries } from "../series.ts";
import { type ChartTheme, PAGE_THEME } from "../theme.ts";

export const PART_NAMES: Record<WindowPart, string> = {
	system: "System rules",
	tools: "Tool schemas",
	summary: "Summary",
	messages: "Messages",
	results: "Tool results",
	images: "Images",
	answers: "Answers",
};

const colourOf = (part: WindowPart, theme: ChartTheme): string =>
	({
		system: theme.ink,
		tools: theme.memory,
		summary: theme.good,
		messages: theme.money,
		results: theme.time,
		images: theme.warn,
		answers: theme["line-strong"],
	})[part];

const place = (at: number) => `request ${formatCount(Math.round(at))}`;

/** Requests of a session from left to right. */
function requestAxis(count: number): ChartAxis {
	const step = Math.max(1, Math.ceil(count / 6));
	const ticks = Array.from({ length: Math.floor(count / step) }, (_, i) => (i + 1) * step);
	return {
		name: "Requests of the session",
		unit: "requests",
		scale: "linear",
		from: 1,
		to: Math.max(2, count),
		ticks: [...new Set([1, ...ticks])],
		write: formatCount,
	};
}

interface FillChart {
	turns: readonly Pick<PricedTurn, "parts">[];
	windowTokens: number;
	theme?: ChartTheme;
}

/** What the window holds after each request, part upon part. */
export function fillOption({ turns, windowTokens, theme = PAGE_THEME }: FillChart): ChartOption {
	const tokens = (value: number) => format(value, "tokens").text;
	const below = turns.map(() => 0);
	const series = WINDOW_PARTS.flatMap((part) => {
		if (!turns.some(({ parts }) => parts[part] > 0)) return [];
		const points = turns.map(({ parts }, i) => {
			const low = below[i] ?? 0;
			const high = low + parts[part];
			below[i] = high;
			return { x: i + 1, low, high };
		});
		const colour = colourOf(part, theme);
		return [
			{
				kind: "band" as const,
				id: part,
				name: PART_NAMES[part],
				opacity: 0.6,
				interval: false,
				evidence: "arithmetic" as const,
				colour,
				write: tokens,
				points,
			},
		];
	});
	return {
		theme,
		place,
		xAxis: requestAxis(turns.length),
		yAxis: valueAxis(
			"Tokens in the window",
			"tokens",
			extentOf([windowTokens, ...below]),
			shortTokens,
			"linear",
		),
		lines: [limitLine(windowTokens, `window ${shortTokens(windowTokens)}`, theme)],
		series,
	};
}

interface TurnChart {
	turns: readonly PricedTurn[];
	theme?: ChartTheme;
}

/** Both ways of having a figure of each request: with what the one before left in a prefix cache, and all anew. */
const both = (
	[cached, anew]: readonly [CurvePoint[], CurvePoint[]],
	colour: string,
	write: (value: number) => string,
) => [
	lineSeries({
		...{ id: "anew", name: "Every token computed anew", colour, write, dash: "dotted" },
		...{ points: anew, evidence: "fitted" },
	}),
	lineSeries({
		...{ id: "cached", name: "With a prefix cache", colour, write },
		...{ points: cached, evidence: "fitted" },
	}),
];

/** A figure of each request as a place of its line. */
const pointOf = ({ value, low, high, evidence }: Quantity, i: number): CurvePoint => ({
	...{ x: i + 1, y: value, low: low ?? null, high: high ?? null, evidence },
});

/** A figure of each request added up, as far as all are known; known as its weakest part is. */
function runningSum(quantities: readonly Quantity[]): CurvePoint[] {
	const points: CurvePoint[] = [];
	for (const [i, { value, evidence }] of quantities.entries()) {
		const before = points.at(-1);
		const sum = before ? before.y : 0;
		const y = sum === null || value === null ? null : sum + value;
		points.push({ x: i + 1, y, evidence: weakest(before?.evidence ?? evidence, evidence) });
	}
	return points;
}

/** The wait for the first token of each request. */
export function waitingOption({ turns, theme = PAGE_THEME }: TurnChart): ChartOption {
	const seconds = (value: number) => format(value, "seconds").text;
	const all = turns.flatMap(({ ttft, ttftUncached }) => [ttft.value, ttftUncached.value]);
	return {
		theme,
		place,
		xAxis: requestAxis(turns.length),
		yAxis: valueAxis("Time to first token", "seconds", extentOf(all), shortSeconds),
		series: both(
			[
				turns.map(({ ttft }) => ttft).map(pointOf),
				turns.map(({ ttftUncached }) => ttftUncached).map(pointOf),
			],
			theme.time,
			seconds,
		),
	};
}

/** Money of a session up to each request. */
export function spentOption({ turns, theme = PAGE_THEME }: TurnChart): ChartOption {
	const dollars = (value: number) => format(value, "USD").text;
	const cached = runningSum(turns.map(({ usd }) => usd));
	const anew = runningSum(turns.map(({ usdUncached }) => usdUncached));
	return {
		theme,
		place,
		xAxis: requestAxis(turns.length),
		yAxis: valueAxis(
			"Spent so far",
			"USD",
			extentOf([...cached, ...anew].map(({ y }) => y)),
			shortDollars,
			"linear",
		),
		series: both([cached, anew], theme.money, dollars),
	};
}
