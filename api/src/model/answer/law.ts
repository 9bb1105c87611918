import type { Evidence } from "../trust/quantity.ts";

/** A fitted law as it applies to the question, and in words what was done to it. */
export interface Law<Fit> {
	fit: Fit;
	/** Weakens the evidence of the fit; "arithmetic" where nothing was done to it. */
	evidence: Evidence;
	words: () => string;
	/** Seconds per cached token that a decode law took from the roofline; left out where it was measured. */
	estimatedRead?: number;
}
