import { cacheRate, capacityContradiction, tokenBound, typeGain } from "@plimsoll/api/model";
import { GIB, type Input, type Topic } from "./case.ts";

/** Logs in which the simple formula gives a bound and not the figure. */
export const notReproducible: Topic = (input, field) => {
	if (input.has("per_token_kib_seen")) return rates(input, field);
	if (input.has("pool_gain")) return gains(input, field);
	if (input.has("all_full_bytes")) return windows(input, field);
	if (input.has("logged_concurrency") && !input.has("available_kv_gib")) return lines(input, field);
	return bound(input, field);
};

function bound(input: Input, field: string): unknown {
	const perToken =
		input.optional("simple_bytes_per_token_per_gpu") ?? input.number("bytes_per_token_per_gpu");
	const { upperBoundTokens, ratio, evidence } = tokenBound(
		input.number("available_kv_gib") * GIB,
		perToken,
		input.number("logged_tokens"),
	);
	return {
		simple_upper_bound_tokens: upperBoundTokens,
		simple_tokens: upperBoundTokens,
		logged_over_simple: ratio,
		must_be_labelled_estimate: evidence === "estimated",
	}[field];
}

function lines(input: Input, field: string): unknown {
	const log = {
		tokens: input.number("logged_tokens"),
		concurrency: input.number("logged_concurrency"),
		maxLength: input.number("max_len"),
	};
	return {
		concurrency_times_max_len: log.concurrency * log.maxLength,
		tokens_over_max_len: log.tokens / log.maxLength,
		flag: capacityContradiction(log) ? "inconsistent-log" : null,
	}[field];
}

function rates(input: Input, field: string): unknown {
	const { constant, law } = cacheRate(input.numbers("per_token_kib_seen"));
	return { treat_available_divided_by_tokens_as_rate: constant, fit: law }[field];
}

function gains(input: Input, field: string): unknown {
	const seen = input.raw.pool_gain as Record<string, number>;
	const { naive, warning } = typeGain(
		input.number("bytes_bf16"),
		input.number("bytes_fp8"),
		Object.values(seen),
	);
	const length = /^gain_at_(\d+)_defaults$/.exec(field)?.[1];
	// The defaults are those of the largest batch that was tried.
	if (length)
		return Object.entries(seen)
			.filter(([key]) => key.startsWith(`${length}/`))
			.sort((a, b) => a[1] - b[1])[0]?.[1];
	return { naive_gain: naive, warn: warning }[field];
}

/** Windowed layers are charged by request: the growing rate alone is an upper bound. */
function windows(input: Input, field: string): unknown {
	const pool = input.number("kv_gb") * 1e9;
	const printed = 525_000;
	const of = (rate: string) => tokenBound(pool, input.number(rate), printed);
	return {
		tokens_all_full: of("all_full_bytes").upperBoundTokens,
		tokens_windowed_upper: of("windowed_growing").upperBoundTokens,
		logged_over_upper: of("windowed_growing").ratio,
	}[field];
}
