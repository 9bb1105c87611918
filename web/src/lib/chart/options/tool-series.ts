import type { ToolSeries } from "@plimsoll/api";
import { counted, format } from "#lib/format.ts";
import { extentOf, shortSeconds, valueAxis } from "../axis.ts";
import type { ChartAxis, ChartOption, DotSymbol } from "../option.ts";
import { dotSeries } from "../series.ts";
import { type ChartTheme, PAGE_THEME } from "../theme.ts";

type Point = ToolSeries["points"][number];

interface ToolSeriesChart {
	points: readonly Point[];
	/** Prompts that a cache held, or that were computed. */
	cached: boolean;
	theme?: ChartTheme;
}

const seconds = (value: number) => format(value, "seconds").text;

/** The kind of schemas in words. */
export const schemaWords = (schema: string | null): string => schema ?? "tools";

/** Time to the first byte against the number of tools, a kind of dots for each kind of schemas; failures stand apart. */
export function toolSeriesOption({ points, cached, theme = PAGE_THEME }: ToolSeriesChart): ChartOption {
	const timed = points.filter(({ seconds: time }) => time !== null);
	const answered = timed.filter((point) => !point.failed && point.cached === cached);
	const failed = timed.filter((point) => point.failed);
	const shown = [...answered, ...failed];
	const schemas = [...new Set(answered.filter(({ callable }) => callable).map(({ schema }) => schema))];
	const looks = looksOf(theme);
	const dots = (of: readonly Point[]) => of.map(({ tools, seconds: time }) => ({ x: tools, y: time ?? 0 }));
	const bare = answered.filter(({ callable }) => !callable);
	const refused = [...new Set(failed.map(({ schema }) => schema))];
	return {
		theme,
		place: (at) => counted(Math.round(at), "tool"),
		xAxis: toolAxis(shown),
		yAxis: valueAxis(
			"Time to the first byte",
			"seconds",
			extentOf(shown.map(({ seconds: time }) => time)),
			shortSeconds,
		),
		series: [
			...(bare.length > 0
				? [
						dotSeries("bare", "no tool callable, so no grammar", dots(bare), theme, seconds, {
							...{ colour: theme["ink-soft"], hollow: true },
						}),
					]
				: []),
			...schemas.map((schema, at) =>
				dotSeries(
					`schema ${schema}`,
					schemaWords(schema),
					dots(answered.filter((point) => point.callable && point.schema === schema)),
					theme,
					seconds,
					looks[at % looks.length],
				),
			),
			...refused.map((schema) =>
				dotSeries(
					`failed ${schema}`,
					`${schemaWords(schema)}: failed after`,
					dots(failed.filter((point) => point.schema === schema)),
					theme,
					seconds,
					{ colour: theme.limit, symbol: "triangle", hollow: true },
				),
			),
		],
	};
}

function looksOf(theme: ChartTheme): { colour: string; symbol: DotSymbol }[] {
	return [
		{ colour: theme.time, symbol: "circle" },
		{ colour: theme.memory, symbol: "rect" },
		{ colour: theme.money, symbol: "diamond" },
		{ colour: theme.good, symbol: "circle" },
		{ colour: theme.warn, symbol: "rect" },
		{ colour: theme.ink, symbol: "diamond" },
	];
}

/** From no tools on: a log axis has no place for none. */
function toolAxis(points: readonly Point[]): ChartAxis {
	const to = Math.max(1, ...points.map(({ tools }) => tools));
	const step = Math.max(1, Math.ceil(to / 5 / 10) * 10);
	const inner = Array.from({ length: Math.ceil(to / step) }, (_, i) => i * step).filter(
		(tick) => tick < to * 0.92,
	);
	return {
		...{ name: "Tools in the request", unit: "tools", scale: "linear", from: 0, to: to * 1.03 },
		ticks: to < 10 ? [0, to] : [...inner, to],
		write: (value) => String(Math.round(value)),
	};
}
