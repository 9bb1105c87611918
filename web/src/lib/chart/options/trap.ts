import type { ContextPoint } from "@plimsoll/api/model";
import { counted, formatCount, formatSignificant } from "#lib/format.ts";
import { extentOf, tokenAxis, valueAxis } from "../axis.ts";
import type { ChartOption, ChartSeries } from "../option.ts";
import { type CurvePoint, lawSeries, lineSeries } from "../series.ts";
import { type ChartTheme, PAGE_THEME } from "../theme.ts";

interface TrapChart {
	/** The model's curve for one request against context, ascending; growth is counted from its first length. */
	curve: readonly ContextPoint[];
	theme?: ChartTheme;
}

const times = (value: number) => `×${formatSignificant(value)}`;

/** The three currencies that context is paid in, growing by their own laws from the same start. */
export function trapOption({ curve, theme = PAGE_THEME }: TrapChart): ChartOption {
	const time = growth(curve, (p) => p.prefill?.seconds ?? null);
	const memory = growth(curve, (p) => p.kvBytes);
	const money = growth(curve, (p) => p.context);
	const all = [...time, ...memory, ...money];
	const shown = extentOf(all.map((p) => p.y));
	return {
		theme,
		right: 84,
		place: (at) => counted(at, "token"),
		xAxis: tokenAxis("Context, tokens", extentOf(all.map((p) => p.x))),
		yAxis: valueAxis("Growth", "ratio", shown, (v) => `×${formatCount(v)}`),
		series: [
			// Memory and money often grow alike: the one is a wide line that the other runs in.
			currency("Memory", memory, theme.memory, { width: 7, opacity: 0.4 }),
			currency("Money", money, theme.money, { dash: "dashed" }),
			...lawSeries({
				id: "time",
				name: "Time",
				points: time.map((point, i) => ({ ...point, evidence: curve[i]?.prefill?.evidence ?? null })),
				colour: theme.time,
				write: times,
				endLabel: "Time",
			}),
		],
	};
}

/** A currency as a multiple of its value at the first length. */
function growth(curve: readonly ContextPoint[], of: (point: ContextPoint) => number | null): CurvePoint[] {
	const start = curve[0] ? of(curve[0]) : null;
	return curve.map((point) => {
		const value = of(point);
		return { x: point.context, y: start && value !== null ? value / start : null };
	});
}

function currency(
	name: string,
	points: CurvePoint[],
	colour: string,
	look: Pick<Parameters<typeof lineSeries>[0], "width" | "opacity" | "dash"> = {},
): ChartSeries {
	return lineSeries({
		...{ id: name.toLowerCase(), name, points, colour, write: times, evidence: "arithmetic", endLabel: name },
		...look,
	});
}
