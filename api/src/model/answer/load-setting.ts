import { type Calibration, calibrate } from "../load/calibration.ts";
import type { EngineLaws } from "../load/pace.ts";
import type { EngineSetting } from "../load/setting.ts";
import { isLlamaCpp, VLLM_BLOCK_TOKENS } from "../memory/defaults.ts";
import { maxSequences } from "../memory/stack.ts";
import type { ServePoint } from "../time/points.ts";
import { count } from "../trust/figures.ts";
import { type Evidence, type Quantity, type Source, weakest } from "../trust/quantity.ts";
import { state } from "../trust/statement.ts";
import { type Outlook, outlookOf } from "./outlook.ts";
import type { PlanFacts, Scenario } from "./question.ts";
import { missingTimes } from "./times.ts";

/** Figures of an engine that a person gives; left out or null: from the configuration, else a stated default. */
export interface EngineOptions {
	maxSequences?: number | null;
	/** Tokens of one pass. */
	chunkTokens?: number | null;
	/** Tokens that the cache of one engine holds. */
	kvTokens?: number | null;
	blockTokens?: number | null;
	/** Mean tokens of a decode step with speculative decoding. */
	acceptanceLength?: number | null;
}

/** An engine to simulate, with the words for where each of its figures comes from. */
export interface LoadSetting {
	outlook: Outlook;
	/** null: not possible, and why. */
	setting: EngineSetting | null;
	reason: string | null;
	/** Engines side by side; each is given its share of the load. */
	copies: number;
	/** Weakest evidence of the laws. */
	evidence: Evidence;
	laws: { prefill: string; decode: string };
	figures: { kvTokens: Quantity; maxSequences: Quantity; chunkTokens: Quantity };
	sources: readonly Source[];
}

/** @source vLLM's default max_num_seqs */
const DEFAULT_SEQUENCES = 256;
/**
 * The engine that a scenario is about, ready to be simulated.
 * Its laws are the fitted prefill and decode laws; where one is missing, those worked out of serve points; else the
 * roofline.
 * @param tokens mean prompt and output of the workload: windows and states make the tokens a cache holds depend on them
 * @param points serve points of the configuration, read only where a law is missing
 */
export function loadSettingOf(
	scenario: Scenario,
	facts: PlanFacts,
	tokens: number,
	options: EngineOptions = {},
	points: readonly ServePoint[] = [],
): LoadSetting {
	const outlook = outlookOf(scenario, facts);
	const { copies } = outlook.resolved.asked;
	const kvTokens = kvTokensOf(outlook, tokens, options);
	const sequences = sequencesOf(outlook, options);
	const blockTokens = options.blockTokens ?? (isLlamaCpp(outlook.resolved.engine) ? 1 : VLLM_BLOCK_TOKENS);
	const limits = {
		maxSequences: sequences.value ?? DEFAULT_SEQUENCES,
		kvTokens: kvTokens.value ?? Number.POSITIVE_INFINITY,
		blockTokens,
	};
	const fits = limits.kvTokens >= blockTokens;
	const told = fits && !isFitted(outlook) && sameEngine(outlook);
	const calibrated = told ? calibrate(points, limits) : null;
	const found = lawsOf(outlook, calibrated);
	const chunkTokens = chunkTokensOf(outlook, options, calibrated);
	return {
		outlook,
		setting:
			found.laws && fits
				? {
						...found.laws,
						...limits,
						chunkTokens: chunkTokens.value ?? outlook.chunkBudget.tokens,
						acceptanceLength: options.acceptanceLength ?? 1,
					}
				: null,
		reason: fits ? found.reason : `nothing runs: ${kvTokens.arithmetic}`,
		copies,
		evidence: found.evidence,
		laws: found.words,
		figures: { kvTokens, maxSequences: sequences, chunkTokens },
		sources: outlook.laws.sources,
	};
}

const ESTIMATES: readonly Evidence[] = ["estimated", "assumed"];

