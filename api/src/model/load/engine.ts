import { check } from "../time/prediction.ts";
import { BatchingEngine } from "./batching-engine.ts";
import type { Run } from "./run.ts";
import type { EngineSetting } from "./setting.ts";
import type { Requests } from "./workload.ts";

/**
 * Runs requests through an engine, iteration by iteration.
 * Each iteration: sequences that decode get their next token's place in the cache, the last admitted being thrown out
 * (and later computed again) where it is full; what remains of the token budget goes to the prompt that was begun, then to
 * the waiting line in order, whose prompts must fit in the cache whole. Runs of decode steps in which nothing can change
 * are taken at once: their context grows evenly, so that their time is a closed sum.
 * Left out: that a prefix found in the cache is held once for all who share it (each counts it in full), and what a
 * client or a network adds.
 * @param told called now and then with the number of requests that have ended
 * @throws RangeError that names what is out of bounds
 * @source vLLM V1's scheduler (Kwon et al., SOSP 2023; Agrawal et al., Sarathi-Serve, OSDI 2024), with whole prompts
 * reserved (scheduler_reserve_full_isl)
 */
export function runEngine(setting: EngineSetting, requests: Requests, told?: (ended: number) => void): Run {
	check("maxSequences", setting.maxSequences, 1);
	check("blockTokens", setting.blockTokens, 1);
	check("acceptanceLength", setting.acceptanceLength, 1);
	if (setting.kvTokens !== Number.POSITIVE_INFINITY) check("kvTokens", setting.kvTokens, 1);
	if (setting.chunkTokens !== Number.POSITIVE_INFINITY) check("chunkTokens", setting.chunkTokens, 1);
	return new BatchingEngine(setting, requests, told).runToEnd();
}
