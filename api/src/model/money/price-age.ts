import type { PriceTerms } from "./price.ts";

/**
 * Days after which a price should be read again. Spot quotes moved by 2.6 times within 12 days (cases CO-12); lists are
 * changed a few times a year, contracts and bought hardware by the year. A convention, not a measurement.
 */
const OLD_AFTER_DAYS: Record<PriceTerms["kind"], number> = {
	spot: 7,
	"on-demand": 90,
	hosted: 90,
	reserved: 180,
	agreed: 365,
	owned: 365,
};

const DAY_MS = 86_400_000;

/** How old a price is, and whether it should be read again. */
export interface PriceAge {
	days: number;
	old: boolean;
	/** Days up to which such a price counts as fresh. */
	freshDays: number;
}

/**
 * Age of a price on a day.
 * @param readOn ISO day on which its source was read
 * @param today ISO day
 * @throws RangeError for what is no ISO day
 */
export function priceAge(kind: PriceTerms["kind"], readOn: string, today: string): PriceAge {
	const days = Math.max(0, Math.round((dayOf("today", today) - dayOf("readOn", readOn)) / DAY_MS));
	const freshDays = OLD_AFTER_DAYS[kind];
	return { days, old: days > freshDays, freshDays };
}

function dayOf(name: string, day: string): number {
	const at = Date.parse(`${day}T00:00:00Z`);
	if (Number.isNaN(at)) throw new RangeError(`${name} must be an ISO day, not '${day}'`);
	return at;
}
