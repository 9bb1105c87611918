import { kvBytesPerToken } from "../memory/attention.ts";
import type { GpuFacts, KvType, ModelFacts } from "../memory/facts.ts";
import { bitsPerWeight } from "../memory/weights.ts";
import { figure } from "../trust/figures.ts";
import type { ConfigurationFits, DecodeFit, FitBase, PrefillFit } from "./curves.ts";

/**
 * Share of the dense peak that a whole-model prefill reaches on one GPU, and how it falls with the ranks: MFU = 0.5 / tp^⅓.
 * Measured: Qwen3-4B, SGLang, one A100, 8,192 tokens: 0.59; Llama-2-70B (Splitwise) TP2 0.33, TP4 0.23 (H100, power
 * capped) and 0.40 (A100), TP8 0.17 (H100) and 0.29 (A100); summed kernels of an 8B shape TP1 0.6 to 0.8, TP8 0.2 to 0.4.
 */
export const MFU_ONE_GPU = 0.5;
/** Share of the bandwidth that decode reaches on one GPU: MBU = 0.6 / √tp. Same sources: 0.53; TP2 0.55, TP4 0.35 to 0.40, TP8 0.17 to 0.19; kernels TP1 0.6 to 0.75, TP8 0.26 to 0.45. */
export const MBU_ONE_GPU = 0.6;
/** Factor by which these shares differ between stacks of the sources above, both ways: the band of the estimate. */
export const ROOFLINE_SPREAD = 2;

export interface RooflineSetup {
	/** Ranks that split heads and weights. */
	tp?: number;
	/** Ranks that split layers: they work one after the other on one sequence. */
	stages?: number;
	/** Weight format, default bf16. */
	weights?: string | null;
	kvK?: KvType | null;
	kvV?: KvType | null;
	kvHeads?: number | null;
	windowsHonoured?: boolean;
}

/** The physical limits of a model on a GPU: seconds per token and per byte at full use of the card. */
interface Limits {
	secondsPerToken: number;
	secondsPerTokenPair: number;
	secondsActiveWeights: number;
	secondsAllWeights: number;
	secondsPerCachedToken: number;
	words: string;
}

/** Peak, bandwidth and the work of the model; or the words for what is missing. */
function limits(
	model: ModelFacts,
	gpu: GpuFacts,
	setup: RooflineSetup,
	mfu: number,
	mbu: number,
): Limits | string {
	const { tp = 1, weights, kvK, kvV, kvHeads } = setup;
	const bits = bitsPerWeight(weights ?? "bf16");
	const active = model.paramsActive ?? model.paramsTotal;
	const bandwidth = gpu.bandwidthBytesPerSecond;
	// 8-bit floats run on their own tensor-core rate where the card has one; integers and GGUF blocks are unpacked to 16 bit.
	const peak =
		weights && /fp8|e4m3/.test(weights) && gpu.fp8DenseFlops ? gpu.fp8DenseFlops : gpu.bf16DenseFlops;
	if (!peak || !bandwidth) return `the peak or the bandwidth of ${gpu.name} is not in the catalog`;
	if (!active || !model.paramsTotal) return `the parameter count of ${model.name} is not in the catalog`;
	if (bits === null) return `bits per weight of '${weights}' are not known`;
	const types = { kvK: kvK ?? "bf16", kvV: kvV ?? kvK ?? "bf16", tp, kvHeads: kvHeads ?? null };
	const width = model.headDimK + model.headDimV;
	const window = Math.min(model.windowTokens ?? 0, 8192);
	const flopsPerToken = 2 * active + 2 * model.slidingLayers * model.heads * width * window;
	return {
		secondsPerToken: flopsPerToken / (tp * peak * mfu),
		secondsPerTokenPair: (model.fullLayers * model.heads * width) / (tp * peak * mfu),
		secondsActiveWeights: (active * bits) / 8 / (tp * bandwidth * mbu),
		secondsAllWeights: (model.paramsTotal * bits) / 8 / (tp * bandwidth * mbu),
		secondsPerCachedToken:
			kvBytesPerToken(model, { ...types, windowsHonoured: setup.windowsHonoured ?? true }) /
			(bandwidth * mbu),
		words: `roofline: 2 × ${figure(active / 1e9)} × 10⁹ FLOP per token over ${tp} × ${figure(peak / 1e12)} TFLOP/s × ${figure(mfu, 2)}; weights and cache over ${tp} × ${figure(bandwidth / 1e9)} GB/s × ${figure(mbu, 2)}`,
	};
}

/**
 * What a model should take on a GPU when nothing was measured, in the form of fits.
 * prefill: 2 · activeParams / (tp · peak · MFU) per token, floor = reading the weights; decode: (weights + cache) / (tp · bandwidth · MBU)
 * @returns fits with evidence "estimated"; both null with the reason where the catalog lacks a figure
 * @source DESIGN 2.6
 */
export function rooflineFits(
	model: ModelFacts,
	gpu: GpuFacts,
	setup: RooflineSetup = {},
): ConfigurationFits & { missing: string | null } {
	const { tp = 1 } = setup;
	const found = limits(model, gpu, setup, MFU_ONE_GPU / Math.cbrt(tp), MBU_ONE_GPU / Math.sqrt(tp));
	if (typeof found === "string") return { prefill: null, decode: null, serve: null, missing: found };
	return { prefill: prefillOf(found, model), decode: decodeOf(found, model), serve: null, missing: null };
}

const base = (limits: Limits, model: ModelFacts): FitBase => ({
	n: 0,
	loo: null,
	noise: null,
	measurementIds: [],
	notes: [limits.words, ...model.caveats],
});

