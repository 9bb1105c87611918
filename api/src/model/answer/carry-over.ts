import { kvBytesPerToken } from "../memory/attention.ts";
import type { DecodeFit, PrefillFit } from "../time/curves.ts";
import { type RooflineSetup, rooflineFits } from "../time/roofline.ts";
import { figure } from "../trust/figures.ts";
import type { Law } from "./laws.ts";
import type { PlanFacts } from "./question.ts";
import type { Setup } from "./setup.ts";

/** Coefficients of the roofline after a change of ranks or weights over those before it. */
export interface Move {
	/** Pass through the weights, per token. */
	a: number;
	/** Attention, per token pair. */
	b: number;
	/** Reading the weights. */
	weights: number;
	/** Reading the cache. */
	cache: number;
	words: string;
}

export const rooflineSetup = ({ tp, stages, weights, kvK, kvV, kvHeads }: Setup): RooflineSetup => ({
	tp,
	stages,
	weights,
	kvK,
	kvV,
	kvHeads,
});

export const describeSetup = ({ unit, tp, stages, contextRanks, weights }: Setup): string =>
	[
		`TP ${tp}`,
		stages > 1 ? ` × ${stages} layer stages` : "",
		contextRanks > 1 ? ` × ${contextRanks} context ranks` : "",
		unit === tp * stages * contextRanks ? "" : ` on ${unit} GPUs`,
		`, ${weights ?? "bf16"} weights`,
	].join("");

/** The ratio of the rooflines of two setups, the cache being that asked about; null where the catalog lacks a figure. */
export function moveBetween({ model, gpu }: PlanFacts, measured: Setup, asked: Setup): Move | null {
	// What more GPUs than heads and layers need were used for is not in the roofline.
	if (!model || !gpu || !isPlain(measured) || !isPlain(asked)) return null;
	const { tp, stages, weights } = measured;
	const before = rooflineFits(model, gpu, { ...rooflineSetup(asked), tp, stages, weights });
	const after = rooflineFits(model, gpu, rooflineSetup(asked));
	if (!before.prefill || !before.decode || !after.prefill || !after.decode) return null;
	const [p, q] = [before.prefill.coefficients, after.prefill.coefficients];
	const [d, e] = [before.decode.coefficients, after.decode.coefficients];
	return {
		a: q.a / p.a,
		b: q.b / p.b || 1,
		weights: e.c0 / d.c0,
		cache: e.c2 / d.c2 || 1,
		words: `; carried over from ${describeSetup(measured)} to ${describeSetup(asked)}`,
	};
}

const isPlain = ({ unit, tp, stages }: Setup) => unit === tp * stages;

/** A prefill law on other ranks or weights. */
export function movedPrefill(fit: PrefillFit, move: Move): Law<PrefillFit> {
	const { a, b, f, k } = fit.coefficients;
	const coefficients = { a: a * move.a, b: b * move.b, f: f * move.weights, k };
	return {
		fit: { ...fit, coefficients },
		evidence: "transferred",
		words: () =>
			`${move.words}: a × ${figure(move.a, 3)}, b × ${figure(move.b, 3)} by the ratio of the rooflines`,
	};
}

/** A decode law on other ranks or weights. */
export function movedDecode(fit: DecodeFit, move: Move): Law<DecodeFit> {
	const { c0, c1, c2, c3 } = fit.coefficients;
	const coefficients = {
		c0: c0 * move.weights,
		c1: c1 * move.a,
		c2: c2 * move.cache,
		c3: c3 * move.weights,
	};
	return {
		fit: { ...fit, coefficients },
		evidence: "transferred",
		words: () =>
			`${move.words}: weights part × ${figure(move.weights, 3)}, cache part × ${figure(move.cache, 3)} by the ratio of the rooflines`,
	};
}

/** How the cache bytes of a token change from what was measured to what is asked. */
export interface CacheChange {
	ratio: number;
	before: number;
	after: number;
}

/** Cache bytes of a token before and after, on the ranks asked about. */
export function cacheChange({ model }: PlanFacts, measured: Setup, asked: Setup): CacheChange {
	const { tp } = asked;
	if (!model || sameCache(measured, asked)) return { ratio: 1, before: 1, after: 1 };
	const perToken = ({ kvK, kvV, kvHeads }: Setup) =>
		kvBytesPerToken(model, { kvK: kvK ?? "bf16", kvV: kvV ?? "bf16", kvHeads, tp });
	const [before, after] = [perToken(measured), perToken(asked)];
	return { ratio: before > 0 ? after / before : 1, before, after };
}

const sameCache = (a: Setup, b: Setup) => a.kvK === b.kvK && a.kvV === b.kvV && a.kvHeads === b.kvHeads;

/** A decode law that reads another cache; the prefill law stays as it is. */
export function readingCache(
	law: Law<DecodeFit>,
	{ ratio, before, after }: CacheChange,
	estimate: Law<DecodeFit> | null,
): Law<DecodeFit> {
	if (ratio === 1) return law;
	const { coefficients } = law.fit;
	// Where the fit could not see the reading of the cache, the roofline stands in for what is added to it.
	const roofline = (estimate?.fit.coefficients.c2 ?? 0) / ratio;
	const read = coefficients.c2 > 0 ? coefficients.c2 : roofline;
	const c2 = Math.max(0, coefficients.c2 + (ratio - 1) * read);
	return {
		fit: { ...law.fit, coefficients: { ...coefficients, c2 } },
		evidence: "estimated",
		words: () =>
			`${law.words()}; reading the cache × ${figure(ratio, 3)}: ${figure(after)} in place of ${figure(before)} bytes/token`,
	};
}
