import { goodput } from "@plimsoll/api/model";
import { emptyConditions } from "../../../api/src/ingest/fields.ts";
import type { Measurement, ServeMeasurement } from "../../../api/src/ingest/record.ts";
import {
	arrivesInGroups,
	doubtsAbout,
	lengthRemark,
	rateNotHeld,
} from "../../../api/src/ingest/served/doubts.ts";
import { inFlight, requestsPerSecond } from "../../../api/src/ingest/served/in-flight.ts";
import { serveItems } from "../../../api/src/ingest/served/serve-items.ts";
import { emptyRun, type ServeRun } from "../../../api/src/ingest/served/serve-run.ts";
import { vllmServe } from "../../../api/src/ingest/vllm/serve.ts";
import type { Input, Topic } from "./case.ts";

/** What a serving benchmark's figures say, and what they must not be used for. */
export const serveIngest: Topic = (input, field) => {
	if (input.has("limits")) return meetingLimits(input, field);
	if (input.has("runs")) return ofRuns(input, field);
	if (input.has("cached_tokens")) return ofCachedPrompt(input, field);
	if (input.has("requested")) return ofFailures(input, field);
	return ofResult(input, field);
};

function meetingLimits(input: Input, field: string): unknown {
	const limits = input.object("limits");
	const requests = input.rows("requests").map((row) => ({
		ttftSeconds: row.number("ttft_ms") / 1000,
		tpotSeconds: row.number("tpot_ms") / 1000,
		e2eSeconds: null,
	}));
	const { good, requestsPerSecond } = goodput(
		requests,
		{ ttftSeconds: limits.number("ttft_ms") / 1000, tpotSeconds: limits.number("tpot_ms") / 1000 },
		input.number("duration_s"),
	);
	return { good, goodput_rps: requestsPerSecond }[field];
}

/** The case as a result file of vLLM; lengths that it does not need are filled in. */
function measured(input: Input): Measurement[] {
	const completed = input.optional("successful") ?? input.optional("n") ?? 100;
	const row = {
		...input.raw,
		num_prompts: completed + (input.optional("failed") ?? 0),
		completed,
		duration: input.optional("duration_s"),
		total_input_tokens: input.optional("total_input") ?? 1000 * completed,
		total_output_tokens: input.optional("total_output") ?? 100 * completed,
		request_rate: input.raw.request_rate ?? input.raw.asked_rps ?? "inf",
		mean_ttft_ms: input.optional("mean_ttft_ms") ?? 100,
	};
	const items = [...(vllmServe.document?.(JSON.stringify(row), {}) ?? [])];
	return items.flatMap((item) => (item.kind === "measurement" ? [item.measurement] : []));
}

function serveOf(input: Input): ServeMeasurement {
	const serve = measured(input).find((m) => m.phase === "serve");
	if (serve?.phase !== "serve") throw new Error("the case gives no serve measurement");
	return serve;
}

function ofResult(input: Input, field: string): unknown {
	const serve = serveOf(input);
	const { completed, durationSeconds, itl, tpot } = serve;
	const perSecond = (completed ?? Number.NaN) / (durationSeconds ?? Number.NaN);
	const answers: Record<string, () => unknown> = {
		req_per_s: () => perSecond,
		output_tok_s: () => serve.outputTokensPerSecond,
		total_tok_s: () => perSecond * (serve.input + serve.output),
		avg_input: () => serve.input,
		avg_output: () => serve.output,
		use_ttft_for_prefill_fit: () =>
			measured(input).some((m) => m.phase === "prefill" && m.suspicions.length === 0),
		warn: () => lengthRemark(input.object("flags").number("random_input_len"), serve.input)?.split(":")[0],
		decode_ms_per_token: () => (tpot?.mean ?? Number.NaN) * 1000,
		burst_flag: () => arrivesInGroups(itl),
	};
	return answers[field]?.();
}

function ofRuns(input: Input, field: string): unknown {
	const runs = input.rows("runs").map(serveOf);
	const served = runs.map(
		({ completed, durationSeconds }) => (completed ?? 0) / (durationSeconds ?? Number.NaN),
	);
	const overloaded = runs.map(
		(serve) => rateNotHeld({ ...emptyRun("", serve.conditions), ...serve }) !== null,
	);
	const answers: Record<string, () => unknown> = {
		ttft_includes_server_queue: () => runs.map(({ details }) => details.ttftIncludesServerQueue),
		ttft_excludes_client_wait: () => runs.map(({ details }) => details.ttftExcludesClientWait),
		achieved_rps: () => served,
		overloaded: () => overloaded,
		total_tok_s: () => runs.map((serve, at) => (served[at] ?? Number.NaN) * (serve.input + serve.output)),
		latency_comparable: () => !overloaded.some((one) => one),
	};
	return answers[field]?.();
}

function runOf(known: Partial<ServeRun>): ServeRun {
	return { ...emptyRun("", emptyConditions(null)), ...known };
}

/** One request at a time of a prompt that the cache knows: its TTFT is no prefill. */
function ofCachedPrompt(input: Input, field: string): unknown {
	const prompt = input.number("prompt_tokens");
	const cached = input.number("cached_tokens");
	const times = { mean: 1, p50: 1, p90: null, p95: null, p99: null, std: null };
	const run = runOf({
		input: prompt,
		output: 100,
		limit: 1,
		cachedShare: cached / prompt,
		ttft: times,
		tpot: times,
	});
	const usable = [...serveItems(run)].some(
		(item) => item.kind === "measurement" && item.measurement.phase === "prefill",
	);
	return {
		uncached_tokens: Math.round(prompt * (1 - (run.cachedShare ?? 0))),
		use_ttft_for_prefill_fit: usable,
	}[field];
}

function ofFailures(input: Input, field: string): unknown {
	const run = runOf({
		requested: input.number("requested"),
		completed: input.number("successful"),
		durationSeconds: input.number("duration_s"),
	});
	const share =
		(requestsPerSecond(run) ?? Number.NaN) * (input.number("duration_s") / input.number("requested"));
	return { success_rate: share, usable: doubtsAbout(run, inFlight(run)).length === 0 }[field];
}
