import { claimIdOf } from "../trust/claim.ts";
import { count, figure, percent, usd } from "../trust/figures.ts";
import type { Evidence, Quantity, Source } from "../trust/quantity.ts";
import { state } from "../trust/statement.ts";
import { HOURS_PER_MONTH } from "./cost.ts";
import { type Ownership, ownedUsdPerGpuHour } from "./ownership.ts";
import {
	type AmountRange,
	type Currency,
	type GpuTerms,
	inUsd,
	middleOf,
	type OwnedTerms,
	type PriceEntry,
} from "./price.ts";

/**
 * USD of one GPU for an hour in which it works, from the terms of its price.
 * reserved: hourly + upfront / (months · 730); spot: hourly / (1 − lost share); owned: see ownership
 * @returns a range: low terms give the low end, high ones the high end
 */
export function usdPerGpuHour(terms: GpuTerms, currency: Currency): AmountRange {
	const at = (end: "low" | "high") => {
		switch (terms.kind) {
			case "reserved":
				return terms.perGpuHour[end] + terms.upfrontPerGpu[end] / (terms.termMonths * HOURS_PER_MONTH);
			case "spot":
				return terms.perGpuHour[end] / (1 - terms.lostShare);
			case "owned":
				return ownedUsdPerGpuHour(ownershipAt(terms, end));
			default:
				return terms.perGpuHour[end];
		}
	};
	return inUsd({ low: at("low"), high: at("high") }, currency);
}

/** The figures of owned hardware at one end of their ranges. */
export const ownershipAt = (
	{ capexPerGpu, perKwh, staffPerGpuMonth, hostingPerGpuMonth, ...rest }: OwnedTerms,
	end: "low" | "high",
): Ownership => ({
	capitalUsd: capexPerGpu[end],
	lifetimeMonths: rest.lifetimeMonths,
	residualShare: rest.residualShare,
	watts: rest.watts,
	pue: rest.pue,
	usdPerKwh: perKwh[end],
	otherUsdPerMonth: staffPerGpuMonth[end] + hostingPerGpuMonth[end],
});

/** The price of a GPU-hour with its arithmetic and source; null terms say why there is none. */
export function hourlyQuantity(entry: PriceEntry & { terms: GpuTerms }): Quantity {
	const range = usdPerGpuHour(entry.terms, entry.currency);
	const made = state(
		middleOf(range),
		"USD/hour",
		evidenceOf(entry),
		() => `${describeTerms(entry)}${spread(range)}`,
		{},
		[sourceOf(entry)],
	);
	if (range.low !== range.high) Object.assign(made, range);
	return made;
}

const spread = ({ low, high }: AmountRange): string =>
	low === high
		? ` = ${usd(low)}`
		: ` = ${usd(low)} to ${usd(high)}, middle ${usd(middleOf({ low, high }))} (geometric mean)`;

/** What somebody here entered is given; a list is a vendor's word. */
export const evidenceOf = ({ origin, terms: { kind } }: Pick<PriceEntry, "origin" | "terms">): Evidence =>
	origin === "user" || kind === "agreed" ? "arithmetic" : "vendor";

export const sourceOf = ({ id, source, readOn }: Pick<PriceEntry, "id" | "source" | "readOn">): Source => ({
	label: `Price: ${source}`,
	date: readOn,
	claim: claimIdOf("price", id),
});

const range = ({ low, high }: AmountRange): string =>
	low === high ? figure(low, 6) : `${figure(low, 6)} to ${figure(high, 6)}`;

/** The terms as the formula of an hour, numbers put in. */
export function describeTerms({ terms, currency }: { terms: GpuTerms; currency: Currency }): string {
	const { code, usdPerUnit, rateReadOn } = currency;
	const rate =
		code === "USD" ? "" : ` × ${figure(usdPerUnit, 6)} USD/${code}${rateReadOn ? ` of ${rateReadOn}` : ""}`;
	const within = (sum: string) => (rate === "" ? sum : `(${sum})${rate}`);
	switch (terms.kind) {
		case "reserved":
			return within(
				`${range(terms.perGpuHour)} ${code} reserved for ${terms.termMonths} months + ${range(terms.upfrontPerGpu)} paid at the start / (${terms.termMonths} × ${HOURS_PER_MONTH} h)`,
			);
		case "spot":
			return within(
				`${range(terms.perGpuHour)} ${code} spot / (1 − ${percent(terms.lostShare)} of the hours lost)`,
			);
		case "owned":
			return within(
				`${range(terms.capexPerGpu)} ${code} × (1 − ${percent(terms.residualShare)} residual) / (${count(terms.lifetimeMonths)} months × ${HOURS_PER_MONTH} h) + ${figure(terms.watts / 1000)} kW × PUE ${terms.pue} × ${range(terms.perKwh)} per kWh + (${range(terms.staffPerGpuMonth)} staff + ${range(terms.hostingPerGpuMonth)} hosting) / ${HOURS_PER_MONTH} h`,
			);
		default:
			return `${range(terms.perGpuHour)} ${code} ${terms.kind === "agreed" ? "as agreed" : "on demand"}${rate}`;
	}
}
