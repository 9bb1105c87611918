import type { DecodeFit, PrefillFit } from "../time/curves.ts";
import type { ServePoint } from "../time/points.ts";
import { span } from "../time/prediction.ts";
import { type EngineSetting, runEngine } from "./engine.ts";
import { leastSquares } from "./least-squares.ts";
import { loadStatistics, requestSeconds } from "./outcome.ts";
import type { EngineLaws } from "./pace.ts";
import type { Run } from "./run.ts";
import { drawRequests, type Requests } from "./workload.ts";

/** Laws that make the simulator reproduce what clients measured. */
export interface Calibration extends EngineLaws {
	chunkTokens: number;
	/** Root mean square error on log seconds over the TTFT and TPOT of the points. */
	error: number;
}

/** What a client measured at one load, as its run is simulated. */
export interface MeasuredLoad {
	requests: Requests;
	ttft: { seconds: number; of: "mean" | "p50" } | null;
	tpot: { seconds: number; of: "mean" | "p50" } | null;
	/** Of the whole run. */
	outputTokensPerSecond: number | null;
}

/** Token budgets that are tried: vLLM's defaults on small and on large cards. @source vLLM: max_num_batched_tokens */
const BUDGETS = [2048, 8192];
/** Requests of a simulated run: what benchmarks send per user, no fewer and no more than these. */
const PER_USER = 10;
const [FEWEST, MOST] = [40, 480];
/** Output lengths are spread by this share: equal ones keep simulated users in step, which real ones are not. */
const SPREAD = 0.1;
/** Points that are read where there are more: the rest costs time and says little more. */
const MOST_POINTS = 14;
const ROUNDS = 20;
/** How much less a TTFT counts than a TPOT: it depends on who came at the same moment. */
const TTFT_WEIGHT = 0.5;
/**
 * Holds parameters near their start where the points say little of them. With this and the start below, laws from the
 * points up to 16 clients of 40 public vLLM series give the TPOT of up to 512 clients with a median and 90 % error of
 * 7.4 / 26 %; held a seventh as much and with ten times the work per sequence, 11 / 64 %.
 */
const HOLD = 0.02;

/**
 * The prefill and decode laws that explain serve points: those at which simulated runs have the measured TTFT and TPOT.
 * t = f + a·max(0, u − f/a) + b·v and t = c0 + c1·B + c2·B·L + c3·√B, for each token budget tried; the best is kept
 * @param points at least two with TTFT and TPOT and a known load; those of low load tell the laws, those above them the queue
 * @param limits what the engine is known to hold
 * @returns null where the points do not suffice
 */
export function calibrate(
	points: readonly ServePoint[],
	limits: Pick<EngineSetting, "maxSequences" | "kvTokens" | "blockTokens">,
	seed = 1,
): Calibration | null {
	const loads = thinned(points).flatMap((point) => measuredLoad(point, seed) ?? []);
	if (loads.filter(({ ttft, tpot }) => ttft && tpot).length < 2) return null;
	return calibrateTo(loads, limits, points);
}

/** The same for runs whose requests are known. @param points for the ranges and the lineage */
export function calibrateTo(
	loads: readonly MeasuredLoad[],
	limits: Pick<EngineSetting, "maxSequences" | "kvTokens" | "blockTokens">,
	points: readonly ServePoint[] = [],
	budgets: readonly number[] = BUDGETS,
): Calibration {
	const start = startOf(loads);
	const [first, ...others] = budgets.map((chunkTokens) => {
		const residuals = (parameters: readonly number[]) => {
			const setting = { ...lawsOf(parameters, points), ...limits, chunkTokens, acceptanceLength: 1 };
			const held = parameters.map((value, i) => HOLD * (value - (start[i] ?? 0)));
			return [...loads.flatMap((load) => misses(setting, load)), ...held];
		};
		return { chunkTokens, ...leastSquares(residuals, start, ROUNDS) };
	});
	if (!first) throw new RangeError("budgets must name at least one token budget");
	const best = others.reduce((a, b) => (b.squares < a.squares ? b : a), first);
	const error = Math.sqrt(best.squares / Math.max(1, 2 * loads.length));
	return { ...lawsOf(best.parameters, points, error), chunkTokens: best.chunkTokens, error };
}

/** Every n-th point in the order of load, the lowest and the highest among them. */
function thinned(points: readonly ServePoint[]): ServePoint[] {
	if (points.length <= MOST_POINTS) return [...points];
	const sorted = [...points].sort((a, b) => (a.concurrency ?? a.rate ?? 0) - (b.concurrency ?? b.rate ?? 0));
	const step = (sorted.length - 1) / (MOST_POINTS - 1);
	return Array.from({ length: MOST_POINTS }, (_, i) => sorted[Math.round(i * step)]).flatMap((p) => p ?? []);
}

