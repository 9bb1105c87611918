import { HOURS_PER_MONTH } from "./cost.ts";

const JOULES_PER_KWH = 3.6e6;

/** What owning a GPU costs, each a single figure. */
export interface Ownership {
	/** USD of one GPU with its share of the server. */
	capitalUsd: number;
	/** Months over which it is written off, above 0. */
	lifetimeMonths: number;
	/** Share of the capital that it still brings in at the end, 0…1. */
	residualShare: number;
	/** Power drawn, watts. */
	watts: number;
	/** Power of the building over power of the machines, ≥ 1. */
	pue: number;
	usdPerKwh: number;
	/** Rent of the place, staff, network: USD per GPU and month. */
	otherUsdPerMonth: number;
}

/**
 * USD per GPU-hour of owned hardware.
 * capital · (1 − residual) / (months · 730) + watts / 1000 · PUE · usdPerKwh + other / 730
 * @source DESIGN 2.8; straight-line depreciation to the residual value
 */
export const ownedUsdPerGpuHour = (own: Ownership): number =>
	(own.capitalUsd * (1 - own.residualShare)) / (own.lifetimeMonths * HOURS_PER_MONTH) +
	runningUsdPerHour(own);

/** USD per GPU-hour of what an owned GPU costs beside its capital. */
export const runningUsdPerHour = (
	own: Omit<Ownership, "capitalUsd" | "lifetimeMonths" | "residualShare">,
): number => (own.watts / 1000) * own.pue * own.usdPerKwh + own.otherUsdPerMonth / HOURS_PER_MONTH;

/**
 * Value of owned hardware after some months, written off in a straight line to its residual share.
 * capital · max(residual, 1 − (1 − residual) · age / lifetime)
 */
export const bookValueUsd = (
	{
		capitalUsd,
		lifetimeMonths,
		residualShare,
	}: Pick<Ownership, "capitalUsd" | "lifetimeMonths" | "residualShare">,
	ageMonths: number,
): number => capitalUsd * Math.max(residualShare, 1 - ((1 - residualShare) * ageMonths) / lifetimeMonths);

/** kWh of a month: watts / 1000 · 730 · PUE. */
export const kwhPerMonth = (watts: number, pue = 1): number => (watts / 1000) * HOURS_PER_MONTH * pue;

/** USD of the energy of a million tokens: J/token · 10⁶ · usdPerKwh / 3.6·10⁶. */
export const energyUsdPerMillion = (joulesPerToken: number, usdPerKwh: number): number =>
	(joulesPerToken * 1e6 * usdPerKwh) / JOULES_PER_KWH;
