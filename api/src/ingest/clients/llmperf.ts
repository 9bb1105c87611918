import type { Family } from "../family.ts";
import { count, emptyConditions, isRecord, positive, statistics, text } from "../fields.ts";
import type { Item, Statistics } from "../record.ts";
import { instantOf } from "../served/run-fields.ts";
import { serveItems } from "../served/serve-items.ts";
import { emptyRun, type ServeRun } from "../served/serve-run.ts";
import { servedModel } from "../served/served-model.ts";
import { jsonValues } from "../text/json.ts";
import { cutRow } from "../text/json-lines.ts";

type Row = Record<string, unknown>;

/**
 * Summaries of llmperf: one flat object, seconds, statistics composed as `results_ttft_s_quantiles_p50`.
 * Tokens are counted with one tokenizer for every model.
 */
export const llmperf: Family = {
	name: "llmperf json",
	detect: ({ json }) => isSummary(json),
	document: function* (body) {
		let number = 0;
		for (const { value, open, fault } of jsonValues(body)) {
			const at = `result ${++number}`;
			if (isSummary(value)) yield* summaryItems(value, at, open.size > 0);
			else if (open.size > 0) yield cutRow(at, fault);
		}
	},
};

function isSummary(value: unknown): value is Row {
	return isRecord(value) && Object.keys(value).some((key) => key.startsWith("results_ttft_s_"));
}

function summaryItems(row: Row, at: string, cut: boolean): Iterable<Item> {
	return serveItems({ ...runOf(row, at), cut });
}

function runOf(row: Row, at: string): ServeRun {
	const model = text(row.model);
	const completed = count(row.results_num_completed_requests);
	const failed = count(row.results_number_errors);
	const perMinute = positive(row.results_num_completed_requests_per_min);
	const limit = positive(row.num_concurrent_requests);
	return {
		...emptyRun(at, {
			...emptyConditions(null),
			...servedModel(model),
		}),
		startedAt: instantOf(row.timestamp),
		input: meanOf(row, "number_input_tokens") ?? positive(row.mean_input_tokens),
		output: meanOf(row, "number_output_tokens") ?? positive(row.mean_output_tokens),
		requested: completed === null || failed === null ? completed : completed + failed,
		completed,
		requestsPerSecond: perMinute === null ? null : perMinute / 60,
		limit,
		closedLoop: limit !== null,
		ttft: timesOf(row, "ttft_s"),
		// Its gap between tokens is per request, the mean over all of its tokens.
		tpot: timesOf(row, "inter_token_latency_s"),
		e2e: timesOf(row, "end_to_end_latency_s"),
		outputTokensPerSecond: positive(row.results_mean_output_throughput_token_per_s),
		details: { mean_input_tokens: row.mean_input_tokens, mean_output_tokens: row.mean_output_tokens },
		notes: ["llmperf counts the tokens of every model with one tokenizer."],
	};
}

function meanOf(row: Row, quantity: string): number | null {
	return positive(row[`results_${quantity}_mean`]);
}

function timesOf(row: Row, quantity: string): Statistics | null {
	const value = (name: string) => row[`results_${quantity}_${name}`];
	return statistics({
		mean: value("mean"),
		p50: value("quantiles_p50"),
		p90: value("quantiles_p90"),
		p95: value("quantiles_p95"),
		p99: value("quantiles_p99"),
		std: value("stddev"),
	});
}
