import type { Conditions, Measurement } from "../ingest/index.ts";
import { fasterThanRoofline, type GpuFacts, kvTypeOf, type ModelFacts } from "../model/index.ts";
import type { Catalog } from "./catalogs.ts";

/** Reasons to doubt a measurement that only the catalogs know: faster than its card allows at all. */
export type Doubt = (conditions: Conditions, measurement: Measurement) => string | null;

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
		return about === "unknown" ? null : judge(measurement, about);
	};
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
	return null;
}
