import { type HostedPrices, type HostedTraffic, hostedBill } from "./hosted.ts";
import { type AmountRange, type Currency, type HostedTerms, inUsd, middleOf } from "./price.ts";

/** Which figure of a range is taken. */
export type RangeEnd = "low" | "middle" | "high";

const at = (range: AmountRange, end: RangeEnd): number => (end === "middle" ? middleOf(range) : range[end]);

/** The price list of a hosted API in single figures, USD. */
export function hostedPricesAt(terms: HostedTerms, currency: Currency, end: RangeEnd): HostedPrices {
	const usd = (range: AmountRange) => at(inUsd(range, currency), end);
	const { cache } = terms;
	return {
		inputPerMillion: usd(terms.inputPerMillion),
		outputPerMillion: usd(terms.outputPerMillion),
		cache:
			cache.scheme === "paid storage"
				? { ...cache, storagePerMillionTokenHour: usd(cache.storagePerMillionTokenHour) }
				: cache,
		minimumPrefixTokens: terms.minimumPrefixTokens,
	};
}

/** USD of one request of a month's traffic, cache and storage included: bill / requests. */
export const hostedUsdPerRequest = (
	terms: HostedTerms,
	currency: Currency,
	traffic: HostedTraffic,
	end: RangeEnd,
): number => hostedBill(hostedPricesAt(terms, currency, end), traffic).total / traffic.requestsPerMonth;
