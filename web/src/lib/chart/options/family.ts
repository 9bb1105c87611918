import { format, formatCount } from "#lib/format.ts";
import { countAxis, extentOf, shortSeconds, tokenAxis, valueAxis } from "../axis.ts";
import type { ChartOption, Dot, DotSymbol, ScaleKind } from "../option.ts";
import { type CurvePoint, dotSeries, lineSeries } from "../series.ts";
import { type ChartTheme, PAGE_THEME } from "../theme.ts";

/** One member of a family of curves, e.g. one batch size. */
export interface Member {
	/** "batch 8" */
	name: string;
	curve: CurvePoint[];
	points: Dot[];
	/** Which colour and marker it has, so that it keeps them where another is missing; left out: by its place. */
	look?: number;
}

interface FamilyChart {
	members: Member[];
	/** What the horizontal axis counts. */
	counts?: "tokens" | "requests in flight";
	xName: string;
	yName: string;
	theme?: ChartTheme;
	scale?: ScaleKind;
}

/** Room for the names at the ends of the lines: pixels, and pixels per letter. */
const MARGIN = 20;
const LETTER = 6.5;
const SYMBOLS: readonly DotSymbol[] = ["circle", "rect", "triangle", "diamond"];

const seconds = (value: number) => format(value, "seconds").text;

/** Times against tokens, one curve and one marker per member; each is named at its right end. */
export function familyOption({
	members,
	counts = "tokens",
	xName,
	yName,
	theme = PAGE_THEME,
	scale = "log",
}: FamilyChart): ChartOption {
	const hues = [theme.time, theme.memory, theme.money, theme.good, theme.ink];
	const xs = members.flatMap((m) => [...m.curve, ...m.points].map((p) => p.x));
	const shown = extentOf(members.flatMap((m) => [...m.curve, ...m.points].map((p) => p.y)));
	return {
		theme,
		right: MARGIN + LETTER * Math.max(0, ...members.map(({ name }) => name.length)),
		place: (at) => `${formatCount(at)} ${counts}`,
		xAxis: (counts === "tokens" ? tokenAxis : countAxis)(xName, extentOf(xs)),
		yAxis: valueAxis(yName, "seconds", shown, shortSeconds, scale),
		series: members.flatMap(({ name, curve, points, look }, i) => {
			const own = look ?? i;
			const colour = hues[own % hues.length] ?? theme.ink;
			const symbol = SYMBOLS[own % SYMBOLS.length] ?? "circle";
			return [
				lineSeries({
					id: `law:${name}`,
					name: `${name}, law`,
					points: curve,
					colour,
					write: seconds,
					evidence: "fitted",
					endLabel: name,
				}),
				dotSeries(`measured:${name}`, `${name}, measured`, points, theme, seconds, { colour, symbol }),
			];
		}),
	};
}

/** Seconds of one decode step against the mean context, one curve per batch. */
export function decodeOption(members: Member[], theme: ChartTheme = PAGE_THEME): ChartOption {
	return familyOption({ members, xName: "Context, tokens", yName: "Time of one step", theme });
}

/** Seconds of a prefill against what is in the cache already, one curve per chunk or batch. */
export function chunkOption(members: Member[], theme: ChartTheme = PAGE_THEME): ChartOption {
	return familyOption({ members, xName: "Tokens already cached", yName: "Time of the chunk", theme });
}

/** A client's seconds against the requests in flight, one curve per pair of lengths. */
export function loadOption(members: Member[], yName: string, theme: ChartTheme = PAGE_THEME): ChartOption {
	const counts = "requests in flight";
	return familyOption({ members, counts, xName: "Requests in flight", yName, theme });
}
