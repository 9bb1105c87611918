/** One tensor of a GGUF header. */
export interface GgufTensor {
	name: string;
	/** Elements along each dimension. */
	shape: readonly number[];
	/** Number of the ggml type. */
	dtype: number;
}

/** Name, elements of a block and its bytes. */
type Block = readonly [name: string, elements: number, bytes: number];

/** ggml's storage types by number. @source enum ggml_type of ggml.h and the blocks of ggml-common.h, llama.cpp */
const TYPES: Readonly<Record<number, Block>> = {
	0: ["f32", 1, 4],
	1: ["f16", 1, 2],
	2: ["q4_0", 32, 18],
	3: ["q4_1", 32, 20],
	6: ["q5_0", 32, 22],
	7: ["q5_1", 32, 24],
	8: ["q8_0", 32, 34],
	9: ["q8_1", 32, 36],
	10: ["q2_k", 256, 84],
	11: ["q3_k", 256, 110],
	12: ["q4_k", 256, 144],
	13: ["q5_k", 256, 176],
	14: ["q6_k", 256, 210],
	15: ["q8_k", 256, 292],
	16: ["iq2_xxs", 256, 66],
	17: ["iq2_xs", 256, 74],
	18: ["iq3_xxs", 256, 98],
	19: ["iq1_s", 256, 50],
	20: ["iq4_nl", 32, 18],
	21: ["iq3_s", 256, 110],
	22: ["iq2_s", 256, 82],
	23: ["iq4_xs", 256, 136],
	24: ["i8", 1, 1],
	25: ["i16", 1, 2],
	26: ["i32", 1, 4],
	27: ["i64", 1, 8],
	28: ["f64", 1, 8],
	29: ["iq1_m", 256, 56],
	30: ["bf16", 1, 2],
	34: ["tq1_0", 256, 54],
	35: ["tq2_0", 256, 66],
	39: ["mxfp4", 32, 17],
	40: ["nvfp4", 64, 36],
};

/** Weight formats by general.file_type. @source enum llama_ftype of llama.h */
const FILE_TYPES: Readonly<Record<number, string>> = {
	0: "f32",
	1: "f16",
	2: "q4_0",
	3: "q4_1",
	7: "q8_0",
	8: "q5_0",
	9: "q5_1",
	10: "q2_k",
	11: "q3_k_s",
	12: "q3_k_m",
	13: "q3_k_l",
	14: "q4_k_s",
	15: "q4_k_m",
	16: "q5_k_s",
	17: "q5_k_m",
	18: "q6_k",
	19: "iq2_xxs",
	20: "iq2_xs",
	23: "iq3_xxs",
	24: "iq1_s",
	25: "iq4_nl",
	26: "iq3_s",
	27: "iq3_m",
	29: "iq2_m",
	30: "iq4_xs",
	31: "iq1_m",
	32: "bf16",
	38: "mxfp4",
	39: "nvfp4",
};

/** The weight format that a file says of itself; null where it does not, or names one that is not known here. */
export const fileTypeName = (fileType: unknown): string | null =>
	typeof fileType === "number" ? (FILE_TYPES[fileType] ?? null) : null;

const elements = ({ shape }: GgufTensor): number => shape.reduce((product, n) => product * n, 1);

/**
 * Bytes of one tensor: rows of whole blocks.
 * @returns null for a type that is not known here
 */
function tensorBytes(tensor: GgufTensor): number | null {
	const block = TYPES[tensor.dtype];
	return block ? (elements(tensor) / block[1]) * block[2] : null;
}

/** What the tensors of a file add up to. */
export interface TensorTotals {
	parameters: number;
	/** Parameters that one token passes through. */
	active: number;
	/** null: a tensor has a type that is not known here. */
	bytes: number | null;
	/** Numbers of the types that are not known here. */
	unknownTypes: number[];
}

/** Tensors of all experts together, of which a token touches only some. */
const EXPERTS = /ffn_\w+_exps\b/;

/**
 * Adds up the tensors of a GGUF header.
 * @param experts how many there are and how many a token passes through; null for dense models
 */
export function tensorTotals(
	tensors: readonly GgufTensor[],
	experts: { count: number; used: number } | null,
): TensorTotals {
	const share = experts ? experts.used / experts.count : 1;
	const totals: TensorTotals = { parameters: 0, active: 0, bytes: 0, unknownTypes: [] };
	for (const tensor of tensors) {
		const n = elements(tensor);
		const bytes = tensorBytes(tensor);
		totals.parameters += n;
		totals.active += EXPERTS.test(tensor.name) ? n * share : n;
		totals.bytes = bytes === null || totals.bytes === null ? null : totals.bytes + bytes;
		if (bytes === null && !totals.unknownTypes.includes(tensor.dtype)) totals.unknownTypes.push(tensor.dtype);
	}
	return totals;
}
