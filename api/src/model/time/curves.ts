import type { Evidence } from "../trust/quantity.ts";
import type { Residual } from "./residuals.ts";
import type { LoadSeries } from "./serve-residuals.ts";

/** Lineage and quality that every fit carries. */
export interface FitBase {
	/** Distinct points the fit used. */
	n: number;
	/** rms leave-one-out error on log seconds; null where it cannot be computed. */
	loo: number | null;
	/** Relative spread between identical measurements, and where it was taken from. */
	noise: { relative: number; from: "repeated runs" | "repetitions" } | null;
	measurementIds: string[];
	/** What the reader must know: "one length only: shape taken from the roofline", … */
	notes: string[];
}

/** t = f + a·max(0, u − k) + b·v with u = B·n and v = B·(n² + 2·n·d), DESIGN 2.3. */
export interface PrefillFit extends FitBase {
	phase: "prefill";
	form:
		| "f + a·max(0, u − k) + b·v"
		| "f + a·u + b·v"
		| "a·u + b·v"
		| "roofline shape, scaled"
		| "chunks of one size";
	coefficients: { a: number; b: number; f: number; k: number };
	units: { a: "seconds/token"; b: "seconds/token²"; f: "seconds"; k: "tokens" };
	evidence: Evidence;
	/** Fitted range of the total length d + n of one sequence, tokens. */
	range: { from: number; to: number };
	/** Fitted range of the new tokens of one pass, B·n; absent where passes of any size are composed or nothing was fitted. */
	work?: { from: number; to: number };
	/** Chunk of `tokens` that longer prompts are composed of, where only depth rows of one size exist. */
	chunkTokens: number | null;
	/** ln(measured / law) of whole prompts of one sequence, ascending by tokens: straight in between, level beyond. */
	residuals: Residual[];
}

/** t(B, L) = c0 + c1·B + c2·B·L + c3·g(B), DESIGN 2.4. g "roofline": √(1 + (B/200)²), "experts": 1 − (1 − activeShare)^B, see decode.ts. */
export interface DecodeFit extends FitBase {
	phase: "decode";
	form: string;
	g: "none" | "roofline" | "sqrt" | "log2" | "experts";
	/** Share of the weights that one sequence touches, for the growth "experts". */
	activeShare?: number;
	coefficients: { c0: number; c1: number; c2: number; c3: number };
	units: { c0: "seconds"; c1: "seconds"; c2: "seconds/token"; c3: "seconds" };
	evidence: Evidence;
	range: {
		batch: [number, number];
		context: [number, number];
		/** Most cached tokens that a measured step read, B·L; absent where nothing was fitted. */
		read?: number;
	};
}

/** tpot = c0 + c1·B + c2·B·L + c3·P + c4·√B, P = B·input/output, DESIGN 2.5. */
export interface ServeFit extends FitBase {
	phase: "serve";
	form: string;
	coefficients: { c0: number; c1: number; c2: number; c3: number; c4: number };
	evidence: Evidence;
	range: { concurrency: [number, number]; input: [number, number]; output: [number, number] };
	/** Mean TTFT under load where the points carry TTFT: c0 + c1·input + c2·B + c3·B·input. null where they do not. */
	ttft: {
		coefficients: number[];
		form: string;
		n?: number;
		loo: number | null;
		/** As `series`, of the TTFT. */
		series?: LoadSeries[];
	} | null;
	/** ln(measured / law) of the loads that were measured, by kind of request; absent in fits of older versions. */
	series?: LoadSeries[];
	/** Percentiles over the mean, geometric means over the points that carry both; null where none does. */
	percentiles?: { ttft: Percentiles; tpot: Percentiles };
}

/** Share of the mean at which a percentile lies. */
export interface Percentiles {
	p50: number | null;
	p99: number | null;
}

export interface ConfigurationFits {
	prefill: PrefillFit | null;
	decode: DecodeFit | null;
	serve: ServeFit | null;
}

/** A prediction in seconds with its 95 % interval. `outsideBy`: factor beyond the fitted range, 1 inside. */
export interface Prediction {
	seconds: number;
	low: number;
	high: number;
	evidence: Evidence;
	outsideBy: number;
	/** The formula with its numbers put in; written only where asked for, it costs more than the number. */
	arithmetic?: string;
}
