import { halfWidth } from "../trust/interval.ts";
import type { DecodeFit, Prediction } from "./curves.ts";
import type { DecodePoint } from "./points.ts";
import { regress } from "./regression.ts";

/** One decode step of `batch` sequences at mean context `context` tokens. */
export interface DecodeQuestion {
	batch: number;
	context: number;
}

/** Fits t = c0 + c1·B + c2·B·L to the points; null without points. */
export function fitDecode(points: DecodePoint[]): DecodeFit | null {
	if (points.length === 0) return null;
	const { coefficients, loo } = regress(
		points.map((p) => ({
			row: [1, p.batch, p.batch * p.context],
			value: p.seconds,
			weight: 1 / p.seconds ** 2,
		})),
	);
	const [c0 = 0, c1 = 0, c2 = 0] = coefficients;
	const span = (values: number[]): [number, number] => [Math.min(...values), Math.max(...values)];
	return {
		phase: "decode",
		form: "c0 + c1·B + c2·B·L",
		g: "none",
		coefficients: { c0, c1, c2, c3: 0 },
		units: { c0: "seconds", c1: "seconds", c2: "seconds/token", c3: "seconds" },
		evidence: "fitted",
		range: { batch: span(points.map((p) => p.batch)), context: span(points.map((p) => p.context)) },
		n: points.length,
		loo,
		noise: null,
		measurementIds: points.flatMap((p) => p.measurementIds),
		notes: [],
	};
}

/** Seconds of one decode step with the 95 % interval. */
export function predictDecode(fit: DecodeFit, { batch, context }: DecodeQuestion): Prediction {
	const { c0, c1, c2 } = fit.coefficients;
	const seconds = c0 + c1 * batch + c2 * batch * context;
	const beyond = (value: number, [from, to]: [number, number]) => Math.max(1, value / to, from / value);
	const outsideBy = Math.max(beyond(batch, fit.range.batch), beyond(context, fit.range.context));
	const half = Math.exp(halfWidth(fit, Math.log2(outsideBy)));
	const evidence = outsideBy > 1 ? "extrapolated" : fit.evidence;
	return { seconds, low: seconds / half, high: seconds * half, evidence, outsideBy };
}

/** The law with its numbers put in. */
export function describeDecode(fit: DecodeFit, { batch, context }: DecodeQuestion): string {
	const { c0, c1, c2 } = fit.coefficients;
	return `${c0} s + ${c1} s × ${batch} + ${c2} s × ${batch} × ${context}`;
}
