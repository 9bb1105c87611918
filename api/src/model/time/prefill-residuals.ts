import type { PrefillFit } from "./curves.ts";
import type { PrefillPoint } from "./points.ts";
import { isPlain, lengthOf, linearWork, prefillLaw } from "./prefill-law.ts";
import type { Residual } from "./residuals.ts";

type Coefficients = PrefillFit["coefficients"];

/** ln(measured / law) of a whole prompt. */
export const residualOf = (point: PrefillPoint, coefficients: Coefficients): Residual => ({
	at: point.tokens,
	log: Math.log(point.seconds / prefillLaw(coefficients, point)),
});

/** Whole prompts of one sequence, shortest first. */
export const plainPoints = (points: readonly PrefillPoint[]): PrefillPoint[] =>
	points.filter(isPlain).sort((x, y) => x.tokens - y.tokens);

/**
 * ln(composed / law) at the ends of measured chunks. The time up to a length is composed of the chunks; between two that
 * do not touch, the seconds per token are taken as the mean of both.
 */
export function chunkResiduals(points: readonly PrefillPoint[], coefficients: Coefficients): Residual[] {
	const chunks = [...points].sort((x, y) => x.cached - y.cached);
	let seconds = 0;
	let reached = 0;
	let before = chunks[0];
	return chunks.map((chunk) => {
		const gap = Math.max(0, chunk.cached - reached);
		const rate = (perToken(before ?? chunk) + perToken(chunk)) / 2;
		seconds += gap * rate + (lengthOf(chunk) - reached - gap) * perToken(chunk);
		reached = lengthOf(chunk);
		before = chunk;
		return { at: reached, log: Math.log(seconds / prefillLaw(coefficients, { tokens: reached })) };
	});
}

const perToken = (chunk: PrefillPoint) => chunk.seconds / linearWork(chunk);
