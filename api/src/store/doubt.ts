import { type Conditions, type Measurement, type ServeMeasurement, settle } from "../ingest/index.ts";
import { beyondBelief, type ImpossibleTime, kvTypeOf, rooflineJudge } from "../model/index.ts";
import type { Catalog } from "./catalogs.ts";

/** Reasons to doubt a measurement by itself and by the catalogs: repetitions, belief, what its card allows at all. */
export type Doubt = (conditions: Conditions, measurement: Measurement) => string[];

const NO_DOUBT: string[] = [];
const NOTHING_KNOWN: ImpossibleTime = () => null;

export function doubtBy(catalog: Catalog): Doubt {
	const judges = new WeakMap<Conditions, ImpossibleTime>();
	return (conditions, measurement) => {
		const card = judges.get(conditions) ?? judgeOf(catalog, conditions);
		judges.set(conditions, card);
		const belief = unbelievable(measurement);
		const repetition = settle(measurement.seconds)?.doubt ?? null;
		const impossible = impossibleOn(card, measurement);
		if (belief === null && repetition === null && impossible === null) return NO_DOUBT;
		return [belief, repetition, impossible].filter(
			(doubt) => doubt !== null && !measurement.suspicions.includes(doubt),
		) as string[];
	};
}

/** Why a time is beyond belief on any hardware; null where it is not, or where the reader judges it: what clients saw. */
export function unbelievable(measurement: Measurement): string | null {
	const { phase, secondsMean } = measurement;
	if (phase === "decode") return beyondBelief(phase, secondsMean, secondsMean);
	if (phase !== "prefill") return null;
	return beyondBelief(phase, secondsMean / (measurement.tokens * measurement.batch), secondsMean);
}

function judgeOf(catalog: Catalog, conditions: Conditions): ImpossibleTime {
	const { gpus, tp, pp, weights, kvK, kvV } = conditions;
	const gpu = gpus === 0 ? null : catalog.gpuOf(conditions);
	const model = gpu && catalog.modelOf(conditions);
	if (!gpu || !model) return NOTHING_KNOWN;
	return rooflineJudge(model, gpu, {
		weights,
		...(gpus === null ? {} : { gpus }),
		...(tp === null ? {} : { tp }),
		...(pp === null ? {} : { stages: pp }),
		kvK: kvK === null ? null : kvTypeOf(kvK),
		kvV: kvV === null ? null : kvTypeOf(kvV),
	});
}

function impossibleOn(card: ImpossibleTime, measurement: Measurement): string | null {
	const { secondsMean: seconds } = measurement;
	if (measurement.phase === "prefill") {
		const { phase, tokens, cached, batch } = measurement;
		return card({ phase, tokens, cached, batch, seconds });
	}
	if (measurement.phase === "decode") {
		const { phase, batch, context } = measurement;
		return card({ phase, batch, context, seconds });
	}
	return measurement.phase === "serve" ? impossibleLoad(card, measurement) : null;
}

/**
 * Under load the time per token holds at least a step of one sequence, and the card makes at least the tokens it gave.
 * Speculative decoding gives several tokens a step: its times are no steps.
 */
function impossibleLoad(card: ImpossibleTime, measurement: ServeMeasurement): string | null {
	const { input, output, tpot, outputTokensPerSecond: rate, conditions } = measurement;
	if (Object.keys(conditions.flags).some((flag) => /speculative|num_spec/.test(flag))) return null;
	const each = tpot?.mean ?? tpot?.p50 ?? null;
	const step = { phase: "decode", batch: 1, context: input + output / 2 } as const;
	const token = { phase: "prefill", tokens: 1, cached: 0, batch: 1 } as const;
	return (
		(each && card({ ...step, seconds: each })) || (rate && card({ ...token, seconds: 1 / rate })) || null
	);
}
