/** rms leave-one-out error on log seconds up to which a curve is good, and fair. */
const GOOD = 0.05;
const FAIR = 0.2;

export type FitQuality = "good" | "fair" | "poor" | "untested";

/**
 * How far a fit can be trusted between its points.
 * good: loo ≤ 5 %; fair: loo ≤ 20 %; poor: above; untested: too few points to leave one out.
 * @param fit any fit; loo is relative (log seconds)
 */
export function fitQuality({ loo }: { loo: number | null }): FitQuality {
	if (loo === null) return "untested";
	if (loo <= GOOD) return "good";
	return loo <= FAIR ? "fair" : "poor";
}

/** What is odd about times of whole prompts, beside their fit. */
export interface CurveOddities {
	/** A longer prompt took less time than a shorter one: few samples, or a prefix cache that was on. */
	nonMonotone: boolean;
	/** Largest over smallest time among prompts of one length, minus 1; null where no length comes twice. */
	sameLengthSpread: number | null;
}

/**
 * Looks for times that no prefill can follow: they must grow with the length.
 * @param points lengths in tokens and times in seconds, in any order
 */
export function curveOddities(points: readonly { tokens: number; seconds: number }[]): CurveOddities {
	const byLength = new Map<number, number[]>();
	for (const { tokens, seconds } of points) byLength.set(tokens, [...(byLength.get(tokens) ?? []), seconds]);
	const lengths = [...byLength].sort(([a], [b]) => a - b);
	const spreads = lengths
		.filter(([, times]) => times.length > 1)
		.map(([, times]) => Math.max(...times) / Math.min(...times) - 1);
	let slowestSoFar = 0;
	let nonMonotone = false;
	for (const [, times] of lengths) {
		if (Math.max(...times) < slowestSoFar) nonMonotone = true;
		slowestSoFar = Math.max(slowestSoFar, Math.min(...times));
	}
	return { nonMonotone, sameLengthSpread: spreads.length === 0 ? null : Math.max(...spreads) };
}
