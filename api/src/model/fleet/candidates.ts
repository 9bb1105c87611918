import { BLANK_SCENARIO } from "../answer/blank.ts";
import type { PlanFacts, Scenario } from "../answer/question.ts";
import { isLlamaCpp } from "../memory/defaults.ts";
import type { GpuFacts, KvType, ModelFacts } from "../memory/facts.ts";
import { kvTypeOf } from "../memory/kv-type.ts";
import { weightFormatOf } from "../memory/weights.ts";
import type { GpuPrice } from "../money/price.ts";
import type { DemandFigures } from "./demand.ts";
import type { ReplicaKind } from "./group.ts";

/** All that a search for a fleet reads: one model, every GPU, what was measured of the model, and prices. */
export interface FleetFacts {
	model: ModelFacts;
	gpus: readonly GpuFacts[];
	/** Measured configurations of the model. */
	configurations: readonly PlanFacts[];
	/** Current prices by GPU, the one to use first. */
	prices: Readonly<Record<string, readonly GpuPrice[]>>;
}

/** What the search ranges over. null: everything there is. */
export interface FleetChoices {
	/** Catalog ids. */
	gpus: readonly string[] | null;
	/** GPUs of one replica, its tensor-parallel ranks. */
	gpusPerReplica: readonly number[];
	weights: readonly string[];
	kv: readonly KvType[];
	/** Engines of what nobody measured; what was measured keeps its own. */
	engines: readonly string[];
	/** Sequences that a replica is started for. */
	maxSequences: readonly number[];
	/** Only what was measured as it is. */
	measuredOnly: boolean;
}

/** What is searched where nothing is said. */
export const DEFAULT_CHOICES: FleetChoices = {
	gpus: null,
	gpusPerReplica: [1, 2, 4, 8],
	weights: ["bf16", "fp8", "int4"],
	kv: ["bf16", "fp8"],
	engines: ["vllm"],
	maxSequences: [32, 64, 128, 256],
	measuredOnly: false,
};

/** Candidates that a search looks at, at most: kinds of replica × numbers of sequences. */
export function candidateCount({ gpus, configurations }: FleetFacts, choices: FleetChoices): number {
	const { gpusPerReplica, weights, kv, engines, maxSequences, measuredOnly } = choices;
	const settings = gpusPerReplica.length * weights.length * kv.length * engines.length;
	const cards = measuredOnly ? 0 : (choices.gpus ?? gpus).length;
	return (cards * settings + configurations.length) * maxSequences.length;
}

/** What of a scenario every candidate shares. */
export type SharedScenario = Pick<Scenario, "cached" | "price" | "ttftSlo" | "tpotSlo" | "utilisation">;

interface Setting {
	gpu: string;
	engine: string;
	tp: number;
	weights: string;
	kv: KvType;
}

const keyOf = ({ gpu, engine, tp, weights, kv }: Setting) =>
	[gpu, engine, tp, weightFormatOf(weights) ?? weights, kv].join(" ");

/** Every kind of replica of the choices: what was measured as it is, and the rest carried over from it or estimated. */
export function replicaKinds(
	facts: FleetFacts,
	choices: FleetChoices,
	demand: DemandFigures,
	shared: SharedScenario,
): ReplicaKind[] {
	const base: Scenario = {
		...BLANK_SCENARIO,
		...shared,
		model: facts.model.id,
		context: Math.max(1, Math.round(demand.promptTokens)),
		output: Math.max(1, Math.round(demand.outputTokens)),
	};
	const wanted = (gpu: string | null) =>
		choices.gpus === null || (gpu !== null && choices.gpus.includes(gpu));
	const measured = facts.configurations.filter(({ configuration }) => wanted(configuration?.gpuId ?? null));
	const kinds: ReplicaKind[] = measured.map((known) => ({
		facts: priced(known, facts),
		scenario: { ...base, configuration: known.configuration?.id ?? null },
	}));
	if (choices.measuredOnly) return kinds;
	const taken = new Set(measured.map((known) => keyOf(settingOf(known))));
	for (const gpu of facts.gpus) {
		if (!wanted(gpu.id)) continue;
		const bases = measured.filter(canBeCarriedOver).filter((known) => settingOf(known).gpu === gpu.id);
		const nothing = unmeasured(facts, gpu);
		for (const setting of settingsOf(gpu.id, choices)) {
			if (taken.has(keyOf(setting))) continue;
			kinds.push(kindOf(base, setting, nearest(bases, setting), nothing, facts));
		}
	}
	return kinds;
}

function* settingsOf(gpu: string, choices: FleetChoices): Generator<Setting> {
	for (const engine of choices.engines)
		for (const tp of choices.gpusPerReplica)
			for (const weights of choices.weights)
				for (const kv of choices.kv) yield { gpu, engine, tp, weights, kv };
}

function kindOf(
	base: Scenario,
	{ gpu, engine, tp, weights, kv }: Setting,
	from: PlanFacts | null,
	nothing: PlanFacts,
	facts: FleetFacts,
): ReplicaKind {
	// llama.cpp splits layers over its GPUs, and no heads unless told to.
	const ranks = isLlamaCpp(engine) ? null : tp;
	const scenario: Scenario = { ...base, gpus: tp, tp: ranks, weights, kvK: kv, kvV: kv };
	if (from)
		return {
			facts: priced(from, facts),
			scenario: { ...scenario, configuration: from.configuration?.id ?? null },
		};
	return { facts: nothing, scenario: { ...scenario, gpu, engine } };
}

const unmeasured = ({ model, prices }: FleetFacts, gpu: GpuFacts): PlanFacts => ({
	configuration: null,
	model,
	gpu,
	fits: { prefill: null, decode: null, serve: null },
	failures: [],
	pinned: null,
	prices: [...(prices[gpu.id] ?? [])],
});

const priced = (known: PlanFacts, { prices }: FleetFacts): PlanFacts => ({
	...known,
	prices: [...(prices[known.configuration?.gpuId ?? ""] ?? known.prices)],
});

/** What a measured configuration is in the terms of the choices; what it does not say is the usual. */
function settingOf({ configuration }: PlanFacts): Setting {
	const { gpuId, engine, tp, gpus, weights, kvK } = configuration ?? {};
	return {
		gpu: gpuId ?? "",
		engine: (engine ?? "vllm").toLowerCase(),
		tp: tp ?? gpus ?? 1,
		weights: weights ?? "bf16",
		kv: kvTypeOf(kvK) ?? "bf16",
	};
}

/** Laws of clients speak of their own setup only. */
const canBeCarriedOver = ({ fits }: PlanFacts): boolean => fits.prefill !== null && fits.decode !== null;

/** The measured configuration closest to a setting: of its engine, then by ranks, then by weights. null: none on this GPU. */
function nearest(bases: readonly PlanFacts[], wanted: Setting): PlanFacts | null {
	const distance = (known: PlanFacts) => {
		const { tp, weights, kv } = settingOf(known);
		const format = weightFormatOf(weights) === weightFormatOf(wanted.weights) ? 0 : 1;
		return 4 * Math.abs(Math.log2(tp / wanted.tp)) + 2 * format + (kv === wanted.kv ? 0 : 1);
	};
	const own = bases.filter((known) => settingOf(known).engine === wanted.engine.toLowerCase());
	return own.reduce<PlanFacts | null>((a, b) => (a && distance(a) <= distance(b) ? a : b), null);
}
