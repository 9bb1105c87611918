import { counted } from "#lib/format.ts";
import { deviationAxis, extentOf, signedPercent, tokenAxis } from "../axis.ts";
import type { ChartOption, ChartSeries, Dot, DotSymbol, GroundLine } from "../option.ts";
import { bandSeries, dotSeries } from "../series.ts";
import { type ChartTheme, PAGE_THEME } from "../theme.ts";

interface ResidualChart {
	/** Measured over law, less one, against tokens; one list per marker. */
	groups: { name: string; points: Dot[] }[];
	/** Relative spread between identical measurements; null: unknown. */
	noise: number | null;
	xName: string;
	theme?: ChartTheme;
}

const SYMBOLS: readonly DotSymbol[] = ["circle", "rect", "triangle", "diamond"];
const LEAST_SHOWN = 0.02;

/** How far each measured point lies from the law; what is inside the noise floor is not distinguishable from it. */
export function residualOption({ groups, noise, xName, theme = PAGE_THEME }: ResidualChart): ChartOption {
	const points = groups.flatMap((g) => g.points);
	const hues = [theme.time, theme.memory, theme.money, theme.good];
	const largest = Math.max(LEAST_SHOWN, (noise ?? 0) * 1.4, ...points.map((p) => Math.abs(p.y) * 1.15));
	const across = extentOf(points.map((p) => p.x));
	return {
		theme,
		place: (at) => counted(at, "token"),
		xAxis: tokenAxis(xName, across),
		yAxis: deviationAxis("Measured over law", roundUp(largest)),
		lines: [zeroLine(theme)],
		series: [
			...noiseBand(noise, points, theme),
			...groups.map(({ name, points: dots }, i) =>
				dotSeries(`residual:${name}`, name, dots, theme, signedPercent, {
					colour: hues[i % hues.length] ?? theme.ink,
					symbol: SYMBOLS[i % SYMBOLS.length] ?? "circle",
					// Half of it is measured, half is the law.
					evidence: "fitted",
				}),
			),
		],
	};
}

const zeroLine = (theme: ChartTheme): GroundLine => ({
	...{ axis: "y", at: 0, name: "" },
	...{ colour: theme.time, width: 2 },
});

/** The band reaches over all points, and has a value at each, so that a reading can be held against it. */
function noiseBand(noise: number | null, points: readonly Dot[], theme: ChartTheme): ChartSeries[] {
	if (noise === null) return [];
	const places = [...new Set(points.map((p) => p.x))].sort((a, b) => a - b);
	const band = places.map((x) => ({ x, y: 0, low: -noise, high: noise }));
	return bandSeries(
		"noise",
		band,
		theme.time,
		signedPercent,
		noise === 0 ? "Noise floor 0%" : `Noise floor ±${signedPercent(noise).slice(1)}`,
	).map((one) => ({ ...one, interval: false }));
}

/** The next of 1, 2, 5, 10 … percent, so that the axis ends in a round figure. */
function roundUp(share: number): number {
	const decade = 10 ** Math.floor(Math.log10(share));
	const step = [1, 2, 4, 5, 10].find((s) => s * decade >= share * 0.999) ?? 10;
	return step * decade;
}
