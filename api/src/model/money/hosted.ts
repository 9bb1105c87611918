import { count, figure, percent, usd } from "../trust/figures.ts";
import { type Evidence, type Quantity, type Source, weakest } from "../trust/quantity.ts";
import { state } from "../trust/statement.ts";
import { cacheBreakEven } from "./caching.ts";
import { HOURS_PER_MONTH } from "./cost.ts";
import type { CacheTerms } from "./price.ts";

/** Prices of a hosted API as single figures, USD. */
export interface HostedPrices {
	inputPerMillion: number;
	outputPerMillion: number;
	cache: HostedCache;
	minimumPrefixTokens: number | null;
}

/** Terms of a cache as single figures. */
export type HostedCache =
	| Exclude<CacheTerms, { scheme: "paid storage" }>
	| { scheme: "paid storage"; read: number; storagePerMillionTokenHour: number };

/** A month of requests to a hosted API. */
export interface HostedTraffic {
	requestsPerMonth: number;
	/** Tokens of a prompt, its prefix included. */
	promptTokens: number;
	outputTokens: number;
	/** Leading tokens that requests share; at most the prompt. */
	prefixTokens: number;
	/** Share of the requests that find their prefix remembered, 0…1. */
	hitShare: number;
	/** Different prefixes that are kept at the same time, where storage is paid. */
	prefixes: number;
}

/** USD of a month. The prefix is either remembered or sent in full: `withoutCache` is the latter. */
export interface HostedBill {
	input: number;
	cacheWrites: number;
	cacheReads: number;
	storage: number;
	output: number;
	total: number;
	withoutCache: number;
	/** withoutCache − total; negative where remembering costs more. */
	saving: number;
	/** Whether anything is remembered at all: not below the shortest prefix. */
	cached: boolean;
}

/**
 * Bill of a hosted API for a month.
 * prompts: R·(s − p)·in; prefix: R·p·((1 − h)·w + h·r)·in; storage: prefixes·p·730·σ; output: R·o·out
 * @throws RangeError for a prefix longer than the prompt or a share outside 0…1
 * @source DESIGN 2.8
 */
export function hostedBill(prices: HostedPrices, traffic: HostedTraffic): HostedBill {
	checkTraffic(traffic);
	const {
		requestsPerMonth: requests,
		promptTokens,
		outputTokens,
		prefixTokens,
		hitShare,
		prefixes,
	} = traffic;
	const { inputPerMillion, cache } = prices;
	const cached =
		cache.scheme !== "none" && prefixTokens > 0 && prefixTokens >= (prices.minimumPrefixTokens ?? 0);
	const perMillion = (tokens: number, usdPerMillion: number) => (tokens * usdPerMillion) / 1e6;
	const output = perMillion(requests * outputTokens, prices.outputPerMillion);
	const withoutCache = perMillion(requests * promptTokens, inputPerMillion) + output;
	const [write, read] = cached ? [cache.scheme === "paid write" ? cache.write : 1, cache.read] : [1, 1];
	const input = perMillion(requests * (promptTokens - prefixTokens), inputPerMillion);
	const cacheWrites = perMillion(requests * (1 - hitShare) * prefixTokens, write * inputPerMillion);
	const cacheReads = perMillion(requests * hitShare * prefixTokens, read * inputPerMillion);
	const storage =
		cached && cache.scheme === "paid storage"
			? perMillion(prefixes * prefixTokens * HOURS_PER_MONTH, cache.storagePerMillionTokenHour)
			: 0;
	const total = input + cacheWrites + cacheReads + storage + output;
	return {
		input,
		cacheWrites,
		cacheReads,
		storage,
		output,
		total,
		withoutCache,
		// Where nothing is remembered, the sums differ by their rounding alone.
		saving: cached ? withoutCache - total : 0,
		cached,
	};
}

function checkTraffic({ promptTokens, prefixTokens, hitShare }: HostedTraffic): void {
	if (!(prefixTokens >= 0 && prefixTokens <= promptTokens))
		throw new RangeError(`prefixTokens must lie in 0…${promptTokens}, not ${prefixTokens}`);
	if (!(hitShare >= 0 && hitShare <= 1)) throw new RangeError(`hitShare must lie in 0…1, not ${hitShare}`);
}

/**
 * Hits per hour of one prefix at which paid storage has paid for itself: σ / (in · (1 − r)).
 * @returns null where reading costs no less than sending
 */
export const storageBreakEvenHits = (
	inputPerMillion: number,
	{ read, storagePerMillionTokenHour }: { read: number; storagePerMillionTokenHour: number },
): number | null => (read < 1 ? storagePerMillionTokenHour / (inputPerMillion * (1 - read)) : null);

