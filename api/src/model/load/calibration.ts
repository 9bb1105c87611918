import type { DecodeFit, PrefillFit } from "../time/curves.ts";
import type { ServePoint } from "../time/points.ts";
import { span } from "../time/prediction.ts";
import type { Arrivals } from "./arrivals.ts";
import { runEngine } from "./engine.ts";
import { leastSquares } from "./least-squares.ts";
import { loadStatistics, requestSeconds } from "./outcome.ts";
import type { EngineLaws } from "./pace.ts";
import type { Run } from "./run.ts";
import type { EngineSetting } from "./setting.ts";
import { drawRequests, type Requests } from "./workload.ts";

/** Laws that make the simulator reproduce what clients measured. */
export interface Calibration extends EngineLaws {
	chunkTokens: number;
	/** Root mean square error on log seconds over the TTFT and TPOT of the points. */
	error: number;
}

/** A run that was observed, and how far a simulated run of its requests is off. */
export interface ObservedRun {
	requests: Requests;
	/** ln(simulated / observed) of each figure that is compared, weighted. */
	misses: (run: Run) => number[];
}

/** Times of a run under little load, and its prompt length: where the search for laws starts. */
export interface QuietTimes {
	tokens: number;
	ttftSeconds: number;
	tpotSeconds: number;
}

type Limits = Pick<EngineSetting, "maxSequences" | "kvTokens" | "blockTokens">;

/** Token budgets that are tried: vLLM's defaults on small and on large cards. @source vLLM: max_num_batched_tokens */
const BUDGETS = [2048, 8192];
/** Requests of a simulated run: what benchmarks send per user, no fewer and no more than these. */
const PER_USER = 10;
const [FEWEST, MOST] = [40, 480];
/**
 * Output lengths are spread by this share: equal ones keep simulated users in step, which real ones are not. Of 128 tokens
 * drafted two at a time with three in four accepted, the steps deviate by 2.9 %: as lengths do that differ by up to 5 %.
 */
const SPREAD = 0.05;
/** Points that are read where there are more: the rest costs time and says little more. */
const MOST_POINTS = 14;
const ROUNDS = 20;
/** How much less a TTFT counts than a TPOT: it depends on who came at the same moment. */
const TTFT_WEIGHT = 0.5;
/**
 * Holds parameters near their start where the points say little of them. With it, laws from the points up to 16 clients of
 * 58 public vLLM series give the TPOT of up to 1,024 clients with a median and 90 % error of 5.8 / 24 %. Held a seventh as
 * much, and from ten times the work per sequence, the 90 % error of 40 of them was 64 % instead of 26 %.
 */
const HOLD = 0.02;

/**
 * The prefill and decode laws that explain serve points: those at which simulated runs have the measured TTFT and TPOT.
 * t = f + a·max(0, u − f/a) + b·v and t = c0 + c1·B + c2·B·L + c3·√B, for each token budget tried; the best is kept
 * @param points at least two with TTFT and TPOT and a known load; those of low load tell the laws, those above them the queue
 * @param limits what the engine is known to hold
 * @returns null where the points do not suffice
 */
export function calibrate(points: readonly ServePoint[], limits: Limits, seed = 1): Calibration | null {
	const told = thinned(points.filter((point) => timesOf(point) !== null && loadOf(point) !== null));
	if (told.length < 2) return null;
	const quiet = told.reduce((a, b) =>
		(timesOf(b)?.ttftSeconds ?? 0) < (timesOf(a)?.ttftSeconds ?? 0) ? b : a,
	);
	const tpots = told.map((point) => timesOf(point)?.tpotSeconds ?? Number.POSITIVE_INFINITY);
	const start = {
		tokens: quiet.input,
		ttftSeconds: timesOf(quiet)?.ttftSeconds ?? 0,
		tpotSeconds: Math.min(...tpots),
	};
	const runs = told.map((point) => ({
		requests: requestsOf(point, seed),
		misses: (run: Run) => missesOf(point, run),
	}));
	return calibrateTo(runs, start, limits, told);
}

/**
 * The laws that explain runs whose requests are known one by one.
 * @param points for the ranges and the lineage of the laws
 * @param budgets token budgets of a pass to try
 */
