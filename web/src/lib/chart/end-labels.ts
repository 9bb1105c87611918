import type { ChartOption } from "./option.ts";
import type { Plot } from "./plot.ts";

/** Height of a label, pixels. */
const LINE = 14;
/** Between the end of a line and its label. */
const APART = 8;

/** The nearest values, by squares, that never fall: neighbours that do are pooled to their mean. */
function neverFalling(values: readonly number[]): number[] {
	const pools: { sum: number; count: number }[] = [];
	for (const value of values) {
		let pool = { sum: value, count: 1 };
		for (
			let last = pools.at(-1);
			last && last.sum / last.count > pool.sum / pool.count;
			last = pools.at(-1)
		) {
			pool = { sum: pool.sum + last.sum, count: pool.count + last.count };
			pools.pop();
		}
		pools.push(pool);
	}
	return pools.flatMap(({ sum, count }) => new Array<number>(count).fill(sum / count));
}

/**
 * Moves labels up and down so that none covers another: as little as can be, those that crowd spread around their
 * middle.
 * @param wanted pixels
 * @returns pixels, in the order of `wanted`
 */
export function spread(wanted: readonly number[]): number[] {
	const downwards = wanted.map((y, i) => ({ i, y })).toSorted((a, b) => a.y - b.y);
	const tight = neverFalling(downwards.map(({ y }, place) => y - place * LINE));
	const placed = [...wanted];
	for (const [place, { i }] of downwards.entries()) placed[i] = (tight[place] ?? 0) + place * LINE;
	return placed;
}

interface EndLabel {
	text: string;
	colour: string;
	/** Pixels: where it begins, and the middle of its height. */
	x: number;
	y: number;
}

/** The labels at the right ends of lines, beside the last value of each. */
export function endLabelsOf({ series }: ChartOption, plot: Plot): EndLabel[] {
	const labels = series.flatMap((line) => {
		if (line.kind !== "line" || line.endLabel === undefined) return [];
		const { x, y } = line.points.findLast(
			(point) => point.y !== null && Number.isFinite(plot.y(point.y)),
		) ?? { x: 0, y: null };
		if (y === null) return [];
		return [{ text: line.endLabel, colour: line.colour, x: plot.x(x) + APART, y: plot.y(y) }];
	});
	const ys = spread(labels.map(({ y }) => y));
	return labels.map((label, i) => ({ ...label, y: ys[i] ?? label.y }));
}
