import {
	type AmountRange,
	CACHE_SCHEMES,
	type CacheScheme,
	cacheBreakEven,
	figure,
	type HostedPrices,
	type HostedTraffic,
	inLedger,
	percent,
	type Quantity,
	type SchemeAnswer,
	schemeAnswer,
	storageBreakEvenHits,
	usd,
	weakest,
} from "@plimsoll/api/model";
import { formatCount } from "#lib/format.ts";

/** Prices per million tokens that a scheme is held against: those of the chosen list. */
interface ListPrices {
	inputPerMillion: number;
	outputPerMillion: number;
}

/** One provider's way to charge for a remembered prefix, with what it does to this traffic. */
export interface SchemeRow {
	scheme: CacheScheme;
	breakEven: Quantity;
	/** null: no price list is chosen, or no prefix is shared. */
	answer: SchemeAnswer | null;
}

export const SCHEME_WORDS: Record<CacheScheme["scheme"], string> = {
	"paid write": "writing costs more",
	"free write": "writing costs nothing extra",
	"paid storage": "keeping costs by the hour",
};

const upper = (range: AmountRange | null): number | null => range?.high ?? null;

/** The figures of a scheme at the list's prices: reading at its dearer end, prefixes from the shortest that any model remembers. */
function pricesOf(scheme: CacheScheme, list: ListPrices): HostedPrices {
	const read = scheme.read.high;
	const storage = upper(scheme.storageUsdPerMillionTokenHour);
	return {
		...list,
		minimumPrefixTokens: scheme.minimumPrefixTokens?.low ?? null,
		cache:
			scheme.scheme === "paid write"
				? { scheme: "paid write", write: scheme.write, read }
				: scheme.scheme === "free write" || storage === null
					? { scheme: "free write", read }
					: { scheme: "paid storage", read, storagePerMillionTokenHour: storage },
	};
}

const listed = ({ id, source }: CacheScheme) => ({ id, sources: [source] });

/** Least hit share that pays: h = (w − 1)/(w − r); where storage is paid it is a number of hits an hour. */
function breakEvenOf(scheme: CacheScheme, list: ListPrices | null): Quantity {
	const { write, read, evidence } = scheme;
	const made = { evidence: weakest(evidence, "arithmetic"), sources: inLedger("scheme", listed(scheme)) };
	const storage = upper(scheme.storageUsdPerMillionTokenHour);
	if (scheme.scheme === "paid storage" && storage !== null)
		return { ...hitsToPay(storage, read.high, list), ...made };
	if (write <= 1)
		return { value: 0, unit: "ratio", ...made, arithmetic: "writing costs nothing extra: every hit saves" };
	const at = (share: number) => cacheBreakEven({ input: 1, write, read: share });
	const words = (share: number) =>
		`(${figure(write)} − 1)/(${figure(write)} − ${figure(share)}) = ${percent(at(share) ?? 0)}`;
	const other = read.low === read.high ? "" : `; where reading costs ${figure(read.low)}: ${words(read.low)}`;
	return {
		...{ value: at(read.high), unit: "ratio", ...made },
		arithmetic: `h = (w − 1)/(w − r) = ${words(read.high)}${other}`,
	};
}

/** Hits per hour of each prefix that pay for its storage. */
function hitsToPay(storage: number, read: number, list: ListPrices | null) {
	const formula = (input: string) => `${usd(storage)} an hour / (${input} × (1 − ${figure(read)}))`;
	if (list === null)
		return {
			...{ value: null, unit: "requests/hour" as const },
			arithmetic: `not known: choose a price list; ${formula("input price")} hits an hour of each prefix`,
		};
	const value = storageBreakEvenHits(list.inputPerMillion, { read, storagePerMillionTokenHour: storage });
	const sum =
		value === null
			? ": reading costs no less than sending"
			: ` = ${figure(value)} hits an hour of each prefix`;
	return { value, unit: "requests/hour" as const, arithmetic: `${formula(usd(list.inputPerMillion))}${sum}` };
}

/** The schemes on the market side by side. @param list null: no price list is chosen */
export function schemeRows(list: ListPrices | null, traffic: HostedTraffic): SchemeRow[] {
	return CACHE_SCHEMES.map((scheme) => {
		const answer =
			list && traffic.prefixTokens > 0
				? schemeAnswer(pricesOf(scheme, list), traffic, scheme.evidence, inLedger("scheme", listed(scheme)))
				: null;
		return { scheme, answer, breakEven: breakEvenOf(scheme, list) };
	});
}

const span = (range: AmountRange | null, write: (value: number) => string): string =>
	range === null
		? "not said"
		: range.low === range.high
			? write(range.high)
			: `${write(range.low)} to ${write(range.high)}`;

/** "0.1 ×", "0.025 to 0.1 ×". */
export const readWords = ({ read }: CacheScheme): string => `${span(read, (share) => figure(share))} ×`;
export const prefixWords = ({ minimumPrefixTokens }: CacheScheme): string => {
	const words = span(minimumPrefixTokens, formatCount);
	return minimumPrefixTokens === null ? words : `${words} tokens`;
};
const shortTime = (seconds: number) => (seconds % 3600 === 0 ? `${seconds / 3600} h` : `${seconds / 60} min`);
export const lifetimeWords = ({ lifetimeSeconds, renewedByHit }: CacheScheme): string => {
	const words = span(lifetimeSeconds, shortTime);
	return renewedByHit && lifetimeSeconds ? `${words}, anew with each hit` : words;
};

/** Where a prefix is remembered by some of a provider's models only. */
export function prefixCaution(
	{ minimumPrefixTokens: range }: CacheScheme,
	prefixTokens: number,
): string | null {
	if (range === null || prefixTokens < range.low || prefixTokens >= range.high) return null;
	return "not with every model";
}