/** Whether both laws rest on measurements, the steps on those of several batches. */
function isFitted({ laws: { prefill, decode } }: Outlook): boolean {
	if (!prefill || !decode) return false;
	const [least, most] = decode.fit.range.batch;
	return (
		!ESTIMATES.includes(weakest(...[prefill, decode].flatMap((l) => [l.evidence, l.fit.evidence]))) &&
		most > least
	);
}

/** Serve points speak of the setup that was measured only. */
const sameEngine = ({ resolved: { measured, asked } }: Outlook): boolean =>
	measured !== null && measured.unit === asked.unit && measured.tp === asked.tp;

function lawsOf(
	outlook: Outlook,
	calibrated: Calibration | null,
): { laws: EngineLaws | null; reason: string | null; evidence: Evidence; words: LoadSetting["laws"] } {
	if (calibrated) {
		const words = calibrated.prefill.notes.join("; ");
		return { laws: calibrated, reason: null, evidence: "fitted", words: { prefill: words, decode: words } };
	}
	const { prefill, decode } = outlook.laws;
	const words = {
		prefill: prefill ? `${prefill.fit.form} of ${pointsOf(prefill.fit.n)}${prefill.words()}` : "",
		decode: decode ? `${decode.fit.form} of ${pointsOf(decode.fit.n)}${decode.words()}` : "",
	};
	if (!prefill || !decode) return { laws: null, reason: missingTimes(outlook), evidence: "assumed", words };
	const evidence = weakest(prefill.evidence, prefill.fit.evidence, decode.evidence, decode.fit.evidence);
	return { laws: { prefill: prefill.fit, decode: decode.fit }, reason: null, evidence, words };
}

const pointsOf = (n: number) => (n > 0 ? `${count(n)} measured points` : "no measured point");

/** Tokens in the cache of one engine: as given, as it printed, else what the pool holds at the mean length. */
function kvTokensOf(outlook: Outlook, tokens: number, { kvTokens }: EngineOptions): Quantity {
	if (kvTokens) return state(kvTokens, "tokens", "assumed", () => `${count(kvTokens)} tokens, as given`);
	const sequences = maxSequences(outlook.memory, tokens);
	const { copies } = outlook.resolved.asked;
	const { pool } = outlook.memory;
	if (sequences === null)
		return state(
			null,
			"tokens",
			"assumed",
			() => `not known, so not limited: ${outlook.memory.missingCost || pool.from()}`,
		);
	const each = Math.floor(sequences / copies);
	return state(
		each * Math.ceil(tokens),
		"tokens",
		pool.evidence,
		() => `${count(each)} sequences of ${count(Math.ceil(tokens))} tokens fit in the pool: ${pool.from()}`,
		{},
		pool.sources,
	);
}

function sequencesOf(outlook: Outlook, { maxSequences: given }: EngineOptions): Quantity {
	if (given) return state(given, "sequences", "assumed", () => `${count(given)} sequences, as given`);
	const { maxSequences: started } = outlook.resolved.scenario;
	return started
		? state(started, "sequences", "arithmetic", () => `${count(started)}, as the engine is started`)
		: state(DEFAULT_SEQUENCES, "sequences", "assumed", () => `${DEFAULT_SEQUENCES}, vLLM's default`);
}

function chunkTokensOf(
	{ chunkBudget }: Outlook,
	{ chunkTokens: given }: EngineOptions,
	calibrated: Calibration | null,
): Quantity {
	if (given) return state(given, "tokens", "assumed", () => `${count(given)} tokens a pass, as given`);
	const { tokens, evidence, from } = chunkBudget;
	if (calibrated && evidence === "assumed") {
		const { chunkTokens } = calibrated;
		return state(
			chunkTokens,
			"tokens",
			"fitted",
			() => `${count(chunkTokens)}: the serve points are explained best by it`,
		);
	}
	return state(tokens, "tokens", evidence, from);
}
