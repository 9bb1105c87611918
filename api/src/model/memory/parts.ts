import { inLedger } from "../trust/claim.ts";
import { bytes, figure, percent } from "../trust/figures.ts";
import type { Figure } from "../trust/statement.ts";
import { defaultOverhead, isLlamaCpp, VLLM_UTILISATION } from "./defaults.ts";
import type { PinnedMemory } from "./facts.ts";
import { given, type Layout, type MemoryInput, weakestOf } from "./input.ts";
import { type CardSplit, leastShare, poolBytes } from "./pool.ts";
import { bitsPerWeight, weightBytes } from "./weights.ts";

/** Overhead with the range seen in public logs where it is a default. */
export type Overhead = Figure & { low?: number; high?: number };

/** What the start that printed the figures has in common with this configuration only as far as is known. */
const notCompared = (pinned: PinnedMemory | null | undefined): string =>
	pinned?.unknown?.length ? ` (not said on both sides: ${pinned.unknown.join(", ")})` : "";

/** Memory of one card. */
export function totalOf({ totalBytes, gpu }: MemoryInput): Figure {
	if (totalBytes) return given(totalBytes, "card memory");
	if (!gpu)
		return {
			value: null,
			evidence: "assumed",
			from: () =>
				"the card's memory is not known: pick a GPU of the catalog, or say how much memory the card has",
		};
	const nominal = gpu.totalBytesBasis === "nominal";
	return {
		value: gpu.totalBytes,
		evidence: gpu.unverified.includes("totalBytes") ? "assumed" : nominal ? "vendor" : "transferred",
		from: () =>
			nominal
				? `nominal memory of ${gpu.name}, an upper bound: the driver reports 1 to 6 % less`
				: `memory of ${gpu.name} as ${gpu.totalBytesBasis === "engine" ? "an engine" : "the driver"} reported it`,
		sources: inLedger("gpu", gpu),
	};
}

/** Share of the card that the engine takes. */
export function utilisationOf({ utilisation, engine }: MemoryInput): Figure {
	if (utilisation) return given(utilisation, "share of the card");
	return isLlamaCpp(engine)
		? { value: 1, evidence: "assumed", from: () => "llama.cpp takes what is free: the whole card assumed" }
		: {
				value: VLLM_UTILISATION,
				evidence: "assumed",
				from: () => `vLLM's default share of ${VLLM_UTILISATION}`,
			};
}

/** Weights on one GPU: given, printed by the engine or the tool, or parameters times bits. */
export function weightsOf(input: MemoryInput, { tp, stages }: Layout): Figure {
	const { weightsBytes, weightsBytesTotal, pinned, model, weights } = input;
	const ranks = tp * stages;
	const split = ranks === 1 ? "" : ` / ${ranks} GPUs`;
	if (weightsBytes || weightsBytes === 0) return given(weightsBytes, "weights per GPU");
	if (pinned?.weightsBytes)
		return {
			value: pinned.weightsBytes,
			evidence: "measured",
			from: () => `weights as the engine printed them${notCompared(pinned)}`,
			sources: pinned.sources,
		};
	if (weightsBytesTotal)
		return {
			value: weightsBytesTotal / ranks,
			evidence: "measured",
			from: () => `${bytes(weightsBytesTotal)} of tensors as the tool printed them${split}`,
		};
	const bits = bitsPerWeight(weights ?? "bf16");
	const parameters = model?.paramsTotal ?? null;
	if (!model || parameters === null || bits === null)
		return {
			value: null,
			evidence: "assumed",
			from: () =>
				`weight bytes need ${parameters !== null ? `bits per weight of '${weights}', which is not known` : "the parameter count of a model of the catalog"}: give weightsBytes`,
		};
	return {
		value: weightBytes(parameters, bits) / ranks,
		evidence: weights && !model.unverified.includes("paramsTotal") ? "estimated" : "assumed",
		from: () =>
			`${figure(parameters / 1e9)} × 10⁹ parameters × ${bits} bits / 8${split}${weights ? ` (${weights})` : " (weight format not said: bf16 assumed)"}`,
		sources: inLedger("model", model),
	};
}

/** Everything that is neither weights nor cache: given, printed, or a stated default. */
export function overheadOf({ overheadBytes, pinned, engine }: MemoryInput, total: number | null): Overhead {
	if (overheadBytes || overheadBytes === 0) return given(overheadBytes, "overhead per GPU");
	const parts = [pinned?.activationBytes, pinned?.graphBytes, pinned?.otherBytes].filter(
		(part): part is number => typeof part === "number",
	);
	if (parts.length > 0)
		return {
			value: parts.reduce((sum, part) => sum + part, 0),
			evidence: "measured",
			from: () =>
				`${parts.map((part) => bytes(part)).join(" + ")} as the engine printed them${notCompared(pinned)}`,
			sources: pinned?.sources ?? [],
		};
	return defaultOverhead(engine ?? null, total);
}

/** The cache pool: printed by the engine, or what the others leave. */
export function poolOf(
	input: MemoryInput,
	total: Figure,
	utilisation: Figure,
	weights: Figure,
	overhead: Figure,
): Figure {
	const { pinned, weightsBytes, overheadBytes, totalBytes, utilisation: share } = input;
	const overridden = [weightsBytes, overheadBytes, totalBytes, share].some((figure) => figure != null);
	if (pinned?.kvPoolBytes && !overridden)
		return {
			value: pinned.kvPoolBytes,
			evidence: "measured",
			from: () => `cache pool as the engine printed it${notCompared(pinned)}`,
			sources: pinned.sources,
		};
	const missing = [total, weights, overhead].find((figure) => figure.value === null);
	if (missing) return { value: null, evidence: "assumed", from: missing.from };
	const split = {
		totalBytes: total.value ?? 0,
		utilisation: utilisation.value ?? 1,
		weightsBytes: weights.value ?? 0,
		overheadBytes: overhead.value ?? 0,
	};
	const pool = poolBytes(split);
	const sum = () =>
		`${bytes(total.value ?? 0)} × ${utilisation.value} − ${bytes(weights.value ?? 0)} weights − ${bytes(overhead.value ?? 0)} overhead`;
	return {
		value: pool,
		evidence: weakestOf(total, utilisation, weights, overhead),
		from: () => (pool < 0 ? `${sum()}: does not fit, short by ${bytes(-pool)}${remedy(split)}` : sum()),
		sources: [...(total.sources ?? []), ...(weights.sources ?? []), ...(overhead.sources ?? [])],
	};
}

/** What would make room, where the share of the card can do it. */
function remedy(split: CardSplit): string {
	const share = leastShare(split);
	return share < 1 ? `; more than ${percent(share)} of the card would be needed` : "";
}
