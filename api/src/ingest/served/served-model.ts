import { modelName } from "../fields.ts";

const CACHED = /models--([^/\\]+?)--([^/\\]+)/;
const WEIGHTS =
	/(?:^|[-_.])(nvfp4|mxfp4|mxfp8|fp4|fp8|int4|int8|w\d+a\d+|awq|gptq|bf16|fp16|f16|q\d(?:_[0k](?:_[sml])?)?)(?=$|[-_.])/gi;

/**
 * Name and weight format of a model as a server or client was given it; what the name does not say is null.
 */
export function servedModel(given: string | null): { model: string | null; weights: string | null } {
	if (given === null) return { model: null, weights: null };
	return { model: knownName(given), weights: weightsInName(given) };
}

/** A hub id, the id inside a hub cache path, else the last part of a path. */
function knownName(name: string): string {
	const cached = CACHED.exec(name);
	return cached === null ? modelName(name) : `${cached[1]}/${cached[2]}`;
}

/** Weight format that a model's name carries ("…-quantized.w4a16", "GLM-5-FP8"); null: the name says nothing. */
function weightsInName(name: string): string | null {
	const found = [...name.matchAll(WEIGHTS)].map((match) => match[1]?.toLowerCase());
	return found.at(-1) ?? null;
}
