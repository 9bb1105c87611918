import { count, figure } from "../trust/figures.ts";
import { beyond, looError } from "../trust/interval.ts";
import type { Evidence } from "../trust/quantity.ts";
import type { Prediction, PrefillFit } from "./curves.ts";
import type { PrefillPoint } from "./points.ts";
import { check, lineage, predictionOf, span } from "./prediction.ts";
import {
	isPlain,
	lengthOf,
	linearWork,
	type PrefillQuestion,
	prefillLaw,
	quadraticWork,
} from "./prefill-law.ts";
import { chunkResiduals, plainPoints, residualOf } from "./prefill-residuals.ts";
import {
	CHUNKS,
	KNEED,
	prefillMisses,
	SCALED,
	type Solution,
	STRAIGHT,
	solution,
	TYPICAL_SHARE,
} from "./prefill-solution.ts";
import { residualAt } from "./residuals.ts";

export { type PrefillQuestion, powerLawExponent } from "./prefill-law.ts";

/**
 * Fits how long a prefill takes.
 * t = f + a·max(0, u − k) + b·v with u = B·n and v = B·(n² + 2·n·d)
 * Five or more sizes u: this form; three or four: k = 0; two: a and b through the origin; one size at several depths:
 * chunks of that size; one alone: a, with b in a given or the typical share.
 * @param points any number, in any order, each shape once
 * @param shape a in s/token and b in s/token² of a law of the same shape (the roofline); read for one length only
 * @returns null without points
 * @throws RangeError for a point that is not a time of work
 * @source DESIGN 2.3
 */
export function fitPrefill(
	points: readonly PrefillPoint[],
	shape?: { a: number; b: number },
): PrefillFit | null {
	for (const point of points) checkPoint(point);
	if (points.length === 0) return null;
	const share = shape && shape.a > 0 ? shape.b / shape.a : TYPICAL_SHARE;
	const found = solution(points, share);
	const { coefficients } = found;
	const chunks = found.form === CHUNKS;
	const [from, to] = span(points.map(lengthOf));
	const [least, most] = span(points.map(linearWork));
	return {
		phase: "prefill",
		form: found.form === KNEED && coefficients.k === 0 ? STRAIGHT : found.form,
		coefficients,
		units: { a: "seconds/token", b: "seconds/token²", f: "seconds", k: "tokens" },
		evidence: evidenceOf(found.form, shape !== undefined),
		range: { from, to },
		...(chunks ? {} : { work: { from: least, to: most } }),
		chunkTokens: chunks ? (points[0]?.tokens ?? null) : null,
		residuals: chunks
			? chunkResiduals(points, coefficients)
			: plainPoints(points).map((p) => residualOf(p, coefficients)),
		loo: looOf(points, found, share),
		...lineage(points),
		notes: notesOf(found.form, shape !== undefined),
	};
}

/** One or two lengths that reach into the launch floor tell little of longer ones. */
const FLOOR_TOKENS = 256;
const FLOOR_ERROR = 0.3;

/** null with one or two points: nothing is left to test them with. */
function looOf(points: readonly PrefillPoint[], found: Solution, share: number): number | null {
	if (points.length > 2) return looError(prefillMisses(points, found, share));
	return points.some((p) => linearWork(p) <= FLOOR_TOKENS) ? FLOOR_ERROR / points.length : null;
}

function checkPoint({ tokens, cached, batch, seconds }: PrefillPoint): void {
	checkQuestion({ tokens, cached, batch });
	check("seconds", seconds, 0, true);
}

function checkQuestion({ tokens, cached = 0, batch = 1 }: PrefillQuestion): void {
	check("tokens", tokens, 0, true);
	check("cached", cached, 0);
	check("batch", batch, 0, true);
}

function evidenceOf(form: PrefillFit["form"], shaped: boolean): Evidence {
	if (form !== SCALED) return "fitted";
	return shaped ? "transferred" : "estimated";
}

function notesOf(form: PrefillFit["form"], shaped: boolean): string[] {
	if (form === CHUNKS) return ["chunks of one size only: a longer prompt is composed of them"];
	if (form !== SCALED) return [];
	if (shaped) return ["one length only: shape taken from the roofline"];
	return [`one length only: attention taken at b/a = ${TYPICAL_SHARE} per token, as is typical`];
}

/**
 * Seconds of a prefill for the whole batch, with the 95 % interval.
 * Whole prompts are multiplied by the residual of the measured prompts with as many tokens, so that the curve passes
 * through its points; beyond the first and the last it keeps theirs.
 * @param question tokens > 0, cached ≥ 0, batch > 0
 * @throws RangeError that names what is out of bounds
 */
export function predictPrefill(fit: PrefillFit, question: PrefillQuestion): Prediction {
	checkQuestion(question);
	const { from, to } = fit.range;
	const work = fit.work ? beyond(linearWork(question), [fit.work.from, fit.work.to]) : 1;
	const length = beyond(lengthOf(question), [from, to]);
	const prediction = predictionOf(fit, secondsOf(fit, question), Math.max(work, length));
	if (fit.coefficients.f > 0 || lengthOf(question) >= from || !isPlain(question)) return prediction;
	// Without a known floor, a prompt shorter than any measured one may take as long as the shortest.
	return { ...prediction, high: Math.max(prediction.high, predictPrefill(fit, { tokens: from }).high) };
}

function secondsOf(fit: PrefillFit, question: PrefillQuestion): number {
	const { tokens, cached = 0, batch = 1 } = question;
	if (fit.form === CHUNKS) return batch * (composed(fit, cached + tokens) - composed(fit, cached));
	const seconds = prefillLaw(fit.coefficients, question);
	return cached > 0 ? seconds : seconds * Math.exp(residualAt(fit.residuals, linearWork(question)));
}

/** Seconds of all chunks up to a length. */
function composed({ coefficients, residuals }: PrefillFit, length: number): number {
	if (length === 0) return 0;
	return prefillLaw(coefficients, { tokens: length }) * Math.exp(residualAt(residuals, length));
}

/** The law with its numbers put in: "0.02 + 0.0001 × 10,000 + 2e−9 × 100,000,000". */
export function describePrefill(fit: PrefillFit, question: PrefillQuestion): string {
	const { a, b, f, k } = fit.coefficients;
	const [u, v] = [linearWork(question), quadraticWork(question)];
	const terms = [
		f > 0 ? figure(f) : "",
		a > 0 ? `${figure(a)} × ${k > 0 ? `max(0, ${count(u)} − ${figure(k)})` : count(u)}` : "",
		b > 0 ? `${figure(b)} × ${count(v)}` : "",
	].filter(Boolean);
	const residual = secondsOf(fit, question) / prefillLaw(fit.coefficients, question);
	const sum = terms.join(" + ");
	if (Math.abs(residual - 1) < 5e-5) return sum;
	return `(${sum}) × ${figure(residual)}, ${whereMeasured(fit, question)}`;
}

/** Where the factor by which measured prompts differ from the law was measured. */
function whereMeasured({ residuals }: PrefillFit, question: PrefillQuestion): string {
	const [first, last] = [residuals[0], residuals.at(-1)];
	const work = linearWork(question);
	if (last && work > last.at) return `as measured at ${count(last.at)} tokens, the most`;
	if (first && work < first.at) return `as measured at ${count(first.at)} tokens, the fewest`;
	return "as measured around this length";
}
