import { formatCount } from "#lib/format.ts";
import { deviationAxis, extentOf, signedPercent, tokenAxis } from "../axis.ts";
import { frame } from "../frame.ts";
import type { ChartOption } from "../option.ts";
import { type Dot, dotSeries, groundSeries } from "../series.ts";
import { type ChartTheme, PAGE_THEME } from "../theme.ts";

interface ResidualChart {
	/** Measured over law, less one, against tokens; one list per marker. */
	groups: { name: string; points: Dot[] }[];
	/** Relative spread between identical measurements; null: unknown. */
	noise: number | null;
	xName: string;
	theme?: ChartTheme;
}

const SYMBOLS = ["circle", "rect", "triangle", "diamond"] as const;
const LEAST_SHOWN = 0.02;

/** How far each measured point lies from the law; what is inside the noise floor is not distinguishable from it. */
export function residualOption({ groups, noise, xName, theme = PAGE_THEME }: ResidualChart): ChartOption {
	const points = groups.flatMap((g) => g.points);
	const hues = [theme.time, theme.memory, theme.money, theme.good];
	const largest = Math.max(LEAST_SHOWN, (noise ?? 0) * 1.4, ...points.map((p) => Math.abs(p.y) * 1.15));
	return frame({
		theme,
		place: (at) => `${formatCount(at)} tokens`,
		xAxis: tokenAxis(xName, extentOf(points.map((p) => p.x)), theme),
		yAxis: deviationAxis("Measured over law", roundUp(largest), theme),
		series: [
			groundSeries({
				...(noise === null ? {} : { markArea: noiseArea(noise, theme) }),
				markLine: {
					silent: true,
					animation: false,
					symbol: "none",
					label: { show: false },
					lineStyle: { color: theme.time, type: "solid", width: 2 },
					data: [{ yAxis: 0 }],
				},
			}),
			...groups.map(({ name, points: dots }, i) =>
				dotSeries(`residual:${name}`, name, dots, theme, signedPercent, {
					colour: hues[i % hues.length] ?? theme.ink,
					symbol: SYMBOLS[i % SYMBOLS.length] ?? "circle",
				}),
			),
		],
	});
}

function noiseArea(noise: number, theme: ChartTheme) {
	return {
		silent: true,
		animation: false,
		itemStyle: { color: theme["accent-soft"], opacity: 0.8 },
		label: {
			show: true,
			position: "insideTopLeft" as const,
			color: theme["ink-soft"],
			fontSize: 12,
		},
		data: [[{ name: `noise floor ±${signedPercent(noise).slice(1)}`, yAxis: -noise }, { yAxis: noise }]] as [
			{ name: string; yAxis: number },
			{ yAxis: number },
		][],
	};
}

/** The next of 1, 2, 5, 10 … percent, so that the axis ends in a round figure. */
function roundUp(share: number): number {
	const decade = 10 ** Math.floor(Math.log10(share));
	const step = [1, 2, 4, 5, 10].find((s) => s * decade >= share * 0.999) ?? 10;
	return step * decade;
}
