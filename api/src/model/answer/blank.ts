import { DEFAULT_CONTEXT } from "../memory/defaults.ts";
import type { Scenario } from "./question.ts";

/** A scenario in which nothing is said: what a query string means by what it leaves out. */
export const BLANK_SCENARIO: Scenario = {
	configuration: null,
	model: null,
	gpu: null,
	engine: null,
	gpus: null,
	tp: null,
	weights: null,
	kvK: null,
	kvV: null,
	kvHeads: null,
	context: DEFAULT_CONTEXT,
	output: 256,
	concurrency: 8,
	rate: null,
	cached: 0,
	utilisation: null,
	price: null,
	busy: 1,
	ttftSlo: null,
	tpotSlo: null,
	weightsBytes: null,
	totalBytes: null,
	overheadBytes: null,
};
