import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import {
	type Calibration,
	type ConfigurationFits,
	calibrate,
	calibrateTo,
	drawRequests,
	fitServe,
	loadStatistics,
	predictServe,
	type Requests,
	type Run,
	requestSeconds,
	runEngine,
	type ServePoint,
} from "@plimsoll/api/model";
import { readFile, sharedFolder } from "../support/reading.ts";

/** A closed-loop run that a client measured. Times in seconds. */
export interface LoadCase {
	input: number;
	output: number;
	users: number;
	requests: number;
	/** The middle of the requests: the median where it is known, else the mean. */
	middle: "p50" | "mean";
	ttft: number;
	tpot: number;
	ttftP99: number | null;
	tpotP99: number | null;
	outputTokensPerSecond: number;
}

/** Errors of one set: predicted over measured − 1, one entry a run; a run that lacks a figure has none. */
export interface LoadErrors {
	tpot: number[];
	/** Of runs below the measured saturation. */
	ttft: number[];
	ttftBeyond: number[];
	tpotP99: number[];
	ttftP99: number[];
	throughput: number[];
	/** Of the users at which doubling gains less than a tenth, one a prompt length that shows it. */
	saturation: number[];
}

export interface LoadScore {
	name: string;
	/** Runs that the laws were worked out of, and runs predicted. */
	told: number;
	predicted: number;
	errors: LoadErrors;
	/** What the laws of the client-side form give on the same runs (predictServe). */
	closedForm: { tpot: number[]; ttft: number[] };
	why: string;
}

interface LoadSet {
	name: string;
	cases: LoadCase[];
	/** Runs of at most so many users tell the laws. */
	upTo: number;
	why: string;
}

const UNLIMITED = { maxSequences: 4096, kvTokens: Number.POSITIVE_INFINITY, blockTokens: 16 };
/** Share by which outputs are spread, as the calibration spreads them. */
const SPREAD = 0.05;

/** Runs of a folder of result files, as the ingest reads them. */
async function casesOf(folder: string, only: RegExp): Promise<LoadCase[]> {
	const files = readdirSync(folder).filter((name) => only.test(name));
	const readings = await Promise.all(files.map((name) => readFile(resolve(folder, name))));
	const cases = readings.flatMap(({ measurements }) =>
		measurements.flatMap((m): LoadCase[] => {
			const users = m.phase === "serve" ? (m.concurrencyLimit ?? m.concurrency) : null;
			if (m.phase !== "serve" || users == null || m.outputTokensPerSecond === null) return [];
			const middle = m.ttft?.p50 != null && m.tpot?.p50 != null ? "p50" : "mean";
			const [ttft, tpot] = [m.ttft?.[middle] ?? null, m.tpot?.[middle] ?? null];
			if (ttft === null || tpot === null) return [];
			return [
				{
					input: m.input,
					output: m.output,
					users,
					requests: m.completed ?? 10 * users,
					middle,
					ttft,
					tpot,
					ttftP99: m.ttft?.p99 ?? null,
					tpotP99: m.tpot?.p99 ?? null,
					outputTokensPerSecond: m.outputTokensPerSecond,
				},
			];
		}),
	);
	return cases.sort((a, b) => a.input - b.input || a.users - b.users);
}

const pointOf = (c: LoadCase): ServePoint => ({
	phase: "serve",
	input: c.input,
	output: c.output,
	concurrency: c.users,
	rate: null,
	ttftSeconds: c.middle === "mean" ? c.ttft : null,
	ttftP50Seconds: c.middle === "p50" ? c.ttft : null,
	ttftP99Seconds: c.ttftP99,
	tpotSeconds: c.middle === "mean" ? c.tpot : null,
	tpotP50Seconds: c.middle === "p50" ? c.tpot : null,
	tpotP99Seconds: c.tpotP99,
	outputTokensPerSecond: c.outputTokensPerSecond,
	n: 1,
	betweenRuns: null,
	withinRun: null,
	measurementIds: [],
});

const requestsOf = ({ users, requests, input, output }: LoadCase): Requests =>
	drawRequests(
		{
			arrivals: { kind: "users", users },
			requests,
			prompt: { kind: "fixed", tokens: input },
			output: {
				kind: "uniform",
				from: Math.round(output * (1 - SPREAD)),
				to: Math.round(output * (1 + SPREAD)),
			},
		},
		1,
	);

