import { deviation, mean } from "../fields.ts";
import type { Conditions, Item, ServeMeasurement } from "../record.ts";
import { coldStart, prefixCacheOn } from "./doubts.ts";
import type { ServeRun } from "./serve-run.ts";

const PREFILL_NOTE =
	"TTFT of requests that had the server to themselves: network, tokenisation and one step are inside.";
const DECODE_NOTE =
	"TPOT of requests that had the server to themselves, at the mean context input + output/2.";
/** More lengths than this are one measurement at their mean: a fit gains nothing from the thousandth. */
const MOST_LENGTHS = 500;

/**
 * The prefill and decode points inside a run that sent one request at a time (rule 4: TTFT is prefill only
 * when nothing waits). A prefix cache that answered part of the prompts leaves no prefill point.
 */
export function* loneRequestItems(run: ServeRun, serve: ServeMeasurement): Generator<Item> {
	const cached = run.cachedShare !== null && run.cachedShare >= 0.01;
	if (!cached) yield* prefillItems(run, serve);
	yield* decodeItems(run, serve);
}

function* prefillItems(run: ServeRun, serve: ServeMeasurement): Generator<Item> {
	const lengths = byLength(run.requests);
	if (lengths.size > 1 && lengths.size <= MOST_LENGTHS) {
		for (const [tokens, seconds] of lengths) yield prefillOfLength(run, serve, tokens, seconds);
		return;
	}
	const seconds = serve.ttft?.mean ?? serve.ttft?.p50;
	if (seconds == null) return;
	const suspicions = [...serve.suspicions];
	if (coldStart(serve.ttft)) suspicions.push("the mean TTFT is more than 1.5 times its median: a cold start");
	yield {
		kind: "measurement",
		at: `${run.at}, TTFT`,
		measurement: {
			...shared(serve, PREFILL_NOTE, suspicions),
			phase: "prefill",
			tokens: serve.input,
			cached: 0,
			batch: 1,
			secondsMean: seconds,
			secondsStd: serve.ttft?.std ?? null,
			repetitions: serve.completed,
		},
	};
}

function prefillOfLength(run: ServeRun, serve: ServeMeasurement, tokens: number, seconds: number[]): Item {
	return {
		kind: "measurement",
		at: `${run.at}, TTFT at ${tokens} tokens`,
		measurement: {
			...shared(serve, PREFILL_NOTE, serve.suspicions),
			phase: "prefill",
			tokens,
			cached: 0,
			batch: 1,
			seconds,
			secondsMean: mean(seconds) ?? Number.NaN,
			secondsStd: deviation(seconds),
			repetitions: seconds.length,
		},
	};
}

/** TTFTs by prompt length, shortest first; requests without a usable reading are left out. */
function byLength(requests: ServeRun["requests"]): Map<number, number[]> {
	const lengths = new Map<number, number[]>();
	for (const { input, ttftSeconds } of [...requests].sort((a, b) => a.input - b.input)) {
		if (!(input > 0 && ttftSeconds > 0)) continue;
		const seconds = lengths.get(input);
		if (seconds === undefined) lengths.set(input, [ttftSeconds]);
		else seconds.push(ttftSeconds);
	}
	return lengths;
}

function* decodeItems(run: ServeRun, serve: ServeMeasurement): Generator<Item> {
	const seconds = serve.tpot?.mean ?? serve.tpot?.p50;
	if (seconds == null) return;
	// The cache shortens the prompt's time only.
	const suspicions = serve.suspicions.filter((doubt) => doubt !== prefixCacheOn(run));
	yield {
		kind: "measurement",
		at: `${run.at}, TPOT`,
		measurement: {
			...shared(serve, DECODE_NOTE, suspicions),
			phase: "decode",
			batch: 1,
			context: serve.input + serve.output / 2,
			generated: serve.output,
			secondsMean: seconds,
			secondsStd: serve.tpot?.std ?? null,
			repetitions: serve.completed,
		},
	};
}

function shared(serve: ServeMeasurement, note: string, suspicions: string[]) {
	const conditions: Conditions = serve.conditions;
	return {
		conditions,
		startedAt: serve.startedAt,
		status: serve.status,
		notes: [note],
		suspicions: [...suspicions],
		seconds: [] as number[],
		details: {},
	};
}