const WHOLE_RANGE = 1e9;

function prefillOf(limits: Limits, model: ModelFacts): PrefillFit {
	const { secondsPerToken: a, secondsPerTokenPair: b, secondsActiveWeights: f } = limits;
	return {
		...base(limits, model),
		phase: "prefill",
		form: "f + a·max(0, u − k) + b·v",
		coefficients: { a, b, f, k: f / a },
		units: { a: "seconds/token", b: "seconds/token²", f: "seconds", k: "tokens" },
		evidence: "estimated",
		range: { from: 1, to: WHOLE_RANGE },
		chunkTokens: null,
		residuals: [],
	};
}

function decodeOf(limits: Limits, model: ModelFacts): DecodeFit {
	const { secondsActiveWeights: active, secondsAllWeights: all } = limits;
	const sparse = all > active * 1.001;
	return {
		...base(limits, model),
		phase: "decode",
		form: sparse ? "c0 + c1·B + c2·B·L + c3·(1 − (1 − a)^B)" : "c0 + c1·B + c2·B·L",
		...(sparse ? { g: "experts" as const, activeShare: active / all } : { g: "none" as const }),
		coefficients: {
			c0: sparse ? 0 : active,
			c1: limits.secondsPerToken,
			c2: limits.secondsPerCachedToken,
			c3: sparse ? all : 0,
		},
		units: { c0: "seconds", c1: "seconds", c2: "seconds/token", c3: "seconds" },
		evidence: "estimated",
		range: { batch: [1, WHOLE_RANGE], context: [1, WHOLE_RANGE] },
	};
}

/** A measured time to hold against the physical limit of the card. */
export type TimedWork =
	| { phase: "prefill"; tokens: number; cached: number; batch: number; seconds: number }
	| { phase: "decode"; batch: number; context: number; seconds: number };

/** Tells why a time cannot be; null where it is possible or nothing is known. */
export type ImpossibleTime = (work: TimedWork) => string | null;

type RooflineBounds = RooflineSetup & { gpus?: number };

/**
 * Tells of times whether they are shorter than the card's peak and bandwidth allow at all (MFU = MBU = 1, all GPUs):
 * the limits are worked out once, for any number of times.
 */
export function rooflineJudge(model: ModelFacts, gpu: GpuFacts, setup: RooflineBounds = {}): ImpossibleTime {
	const ranks = Math.max(setup.gpus ?? GPUS_NOT_SAID, (setup.tp ?? 1) * (setup.stages ?? 1));
	const found = limits(model, fastest(gpu, setup), { ...lightest(setup), tp: ranks }, 1, 1);
	if (model.paramsActive === null || typeof found === "string") return () => null;
	const toAll = attendsToAll(model);
	return (work) => {
		const least = leastSeconds(work, found, toAll);
		if (work.seconds >= least) return null;
		return `faster than ${gpu.name} × ${ranks} can be: ${figure(work.seconds)} s against at least ${figure(least)} s from its peak and bandwidth; a wrong unit, a wrong GPU count or a prefix cache that was on`;
	};
}

/**
 * Whether one time is shorter than the card allows.
 * @returns null where it is possible or nothing is known, else the reason in words
 */
export function fasterThanRoofline(
	work: TimedWork,
	model: ModelFacts,
	gpu: GpuFacts,
	setup: RooflineBounds = {},
): string | null {
	return rooflineJudge(model, gpu, setup)(work);
}

/** A node: where the number of GPUs is not said, none is doubted that a whole node could do. */
const GPUS_NOT_SAID = 8;

/**
 * The card at the highest rate that products with such weights could run at: 8-bit at twice the 16-bit rate, 4-bit floats
 * at four times; GeForce and RTX cards run 16-bit sums at twice the 32-bit ones that the catalog holds.
 */
function fastest(gpu: GpuFacts, { weights }: RooflineSetup): GpuFacts {
	const bits = weights ? (bitsPerWeight(weights) ?? 4) : 4;
	const narrow = bits >= 16 ? 1 : weights && !/fp4/i.test(weights) ? 2 : 4;
	const sums = /rtx|geforce/i.test(gpu.name) ? 2 : 1;
	const peak = Math.max((gpu.bf16DenseFlops ?? 0) * narrow * sums, gpu.fp8DenseFlops ?? 0);
	return { ...gpu, bf16DenseFlops: peak || null, fp8DenseFlops: null };
}

/** The fewest bytes that the setup could read: what is not said is taken at 4 bits. */
const lightest = (setup: RooflineSetup): RooflineSetup => ({
	...setup,
	weights: setup.weights ?? "int4",
	kvK: setup.kvK ?? setup.kvV ?? "q4_0",
	kvV: setup.kvV ?? setup.kvK ?? "q4_0",
});

/** Sparse attention and compressed caches, which the catalog tells in words, read less than every token. */
const attendsToAll = ({ caveats }: ModelFacts): boolean =>
	!caveats.some((caveat) => /sparse|indexer|compress/.test(caveat));

function leastSeconds(work: TimedWork, limits: Limits, attendsToAll: boolean): number {
	const attention = attendsToAll ? 1 : 0;
	if (work.phase === "decode")
		return limits.secondsActiveWeights + attention * work.batch * work.context * limits.secondsPerCachedToken;
	const pairs = work.tokens ** 2 + 2 * work.tokens * work.cached;
	return work.batch * (work.tokens * limits.secondsPerToken + attention * pairs * limits.secondsPerTokenPair);
}
