const HOURS_PER_YEAR = 8760;
const JOULES_PER_KWH = 3.6e6;

/** What owning a GPU costs. */
export interface Ownership {
	/** USD of one GPU with its share of the server. */
	capitalUsd: number;
	/** Years over which it is written off. */
	lifetimeYears: number;
	/** Power drawn, watts. */
	watts: number;
	/** Power of the building over power of the machines, ≥ 1. */
	pue: number;
	usdPerKwh: number;
	/** Rent, staff, network, USD per GPU and hour. */
	otherUsdPerHour: number;
}

/**
 * USD per GPU-hour of owned hardware.
 * capital / (years · 8760) + watts / 1000 · PUE · usdPerKwh + other
 * @source DESIGN 2.8
 */
export const ownedUsdPerGpuHour = (own: Ownership): number =>
	own.capitalUsd / (own.lifetimeYears * HOURS_PER_YEAR) +
	(own.watts / 1000) * own.pue * own.usdPerKwh +
	own.otherUsdPerHour;

/** USD of the energy of a million tokens: J/token · 10⁶ · usdPerKwh / 3.6·10⁶. */
export const energyUsdPerMillion = (joulesPerToken: number, usdPerKwh: number): number =>
	(joulesPerToken * 1e6 * usdPerKwh) / JOULES_PER_KWH;
