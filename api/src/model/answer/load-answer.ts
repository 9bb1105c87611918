import type { EngineLaws } from "../load/pace.ts";
import { type LoadQuestion, simulateLoad } from "../load/simulate.ts";
import { type Sweep, sweepLoads } from "../load/sweep.ts";
import { meanTokens, staysInStep, type Workload } from "../load/workload.ts";
import type { Prediction } from "../time/curves.ts";
import { predictDecode } from "../time/decode.ts";
import type { ServePoint } from "../time/points.ts";
import { predictPrefill } from "../time/prefill.ts";
import { ROOFLINE_SPREAD } from "../time/roofline.ts";
import { type Evidence, weakest } from "../trust/quantity.ts";
import { type LoadResult, resultOf } from "./load-result.ts";
import { type EngineOptions, type LoadSetting, loadSettingOf } from "./load-setting.ts";
import type { PlanFacts, Scenario } from "./question.ts";

/** What is asked of the simulator about a scenario, whose lengths and load the workload replaces. */
export interface LoadAsk {
	workload: Workload;
	/** Whole number; the same one gives the same answer. */
	seed: number;
	engine?: EngineOptions;
	/** Whether a whole range of loads is simulated too. */
	sweep?: boolean;
}

/** The simulator's answer about a scenario. */
export interface LoadAnswer {
	scenario: Scenario;
	assumed: { key: keyof Scenario; reason: string }[];
	/** Of one engine. */
	engine: LoadSetting["figures"] & { copies: number; acceptanceLength: number };
	laws: LoadSetting["laws"];
	evidence: Evidence;
	/** null: not possible; `reason` says why. */
	result: LoadResult | null;
	reason: string | null;
	/** What to know before the result is used, in sentences. */
	remarks: string[];
	sweep: Sweep | null;
}

const IN_STEP =
	"All requests are equally long and users never pause, so they keep coming together and each waits for the prompts of a whole wave. Plan asks about users who come at their own times: let the lengths of answers vary, or give time to think, to compare with it.";

/** Share of the work, by what is told of it: the load itself, then its bands, then the sweep. */
const SHARE_OF_SWEEP = 0.75;

/**
 * Simulates a load on the engine of a scenario: every number with interval, evidence and how it came about.
 * The interval of a time is what the load gives with both laws at the ends of their 95 % bands.
 * @param points serve points of the configuration, from which laws are worked out where there are no others
 * @param told called now and then with the share that is done, 0…1
 * @throws RangeError for a workload that cannot be
 * @source DESIGN 2.5
 */
export function answerLoad(
	scenario: Scenario,
	facts: PlanFacts,
	ask: LoadAsk,
	points: readonly ServePoint[] = [],
	told?: (share: number) => void,
): LoadAnswer {
	const mean = meanTokens(ask.workload);
	const found = loadSettingOf(
		asLoaded(scenario, ask.workload),
		facts,
		mean.prompt + mean.output,
		ask.engine,
		points,
	);
	const { scenario: asked, assumed } = found.outlook.resolved;
	const { concurrency, rate } = asLoaded(asked, ask.workload);
	const answer = {
		scenario: { ...asked, concurrency, rate },
		assumed: assumed.filter(({ key }) => key !== "concurrency"),
		engine: { ...found.figures, copies: found.copies, acceptanceLength: ask.engine?.acceptanceLength ?? 1 },
		laws: found.laws,
		evidence: weakest(found.evidence, "estimated"),
		reason: found.reason,
		remarks: found.setting && staysInStep(ask.workload) ? [IN_STEP] : [],
	};
	if (!found.setting) return { ...answer, result: null, sweep: null };
	const question: LoadQuestion = {
		setting: found.setting,
		workload: shareOf(ask.workload, found.copies),
		seed: ask.seed,
		limits: { ttftSeconds: asked.ttftSlo ?? undefined, tpotSeconds: asked.tpotSlo ?? undefined },
	};
	const span = ask.sweep ? 1 - SHARE_OF_SWEEP : 1;
	const outcome = simulateLoad(question, (share) => told?.((span * share) / 3));
	const [low, high] = bandOf(question, mean).map((laws, i) => {
		told?.((span * (i + 1)) / 3);
		return simulateLoad({ ...question, setting: { ...question.setting, ...laws } });
	});
	const sweep = ask.sweep ? sweepLoads(question, (share) => told?.(span + SHARE_OF_SWEEP * share)) : null;
	const result = resultOf(found, outcome, low ?? outcome, high ?? outcome, answer.evidence, question);
	return { ...answer, result, sweep: sweep && scaled(sweep, found.copies) };
}