function measuredLoad(point: ServePoint, seed: number): MeasuredLoad | null {
	const { input, output, concurrency, rate } = point;
	if (concurrency === null && rate === null) return null;
	const users = Math.max(1, Math.round(concurrency ?? 1));
	const requests = drawRequests(
		{
			arrivals: rate !== null ? { kind: "rate", requestsPerSecond: rate } : { kind: "users", users },
			requests: Math.max(FEWEST, Math.min(MOST, PER_USER * users), users),
			prompt: { kind: "fixed", tokens: Math.max(1, input) },
			output: {
				kind: "uniform",
				from: Math.max(1, Math.round(output * (1 - SPREAD))),
				to: Math.max(1, Math.round(output * (1 + SPREAD))),
			},
		},
		seed,
	);
	return {
		requests,
		ttft: measured(point.ttftSeconds, point.ttftP50Seconds),
		tpot: measured(point.tpotSeconds, point.tpotP50Seconds),
		outputTokensPerSecond: point.outputTokensPerSecond,
	};
}

function measured(mean: number | null, p50: number | null): MeasuredLoad["ttft"] {
	if (mean !== null && mean > 0) return { seconds: mean, of: "mean" };
	return p50 !== null && p50 > 0 ? { seconds: p50, of: "p50" } : null;
}

/** ln(simulated / measured) of a load's TTFT, TPOT and throughput. */
function misses(
	setting: EngineSetting,
	{ requests, ttft, tpot, outputTokensPerSecond }: MeasuredLoad,
): number[] {
	const run = runEngine(setting, requests);
	const seconds = requestSeconds(run);
	const miss = (values: Float64Array, of: MeasuredLoad["ttft"]) =>
		of ? [Math.log((loadStatistics(values)?.[of.of] ?? of.seconds) / of.seconds)] : [];
	const rate = outputTokensPerSecond && Math.log(tokensPerSecond(run) / outputTokensPerSecond);
	return [
		...miss(seconds.ttft, ttft).map((v) => TTFT_WEIGHT * v),
		...miss(seconds.tpot, tpot),
		...(rate === null ? [] : [rate]),
	];
}

function tokensPerSecond({ requests, endSeconds }: Run): number {
	const last = endSeconds.reduce((most, end) => (Number.isNaN(end) ? most : Math.max(most, end)), 0);
	return requests.outputTokens.reduce((sum, tokens) => sum + tokens, 0) / last;
}

/** ln of a, b, f, c0, c1, c2, c3: shares of the least TTFT and TPOT, from which the search moves on. */
function startOf(loads: readonly MeasuredLoad[]): number[] {
	const least = (of: "ttft" | "tpot") =>
		loads.reduce((min, load) => Math.min(min, load[of]?.seconds ?? min), Number.POSITIVE_INFINITY);
	const quickest = loads.find((load) => load.ttft?.seconds === least("ttft"));
	const tokens = quickest?.requests.promptTokens[0] ?? 1;
	const [ttft, tpot] = [least("ttft"), least("tpot")];
	return [(0.5 * ttft) / tokens, 1e-10, 0.8 * ttft, 0.6 * tpot, 0.001 * tpot, 1e-6 * tpot, 0.1 * tpot].map(
		Math.log,
	);
}

function lawsOf(
	parameters: readonly number[],
	points: readonly ServePoint[],
	loo: number | null = null,
): EngineLaws {
	const [a = 0, b = 0, f = 0, c0 = 0, c1 = 0, c2 = 0, c3 = 0] = parameters.map(Math.exp);
	const inputs = span(points.map((p) => p.input));
	const batches = span(points.map((p) => Math.max(1, p.concurrency ?? 1)));
	const base = {
		n: points.length,
		loo,
		noise: null,
		evidence: "fitted" as const,
		measurementIds: [...new Set(points.flatMap((p) => p.measurementIds))].slice(0, 1000),
		notes: [
			`worked out of ${points.length} serve points: the laws at which a simulated load has their TTFT and TPOT`,
		],
	};
	const prefill: PrefillFit = {
		...base,
		phase: "prefill",
		form: "f + a·max(0, u − k) + b·v",
		coefficients: { a, b, f, k: f / a },
		units: { a: "seconds/token", b: "seconds/token²", f: "seconds", k: "tokens" },
		range: { from: inputs[0], to: inputs[1] },
		chunkTokens: null,
		residuals: [],
	};
	const decode: DecodeFit = {
		...base,
		phase: "decode",
		form: "c0 + c1·B + c2·B·L + c3·√B",
		g: "sqrt",
		coefficients: { c0, c1, c2, c3 },
		units: { c0: "seconds", c1: "seconds", c2: "seconds/token", c3: "seconds" },
		range: { batch: batches, context: inputs },
	};
	return { prefill, decode };
}
