import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { deepseekV3, gemma27b, h100, llama8b, llama70b, qwen35 } from "../fixtures/models.ts";
import type { PinnedMemory } from "./facts.ts";
import type { MemoryInput } from "./input.ts";
import { memoryStack } from "./stack.ts";

const card: MemoryInput = {
	model: llama70b,
	totalBytes: 80e9,
	weightsBytes: 35e9,
	overheadBytes: 5e9,
	utilisation: 1,
	gpus: 1,
	tp: 1,
	kvK: "bf16",
	kvV: "bf16",
	blockTokens: 1,
};

describe("an 80 GB card with 35 GB of weights and 5 GB of scratch leaves 40 GB for the cache", () => {
	test.each([
		["bf16", 32_000, 3],
		["fp8", 32_000, 7],
		["bf16", 128_000, 0],
	] as const)("%s at %i tokens: %i sequences", (type, context, sequences) => {
		const { maxSequences, poolBytes } = memoryStack({ ...card, kvK: type, kvV: type, context });
		expect(poolBytes.value).toBe(40e9);
		expect(maxSequences.value).toBe(sequences);
	});

	test("the longest single sequence is ⌊40e9 / 327,680⌋ tokens", () => {
		expect(memoryStack({ ...card, context: 1000 }).maxContext.value).toBe(122_070);
	});

	test("beside what memory holds stands what the model was made for", () => {
		const short = { ...llama70b, maxContextTokens: 4096 };
		const { maxContext } = memoryStack({ ...card, model: short, context: 1000 });
		expect(maxContext.arithmetic).toContain(
			`122,070 tokens: memory holds 122,070, but ${llama70b.name} was made for 4,096`,
		);
	});

	test("in blocks of 16 the longest is a whole number of blocks", () => {
		expect(memoryStack({ ...card, context: 1000, blockTokens: 16 }).maxContext.value).toBe(
			16 * Math.floor(122_070 / 16),
		);
	});

	test("the arithmetic shows the layers, the width and the product", () => {
		const { kvBytesPerToken } = memoryStack({ ...card, context: 1000 });
		expect(kvBytesPerToken.evidence).toBe("arithmetic");
		expect(kvBytesPerToken.arithmetic).toContain("80 layers × 8 KV heads × 128 × 2 (K, V) × 2 bytes");
		expect(kvBytesPerToken.arithmetic).toContain("327,680");
	});
});

test("too small a card has a negative pool and says by how much it is short", () => {
	const { poolBytes, maxSequences, maxContext } = memoryStack({ ...card, weightsBytes: 90e9, context: 1000 });
	expect(poolBytes.value).toBe(-15e9);
	expect(poolBytes.arithmetic).toContain("short by 15 GB");
	expect(maxSequences.value).toBe(0);
	expect(maxSequences.arithmetic).toContain("short by 15 GB");
	expect(maxContext.value).toBe(0);
});

test("plain layers, kvHeads and headDim need no model", () => {
	const { model: _, ...plain } = card;
	expect(
		memoryStack({ ...plain, layers: 36, kvHeads: 8, headDim: 128, context: 1000 }).kvBytesPerToken.value,
	).toBe(147_456);
});

test("what is missing is null and named, never 0", () => {
	const answer = memoryStack({ context: 1000 });
	expect(answer.kvBytesPerToken.value).toBeNull();
	expect(answer.kvBytesPerToken.arithmetic).toContain("pick a model");
	expect(answer.maxSequences.value).toBeNull();
	expect(answer.totalBytes.value).toBeNull();
});

test("unread catalog fields weaken the evidence of the cache", () => {
	const model = { ...llama70b, unverified: ["kvHeads"] };
	expect(memoryStack({ ...card, model, context: 1000 }).kvBytesPerToken.evidence).toBe("assumed");
});

describe("figures that the engine printed", () => {
	const pinned: PinnedMemory = {
		weightsBytes: 15e9,
		kvPoolBytes: 50e9,
		kvTokens: null,
		activationBytes: 2e9,
		graphBytes: 1e9,
		otherBytes: null,
		maxModelLen: null,
		windowsHonoured: null,
		sources: [{ label: "start-up log", href: "/measurements/1" }],
	};
	const input: MemoryInput = {
		model: llama8b,
		gpu: h100,
		pinned,
		engine: "vllm",
		context: 16_384,
		weights: "bf16",
	};

	test("replace the estimates and are measured", () => {
		const answer = memoryStack(input);
		expect(answer.poolBytes).toMatchObject({ value: 50e9, evidence: "measured" });
		expect(answer.weightsBytes).toMatchObject({ value: 15e9, evidence: "measured" });
		expect(answer.overheadBytes).toMatchObject({ value: 3e9, evidence: "measured" });
		expect(answer.poolBytes.sources?.[0]?.href).toBe("/measurements/1");
	});

	test("give way to figures of the question", () => {
		const answer = memoryStack({ ...input, weightsBytes: 20e9, utilisation: 1 });
		expect(answer.poolBytes.value).toBeCloseTo(h100.totalBytes - 20e9 - 3e9, 0);
	});

	test("without them the overhead is an assumption with a range", () => {
		const { overheadBytes } = memoryStack({ ...input, pinned: null });
		expect(overheadBytes.evidence).toBe("assumed");
		expect(overheadBytes.low).toBeLessThan(overheadBytes.value ?? 0);
		expect(overheadBytes.high).toBeGreaterThan(overheadBytes.value ?? 0);
	});
});

