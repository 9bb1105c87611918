import {
	cacheBreakEven,
	cacheSavingUsd,
	choosePrice,
	energyUsdPerMillion,
	meanCachedPrice,
	readPeak,
	readsToBreakEven,
	splitRates,
	tokenCostUsd,
	usdPerMillionTokens,
	usdPerMonth,
} from "@plimsoll/api/model";
import type { Input, Topic } from "./case.ts";
import { catalogPeak } from "./catalog.ts";

/** Money. */
export const cost: Topic = (input, field) => {
	if ("usd_per_gpu_hour" in input.raw) return perMillion(input, field);
	if (input.has("usd_per_million_input"))
		return tokenCostUsd(input.number("input_tokens"), input.number("usd_per_million_input"));
	if (input.has("reads") || input.has("write")) return breakEven(input, field);
	if (input.has("joule_per_token"))
		return energyUsdPerMillion(input.number("joule_per_token"), input.number("usd_per_kwh"));
	if (input.has("prefill_gpus")) return splitGpus(input, field);
	if (input.has("marketplace")) return spread(input, field);
	if (Array.isArray(input.raw.usd_per_million))
		return input.numbers("usd_per_million").map((usd) => tokenCostUsd(1, usd));
	if (input.has("usd_per_million")) return savings(input);
	const [first] = input.rows("rows");
	if (first?.has("usd_h"))
		return input.rows("rows").map((row) => usdPerMonth(1, row.number("usd_h"), row.number("hours")));
	return peaks(input, field);
};

function perMillion(input: Input, field: string): unknown {
	const price = choosePrice(input.optional("usd_per_gpu_hour"), []);
	const usd =
		price &&
		usdPerMillionTokens(
			input.number("gpus"),
			price.value,
			input.number("tokens_per_s"),
			input.number("utilisation"),
		);
	return field === "shown_as" ? (usd === null ? "unknown" : String(usd)) : usd;
}

function breakEven(input: Input, field: string): unknown {
	const prices = { input: input.number("input"), write: input.number("write"), read: input.number("read") };
	const reads = Number(/_1_write_(\d+)_reads?$/.exec(field)?.[1] ?? 0);
	if (reads) return meanCachedPrice(prices, reads);
	return { reads_needed: readsToBreakEven(prices), break_even_hit_share: cacheBreakEven(prices) }[field];
}

function savings(input: Input): number[] {
	const prices = input.object("usd_per_million");
	const of = { input: prices.number("input"), write: prices.number("write"), read: prices.number("read") };
	return input
		.rows("rows")
		.map((row) => cacheSavingUsd(of, { reads: row.number("reads"), writes: row.number("writes") }));
}

function splitGpus(input: Input, field: string): unknown {
	const rates = splitRates({
		prefillGpus: input.number("prefill_gpus"),
		decodeGpus: input.number("decode_gpus"),
		inputTokensPerSecond: input.number("input_tok_s"),
		outputTokensPerSecond: input.number("output_tok_s"),
	});
	return {
		input_per_prefill_gpu: rates.inputPerPrefillGpu,
		output_per_decode_gpu: rates.outputPerDecodeGpu,
		input_per_gpu_all: rates.inputPerGpu,
		output_per_gpu_all: rates.outputPerGpu,
		total_per_gpu_all: rates.inputPerGpu + rates.outputPerGpu,
	}[field];
}

/** The book gives a range, and each price its day. */
function spread(input: Input, field: string): unknown {
	const range = Object.values(input.raw).find(
		(value) => typeof value === "object" && value !== null && "low" in value,
	) as { low: number; high: number };
	const entry = {
		id: "1",
		gpuId: "h100",
		kind: "on-demand",
		source: "list",
		usdPerGpuHourLow: range.low,
		usdPerGpuHourHigh: range.high,
	} as const;
	const chosen = choosePrice(null, [{ ...entry, readOn: "2026-01-01" }]);
	const quotes = input.rows("marketplace").map((row) => row.number("usd_h"));
	return {
		spread: (chosen?.high ?? 0) / (chosen?.low ?? 1),
		marketplace_ratio: Math.max(...quotes) / Math.min(...quotes),
		needs_date: chosen?.sources.every((source) => source.date !== undefined),
	}[field];
}

function peaks(input: Input, field: string): unknown {
	const readings = input.rows("rows").map((row) => {
		const [key = ""] = Object.keys(row.raw).filter((name) => name.endsWith("_listed"));
		const type = key.split("_")[0] as "bf16" | "fp8" | "fp16";
		return readPeak(row.number(key), catalogPeak(row.text("gpu"), type) ?? Number.POSITIVE_INFINITY);
	});
	return {
		dense: readings.map((reading) => reading.denseFlops),
		flag: readings.every((reading) => reading.sparse) ? "sparse figure" : null,
	}[field];
}
