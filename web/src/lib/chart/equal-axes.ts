import { valueAxis } from "./axis.ts";
import type { ChartOption } from "./option.ts";

/** Charts of one kind on one vertical axis, which holds what each of them shows: equal heights are equal values. */
export function withEqualAxes(options: readonly (ChartOption | null)[]): (ChartOption | null)[] {
	const known = options.filter((option) => option !== null);
	const [first] = known;
	if (!first) return [...options];
	const { name, unit, write, scale } = first.yAxis;
	const extent = {
		from: Math.min(...known.map(({ yAxis }) => yAxis.from)),
		to: Math.max(...known.map(({ yAxis }) => yAxis.to)),
	};
	const yAxis = valueAxis(name, unit, extent, write, scale);
	return options.map((option) => option && { ...option, yAxis });
}