test("weights follow from parameters and bits: 8.03e9 × 16 / 8 over two ranks", () => {
	const { weightsBytes } = memoryStack({
		model: llama8b,
		gpu: h100,
		gpus: 2,
		tp: 2,
		weights: "bf16",
		context: 1000,
	});
	expect(weightsBytes.value).toBe((8.03e9 * 2) / 2);
});

test("GPUs beyond the ranks are replicas and multiply the sequences", () => {
	const one = memoryStack({ ...card, context: 32_000 }).maxSequences.value ?? 0;
	expect(memoryStack({ ...card, gpus: 4, context: 32_000 }).maxSequences.value).toBe(4 * one);
});

test("llama.cpp over two GPUs spreads layers: half the cache on each", () => {
	const one = memoryStack({ ...card, engine: "llama.cpp", tp: null, gpus: 1, context: 1000 });
	const two = memoryStack({ ...card, engine: "llama.cpp", tp: null, gpus: 2, context: 1000 });
	expect(two.kvBytesPerToken.value).toBe((one.kvBytesPerToken.value ?? 0) / 2);
});

test("a hybrid model takes whole pages: Qwen3.5 9B at 1,000 tokens, 2 attention and 3 state pages of 528 tokens", () => {
	const { kvBytesPerSequence, maxSequences } = memoryStack({
		...card,
		model: qwen35,
		blockTokens: null,
		engine: "vllm",
		context: 1000,
	});
	expect(kvBytesPerSequence.value).toBe((2 + 3) * 528 * 4096 * 8);
	expect(maxSequences.value).toBe(Math.floor(Math.floor(40e9 / (528 * 4096 * 8)) / 5));
});

const models = fc.constantFrom(llama70b, llama8b, gemma27b, deepseekV3, qwen35);
const tokens = fc.integer({ min: 1, max: 2_000_000 });

test("parts sum to the total, and the pool to used and free", () => {
	fc.assert(
		fc.property(
			models,
			tokens,
			fc.integer({ min: 1, max: 500 }),
			fc.constantFrom("vllm", "llama.cpp", null),
			(model, context, batch, engine) => {
				const a = memoryStack(
					{ model, gpu: h100, engine, context, batch, weights: "fp8" },
					{ arithmetic: false },
				);
				const of = (key: keyof typeof a) => a[key].value ?? Number.NaN;
				expect(of("weightsBytes") + of("overheadBytes") + of("poolBytes") + of("reservedBytes")).toBeCloseTo(
					of("totalBytes"),
					-1,
				);
				expect(of("kvUsedBytes") + of("freeBytes")).toBeCloseTo(of("poolBytes"), -1);
			},
		),
	);
});

test("more tokens or more sequences never use less, and never let more fit", () => {
	fc.assert(
		fc.property(
			models,
			tokens,
			fc.integer({ min: 0, max: 100_000 }),
			fc.integer({ min: 1, max: 200 }),
			(model, context, more, batch) => {
				const input = { model, gpu: h100, engine: "vllm", weights: "int4", batch };
				const short = memoryStack({ ...input, context }, { arithmetic: false });
				const long = memoryStack(
					{ ...input, context: context + more, batch: batch + 1 },
					{ arithmetic: false },
				);
				expect(long.kvUsedBytes.value ?? 0).toBeGreaterThanOrEqual(short.kvUsedBytes.value ?? 0);
				expect(long.maxSequences.value ?? 0).toBeLessThanOrEqual(short.maxSequences.value ?? 0);
				expect(long.maxContext.value ?? 0).toBeLessThanOrEqual(short.maxContext.value ?? 0);
			},
		),
	);
});

test("the longest context is exact: it fits, one token more does not", () => {
	fc.assert(
		fc.property(
			models,
			fc.integer({ min: 1, max: 50 }),
			fc.constantFrom(1, 16),
			(model, batch, blockTokens) => {
				const ask = (context: number) =>
					memoryStack({ ...card, model, batch, blockTokens, context }, { arithmetic: false });
				const longest = ask(1000).maxContext.value ?? 0;
				if (longest > 0) expect(ask(longest).maxSequences.value).toBeGreaterThanOrEqual(batch);
				expect(ask(longest + 1).maxSequences.value).toBeLessThan(batch);
			},
		),
	);
});
