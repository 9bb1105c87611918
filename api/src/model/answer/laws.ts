import { kvBytesPerToken } from "../memory/attention.ts";
import type { ConfigurationFits, DecodeFit, PrefillFit, ServeFit } from "../time/curves.ts";
import { type RooflineSetup, rooflineFits } from "../time/roofline.ts";
import { figure } from "../trust/figures.ts";
import type { Evidence, Source } from "../trust/quantity.ts";
import type { PlanFacts } from "./plan.ts";
import { type Resolved, type Setup, sameEngine } from "./setup.ts";

/** A fitted law as it applies to the question, and in words what was done to it. */
export interface Law<Fit> {
	fit: Fit;
	/** Weakens the evidence of the fit; "arithmetic" where nothing was done to it. */
	evidence: Evidence;
	words: string;
}

export interface Laws {
	prefill: Law<PrefillFit> | null;
	decode: Law<DecodeFit> | null;
	/** Client-side law; only where the measured setup is the one asked about. */
	serve: ServeFit | null;
	/** What would be needed where a law is null. */
	missing: string;
	sources: Source[];
}

/** The laws of the question: as fitted, carried over to a changed setup, or estimated where nothing was measured. */
export function lawsOf(resolved: Resolved, facts: PlanFacts): Laws {
	const { asked, measured } = resolved;
	const { configuration, fits } = facts;
	const estimate = estimated(facts, asked);
	const sources: Source[] = configuration
		? [{ label: configuration.label, href: `/configurations/${configuration.id}` }]
		: [...(facts.model?.sources ?? []), ...(facts.gpu?.sources ?? [])];
	if (!measured || !configuration)
		return { ...fromRoofline(estimate.fits), missing: estimate.missing, sources };
	const moved = sameEngine(measured, asked) ? null : carriedOver(facts, measured, asked);
	const kv = kvRatio(facts, measured, asked);
	const untouched = moved === null && kv.ratio === 1;
	const fallback = fromRoofline(estimate.fits);
	const what = describeMove(measured, asked);
	const missing =
		moved === "impossible"
			? `measured with ${describe(measured)}; carrying it over to ${describe(asked)} needs model and GPU of the catalog`
			: estimate.missing;
	return {
		prefill: fits.prefill ? movedPrefill(fits.prefill, moved, what) : fallback.prefill,
		decode: fits.decode
			? readingKv(movedDecode(fits.decode, moved, what), kv, estimate.fits)
			: fallback.decode,
		serve: untouched ? fits.serve : null,
		missing,
		sources,
	};
}

const rooflineSetup = (setup: Setup): RooflineSetup => ({
	tp: setup.tp,
	stages: setup.stages,
	weights: setup.weights,
	kvK: setup.kvK,
	kvV: setup.kvV,
	kvHeads: setup.kvHeads,
});

const NOTHING: ConfigurationFits = { prefill: null, decode: null, serve: null };

function estimated(
	{ model, gpu, configuration }: PlanFacts,
	asked: Setup,
): { fits: ConfigurationFits; missing: string } {
	if (model && gpu) {
		const { missing, ...fits } = rooflineFits(model, gpu, rooflineSetup(asked));
		return { fits, missing: missing ?? "" };
	}
	const lacking = [
		model ? "" : named("model", configuration?.modelName),
		gpu ? "" : named("GPU", configuration?.gpuName),
	].filter(Boolean);
	return { fits: NOTHING, missing: `an estimate needs ${lacking.join(" and ")}` };
}

const named = (kind: string, name: string | null | undefined): string =>
	name ? `'${name}', which is not in the catalog of ${kind}s` : `a ${kind}`;

const fromRoofline = ({
	prefill,
	decode,
}: ConfigurationFits): Pick<Laws, "prefill" | "decode" | "serve"> => ({
	prefill: prefill && { fit: prefill, evidence: "estimated", words: `; ${prefill.notes[0] ?? "roofline"}` },
	decode: decode && { fit: decode, evidence: "estimated", words: `; ${decode.notes[0] ?? "roofline"}` },
	serve: null,
});

/** Coefficients of the roofline after the move over those before it. */
interface Move {
	a: number;
	b: number;
	weights: number;
	cache: number;
}

