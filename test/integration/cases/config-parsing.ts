import {
	countOf,
	elementBytes,
	geometryFromConfig,
	kvBytesPerToken,
	kvTypeInUse,
	layersFromConfig,
} from "@plimsoll/api/model";
import type { Input, Topic } from "./case.ts";

/** Fields of a config.json, and what decided them. */
export const configParsing: Topic = (input, field) => {
	if (input.has("configs")) return input.rows("configs").filter((config) => refused(config.raw)).length;
	if (input.has("kv_cache_dtype"))
		return elementBytes(kvTypeInUse(input.text("kv_cache_dtype"), input.text("model_dtype")));
	return ofConfig(input, field);
};

function refused(config: unknown): boolean {
	try {
		geometryFromConfig(config);
		return false;
	} catch (error) {
		return error instanceof RangeError;
	}
}

function ofConfig(input: Input, field: string): unknown {
	const config = input.object("config").raw;
	const facts = () => geometryFromConfig(config).facts;
	const perToken = () => kvBytesPerToken(facts(), { kvK: "bf16", kvV: "bf16" });
	const kinds = layersFromConfig(config);
	const answers: Record<string, () => unknown> = {
		layers: () => kinds.layers,
		full_layers: () => countOf(kinds, "full"),
		local_layers: () => countOf(kinds, "sliding"),
		kv_heads: () => facts().kvHeads,
		head_dim: () => facts().headDimK,
		max_context: () => facts().maxContextTokens,
		bytes_per_token_bf16: perToken,
		growing_bytes_per_token: perToken,
		result: () =>
			facts().caveats.some((caveat) => /MHA/.test(caveat)) ? "assumed-MHA-with-warning" : "as said",
	};
	return answers[field]?.();
}
