import {
	countOf,
	geometryFromConfig,
	kvBytesPerSequence,
	kvBytesPerToken,
	kvTypeOf,
	layersFromConfig,
	type ModelFacts,
} from "@plimsoll/api/model";
import { GIB, type Input, MIB, type Topic } from "./case.ts";

/** KV bytes from the fields of a config.json. */
export const kvPerToken: Topic = (input, field) => {
	if (input.has("models")) return input.rows("models").map((row) => growing(read(row.raw), storageOf(input)));
	if (!input.has("config")) return scaled(input, field);
	return ofConfig(input, field);
};

const read = (config: unknown): ModelFacts => geometryFromConfig(config).facts;

function storageOf(input: Input) {
	const type = kvTypeOf(input.text("kv_dtype"));
	if (!type) throw new Error(`cache type ${input.text("kv_dtype")} is not known`);
	return {
		kvK: type,
		kvV: type,
		tp: input.optional("tp") ?? 1,
		windowsHonoured: input.raw.chunked_layers_counted_as_full !== true,
	};
}

type Storage = ReturnType<typeof storageOf>;

const growing = (facts: ModelFacts, storage: Storage) => kvBytesPerToken(facts, storage);
const SIZES = { gib: GIB, mib: MIB, gb: 1e9, bytes: 1 };

const allFull = (storage: Storage): Storage => ({ ...storage, windowsHonoured: false });
const perSequence = (facts: ModelFacts, storage: Storage, context: number) =>
	kvBytesPerSequence(facts, { ...storage, context });

function ofConfig(input: Input, field: string): unknown {
	const config = input.object("config").raw;
	const { facts, crossPositions } = geometryFromConfig(config);
	const storage = storageOf(input);
	const context = input.optional("context_tokens") ?? 0;
	const sized = /^(gib|mib|gb|bytes)_(?:at|for)_(\d+)/.exec(field);
	if (sized) {
		const of = field.endsWith("all_full") ? allFull(storage) : storage;
		return perSequence(facts, of, Number(sized[2])) / SIZES[sized[1] as keyof typeof SIZES];
	}
	const far = Math.max(1, facts.windowTokens ?? 1) * 4;
	const answers: Record<string, () => unknown> = {
		bytes_per_token_per_gpu: () => growing(facts, storage),
		bytes_per_token: () => growing(facts, storage),
		growing_bytes_per_token: () => growing(facts, storage),
		mla_bytes_per_token: () => growing(facts, storage),
		self_kv_bytes_per_token: () => growing(facts, storage),
		all_layers_full_bytes_per_token: () => growing(facts, allFull(storage)),
		fixed_window_bytes_per_sequence: () => perSequence(facts, storage, far) - growing(facts, storage) * far,
		fixed_state_bytes_per_sequence: () => perSequence(facts, storage, 0),
		kv_bytes_per_sequence_windowed: () => perSequence(facts, storage, context),
		kv_bytes_per_sequence_all_full: () => perSequence(facts, allFull(storage), context),
		gib_per_gpu_for_one_sequence: () => perSequence(facts, storage, context) / GIB,
		kv_bytes_per_sequence: () => perSequence(facts, storage, context),
		attention_layers: () => facts.fullLayers,
		full_layers: () => facts.fullLayers,
		sliding_layers: () => facts.slidingLayers,
		kv_heads: () => facts.kvHeads,
		head_dim: () => facts.headDimK,
		cached_layers: () =>
			countOf(layersFromConfig(config), "full") + countOf(layersFromConfig(config), "sliding"),
		cross_kv_bytes_per_request: () => perSequence(facts, storage, crossPositions ?? 0),
	};
	return answers[field]?.();
}

/** A cache of blocks, 16-bit and 8-bit with a scale beside each head. */
function scaled(input: Input, field: string): unknown {
	const geometry = read({
		num_hidden_layers: input.number("layers"),
		num_attention_heads: input.number("kv_heads"),
		num_key_value_heads: input.number("kv_heads"),
		head_dim: input.number("head_dim"),
	});
	const tokens = input.number("blocks") * input.number("block_tokens");
	const before = tokens * kvBytesPerToken(geometry, { kvK: "f16", kvV: "f16" });
	const after = tokens * kvBytesPerToken(geometry, { kvK: "int8", kvV: "int8", scaleBytes: 4 });
	return { fp16_mib: before / MIB, int8_mib: after / MIB, saving_fraction: 1 - after / before }[field];
}
