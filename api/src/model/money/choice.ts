import { claimIdOf } from "../trust/claim.ts";
import { usd } from "../trust/figures.ts";
import type { Evidence, Source } from "../trust/quantity.ts";
import {
	type Currency,
	GPU_PRICE_KINDS,
	type GpuPrice,
	type GpuPriceKind,
	middleOf,
	rateWords,
} from "./price.ts";

/** The price an answer is made with: USD per GPU-hour, low = high where the source gives one figure. */
export interface ChosenPrice {
	low: number;
	high: number;
	/** Middle of the range on the log scale. */
	value: number;
	evidence: Evidence;
	from: () => string;
	sources: Source[];
	/** Version of the price book that it was taken from; null: entered with the question. */
	entryId: string | null;
	/** How that version is paid; null: entered with the question. */
	kind: GpuPriceKind | null;
	/** In which its source gives it, where that is not US dollars. */
	currency: Currency | null;
}

/** What a price commits to that is not paid by the hour at will, in a sentence. */
export const COMMITMENTS: Partial<Record<GpuPriceKind, string>> = {
	reserved: "Priced as reserved: every hour of the term is paid, used or not.",
	owned: "Priced as bought: what it cost is spread over its life, used or not.",
	spot: "Priced as spot: it is taken away when somebody pays more.",
};

/** Prices of one GPU, the one to use first: what was agreed before any list, lists before spot, then the newest. */
export const byPreference = (book: readonly GpuPrice[]): GpuPrice[] =>
	[...book].sort(
		(a, b) =>
			GPU_PRICE_KINDS.indexOf(a.kind) - GPU_PRICE_KINDS.indexOf(b.kind) || b.readOn.localeCompare(a.readOn),
	);

/** The entered price wins; else the preferred one of the book as a range; null where there is none: no fallback price. */
export function choosePrice(entered: number | null, book: readonly GpuPrice[]): ChosenPrice | null {
	if (entered !== null)
		return {
			low: entered,
			high: entered,
			value: entered,
			evidence: "arithmetic",
			from: () => `${usd(entered)} per GPU-hour as given`,
			sources: [],
			...{ entryId: null, kind: null, currency: null },
		};
	const [first] = byPreference(book);
	if (!first) return null;
	const { usdPerGpuHourLow: low, usdPerGpuHourHigh: high, source, readOn, kind, currency = null } = first;
	const how = kind === "on-demand" ? "" : `, ${kind}`;
	const value = middleOf({ low, high });
	const range = () =>
		low === high ? usd(low) : `${usd(low)} to ${usd(high)}, middle ${usd(value)} (geometric mean)`;
	const rate = currency === null ? "" : `; ${rateWords(currency)}`;
	return {
		low,
		high,
		value,
		evidence: kind === "agreed" ? "arithmetic" : "vendor",
		from: () => `${range()} per GPU-hour${how} (${source}, read on ${readOn}${rate})`,
		sources: [{ label: `Price: ${source}`, date: readOn, claim: claimIdOf("price", first.id) }],
		...{ entryId: first.id, kind, currency },
	};
}