/** What the simulator makes of a run, in the figures that were measured of it. */
function simulated(laws: Calibration, kvTokens: number, of: LoadCase): LoadCase {
	const run = runEngine({ ...laws, ...UNLIMITED, kvTokens, acceptanceLength: 1 }, requestsOf(of));
	const times = requestSeconds(run);
	const [ttft, tpot] = [loadStatistics(times.ttft), loadStatistics(times.tpot)];
	const last = run.endSeconds.reduce((most, end) => Math.max(most, end));
	const tokens = run.requests.outputTokens.reduce((sum, one) => sum + one, 0);
	return {
		...of,
		ttft: ttft?.[of.middle] ?? Number.NaN,
		tpot: tpot?.[of.middle] ?? Number.NaN,
		ttftP99: ttft?.p99 ?? null,
		tpotP99: tpot?.p99 ?? null,
		outputTokensPerSecond: tokens / last,
	};
}

/**
 * Users at which twice as many draw less than a tenth more, read off throughput straight in both logarithms.
 * null where the runs do not reach so far.
 */
function saturationUsers(cases: readonly LoadCase[]): number | null {
	const at = (users: number): number | null => {
		const above = cases.findIndex((c) => c.users >= users);
		const [low, high] = [cases[above - 1] ?? cases[above], cases[above]];
		if (!low || !high) return null;
		const span = Math.log(high.users / low.users);
		const share = span > 0 ? Math.log(users / low.users) / span : 0;
		return low.outputTokensPerSecond * (high.outputTokensPerSecond / low.outputTokensPerSecond) ** share;
	};
	const [first, last] = [cases[0]?.users ?? 1, cases.at(-1)?.users ?? 1];
	for (let users = first; 2 * users <= last; users *= 1.02) {
		const [one, two] = [at(users), at(2 * users)];
		if (one !== null && two !== null && two < 1.1 * one) return users;
	}
	return null;
}

/** Cache of an engine from one overloaded run: the tokens with which its requests wait and decode as they did. */
function kvTokensFrom(laws: Calibration, overloaded: LoadCase): number {
	const length = overloaded.input + overloaded.output;
	const tries = Array.from({ length: overloaded.users }, (_, i) => {
		const kvTokens = (i + 1) * length;
		const { ttft, tpot } = simulated(laws, kvTokens, overloaded);
		return { kvTokens, miss: Math.hypot(Math.log(ttft / overloaded.ttft), Math.log(tpot / overloaded.tpot)) };
	});
	return tries.reduce((best, one) => (one.miss < best.miss ? one : best)).kvTokens;
}

const off = (predicted: number | null, measured: number | null): number[] =>
	predicted === null || measured === null || !(measured > 0) ? [] : [predicted / measured - 1];

/** Works laws out of the runs under little load and predicts the others. */
export function judge(
	{ name, cases, upTo, why }: LoadSet,
	overloaded?: (c: LoadCase) => boolean,
): LoadScore | null {
	const told = cases.filter((c) => c.users <= upTo);
	const laws = calibrate(told.map(pointOf), UNLIMITED);
	if (!laws) return null;
	const cap = overloaded && cases.find(overloaded);
	const kvTokens = cap ? kvTokensFrom(laws, cap) : Number.POSITIVE_INFINITY;
	const others = cases.filter((c) => c.users > upTo && c !== cap);
	const predictions = others.map((c) => ({ measured: c, predicted: simulated(laws, kvTokens, c) }));
	const all = cases.map(
		(c) => predictions.find((p) => p.measured === c)?.predicted ?? simulated(laws, kvTokens, c),
	);
	const errors: LoadErrors = {
		...{ tpot: [], ttft: [], ttftBeyond: [], tpotP99: [], ttftP99: [], throughput: [], saturation: [] },
	};
	for (const input of new Set(cases.map((c) => c.input))) {
		const of = (list: readonly LoadCase[]) => list.filter((c) => c.input === input);
		const limit = saturationUsers(of(cases));
		errors.saturation.push(...off(saturationUsers(of(all)), limit));
		for (const { measured, predicted } of predictions.filter((p) => p.measured.input === input))
			(measured.users <= (limit ?? Number.POSITIVE_INFINITY) ? errors.ttft : errors.ttftBeyond).push(
				...off(predicted.ttft, measured.ttft),
			);
	}
	for (const { measured, predicted } of predictions) {
		errors.tpot.push(...off(predicted.tpot, measured.tpot));
		errors.tpotP99.push(...off(predicted.tpotP99, measured.tpotP99));
		errors.ttftP99.push(...off(predicted.ttftP99, measured.ttftP99));
		errors.throughput.push(...off(predicted.outputTokensPerSecond, measured.outputTokensPerSecond));
	}
	return {
		name,
		told: told.length,
		predicted: others.length,
		errors,
		closedForm: closedFormOf(told, others),
		why,
	};
}

