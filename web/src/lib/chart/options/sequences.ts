import type { Evidence } from "@plimsoll/api/model";
import { counted, formatCount } from "#lib/format.ts";
import { type Extent, extentOf, tokenAxis, valueAxis } from "../axis.ts";
import type { ChartOption } from "../option.ts";
import { type CurvePoint, lawSeries, promptsMeasured, shadedRange } from "../series.ts";
import { type ChartTheme, PAGE_THEME } from "../theme.ts";

interface SequencesChart {
	/** Whole sequences that fit against context, ascending; 0 where none does. */
	curve: CurvePoint[];
	/** How the counts are known. */
	evidence?: Evidence;
	/** Lengths whose prompts were measured, tokens: where the chart beside it is sure. null: not shown. */
	prompts?: Extent | null;
	theme?: ChartTheme;
}

const LEAST_TOP = 10;
const fitting = (value: number) => `${formatCount(value)} fit`;

/** Sequences that fit in memory against context; where none fits, the ground is shaded and says so. */
export function sequencesOption({
	curve,
	evidence = "arithmetic",
	prompts = null,
	theme = PAGE_THEME,
}: SequencesChart): ChartOption {
	const shown = extentOf(curve.map((p) => p.x));
	const points = curve.map(({ x, y }) => ({ x, y: y !== null && y >= 1 ? y : null, evidence }));
	const full = curve.find(({ y }) => y !== null && y < 1);
	const none = full && shadedRange({ from: full.x, to: shown.to }, "none fits", theme, theme["limit-soft"]);
	const top = Math.max(LEAST_TOP, extentOf(points.map((p) => p.y)).to);
	return {
		theme,
		place: (at) => counted(at, "prompt token"),
		xAxis: tokenAxis("Prompt tokens", shown),
		yAxis: valueAxis("Users that fit", "sequences", { from: 1, to: top }, formatCount),
		areas: [...promptsMeasured(prompts, theme), ...(none ? [none] : [])],
		series: lawSeries({
			id: "sequences",
			name: "Fit in memory",
			points,
			colour: theme.memory,
			write: fitting,
			steps: true,
		}),
	};
}
