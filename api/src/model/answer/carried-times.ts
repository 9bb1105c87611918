import { weakest } from "../trust/quantity.ts";
import type { Bound, LawPassages, TimesByRunning } from "./law-passages.ts";
import type { Laws } from "./laws.ts";

/** A time that clients saw on one setup, and what the laws of prefill and decode say of it there and where it is carried to. */
export interface CarriedTime {
	seen: number;
	before: number;
	after: number;
}

/** Times of clients carried over, and what they were made of by the number of sequences that run. */
export interface CarriedTimes extends TimesByRunning {
	parts: (running: number) => { first: CarriedTime; tpot: CarriedTime };
}

/** How far what a change does may be off, both ways: half of it. A convention, until pairs of measured setups tell. */
const CHANGE_SPREAD = 0.5;

/**
 * What clients saw on one setup, carried over to another, or to prompts of which a part is cached.
 *
 *   t = t_seen · (laws asked / laws seen),  at a bound t_seen,bound · (laws asked / laws seen)^(1 ± 1/2)
 *
 * The laws alone may be far from what clients see; what they say of a change is the same on both sides of it. So a smaller
 * cache never comes out slower for having been asked by another method than the measured one.
 * @param seen times on the setup that was measured
 * @param before passages of that setup, nothing cached
 * @param after passages of what is asked
 * @param places sequences that the measured setup holds: beyond them clients saw a queue, which the asked one need not have
 * @param output tokens per request, ≥ 1
 */
export function carriedTimes(
	seen: TimesByRunning,
	before: LawPassages,
	after: LawPassages,
	laws: Pick<Laws, "prefill" | "decode">,
	places: number,
	output: number,
): CarriedTimes {
	const [there, here] = [before.at("mean"), after.at("mean")];
	const partsOf = (times: TimesByRunning["middle"]) => (running: number) => {
		const held = Math.min(running, places);
		const [clients, from, to] = [times(held), there(held), here(running)];
		return {
			first: { seen: clients.first, before: from.first, after: to.first },
			tpot: { seen: clients.tpot, before: from.tpot, after: to.tpot },
		};
	};
	const passage = (times: TimesByRunning["middle"], bound: Bound) => {
		const parts = partsOf(times);
		return (running: number) => {
			const { first, tpot } = parts(running);
			const [wait, each] = [carried(first, bound), carried(tpot, bound)];
			return { first: wait, tpot: each, cycle: wait + (output - 1) * each };
		};
	};
	return {
		middle: passage(seen.middle, "mean"),
		low: passage(seen.low, "low"),
		high: passage(seen.high, "high"),
		prefillEvidence: weakest(seen.prefillEvidence, "transferred", laws.prefill?.evidence ?? "assumed"),
		decodeEvidence: weakest(seen.decodeEvidence, "transferred", after.decodeEvidence),
		parts: partsOf(seen.middle),
	};
}

/** What the laws say of a change: 1 where nothing was seen that it could change. */
export const changeOf = ({ before, after }: CarriedTime): number => (before > 0 ? after / before : 1);

function carried(time: CarriedTime, bound: Bound): number {
	const change = changeOf(time);
	if (bound === "mean") return time.seen * change;
	const ends = [change ** (1 - CHANGE_SPREAD), change ** (1 + CHANGE_SPREAD)];
	return time.seen * (bound === "low" ? Math.min(...ends) : Math.max(...ends));
}
