import type { Family } from "../family.ts";
import { count, emptyConditions, finite, isRecord, positive, statistics } from "../fields.ts";
import type { Item, Statistics } from "../record.ts";
import { serveItems } from "../served/serve-items.ts";
import { emptyRun, type ServeRun } from "../served/serve-run.ts";
import { jsonValues } from "../text/json.ts";
import { cutRow } from "../text/json-lines.ts";

type Row = Record<string, unknown>;

/** Mean seconds by which a client may send late and still be said to have held its rate. */
const LATE_SECONDS = 0.5;

/**
 * Stage reports of inference-perf, in seconds. A summary mixes all stages, and the report of the server's own
 * counters does not count what the client counts: neither is a point.
 */
export const inferencePerf: Family = {
	name: "inference-perf json",
	detect: ({ json }) => isReport(json),
	document: function* (body) {
		let number = 0;
		for (const { value, open, fault } of jsonValues(body)) {
			const at = `report ${++number}`;
			if (isReport(value)) yield* reportItems(value, at, open.size > 0);
			else if (open.size > 0) yield cutRow(at, fault);
		}
	},
};

function isReport(value: unknown): value is Row {
	return isRecord(value) && isRecord(value.load_summary) && isRecord(value.successes);
}

function reportItems(report: Row, at: string, cut: boolean): Iterable<Item> {
	const [load, good] = [report.load_summary as Row, report.successes as Row];
	const reason = unfitReason(load, good);
	if (reason !== null) return [{ kind: "aside", at, reason }];
	return serveItems({ ...runOf(report, load, good, at), cut });
}

function unfitReason(load: Row, good: Row): string | null {
	if (isRecord(good.time_to_first_token) || !("count" in load)) {
		return "the server's own counters, which count other requests than the client: the stage report holds the point";
	}
	return "requested_rate" in load || "achieved_rate" in load || "concurrency" in load
		? null
		: "a summary that mixes all stages: the stage reports hold the points";
}

function runOf(report: Row, load: Row, good: Row, at: string): ServeRun {
	const bad = isRecord(report.failures) ? count(report.failures.count) : null;
	const completed = count(good.count);
	const latency = isRecord(good.latency) ? good.latency : {};
	const speed = isRecord(good.throughput) ? good.throughput : {};
	const perSecond = positive(speed.requests_per_sec);
	const limit = positive(load.concurrency);
	const base: ServeRun = {
		...emptyRun(at, emptyConditions(null)),
		input: meanOf(good.prompt_len),
		output: meanOf(good.output_len),
		requested: completed === null ? count(load.count) : completed + (bad ?? 0),
		completed,
		durationSeconds: completed === null || perSecond === null ? null : completed / perSecond,
		requestsPerSecond: perSecond,
		rate: limit === null ? positive(load.requested_rate) : null,
		limit,
		closedLoop: limit !== null,
		ttft: timesOf(latency.time_to_first_token),
		tpot: timesOf(latency.time_per_output_token),
		itl: timesOf(latency.inter_token_latency),
		e2e: timesOf(latency.request_latency),
		outputTokensPerSecond: positive(speed.output_tokens_per_sec),
		details: detailsOf(load, speed),
		suspicions: lateClient(load),
	};
	return withWholeTokens(base);
}

function meanOf(summary: unknown): number | null {
	return isRecord(summary) ? positive(summary.mean) : null;
}

function timesOf(summary: unknown): Statistics | null {
	if (!isRecord(summary)) return null;
	const { mean, median, p90, p95, p99 } = summary;
	return statistics({ mean, p50: median, p90, p95, p99 });
}

/**
 * The tool divides by chunks, and servers send more chunks than tokens (the median gap is then microseconds).
 * TPOT that does not fit the end-to-end time is left to follow from it: (e2e − TTFT)/(output − 1).
 */
function withWholeTokens(run: ServeRun): ServeRun {
	const { e2e, ttft, tpot, output } = run;
	if (e2e?.mean == null || ttft?.mean == null || tpot?.mean == null || output === null || output <= 1)
		return run;
	const whole = (e2e.mean - ttft.mean) / (output - 1);
	if (whole <= 0 || Math.abs(tpot.mean - whole) <= 0.3 * whole) return run;
	const given = Number(tpot.mean.toPrecision(4));
	return {
		...run,
		tpot: null,
		details: { ...run.details, time_per_output_token: tpot },
		notes: [
			`The file says ${given} s per output token, which counts chunks: its end-to-end time says otherwise.`,
		],
	};
}

/** A client that sends late offers another load than it was told to. */
function lateClient(load: Row): string[] {
	const late = isRecord(load.schedule_delay) ? finite(load.schedule_delay.mean) : null;
	if (late === null || late <= LATE_SECONDS) return [];
	const [asked, reached] = [finite(load.requested_rate), finite(load.achieved_rate)].map((rate) =>
		rate === null ? "?" : Number(rate.toPrecision(4)),
	);
	return [
		`the client could not hold its rate: ${asked} requests/s asked, ${reached} reached, ${Number(late.toPrecision(3))} s late on average`,
	];
}

function detailsOf(load: Row, speed: Row): Row {
	const delay = isRecord(load.schedule_delay) ? load.schedule_delay.mean : null;
	return {
		requested_rate: load.requested_rate,
		achieved_rate: load.achieved_rate,
		send_duration: load.send_duration,
		schedule_delay_mean: delay,
		input_tokens_per_sec: speed.input_tokens_per_sec,
	};
}
