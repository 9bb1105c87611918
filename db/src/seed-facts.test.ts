import { expect, test } from "vitest";
import gpuSeeds from "../seed/gpus.json" with { type: "json" };
import modelSeeds from "../seed/models.json" with { type: "json" };

const GIB = 2 ** 30;

function model(id: string) {
	const seed = modelSeeds.find(({ facts }) => facts.id === id);
	if (!seed) throw new Error(`no model ${id}`);
	return seed.facts;
}

/** Bytes of one token at 2 bytes a value: in all layers that keep every token, and in all sliding layers. */
function bytesPerToken(id: string) {
	const m = model(id);
	const head = m.headDimK + m.headDimV;
	const full = m.mla ? m.mla.kvLoraRank + m.mla.qkRopeHeadDim : m.kvHeads * head;
	const sliding = (m.slidingKvHeads ?? m.kvHeads) * (m.slidingHeadDim ? 2 * m.slidingHeadDim : head);
	return { full: m.fullLayers * full * 2, sliding: m.slidingLayers * sliding * 2 };
}

// Worked by hand from the public configs, and confirmed by what engines print where a log is named.
test.each([
	["llama-3.1-8b", 32 * 8 * 128 * 2 * 2], // vllm-project/vllm#10517: 16.00 GiB at 131,072 tokens
	["llama-3.1-70b", 327_680],
	["llama-3.1-405b", 516_096], // the table of 0.984 GB per 1k in huggingface/blog#2345 is twice this
	["llama-3.2-1b", 32_768], // head width 64, not 128
	["llama-2-7b", 524_288], // no grouped heads
	["llama-2-70b", 327_680],
	["qwen3-4b", 147_456], // pegainfer#422: head width 128 is stated; 2560 / 32 would give 92,160
	["qwen2.5-7b", 57_344], // vllm-project/vllm#22291
	["qwen3-235b-a22b", 4 * 48_128],
	["mistral-small-24b", 163_840], // llm-d-planner: 28.20 GiB for 184,832 tokens
	["deepseek-v3", 70_272], // ik_llama.cpp pull 237: 10,980 MiB at 163,840 cells
	["deepseek-v2-lite", 31_104],
	["glm-5", 89_856],
	["falcon-7b", 8_192], // one KV head for 71 query heads
	["glm-4-32b-0414", 62_464], // ik_llama.cpp pull 344: 1,952 MiB at 32,768 cells
	["llama-3.3-nemotron-super-49b", 200_704], // 49 of 80 blocks attend
	["qwen3.5-9b", 32_768], // 8 of 32 layers grow
	["nemotron-h-8b", 16_384], // 4 of 52
	["nemotron-3-super-120b-a12b", 8_192], // 8 of 88
	["whisper-large-v3-turbo", 20_480],
])("%s: %i bytes of cache per token in bf16", (id, bytes) => {
	expect(bytesPerToken(id)).toEqual({ full: bytes, sliding: 0 });
});

test.each([
	["gpt-oss-20b", 24_576, 3_145_728],
	["gemma-3-27b", 81_920, 436_207_616], // ik_llama.cpp issue 539
	["gemma-2-9b", 21 * 8 * 256 * 4, 21 * 8 * 256 * 4 * 4096],
	["gemma-3n-e2b", 8_192, 16_777_216], // the last 10 of 30 layers share
	["gemma-4-31b", 81_920, 838_860_800], // 4 heads of 512 in full layers, 16 of 256 in sliding ones
	["mimo-v2-flash", 23_040, 25_559_040], // K 192 wide, V 128
])("%s: %i bytes per token and %i in its windows", (id, growing, windows) => {
	const { full, sliding } = bytesPerToken(id);
	expect(full).toBe(growing);
	expect(sliding * (model(id).windowTokens ?? Number.NaN)).toBe(windows);
});

// Block sizes that vLLM printed for these models imply exactly these states (16 · ⌈state / (16 · bytes)⌉ tokens).
test.each([
	["qwen3.5-9b", 2_146_304],
	["qwen3.5-27b", 3_207_168],
	["qwen3.6-35b-a3b", 2_146_304],
	["nemotron-3-super-120b-a12b", 4_255_744],
])("%s: %i bytes of recurrent state per layer", (id, bytes) => {
	expect(model(id).recurrentStateBytesPerLayer).toBe(bytes);
});

test("a model whose cache the formula cannot express says so", () => {
	for (const { facts } of modelSeeds) {
		const unknownState = facts.recurrentLayers > 0 && facts.recurrentStateBytesPerLayer === null;
		const apart = ["deepseek-v4-flash", "deepseek-v3.2", "glm-5", "whisper-large-v3-turbo", "gemma-3-270m"];
		if (unknownState || apart.includes(facts.id)) expect(facts.caveats, facts.id).not.toEqual([]);
	}
});

test("layers that own a cache or a state are no more than there are", () => {
	for (const { facts: m } of modelSeeds) {
		const owning = m.fullLayers + m.slidingLayers + m.recurrentLayers;
		expect(owning, m.id).toBeLessThanOrEqual(m.layers);
		expect(m.slidingLayers > 0, m.id).toBe(m.windowTokens !== null);
	}
});

test("a card's memory is what an engine saw, else the driver, else the nominal bound", () => {
	const memory = (id: string) => {
		const facts = gpuSeeds.find((gpu) => gpu.facts.id === id)?.facts;
		return [facts?.totalBytesBasis, facts?.totalBytes];
	};
	expect(memory("h100-sxm-80gb")).toEqual(["engine", Math.floor(79.1 * GIB)]);
	expect(memory("rtx-4090")).toEqual(["engine", Math.floor(23.55 * GIB)]);
	expect(memory("rtx-5090")).toEqual(["driver", 32_607 * 2 ** 20]);
	expect(memory("mi300x")).toEqual(["nominal", 192 * GIB]);
});

test("every fact is named with its sources or marked as read nowhere", () => {
	for (const { facts } of gpuSeeds) {
		if (facts.sources.length === 0) expect(facts.unverified, facts.id).toContain("bandwidthBytesPerSecond");
	}
	for (const { facts } of modelSeeds) expect(facts.sources.length, facts.id).toBeGreaterThan(0);
});

test("no two entries of a catalog share an id, a name or an alias", () => {
	for (const seeds of [gpuSeeds, modelSeeds]) {
		const spellings = seeds.flatMap(({ facts, aliases }) => [
			...new Set([facts.id, facts.name.toLowerCase(), ...aliases]),
		]);
		expect(spellings).toHaveLength(new Set(spellings).size);
		expect(spellings.filter((spelling) => spelling !== spelling.toLowerCase())).toEqual([]);
	}
});
