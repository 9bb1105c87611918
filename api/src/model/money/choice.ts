import { usd } from "../trust/figures.ts";
import type { Evidence, Source } from "../trust/quantity.ts";
import type { GpuPrice } from "./price.ts";

/** The price an answer is made with: USD per GPU-hour, low = high where the source gives one figure. */
export interface ChosenPrice {
	low: number;
	high: number;
	/** Middle of the range on the log scale. */
	value: number;
	evidence: Evidence;
	from: () => string;
	sources: Source[];
}

/** The entered price wins; else the newest of the book as a range; null where there is none: no fallback price. */
export function choosePrice(entered: number | null, book: readonly GpuPrice[]): ChosenPrice | null {
	if (entered !== null)
		return {
			low: entered,
			high: entered,
			value: entered,
			evidence: "arithmetic",
			from: () => `${usd(entered)} per GPU-hour as given`,
			sources: [],
		};
	const newest = [...book].sort((a, b) => b.readOn.localeCompare(a.readOn))[0];
	if (!newest) return null;
	const { usdPerGpuHourLow: low, usdPerGpuHourHigh: high, source, readOn } = newest;
	const value = Math.sqrt(low * high);
	const range = () => (low === high ? usd(low) : `${usd(low)} to ${usd(high)}, middle ${usd(value)}`);
	return {
		low,
		high,
		value,
		evidence: newest.kind === "entered" ? "arithmetic" : "vendor",
		from: () => `${range()} per GPU-hour (${source}, read on ${readOn})`,
		sources: [{ label: `Price: ${source}`, date: readOn }],
	};
}
