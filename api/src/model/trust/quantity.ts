/** How a number is known, from strong to weak. An answer carries the weakest evidence among its inputs. */
export const EVIDENCE = [
	"arithmetic",
	"measured",
	"fitted",
	"extrapolated",
	"transferred",
	"estimated",
	"published",
	"vendor",
	"assumed",
] as const;
export type Evidence = (typeof EVIDENCE)[number];

export type Unit =
	| "bytes"
	| "bytes/token"
	| "tokens"
	| "tokens/s"
	| "tokens/month"
	| "requests"
	| "requests/s"
	| "requests/hour"
	| "requests/month"
	| "sequences"
	| "users"
	| "GPUs"
	| "GPU-hours"
	| "replicas"
	| "runs"
	| "kWh/month"
	| "seconds"
	| "seconds/token"
	| "seconds/token²"
	| "USD"
	| "USD/hour"
	| "USD/month"
	| "USD/million tokens"
	| "USD/request"
	| "ratio";

/** Where a number comes from: a measurement, a price, a catalog fact. */
export interface Source {
	label: string;
	/** Link inside the product ("/measurements/…") or the public address of a publication. */
	href?: string;
	/** ISO day the source was read or measured. */
	date?: string;
	/** Id of the entry of the claims ledger that this source is. */
	claim?: string;
}

/**
 * A number that a person will read, with its evidence and the formula with its numbers put in.
 * `value` null means "not known": `arithmetic` then says why and what to measure. It is never 0 for unknown.
 */
export interface Quantity {
	value: number | null;
	unit: Unit;
	low?: number;
	high?: number;
	evidence: Evidence;
	arithmetic: string;
	/** Where it lies beyond what was measured: what is asked, what was measured, by how much, what to measure. */
	beyond?: string;
	sources?: Source[];
}

/** The weakest of the given kinds of evidence; "arithmetic" where there is none. */
export function weakest(...kinds: Evidence[]): Evidence {
	return kinds.reduce((a, b) => (EVIDENCE.indexOf(b) > EVIDENCE.indexOf(a) ? b : a), "arithmetic");
}