function carriedOver({ model, gpu }: PlanFacts, measured: Setup, asked: Setup): Move | "impossible" {
	if (!model || !gpu) return "impossible";
	const before = rooflineFits(model, gpu, { ...rooflineSetup(asked), ...whereWeightsLie(measured) });
	const after = rooflineFits(model, gpu, rooflineSetup(asked));
	if (!before.prefill || !before.decode || !after.prefill || !after.decode) return "impossible";
	const [p, q] = [before.prefill.coefficients, after.prefill.coefficients];
	const [d, e] = [before.decode.coefficients, after.decode.coefficients];
	return { a: q.a / p.a, b: q.b / p.b || 1, weights: e.c0 / d.c0, cache: e.c2 / d.c2 || 1 };
}

const whereWeightsLie = ({ tp, stages, weights }: Setup): RooflineSetup => ({ tp, stages, weights });

function movedPrefill(
	fit: PrefillFit,
	move: Move | "impossible" | null,
	what: string,
): Law<PrefillFit> | null {
	if (move === null) return { fit, evidence: "arithmetic", words: "" };
	if (move === "impossible") return null;
	const { a, b, f, k } = fit.coefficients;
	const coefficients = { a: a * move.a, b: b * move.b, f: f * move.weights, k };
	return {
		fit: { ...fit, coefficients },
		evidence: "transferred",
		words: `; ${what}: a × ${figure(move.a, 3)}, b × ${figure(move.b, 3)} by the ratio of the rooflines`,
	};
}

function movedDecode(fit: DecodeFit, move: Move | "impossible" | null, what: string): Law<DecodeFit> | null {
	if (move === null) return { fit, evidence: "arithmetic", words: "" };
	if (move === "impossible") return null;
	const { c0, c1, c2, c3 } = fit.coefficients;
	return {
		fit: {
			...fit,
			coefficients: { c0: c0 * move.weights, c1: c1 * move.a, c2: c2 * move.cache, c3: c3 * move.weights },
		},
		evidence: "transferred",
		words: `; ${what}: weights part × ${figure(move.weights, 3)}, cache part × ${figure(move.cache, 3)} by the ratio of the rooflines`,
	};
}

/** How many times the cache bytes of a token grow from what was measured to what is asked. */
function kvRatio({ model }: PlanFacts, measured: Setup, asked: Setup): { ratio: number; words: string } {
	if (!model) return { ratio: 1, words: "" };
	const perToken = (setup: Setup) =>
		kvBytesPerToken(model, {
			kvK: setup.kvK ?? "bf16",
			kvV: setup.kvV ?? "bf16",
			kvHeads: setup.kvHeads,
			tp: asked.tp,
			windowsHonoured: true,
		});
	const [before, after] = [perToken(measured), perToken(asked)];
	const ratio = before > 0 ? after / before : 1;
	return {
		ratio,
		words: `; reading the cache × ${figure(ratio, 3)}: ${figure(after)} in place of ${figure(before)} bytes/token`,
	};
}

function readingKv(
	law: Law<DecodeFit> | null,
	{ ratio, words }: { ratio: number; words: string },
	estimate: ConfigurationFits,
): Law<DecodeFit> | null {
	if (law === null || ratio === 1) return law;
	const { coefficients } = law.fit;
	// Where the fit could not see the reading of the cache, the roofline of the new cache stands in for what is added.
	const roofline = (estimate.decode?.coefficients.c2 ?? 0) / ratio;
	const read = coefficients.c2 > 0 ? coefficients.c2 : Math.max(0, roofline);
	const c2 = Math.max(0, coefficients.c2 + (ratio - 1) * read);
	return {
		fit: { ...law.fit, coefficients: { ...coefficients, c2 } },
		evidence: "estimated",
		words: law.words + words,
	};
}

const describe = ({ tp, stages, weights }: Setup): string =>
	`TP ${tp}${stages > 1 ? ` × ${stages} layer stages` : ""}, ${weights ?? "bf16"} weights`;

const describeMove = (from: Setup, to: Setup): string =>
	`carried over from ${describe(from)} to ${describe(to)}`;
