import { type Evidence, weakest } from "../trust/quantity.ts";
import type { Bound, EngineQuestion, LawPassages, TimesByRunning } from "./law-passages.ts";
import type { Laws } from "./laws.ts";
import { remembering } from "./remembering.ts";

/** A time that clients saw on one setup, and what the laws of prefill and decode say of it there and where it is carried to. */
export interface CarriedTime {
	seen: number;
	before: number;
	after: number;
}

/** Times of clients carried over, and what they were made of by the number of sequences that run. */
export interface CarriedTimes extends TimesByRunning {
	parts: (running: number) => { first: CarriedTime; tpot: CarriedTime };
	/** The lengths that they are carried over from, nothing cached. */
	from: Pick<EngineQuestion, "context" | "output">;
}

/** How far what a change does may be off, both ways: half of it. A convention, until pairs of measured setups tell. */
const CHANGE_SPREAD = 0.5;

/** What clients saw, and passages by the laws of the same and of what is asked. */
export interface SeenAndTold {
	seen: TimesByRunning;
	before: LawPassages;
	after: LawPassages;
	asSeen: EngineQuestion;
	/** Whether only lengths differ, and so little that what clients saw nearly answers. */
	near: boolean;
}

/**
 * What clients saw on one setup, carried over to another, to other lengths, or to prompts of which a part is cached.
 *
 *   TTFT = TTFT_seen · r,  r = prefill asked / prefill seen, alone on the engine
 *   TPOT = TPOT_seen · r,  r = TPOT asked / TPOT seen, by the passages of the laws at the same load
 *   at a bound t_seen,bound · r^(1 ± 1/2)
 *
 * The laws alone may be far from what clients see; what they say of a change is the same on both sides of it. So a smaller
 * cache never comes out slower for having been asked by another method than the measured one.
 *
 * Two grids of 8 × H200 with laws from the data sheet, clients' times of one prompt length (1K … 32K) asked for all others,
 * medians of 19 lengths: TTFT off by a factor of 1.3 to 4.4, in the middle 1.6, requests/s by 1.2 to 2.6, in the middle 1.3;
 * by the clients' law carried on flat 1.5 to 5.8 and 2.7, 1.5 to 2.9 and 1.7. With the TTFT of the passages in place of the
 * prompt alone the middle is the same, but it jumps 30-fold where the laws begin to queue and clients had queued all along.
 * @param places sequences that the measured setup holds: beyond them clients saw a queue, which the asked one need not have
 * @param output tokens per request that is asked about, ≥ 1
 */
export function carriedTimes(
	{ seen, before, after, asSeen, near }: SeenAndTold,
	laws: Pick<Laws, "prefill" | "decode" | "seenOn">,
	places: number,
	output: number,
): CarriedTimes {
	const [there, here] = [remembering(before.at("mean")), remembering(after.at("mean"))];
	const alone = { before: there(1).first, after: here(1).first };
	const partsOf = (times: TimesByRunning["middle"]) => (running: number) => {
		const held = Math.min(running, places);
		const [clients, from, to] = [times(held), there(held), here(running)];
		return {
			first: { seen: clients.first, before: alone.before, after: alone.after },
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
	const way: Evidence = laws.seenOn ? "transferred" : "extrapolated";
	return {
		middle: passage(seen.middle, "mean"),
		low: passage(seen.low, "low"),
		high: passage(seen.high, "high"),
		prefillEvidence: weakest(seen.prefillEvidence, way, near ? way : evidenceOf(laws.prefill)),
		decodeEvidence: weakest(seen.decodeEvidence, way, near ? way : after.decodeEvidence),
		parts: partsOf(seen.middle),
		from: { context: asSeen.context, output: asSeen.output },
	};
}

const evidenceOf = (law: Laws["prefill"]): Evidence =>
	law ? weakest(law.evidence, law.fit.evidence) : "assumed";

/** What the laws say of a change: 1 where nothing was seen that it could change. */
export const changeOf = ({ before, after }: CarriedTime): number => (before > 0 ? after / before : 1);

function carried(time: CarriedTime, bound: Bound): number {
	const change = changeOf(time);
	if (bound === "mean") return time.seen * change;
	const ends = [change ** (1 - CHANGE_SPREAD), change ** (1 + CHANGE_SPREAD)];
	return time.seen * (bound === "low" ? Math.min(...ends) : Math.max(...ends));
}
