import { kvBytesPerToken } from "../memory/attention.ts";
import type { DecodeFit, PrefillFit } from "../time/curves.ts";
import { weightsSeconds } from "../time/decode.ts";
import { type RooflineSetup, rooflineFits } from "../time/roofline.ts";
import { count, figure } from "../trust/figures.ts";
import { weakest } from "../trust/quantity.ts";
import type { Law } from "./law.ts";
import type { PlanFacts } from "./question.ts";
import { type Setup, sameCache } from "./setup.ts";

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

/** "bf16 cache", "q8_0 and f16 cache". */
export const describeCache = ({ kvK, kvV }: Setup): string => {
	const [keys, values] = [kvK ?? "bf16", kvV ?? "bf16"];
	return `${keys === values ? keys : `${keys} and ${values}`} cache`;
};

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
		weights: weightsSeconds(after.decode) / weightsSeconds(before.decode),
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

/** A prefill law for other KV heads than were measured: their projections are a small part of a pass, and stay as they are. */
export const otherHeads = (fit: PrefillFit): Law<PrefillFit> => ({
	fit,
	evidence: "transferred",
	words: () => "; as measured with the model's own KV heads",
});

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

/** Contexts that differ by less than this do not tell reading the cache apart from everything else. */
const TOLD_APART = 2;

/** Whether the steps that a law was fitted to lay at contexts different enough to see the reading of the cache. */
export const seesCache = ({ coefficients, range: { context } }: DecodeFit): boolean =>
	coefficients.c2 > 0 || context[1] >= TOLD_APART * Math.max(1, context[0]);

/**
 * A law of steps at one context alone, made to read the cache as the roofline does: c2 is estimated, and what the measured
 * steps read already is taken out of c1, then c0, so that the law still passes through them.
 */
export function seeingCache(
	law: Law<DecodeFit>,
	{ ratio }: CacheChange,
	estimate: Law<DecodeFit> | null,
): Law<DecodeFit> {
	// The roofline is that of the cache asked about; the law is still the one of the cache that was measured.
	const c2 = (estimate?.fit.coefficients.c2 ?? 0) / ratio;
	if (seesCache(law.fit) || !(c2 > 0) || !Number.isFinite(c2)) return law;
	const { coefficients, range } = law.fit;
	const [context, batch] = [range.context, range.batch].map(([from, to]) => Math.sqrt(from * to)) as [
		number,
		number,
	];
	const held = c2 * context;
	const c1 = Math.max(0, coefficients.c1 - held);
	const c0 = Math.max(0, coefficients.c0 - batch * (held - (coefficients.c1 - c1)));
	return {
		fit: {
			...law.fit,
			coefficients: { ...coefficients, c0, c1, c2 },
			range: { batch: range.batch, context: ANY_CONTEXT },
		},
		evidence: weakest(law.evidence, "estimated"),
		estimatedRead: c2,
		words: () =>
			`${law.words()}; measured around ${count(Math.round(context))} tokens only, so reading the cache, ${figure(c2)} s per token, is the roofline's`,
	};
}

/** Nothing is extrapolated along the context where its whole effect is an estimate with a band of its own. */
const ANY_CONTEXT: [number, number] = [0, Number.MAX_SAFE_INTEGER];

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
		...(law.estimatedRead === undefined ? {} : { estimatedRead: law.estimatedRead * ratio }),
		evidence: "estimated",
		words: () =>
			`${law.words()}; reading the cache × ${figure(ratio, 3)}: ${figure(after)} in place of ${figure(before)} bytes/token`,
	};
}
