import type { Extent } from "./axis.ts";

/** Height of the drawing area of a chart of usual height, pixels: labels need it only roughly. */
const HEIGHT = 240;
const LINE = 14;

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
 * How far down (up where negative) the labels at the ends of lines move so that none covers another: as little as
 * can be, those that crowd spread around their middle.
 * @param ends values at the ends of the lines, above zero, on a log axis
 * @param shown span of the axis
 * @returns pixels, in the order of `ends`
 */
export function endLabelShifts(ends: readonly number[], shown: Extent): number[] {
	const perFactor = HEIGHT / Math.log(shown.to / shown.from);
	const exact = ends.map((value, i) => ({ i, y: Math.log(shown.to / value) * perFactor }));
	const downwards = exact.toSorted((a, b) => a.y - b.y);
	const tight = neverFalling(downwards.map(({ y }, place) => y - place * LINE));
	const shifts = new Array<number>(ends.length).fill(0);
	for (const [place, { i, y }] of downwards.entries()) {
		shifts[i] = Math.round((tight[place] ?? 0) + place * LINE - y);
	}
	return shifts;
}
