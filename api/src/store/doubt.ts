import {
	type Conditions,
	type Measurement,
	repetitionDoubt,
	type ServeMeasurement,
} from "../ingest/index.ts";
import {
	beyondBelief,
	fasterThanRoofline,
	type GpuFacts,
	kvTypeOf,
	type ModelFacts,
} from "../model/index.ts";
import type { Catalog } from "./catalogs.ts";

/** Reasons to doubt a measurement by itself and by the catalogs: repetitions, belief, what its card allows at all. */
export type Doubt = (conditions: Conditions, measurement: Measurement) => string[];

interface Known {
	model: ModelFacts;
	gpu: GpuFacts;
	setup: NonNullable<Parameters<typeof fasterThanRoofline>[3]>;
}

export function doubtBy(catalog: Catalog): Doubt {
	const known = new WeakMap<Conditions, Known | "unknown">();
	return (conditions, measurement) => {
		const about = known.get(conditions) ?? lookUp(catalog, conditions) ?? "unknown";
		known.set(conditions, about);
		const found = [
			unbelievable(measurement),
			repetitionDoubt(measurement.seconds),
			about === "unknown" ? null : judge(measurement, about),
		];
		return found.filter((doubt) => doubt !== null && !measurement.suspicions.includes(doubt)) as string[];
	};
}

function unbelievable(measurement: Measurement): string | null {
	const { phase, secondsMean } = measurement;
	if (phase === "decode") return beyondBelief(phase, secondsMean, secondsMean);
	if (phase !== "prefill") return null;
	return beyondBelief(phase, secondsMean / (measurement.tokens * measurement.batch), secondsMean);
}

function lookUp(catalog: Catalog, conditions: Conditions): Known | null {
	const { gpus, tp, pp, weights, kvK, kvV } = conditions;
	const gpu = gpus === 0 ? null : catalog.gpuOf(conditions);
	const model = gpu && catalog.modelOf(conditions);
	if (!gpu || !model) return null;
	return {
		gpu,
		model,
		setup: {
			weights,
			...(gpus === null ? {} : { gpus }),
			...(tp === null ? {} : { tp }),
			...(pp === null ? {} : { stages: pp }),
			kvK: kvK === null ? null : kvTypeOf(kvK),
			kvV: kvV === null ? null : kvTypeOf(kvV),
		},
	};
}

function judge(measurement: Measurement, { model, gpu, setup }: Known): string | null {
	const { secondsMean: seconds } = measurement;
	if (measurement.phase === "prefill") {
		const { phase, tokens, cached, batch } = measurement;
		return fasterThanRoofline({ phase, tokens, cached, batch, seconds }, model, gpu, setup);
	}
	if (measurement.phase === "decode") {
		const { phase, batch, context } = measurement;
		return fasterThanRoofline({ phase, batch, context, seconds }, model, gpu, setup);
	}
	return measurement.phase === "serve" ? judgeLoad(measurement, { model, gpu, setup }) : null;
}

/**
 * Under load the time per token holds at least a step of one sequence, and the card makes at least the tokens it gave.
 * Speculative decoding gives several tokens a step: its times are no steps.
 */
function judgeLoad(measurement: ServeMeasurement, { model, gpu, setup }: Known): string | null {
	const { input, output, tpot, outputTokensPerSecond: rate, conditions } = measurement;
	if (Object.keys(conditions.flags).some((flag) => /speculative|num_spec/.test(flag))) return null;
	const each = tpot?.mean ?? tpot?.p50 ?? null;
	const step = { phase: "decode", batch: 1, context: input + output / 2 } as const;
	const token = { phase: "prefill", tokens: 1, cached: 0, batch: 1 } as const;
	return (
		(each && fasterThanRoofline({ ...step, seconds: each }, model, gpu, setup)) ||
		(rate && fasterThanRoofline({ ...token, seconds: 1 / rate }, model, gpu, setup)) ||
		null
	);
}
