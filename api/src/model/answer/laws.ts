import type { DecodeFit, PrefillFit, ServeFit } from "../time/curves.ts";
import { rooflineFits } from "../time/roofline.ts";
import type { Source } from "../trust/quantity.ts";
import {
	cacheChange,
	describeSetup,
	moveBetween,
	movedDecode,
	movedPrefill,
	otherHeads,
	readingCache,
	rooflineSetup,
	seeingCache,
	seesCache,
} from "./carry-over.ts";
import type { Law } from "./law.ts";
import type { PlanFacts } from "./question.ts";
import { type Resolved, type Setup, sameEngine } from "./setup.ts";

export interface Laws {
	prefill: Law<PrefillFit> | null;
	decode: Law<DecodeFit> | null;
	/** Client-side law, of the setup that was measured. */
	serve: ServeFit | null;
	/** Where clients saw another setup than the one asked about: that one, and its laws; what they saw is carried over. */
	seenOn: SeenOn | null;
	/** What would be needed where a law is null. */
	missing: () => string;
	sources: readonly Source[];
}

/** A setup that clients saw, with its laws of prefill and decode. */
export interface SeenOn extends Pick<Laws, "prefill" | "decode"> {
	setup: Setup;
}

/** The laws of the question: as fitted, carried over to a changed setup, or estimated where nothing was measured. */
export function lawsOf(resolved: Pick<Resolved, "asked" | "measured">, facts: PlanFacts): Laws {
	const { asked, measured } = resolved;
	const { configuration, fits } = facts;
	if (!measured || !configuration)
		return {
			...estimated(facts, asked),
			...{ serve: null, seenOn: null },
			missing: () => missingEstimate(facts, asked),
			sources: catalogSources(facts),
		};
	const sources = [{ label: configuration.label, href: `/configurations/${configuration.id}` }];
	const change = cacheChange(facts, measured, asked);
	const known = fits.prefill && fits.decode && seesCache(fits.decode) && change.ratio === 1;
	const estimate = known ? NOTHING : estimated(facts, asked);
	const reading = (law: Law<DecodeFit>) =>
		readingCache(seeingCache(law, change, estimate.decode), change, estimate.decode);
	const ownHeads = measured.kvHeads === asked.kvHeads;
	const seenOn = fits.serve && measured !== asked ? seenOnOf(measured, facts) : null;
	if (sameEngine(measured, asked))
		return {
			prefill: fits.prefill ? (ownHeads ? asFitted : otherHeads)(fits.prefill) : estimate.prefill,
			decode: fits.decode ? reading(asFitted(fits.decode)) : estimate.decode,
			serve: fits.serve,
			seenOn: change.ratio === 1 && ownHeads ? null : seenOn,
			missing: () => missingEstimate(facts, asked),
			sources,
		};
	const move = moveBetween(facts, measured, asked);
	const decode = fits.decode && move && movedDecode(fits.decode, move);
	return {
		prefill: fits.prefill ? move && movedPrefill(fits.prefill, move) : estimate.prefill,
		decode: fits.decode ? decode && reading(decode) : estimate.decode,
		...{ serve: fits.serve, seenOn },
		missing: () =>
			`measured with ${describeSetup(measured)}; how that becomes ${describeSetup(asked)} is not known${facts.model && facts.gpu ? "" : ": it needs model and GPU of the catalog"}`,
		sources,
	};
}

function seenOnOf(setup: Setup, facts: PlanFacts): SeenOn {
	const { prefill, decode } = lawsOf({ asked: setup, measured: setup }, facts);
	return { setup, prefill, decode };
}

const asFitted = <Fit>(fit: Fit): Law<Fit> => ({ fit, evidence: "arithmetic", words: () => "" });

type Estimate = Pick<Laws, "prefill" | "decode">;
const NOTHING: Estimate = { prefill: null, decode: null };

/** The roofline of the setup asked about; nothing where the catalog lacks a figure. */
function estimated({ model, gpu }: PlanFacts, asked: Setup): Estimate {
	if (!model || !gpu) return NOTHING;
	const { prefill, decode } = rooflineFits(model, gpu, rooflineSetup(asked));
	return {
		prefill: prefill && { fit: prefill, evidence: "estimated", words: () => `; ${prefill.notes.join("; ")}` },
		decode: decode && { fit: decode, evidence: "estimated", words: () => `; ${decode.notes.join("; ")}` },
	};
}

function missingEstimate({ model, gpu, configuration }: PlanFacts, asked: Setup): string {
	if (model && gpu) return rooflineFits(model, gpu, rooflineSetup(asked)).missing ?? "";
	const named = (kind: string, name: string | null | undefined) =>
		name ? `'${name}', which is not in the catalog of ${kind}s` : `a ${kind}`;
	const lacking = [
		model ? "" : named("model", configuration?.modelName),
		gpu ? "" : named("GPU", configuration?.gpuName),
	];
	return `an estimate needs ${lacking.filter(Boolean).join(" and ")}`;
}

const catalogSources = ({ model, gpu }: PlanFacts): Source[] => [
	...(model?.sources ?? []),
	...(gpu?.sources ?? []),
];
