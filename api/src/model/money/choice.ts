import { usd } from "../trust/figures.ts";
import type { Evidence, Source } from "../trust/quantity.ts";
import { GPU_PRICE_KINDS, type GpuPrice, middleOf } from "./price.ts";

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
}

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
			entryId: null,
		};
	const [first] = byPreference(book);
	if (!first) return null;
	const { usdPerGpuHourLow: low, usdPerGpuHourHigh: high, source, readOn } = first;
	const value = middleOf({ low, high });
	const range = () => (low === high ? usd(low) : `${usd(low)} to ${usd(high)}, middle ${usd(value)}`);
	return {
		low,
		high,
		value,
		evidence: first.kind === "agreed" ? "arithmetic" : "vendor",
		from: () => `${range()} per GPU-hour (${source}, read on ${readOn})`,
		sources: [{ label: `Price: ${source}`, date: readOn }],
		entryId: first.id,
	};
}
