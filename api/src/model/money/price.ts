import { figure } from "../trust/figures.ts";

/** An amount as its source gives it, in the entry's currency: low = high where it is one figure. */
export interface AmountRange {
	low: number;
	high: number;
}

/** What one unit of a currency is in US dollars, and where that was read. */
export interface Currency {
	/** ISO 4217: USD, EUR, RUB. */
	code: string;
	/** US dollars per unit, above 0; 1 for USD. */
	usdPerUnit: number;
	rateSource: string | null;
	/** ISO day on which the rate was read. */
	rateReadOn: string | null;
}

export const US_DOLLAR: Currency = { code: "USD", usdPerUnit: 1, rateSource: null, rateReadOn: null };

/** "1 EUR = $1.0834, European Central Bank, 2026-11-27"; null for US dollars. */
export function rateWords({ code, usdPerUnit, rateSource, rateReadOn }: Currency): string | null {
	if (code === US_DOLLAR.code) return null;
	// Six figures: an amount that was worked out by the rate has to come out again.
	const rate = `1 ${code} = $${figure(usdPerUnit, 6)}`;
	return [rate, rateSource ?? "source not said", rateReadOn ?? "day not said"].join(", ");
}

/** Rented by the hour, given back at any time. */
export interface OnDemandTerms {
	kind: "on-demand";
	perGpuHour: AmountRange;
}

/** Rented for a term: every hour of it is paid, used or not. */
export interface ReservedTerms {
	kind: "reserved";
	perGpuHour: AmountRange;
	/** Paid once at the start. */
	upfrontPerGpu: AmountRange;
	termMonths: number;
}

/** Rented until somebody pays more. */
export interface SpotTerms {
	kind: "spot";
	perGpuHour: AmountRange;
	/** Share of the paid hours whose work is lost to interruptions, 0…1. */
	lostShare: number;
}

/** A rate per hour that was agreed on, or that a company charges itself. */
export interface AgreedTerms {
	kind: "agreed";
	perGpuHour: AmountRange;
}

/** Bought hardware. */
export interface OwnedTerms {
	kind: "owned";
	/** One GPU with its share of server and network. */
	capexPerGpu: AmountRange;
	/** Months over which it is written off. */
	lifetimeMonths: number;
	/** Share of the capex that it still brings in at the end, 0…1. */
	residualShare: number;
	/** Power that a GPU draws with its share of the server, watts. */
	watts: number;
	/** Power of the building over power of the machines, ≥ 1. */
	pue: number;
	perKwh: AmountRange;
	staffPerGpuMonth: AmountRange;
	hostingPerGpuMonth: AmountRange;
}

export type GpuTerms = OnDemandTerms | ReservedTerms | SpotTerms | AgreedTerms | OwnedTerms;
export const GPU_PRICE_KINDS = ["agreed", "on-demand", "reserved", "owned", "spot"] as const;
export type GpuPriceKind = (typeof GPU_PRICE_KINDS)[number];

/**
 * How a hosted API charges for the prefix that it remembers.
 * write, read: multiples of the input price. storage: per million tokens and hour, whether they are asked for or not.
 */
export type CacheTerms =
	| { scheme: "none" }
	| { scheme: "paid write"; write: number; read: number }
	| { scheme: "free write"; read: number }
	| { scheme: "paid storage"; read: number; storagePerMillionTokenHour: AmountRange };

/** The price list of a hosted API for one model. */
export interface HostedTerms {
	kind: "hosted";
	inputPerMillion: AmountRange;
	outputPerMillion: AmountRange;
	cache: CacheTerms;
	/** Shortest prefix that is remembered, tokens; null: not said. */
	minimumPrefixTokens: number | null;
	/** Seconds after which an unused prefix is forgotten; null: not said. */
	lifetimeSeconds: number | null;
}

export type PriceTerms = GpuTerms | HostedTerms;

/** One version of one entry of the price book. Versions are added, never changed. */
export interface PriceEntry {
	id: string;
	/** What it is a price of: newer versions of the same series supersede older ones. */
	series: string;
	version: number;
	/** Catalog id of a GPU, or the name of a hosted model. */
	subject: string;
	/** Who sells; null: not said. */
	seller: string | null;
	terms: PriceTerms;
	currency: Currency;
	source: string;
	/** ISO day on which the source was read. */
	readOn: string;
	/** Who entered it: it came with the product, or somebody here did. */
	origin: "seed" | "user";
}

/** USD per GPU-hour of one entry: what an answer about one GPU reads. */
export interface GpuPrice {
	id: string;
	gpuId: string;
	kind: GpuPriceKind;
	usdPerGpuHourLow: number;
	usdPerGpuHourHigh: number;
	source: string;
	/** ISO day on which the source was read. */
	readOn: string;
	/** In which its source gives it; left out: US dollars. */
	currency?: Currency;
}

/** A range with its middle said. */
export interface BandedAmount extends AmountRange {
	middle: number;
}

/** One figure as a range. */
export const exactly = (amount: number): AmountRange => ({ low: amount, high: amount });

/** A range in US dollars. */
export const inUsd = ({ low, high }: AmountRange, { usdPerUnit }: Currency): AmountRange => ({
	low: low * usdPerUnit,
	high: high * usdPerUnit,
});

/** The middle of a range: on the log scale, prices being spread by factors; the mean where one end is 0. */
export const middleOf = ({ low, high }: AmountRange): number =>
	low > 0 ? Math.sqrt(low * high) : (low + high) / 2;

/** A range with the middle that prices have. */
export const withMiddle = (range: AmountRange): BandedAmount => ({ ...range, middle: middleOf(range) });