/** The client-side laws fitted to the same runs. */
function closedFormOf(told: readonly LoadCase[], others: readonly LoadCase[]): LoadScore["closedForm"] {
	const middle = told.map((c) => ({ ...pointOf(c), ttftSeconds: c.ttft, tpotSeconds: c.tpot }));
	const fits: ConfigurationFits = { prefill: null, decode: null, serve: fitServe(middle) };
	const found = { tpot: [] as number[], ttft: [] as number[] };
	for (const c of others) {
		const { ttft, tpot } = predictServe(fits, { input: c.input, output: c.output, concurrency: c.users });
		found.tpot.push(...off(tpot.mean, c.tpot));
		found.ttft.push(...off(ttft.mean, c.ttft));
	}
	return found;
}

/** The public sets of result files; null where the shared folder is missing. */
export async function readSets(): Promise<LoadSet[] | null> {
	const folder = sharedFolder("formats");
	if (folder === null) return null;
	const cases = (name: string, only = /\.json$/) => casesOf(resolve(folder, "vllm-serve", name), only);
	return [
		{
			name: "8 × H200, GLM-5 FP8",
			cases: await cases("h200x8-glm5-fp8-grid"),
			upTo: 8,
			why: "without a limit of the cache nothing waits, and every run beyond it is predicted too short",
		},
		{
			name: "8 × H200, MiniMax-M2.5",
			cases: await cases("h200x8-minimax-m2.5-grid", /_tep8_/),
			upTo: 8,
			why:
				"two kinds of requests stand in each run, as when a prefix cache answers the prompts of the run before (18,432 tokens, " +
				"8 clients: half within 5.9 s, mean 8.1 s, 99 % within 13.2 s), and no file says which",
		},
		{
			name: "8 × H200, Qwen3.5-397B",
			cases: await cases("h200x8-qwen3.5-397b-grid"),
			upTo: 8,
			why:
				"two kinds of requests as above, and a TTFT of 4.6 s at 1,024 tokens and 4 clients, where 16 clients wait 2.8 s: what " +
				"the runs of few clients hold is no law of the engine",
		},
		{
			name: "16 AMD, gpt-oss-120b",
			cases: await cases("amd16-disagg-gpt-oss-120b"),
			upTo: 32,
			why: "prefill and decode run on different GPUs; the simulated engine does both on the same",
		},
		{
			name: "16 AMD, MiniMax-M2.5",
			cases: await cases("amd16-disagg-minimax-m2.5"),
			upTo: 32,
			why: "as above",
		},
		{
			name: "Blackwell, Llama 3.1 8B w4a16",
			cases: await cases("blackwell-vllm.w4a16"),
			upTo: 4,
			why: "the run with one client was the first to read the prompts (TTFT 49 ms), the others found them cached (17 ms)",
		},
	];
}

/** GLM-5 with the cache that one overloaded run shows: 14,336 tokens, 64 clients. */
export const isOverloaded = (c: LoadCase): boolean => c.input === 14336 && c.users === 64;

/** Requests that a recorder inside vLLM wrote down, on an RTX 4090 whose cache is full most of the time. */
export interface Recording {
	requests: Requests;
	firstTokenSeconds: number[];
	endSeconds: number[];
	startSeconds: number[];
	kvTokens: number;
	blockTokens: number;
	maxSequences: number;
	chunkTokens: number;
}

/** null where the shared folder is missing. */
export function readRecording(): Recording | null {
	const folder = sharedFolder("formats");
	const at = folder && resolve(folder, "vllm-requests/RTX4090-Llama-3.1-8B");
	if (!at || !existsSync(at)) return null;
	const rows = readFileSync(resolve(at, "requests.jsonl"), "utf8")
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line))
		.sort((a, b) => a.queued_ts - b.queued_ts);
	const meta = JSON.parse(readFileSync(resolve(at, "meta.json"), "utf8"));
	const since = (key: string): number[] => rows.map((row) => row[key] - rows[0].queued_ts);
	return {
		requests: {
			count: rows.length,
			promptTokens: Int32Array.from(rows, (row) => row.input_toks),
			outputTokens: Int32Array.from(rows, (row) => row.output_toks),
			cachedTokens: new Int32Array(rows.length),
			arrivalSeconds: Float64Array.from(since("queued_ts")),
			users: 0,
			thinkSeconds: null,
		},
		startSeconds: since("scheduled_ts"),
		firstTokenSeconds: since("first_token_ts"),
		endSeconds: since("last_token_ts"),
		kvTokens: meta.kv_cache.num_kv_tokens,
		blockTokens: meta.kv_cache.block_size,
		maxSequences: meta.engine_kwargs.max_num_seqs,
		chunkTokens: meta.engine_kwargs.max_num_batched_tokens,
	};
}