/** One scheme beside the others: what a month costs, what it saves, and from where on. */
export interface SchemeAnswer {
	usdPerMonth: Quantity;
	/** Against sending every prefix in full. */
	savingUsdPerMonth: Quantity;
	/** Least hit share that pays (paid write, free write: 0); null where storage decides or nothing is remembered. */
	breakEvenHitShare: Quantity | null;
	/** Least hits per hour of each prefix that pay the storage. */
	breakEvenHitsPerHour: Quantity | null;
	/** Why remembering loses money or does not happen; null where it pays. */
	warning: string | null;
}

/**
 * What a scheme does to a month of traffic, with the warning below its break-even.
 * @param evidence how the prices are known; the traffic is an input
 */
export function schemeAnswer(
	prices: HostedPrices,
	traffic: HostedTraffic,
	evidence: Evidence = "vendor",
	sources: readonly Source[] = [],
): SchemeAnswer {
	const bill = hostedBill(prices, traffic);
	const { cache } = prices;
	const known = weakest(evidence);
	const money = (value: number, words: () => string) => state(value, "USD/month", known, words, {}, sources);
	const share = cache.scheme === "paid write" && bill.cached ? cacheBreakEven({ input: 1, ...cache }) : null;
	const hits =
		cache.scheme === "paid storage" && bill.cached
			? storageBreakEvenHits(prices.inputPerMillion, cache)
			: null;
	return {
		usdPerMonth: money(
			bill.total,
			() =>
				`${usd(bill.input)} prompts + ${usd(bill.cacheWrites)} prefixes sent in full + ${usd(bill.cacheReads)} prefixes remembered${bill.storage > 0 ? ` + ${usd(bill.storage)} storage` : ""} + ${usd(bill.output)} output = ${usd(bill.total)}`,
		),
		savingUsdPerMonth: money(
			bill.saving,
			() => `${usd(bill.withoutCache)} without remembering − ${usd(bill.total)} = ${usd(bill.saving)}`,
		),
		breakEvenHitShare:
			bill.cached && cache.scheme !== "paid storage" ? shareQuantity(cache, share, known, sources) : null,
		breakEvenHitsPerHour:
			hits === null || cache.scheme !== "paid storage"
				? null
				: state(
						hits,
						"requests/hour",
						known,
						() =>
							`${usd(cache.storagePerMillionTokenHour)} / (${usd(prices.inputPerMillion)} × (1 − ${figure(cache.read)})) = ${figure(hits)} hits an hour of each prefix`,
						{},
						sources,
					),
		warning: warningOf(prices, traffic, bill, share, hits),
	};
}

function shareQuantity(
	cache: HostedCache,
	share: number | null,
	evidence: Evidence,
	sources: readonly Source[],
): Quantity {
	const words = () =>
		cache.scheme === "paid write"
			? `h = (w − 1)/(w − r) = (${figure(cache.write)} − 1)/(${figure(cache.write)} − ${figure(cache.read)})${share === null ? ": reading costs no less than writing" : ` = ${percent(share)}`}`
			: "writing costs nothing extra: every hit saves";
	return state(cache.scheme === "paid write" ? share : 0, "ratio", evidence, words, {}, sources);
}

function warningOf(
	{ cache, minimumPrefixTokens }: HostedPrices,
	{ hitShare, prefixTokens, requestsPerMonth, prefixes }: HostedTraffic,
	bill: HostedBill,
	share: number | null,
	hits: number | null,
): string | null {
	if (cache.scheme === "none") return "Nothing is remembered: this price list has no cache.";
	if (!bill.cached)
		return `Nothing is remembered: the shared prefix of ${count(prefixTokens)} tokens is shorter than the ${count(minimumPrefixTokens ?? 1)} that are needed.`;
	if (bill.saving >= 0) return null;
	const lost = `It costs ${usd(-bill.saving)} a month more than no cache`;
	if (cache.scheme === "paid write")
		return share === null
			? `${lost}: reading costs no less than writing.`
			: `${lost}: ${percent(hitShare)} of the requests hit, ${percent(share)} are needed.`;
	if (hits !== null) {
		const perHour = (requestsPerMonth * hitShare) / (HOURS_PER_MONTH * Math.max(1, prefixes));
		return `${lost}: each prefix is hit ${figure(perHour)} times an hour, ${figure(hits)} are needed to pay its storage.`;
	}
	return `${lost}: reading costs no less than sending.`;
}
