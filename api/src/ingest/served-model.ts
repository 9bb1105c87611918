import { modelName } from "./fields.ts";

const CACHED = /models--([^/\\]+?)--([^/\\]+)/;
const WEIGHTS =
	/(?:^|[-_.])(nvfp4|mxfp4|mxfp8|fp4|fp8|int4|int8|w\d+a\d+|awq|gptq|bf16|fp16|f16|q\d(?:_[0k](?:_[sml])?)?)(?=$|[-_.])/gi;

/** The name a model is known by: a hub id, the id inside a hub cache path, else the last part of a path. */
export function servedModel(name: string): string {
	const cached = CACHED.exec(name);
	return cached === null ? modelName(name) : `${cached[1]}/${cached[2]}`;
}

/** Weight format that a model's name carries ("…-quantized.w4a16", "GLM-5-FP8"); null: the name says nothing. */
export function weightsInName(name: string): string | null {
	const found = [...name.matchAll(WEIGHTS)].map((match) => match[1]?.toLowerCase());
	return found.at(-1) ?? null;
}
