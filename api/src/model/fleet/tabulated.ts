import type { Engine } from "../time/load.ts";
import type { Passage } from "../time/passage.ts";

/** Sequences at which an engine is asked: every one up to four, then half octaves. */
function gridUpTo(most: number): number[] {
	const grid = [1];
	for (let next = 2; next < most; next = next < 4 ? next + 1 : Math.ceil(next * Math.SQRT2)) grid.push(next);
	if (most > 1) grid.push(most);
	return grid;
}

/**
 * The same engine from a table, straight between its rows: for a sweep, which asks it hundreds of times.
 * What a load of R sequences takes is close to linear in R; the rows are exact, and what is shown is asked of the engine.
 * @param most sequences up to which it is asked
 */
export function tabulated({ at, slots }: Engine, most: number): Engine {
	const grid = gridUpTo(Math.max(1, most));
	const rows = grid.map((running) => at(running));
	return {
		slots,
		at: (running) => {
			let above = 1;
			while (above < grid.length - 1 && (grid[above] ?? 0) < running) above++;
			const [low, high] = [rows[above - 1], rows[above] ?? rows[above - 1]] as [Passage, Passage];
			const [from = 1, to = from] = [grid[above - 1], grid[above]];
			const share = to > from ? (running - from) / (to - from) : 0;
			return {
				cycle: low.cycle + share * (high.cycle - low.cycle),
				first: low.first + share * (high.first - low.first),
				tpot: low.tpot + share * (high.tpot - low.tpot),
			};
		},
	};
}