/** The scenario with the means of a workload in place of its lengths and its load. */
function asLoaded(scenario: Scenario, workload: Workload): Scenario {
	const { arrivals, cachedShare = 0 } = workload;
	const { prompt, output } = meanTokens(workload);
	return {
		...scenario,
		context: Math.max(1, Math.round(prompt)),
		output: Math.max(1, Math.round(output)),
		cached: cachedShare === "trace" ? 0 : cachedShare,
		concurrency: arrivals.kind === "users" ? arrivals.users : null,
		rate: arrivals.kind === "rate" ? arrivals.requestsPerSecond : null,
	};
}

/** One engine's share of a load that several carry side by side, each request going to the next of them in turn. */
function shareOf(workload: Workload, copies: number): Workload {
	if (copies === 1) return workload;
	const { arrivals } = workload;
	const requests = Math.ceil(workload.requests / copies);
	switch (arrivals.kind) {
		case "rate":
			return {
				...workload,
				requests,
				arrivals: { ...arrivals, requestsPerSecond: arrivals.requestsPerSecond / copies },
			};
		case "users":
			return {
				...workload,
				requests,
				arrivals: { ...arrivals, users: Math.max(1, Math.round(arrivals.users / copies)) },
			};
		case "burst":
			return {
				...workload,
				requests,
				arrivals: { ...arrivals, requests: Math.max(1, Math.round(arrivals.requests / copies)) },
			};
		case "trace":
			return { ...workload, requests, arrivals: { ...arrivals, speed: (arrivals.speed ?? 1) / copies } };
	}
}

/** Both laws at the lower and at the upper end of their bands, taken at the workload's mean lengths. */
function bandOf({ setting }: LoadQuestion, mean: { prompt: number; output: number }): EngineLaws[] {
	const { prefill, decode } = setting;
	const batch = Math.min(setting.maxSequences, Math.max(1, decode.range.batch[1]));
	const first = banded(predictPrefill(prefill, { tokens: mean.prompt }), prefill.n);
	const step = banded(predictDecode(decode, { batch, context: mean.prompt + mean.output / 2 }), decode.n);
	return (["low", "high"] as const).map((end) => ({
		prefill: times(prefill, first[end] / first.seconds, ["a", "b", "f"]),
		decode: times(decode, step[end] / step.seconds, ["c0", "c1", "c2", "c3"]),
	}));
}

/** An estimate without points has the spread between stacks as its band. */
function banded(prediction: Prediction, points: number): Prediction {
	const { seconds } = prediction;
	if (points > 0 || prediction.evidence !== "estimated") return prediction;
	return { ...prediction, low: seconds / ROOFLINE_SPREAD, high: seconds * ROOFLINE_SPREAD };
}

/** A law whose named coefficients are multiplied. */
function times<Fit extends { coefficients: Record<Key, number> }, Key extends string>(
	fit: Fit,
	factor: number,
	keys: readonly Key[],
): Fit {
	const coefficients = { ...fit.coefficients };
	for (const key of keys) coefficients[key] *= factor;
	return { ...fit, coefficients };
}

const scaled = ({ points, saturation, best, ...sweep }: Sweep, copies: number): Sweep => ({
	...sweep,
	points: points.map(({ load, outcome }) => ({ load: load * copies, outcome })),
	saturation: saturation === null ? null : saturation * copies,
	best: best && { load: best.load * copies, requestsPerSecond: best.requestsPerSecond * copies },
});
