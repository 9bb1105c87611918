import { runEngine } from "./engine.ts";
import { type LoadLimits, type LoadOutcome, outcomeOf } from "./outcome.ts";
import type { EngineSetting } from "./setting.ts";
import { drawRequests, type Workload } from "./workload.ts";

/** One question to the simulator; JSON, but for the numbers of a trace, which may be typed arrays. */
export interface LoadQuestion {
	setting: EngineSetting;
	workload: Workload;
	/** Whole number; the same one gives the same answer. */
	seed: number;
	limits?: LoadLimits;
}

/**
 * Percentiles, throughput, goodput and a timeline of a load on an engine.
 * @param told called now and then with the share that is done, 0…1
 * @throws RangeError that names what is out of bounds
 * @source DESIGN 2.5
 */
export function simulateLoad(
	{ setting, workload, seed, limits }: LoadQuestion,
	told?: (share: number) => void,
): LoadOutcome {
	const requests = drawRequests(workload, seed);
	const run = runEngine(setting, requests, told && ((ended) => told(ended / requests.count)));
	return outcomeOf(run, limits);
}
