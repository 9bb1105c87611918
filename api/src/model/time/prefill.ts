import { halfWidth } from "../trust/interval.ts";
import type { Prediction, PrefillFit } from "./curves.ts";
import type { PrefillPoint } from "./points.ts";
import { regress } from "./regression.ts";

/** Prompt to predict: `tokens` new ones on top of `cached`, for each of `batch` sequences. */
export interface PrefillQuestion {
	tokens: number;
	cached?: number;
	batch?: number;
}

const linear = ({ tokens, batch = 1 }: PrefillQuestion) => batch * tokens;
const quadratic = ({ tokens, cached = 0, batch = 1 }: PrefillQuestion) =>
	batch * (tokens * tokens + 2 * tokens * cached);

/** Fits t = f + a·u + b·v to the points; null without points. */
export function fitPrefill(points: PrefillPoint[]): PrefillFit | null {
	if (points.length === 0) return null;
	const sizes = new Set(points.map(linear)).size;
	const floor = sizes >= 3 ? 1 : 0;
	const { coefficients, loo } = regress(
		points.map((p) => ({ row: [floor, linear(p), quadratic(p)], value: p.seconds, weight: 1 / p.seconds })),
	);
	const [f = 0, a = 0, b = 0] = coefficients;
	const lengths = points.map((p) => p.tokens + p.cached);
	return {
		phase: "prefill",
		form: floor ? "f + a·u + b·v" : "a·u + b·v",
		coefficients: { a, b, f, k: 0 },
		units: { a: "seconds/token", b: "seconds/token²", f: "seconds", k: "tokens" },
		evidence: "fitted",
		range: { from: Math.min(...lengths), to: Math.max(...lengths) },
		chunkTokens: null,
		residuals: [],
		n: points.length,
		loo,
		noise: null,
		measurementIds: points.flatMap((p) => p.measurementIds),
		notes: [],
	};
}

/** Seconds of a prefill with the 95 % interval. */
export function predictPrefill(fit: PrefillFit, question: PrefillQuestion): Prediction {
	const { a, b, f, k } = fit.coefficients;
	const seconds = f + a * Math.max(0, linear(question) - k) + b * quadratic(question);
	const length = question.tokens + (question.cached ?? 0);
	const outsideBy = Math.max(1, length / fit.range.to, fit.range.from / length);
	const half = Math.exp(halfWidth(fit, Math.log2(outsideBy)));
	const evidence = outsideBy > 1 ? "extrapolated" : fit.evidence;
	return { seconds, low: seconds / half, high: seconds * half, evidence, outsideBy };
}

/** The law with its numbers put in. */
export function describePrefill(fit: PrefillFit, question: PrefillQuestion): string {
	const { a, b, f } = fit.coefficients;
	return `${f} s + ${a} s × ${linear(question)} + ${b} s × ${quadratic(question)}`;
}
