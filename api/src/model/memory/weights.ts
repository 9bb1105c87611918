/**
 * Bits per parameter of weight formats, scales and mixed tensors included.
 * @source GGUF k-quants: sizes that llama-quantize lists for Llama-3-8B (8.03e9 parameters), Q4_K_M between those and
 * the 4.82 printed for 70B; block formats: bytes per 32 or 256 weights in ggml; int4: 4 bits + one 16-bit scale and
 * one zero per group of 128; mxfp4: 4 bits + 8 per 32; nvfp4: 4 bits + 8 per 16.
 */
const BITS_PER_WEIGHT: Record<string, number> = {
	f32: 32,
	f16: 16,
	bf16: 16,
	fp8: 8,
	int8: 8,
	int4: 4.16,
	mxfp4: 4.25,
	nvfp4: 4.5,
	q8_0: 8.5,
	q6_k: 6.57,
	q5_k_m: 5.7,
	q5_k_s: 5.57,
	q5_1: 6,
	q5_0: 5.5,
	q4_k_m: 4.85,
	q4_k_s: 4.67,
	q4_1: 5,
	q4_0: 4.5,
	iq4_nl: 4.5,
	iq4_xs: 4.25,
	q3_k_l: 4.31,
	q3_k_m: 4,
	q3_k_s: 3.65,
	iq3_m: 3.66,
	iq3_s: 3.44,
	iq3_xxs: 3.06,
	q2_k: 3.17,
	iq2_m: 2.7,
	iq2_xs: 2.31,
	iq2_xxs: 2.06,
	iq1_m: 1.75,
	iq1_s: 1.56,
};

const OTHER_NAMES: [RegExp, string][] = [
	[/^(fp32|float32)$/, "f32"],
	[/^(fp16|float16|half)$/, "f16"],
	[/^bfloat16$/, "bf16"],
	[/^(q8_k_xl|q8|gguf-q8)$/, "q8_0"],
	[/w4a16|w4a8|awq|gptq.?(int)?4|^gptq$|int4|^4.?bit|bnb.?4/, "int4"],
	[/w8a8|w8a16|gptq.?(int)?8|int8|^8.?bit/, "int8"],
	[/nvfp4|^fp4/, "nvfp4"],
	[/mxfp4/, "mxfp4"],
	[/fp8|float8|e4m3|e5m2/, "fp8"],
];

/** Name of a weight format as this file keys it: "Q4_K - Medium" → q4_k_m; null for names nobody knows. */
export function weightFormatOf(name: string | null | undefined): string | null {
	const plain = (name ?? "")
		.trim()
		.toLowerCase()
		.replace(/^(mostly|ud[-_]|all)\s*/, "")
		.replace(/\s*-\s*medium$/, "_m")
		.replace(/\s*-\s*small$/, "_s")
		.replace(/\s*-\s*large$/, "_l");
	if (Object.hasOwn(BITS_PER_WEIGHT, plain)) return plain;
	if (Object.hasOwn(BITS_PER_WEIGHT, `${plain}_m`)) return `${plain}_m`;
	return OTHER_NAMES.find(([pattern]) => pattern.test(plain))?.[1] ?? null;
}

/** Bits per parameter of a weight format, null where the name is not known. */
export function bitsPerWeight(name: string | null | undefined): number | null {
	const format = weightFormatOf(name);
	return format === null ? null : (BITS_PER_WEIGHT[format] ?? null);
}

/**
 * Bytes of all weights: parameters · bits / 8. Every expert is resident, so this takes the total count.
 * @param parameters number of parameters
 * @param bits bits per parameter
 */
export const weightBytes = (parameters: number, bits: number): number => (parameters * bits) / 8;