export function calibrateTo(
	runs: readonly ObservedRun[],
	quiet: QuietTimes,
	limits: Limits,
	points: readonly ServePoint[] = [],
	budgets: readonly number[] = BUDGETS,
): Calibration {
	const start = startOf(quiet);
	const [first, ...others] = budgets.map((chunkTokens) => {
		const residuals = (parameters: readonly number[]) => {
			const setting = { ...lawsOf(parameters, points), ...limits, chunkTokens, acceptanceLength: 1 };
			const held = parameters.map((value, i) => HOLD * (value - (start[i] ?? 0)));
			return [...runs.flatMap(({ requests, misses }) => misses(runEngine(setting, requests))), ...held];
		};
		return {
			chunkTokens,
			...leastSquares(residuals, start, ROUNDS),
			count: residuals(start).length - start.length,
		};
	});
	if (!first) throw new RangeError("budgets must name at least one token budget");
	const best = others.reduce((a, b) => (b.squares < a.squares ? b : a), first);
	const error = Math.sqrt(best.squares / Math.max(1, best.count));
	return { ...lawsOf(best.parameters, points, error), chunkTokens: best.chunkTokens, error };
}

/** Every n-th point in the order of load, the lowest and the highest among them. */
function thinned(points: readonly ServePoint[]): ServePoint[] {
	if (points.length <= MOST_POINTS) return [...points];
	const sorted = [...points].sort((a, b) => (a.concurrency ?? a.rate ?? 0) - (b.concurrency ?? b.rate ?? 0));
	const step = (sorted.length - 1) / (MOST_POINTS - 1);
	return Array.from({ length: MOST_POINTS }, (_, i) => sorted[Math.round(i * step)]).flatMap((p) => p ?? []);
}

interface PointTimes {
	ttftSeconds: number;
	tpotSeconds: number;
	/** The statistic that was measured. */
	ttft: "mean" | "p50";
	tpot: "mean" | "p50";
}

/** TTFT and TPOT of a point: means where it has them, else medians; null where it lacks one of both. */
function timesOf(point: ServePoint): PointTimes | null {
	const [ttftSeconds, tpotSeconds] = [
		point.ttftSeconds ?? point.ttftP50Seconds,
		point.tpotSeconds ?? point.tpotP50Seconds,
	];
	if (!(ttftSeconds && ttftSeconds > 0 && tpotSeconds && tpotSeconds > 0)) return null;
	return {
		ttftSeconds,
		tpotSeconds,
		ttft: point.ttftSeconds === null ? "p50" : "mean",
		tpot: point.tpotSeconds === null ? "p50" : "mean",
	};
}

function loadOf({ concurrency, rate }: ServePoint): Arrivals | null {
	if (rate !== null) return { kind: "rate", requestsPerSecond: rate };
	return concurrency === null ? null : { kind: "users", users: Math.max(1, Math.round(concurrency)) };
}

function requestsOf(point: ServePoint, seed: number): Requests {
	const { input, output } = point;
	const arrivals = loadOf(point) ?? { kind: "users", users: 1 };
	const users = arrivals.kind === "users" ? arrivals.users : 1;
	const around = (share: number) => Math.max(1, Math.round(output * share));
	return drawRequests(
		{
			arrivals,
			requests: Math.max(FEWEST, Math.min(MOST, PER_USER * users), users),
			prompt: { kind: "fixed", tokens: Math.max(1, input) },
			output: { kind: "uniform", from: around(1 - SPREAD), to: around(1 + SPREAD) },
		},
		seed,
	);
}

/** ln(simulated / measured) of a point's TTFT, TPOT and throughput. */
function missesOf(point: ServePoint, run: Run): number[] {
	const times = timesOf(point);
	if (!times) return [];
	const seconds = requestSeconds(run);
	const miss = (values: Float64Array, of: "mean" | "p50", measured: number) =>
		Math.log((loadStatistics(values)?.[of] ?? measured) / measured);
	const rate = point.outputTokensPerSecond;
	return [
		TTFT_WEIGHT * miss(seconds.ttft, times.ttft, times.ttftSeconds),
		miss(seconds.tpot, times.tpot, times.tpotSeconds),
		...(rate ? [Math.log(tokensPerSecond(run) / rate)] : []),
	];
}

function tokensPerSecond({ requests, endSeconds }: Run): number {
	const last = endSeconds.reduce((most, end) => (Number.isNaN(end) ? most : Math.max(most, end)), 0);
	return requests.outputTokens.reduce((sum, tokens) => sum + tokens, 0) / last;
}

/** ln of a, b, f, c0, c1, c2, c3: shares of the quiet times, from which the search moves on. */
const startOf = ({ tokens, ttftSeconds: ttft, tpotSeconds: tpot }: QuietTimes): number[] =>
	[(0.5 * ttft) / tokens, 1e-10, 0.8 * ttft, 0.6 * tpot, 0.001 * tpot, 1e-6 * tpot, 0.1 * tpot].map(Math.log);

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