/** Requests of the recording that tell the laws. */
export const TOLD = 60;

/** Statistics of the requests that did not tell the laws: measured and simulated. */
export interface RecordingScore {
	measured: ReturnType<typeof recordedStatistics>;
	simulated: ReturnType<typeof recordedStatistics>;
	preemptions: number;
}

/** Works laws out of the times of the first requests and predicts those of all that came after. */
export function judgeRecording(recording: Recording): RecordingScore {
	const { requests, kvTokens, blockTokens, maxSequences, chunkTokens } = recording;
	const limits = { kvTokens, blockTokens, maxSequences };
	const misses = (run: Run): number[] =>
		Array.from({ length: TOLD }, (_, i) => {
			const fill = (of: { firstTokenSeconds: ArrayLike<number>; startSeconds: ArrayLike<number> }) =>
				(of.firstTokenSeconds[i] ?? 0) - (of.startSeconds[i] ?? 0);
			const decode = (of: { firstTokenSeconds: ArrayLike<number>; endSeconds: ArrayLike<number> }) =>
				(of.endSeconds[i] ?? 0) - (of.firstTokenSeconds[i] ?? 0);
			return [0.5 * Math.log(fill(run) / fill(recording)), Math.log(decode(run) / decode(recording))];
		}).flat();
	// 16 GB of weights over 1,008 GB/s, and their arithmetic at half of 165 TFLOPS: where the search starts.
	const quiet = { tokens: 2048, ttftSeconds: 0.4, tpotSeconds: 0.016 };
	const laws = calibrateTo([{ requests, misses }], quiet, limits, [], [chunkTokens]);
	const run = runEngine({ ...laws, ...limits, acceptanceLength: 1 }, requests);
	return {
		measured: recordedStatistics(requests, recording),
		simulated: recordedStatistics(requests, run),
		preemptions: run.preemptions,
	};
}

function recordedStatistics(
	{ count, arrivalSeconds, outputTokens }: Requests,
	of: { firstTokenSeconds: ArrayLike<number>; endSeconds: ArrayLike<number> },
) {
	const later = Array.from({ length: count - TOLD }, (_, i) => i + TOLD);
	const statistics = (value: (i: number) => number) => {
		const found = loadStatistics(Float64Array.from(later, value));
		if (!found) throw new Error("no requests");
		return found;
	};
	const first = (i: number) => of.firstTokenSeconds[i] ?? 0;
	const end = (i: number) => of.endSeconds[i] ?? 0;
	const came = (i: number) => arrivalSeconds?.[i] ?? 0;
	return {
		ttft: statistics((i) => first(i) - came(i)),
		tpot: statistics((i) => (end(i) - first(i)) / Math.max(1, (outputTokens[i] ?? 2) - 1)),
		e2e: statistics((i) => end(i) - came(i)),
	};
}

/** Public vLLM series of mean times at many loads (InferenceMAX and others, by aiconfigurator): lengths are 0.8 … 1 of those named. */
export function readSeries(): LoadSet[] | null {
	const folder = sharedFolder("truth");
	if (folder === null) return null;
	const [head = "", ...lines] = readFileSync(resolve(folder, "serving_agg.csv"), "utf8").trim().split("\n");
	const keys = head.split(",");
	const series = new Map<string, LoadCase[]>();
	for (const line of lines) {
		const row = Object.fromEntries(line.split(",").map((value, i) => [keys[i], value]));
		const [input, output, users] = [row.isl, row.osl, row.concurrency].map(Number);
		const [ttft, tpot] = [Number(row.ttft_ms) / 1000, Number(row.tpot_ms) / 1000];
		const name = row.series ?? "";
		if (!input || !output || !users || !/vllm/.test(name)) continue;
		const [prompt, answer] = [0.9 * input, 0.9 * output];
		const outputTokensPerSecond = (users * answer) / (ttft + (answer - 1) * tpot);
		const list = series.get(name) ?? [];
		list.push({
			...{ input: prompt, output: answer, users, requests: 10 * users, middle: "mean", ttft, tpot },
			...{ ttftP99: null, tpotP99: null, outputTokensPerSecond },
		});
		series.set(name, list);
	}
	return [...series]
		.map(([name, cases]) => ({
			name,
			cases: cases.sort((a, b) => a.input - b.input || a.users - b.users),
			upTo: 16,
			why: "",
		}))
		.filter(({ cases }) => cases.filter((c) => c.users <= 16).length >= 4 && cases.some((c) => c.users > 16));
}

/** The value that a share of the sizes does not exceed; NaN without any. */
export function rank(errors: readonly number[], share: number): number {
	const sorted = errors.map(Math.abs).sort((a, b) => a - b);
	return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
