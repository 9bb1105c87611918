import { positive } from "../fields.ts";
import type { Item, ServeMeasurement, Statistics } from "../record.ts";
import { arrivesInGroups, coldStart, doubtsAbout } from "./doubts.ts";
import { type InFlight, inFlight, requestsPerSecond, servesOneByOne } from "./in-flight.ts";
import { loneRequestItems } from "./lone-requests.ts";
import type { ServeRun } from "./serve-run.ts";

/**
 * Items of one run: a serve point, or a failure, or a rejection. A run that sent one request at a time also
 * gives a prefill point (from its TTFT) and a decode point (from its TPOT).
 */
export function* serveItems(given: ServeRun): Generator<Item> {
	const run = withDerived(given);
	if (allFailed(run)) return yield failureOf(run);
	const { input, output } = run;
	const lacking = whatIsLacking(run);
	if (lacking !== null || input === null || output === null) {
		return yield rejectionOf(run, lacking ?? "no token counts");
	}
	const load = inFlight(run);
	const measurement = measurementOf(run, input, output, load);
	yield { kind: "measurement", at: run.at, measurement };
	if (servesOneByOne(run, load)) yield* loneRequestItems(run, measurement);
}

function rejectionOf({ at, cut, fault, leftOut }: ServeRun, lacking: string): Item {
	const where = fault === null ? "" : ` (${fault})`;
	const ended = cut ? `the file breaks off inside this result${where}: what is left has ` : "";
	return { kind: "rejected", at, reason: [ended + lacking, ...leftOut].join("; ") };
}

/** Statistics whose members are 0 hold no measurement; TPOT follows from the others where it is not given. */
function withDerived(run: ServeRun): ServeRun {
	const read: ServeRun = {
		...run,
		ttft: measured(run.ttft),
		tpot: measured(run.tpot),
		itl: measured(run.itl),
		e2e: measured(run.e2e),
		notes: [...run.notes],
	};
	return read.tpot === null ? withTpot(read) : read;
}

/** mean TPOT = (mean e2e − mean TTFT) / (mean output − 1), the token-weighted mean. */
function withTpot(run: ServeRun): ServeRun {
	const { e2e, ttft, output } = run;
	if (e2e?.mean == null || ttft?.mean == null || output === null || output <= 1) return run;
	const seconds = (e2e.mean - ttft.mean) / (output - 1);
	if (!(seconds > 0)) return run;
	run.notes.push("TPOT follows from end-to-end time, TTFT and output length; the file does not give it.");
	return { ...run, tpot: { mean: seconds, p50: null, p90: null, p95: null, p99: null, std: null } };
}

function measured(given: Statistics | null): Statistics | null {
	if (given === null) return null;
	const { mean, p50, p90, p95, p99, std } = given;
	const kept: Statistics = {
		mean: positive(mean),
		p50: positive(p50),
		p90: positive(p90),
		p95: positive(p95),
		p99: positive(p99),
		std: positive(std),
	};
	const { std: _, ...times } = kept;
	return Object.values(times).every((value) => value === null) ? null : kept;
}

function allFailed({ completed, requested, ttft, e2e, tpot }: ServeRun): boolean {
	if (completed === 0) return true;
	return completed === null && requested !== null && ttft === null && e2e === null && tpot === null;
}

function failureOf(run: ServeRun): Item {
	const asked = run.requested === null ? "the requests" : `${run.requested} requests`;
	return {
		kind: "failure",
		at: run.at,
		failure: {
			conditions: run.conditions,
			phase: "serve",
			tokens: positive(run.input),
			batch: run.limit,
			reason: `none of ${asked} completed`,
			startedAt: run.startedAt,
		},
	};
}

function whatIsLacking({ input, output, ttft, tpot, e2e }: ServeRun): string | null {
	if (positive(input) === null) return "no count of input tokens: the length of its prompts is unknown";
	if (positive(output) === null) return "no count of output tokens: the length of its answers is unknown";
	return ttft === null && tpot === null && e2e === null ? "no latency statistics" : null;
}

function measurementOf(
	run: ServeRun,
	input: number,
	output: number,
	load: InFlight | null,
): ServeMeasurement {
	const secondsMean = typicalSeconds(run);
	return {
		phase: "serve",
		conditions: run.conditions,
		startedAt: run.startedAt,
		status: isPartial(run) ? "partial" : "ok",
		notes: [...run.leftOut, ...run.notes, ...remarks(run)],
		suspicions: [...run.suspicions, ...doubtsAbout(run, load)],
		seconds: [],
		secondsMean,
		secondsStd: (run.tpot ?? run.e2e ?? run.ttft)?.std ?? null,
		repetitions: null,
		details: { ...run.details, ...ttftScope(run) },
		input,
		output,
		concurrency: load?.value ?? null,
		concurrencyBasis: load?.basis ?? null,
		concurrencyLimit: run.limit,
		rate: run.rate,
		requested: run.requested,
		completed: run.completed,
		durationSeconds: run.durationSeconds,
		ttft: run.ttft,
		tpot: run.tpot,
		itl: run.itl,
		e2e: run.e2e,
		outputTokensPerSecond: run.outputTokensPerSecond ?? generatedPerSecond(run, output),
	};
}

/**
 * TTFT holds the queue of the server in any case; where the client keeps a limit, a request may wait for its
 * turn before it is sent, and that wait is not in TTFT.
 */
function ttftScope({ limit, rate, atOnce, ttft }: ServeRun): Record<string, boolean> {
	if (ttft === null) return {};
	if (limit !== null) return { ttftIncludesServerQueue: true, ttftExcludesClientWait: true };
	return rate !== null || atOnce ? { ttftIncludesServerQueue: true, ttftExcludesClientWait: false } : {};
}

/** Output tokens per second from requests per second, where the file does not give them. */
function generatedPerSecond(run: ServeRun, output: number): number | null {
	const perSecond = requestsPerSecond(run);
	return perSecond === null ? null : perSecond * output;
}

function isPartial({ cut, completed, requested }: ServeRun): boolean {
	return cut || (completed !== null && requested !== null && completed < requested);
}

function typicalSeconds({ tpot, e2e, ttft }: ServeRun): number {
	const known = [tpot, e2e, ttft].flatMap((s) => s?.mean ?? s?.p50 ?? s?.p99 ?? []);
	return known[0] ?? Number.NaN;
}

function remarks({ tpot, itl, ttft, atOnce }: ServeRun): string[] {
	const notes: string[] = [];
	if (tpot !== null && tpot.mean === null && tpot.p50 !== null) {
		notes.push("The file gives the median TPOT and no mean: the median stands for it.");
	}
	if (arrivesInGroups(itl)) {
		notes.push("Tokens arrive in groups (the median gap is a fraction of the mean one): read TPOT, not ITL.");
	}
	if (coldStart(ttft))
		notes.push("The mean TTFT is far above its median: a cold start or a queue at the start.");
	if (atOnce) notes.push("All requests were sent at once: TTFT holds the queue of that burst.");
	return notes;
}
