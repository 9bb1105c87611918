/**
 * A llama of one layer with random weights as a GGUF file: small enough to be made on the spot, whole enough
 * to be benchmarked. Its vocabulary are the bytes.
 * @source GGUF version 3, docs/gguf.md of ggml; names of tensors and keys as llama.cpp reads them
 */
export function tinyGguf(): Buffer {
	const file = new GgufWriter();
	const [width, heads, hidden, words] = [128, 2, 256, VOCABULARY.length];
	file.text("general.architecture", "llama");
	file.text("general.name", "tiny");
	file.text("tokenizer.ggml.model", "llama");
	file.array(
		"tokenizer.ggml.tokens",
		TYPE_STRING,
		VOCABULARY.map(({ token }) => string(token)),
	);
	file.array(
		"tokenizer.ggml.scores",
		TYPE_FLOAT32,
		VOCABULARY.map(() => float32(0)),
	);
	file.array(
		"tokenizer.ggml.token_type",
		TYPE_INT32,
		VOCABULARY.map(({ type }) => uint32(type)),
	);
	for (const [key, value] of Object.entries({
		...{ "llama.vocab_size": words, "llama.context_length": 8192, "llama.embedding_length": width },
		...{ "llama.block_count": 1, "llama.feed_forward_length": hidden },
		...{ "llama.attention.head_count": heads, "llama.attention.head_count_kv": heads },
		...{ "llama.rope.dimension_count": width / heads },
	}))
		file.uint32(key, value);
	file.float32("llama.attention.layer_norm_rms_epsilon", 1e-5);
	file.tensor("token_embd.weight", [width, words]);
	file.tensor("output_norm.weight", [width]);
	file.tensor("output.weight", [width, words]);
	for (const name of ["attn_norm", "ffn_norm"]) file.tensor(`blk.0.${name}.weight`, [width]);
	for (const name of ["attn_q", "attn_k", "attn_v", "attn_output"])
		file.tensor(`blk.0.${name}.weight`, [width, width]);
	for (const name of ["ffn_gate", "ffn_up"]) file.tensor(`blk.0.${name}.weight`, [width, hidden]);
	file.tensor("blk.0.ffn_down.weight", [hidden, width]);
	return file.finish();
}

const TYPE_UINT32 = 4;
const TYPE_INT32 = 5;
const TYPE_FLOAT32 = 6;
const TYPE_STRING = 8;
const TYPE_ARRAY = 9;
const TENSOR_F32 = 0;
const ALIGNMENT = 32;

/** Types of tokens: 2 unknown, 3 control, 6 byte. */
const VOCABULARY = [
	...[
		{ token: "<unk>", type: 2 },
		{ token: "<s>", type: 3 },
		{ token: "</s>", type: 3 },
	],
	...Array.from({ length: 256 }, (_, byte) => ({
		...{ token: `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`, type: 6 },
	})),
];

class GgufWriter {
	readonly #pairs: Buffer[] = [];
	readonly #infos: Buffer[] = [];
	readonly #data: Buffer[] = [];
	#offset = 0;
	/** A fixed sequence of pseudo-random numbers. */
	#seed = 1;

	text(key: string, value: string): void {
		this.#pair(key, TYPE_STRING, string(value));
	}

	uint32(key: string, value: number): void {
		this.#pair(key, TYPE_UINT32, uint32(value));
	}

	float32(key: string, value: number): void {
		this.#pair(key, TYPE_FLOAT32, float32(value));
	}

	array(key: string, type: number, items: readonly Buffer[]): void {
		this.#pair(key, TYPE_ARRAY, Buffer.concat([uint32(type), uint64(items.length), ...items]));
	}

	/** A tensor of float32 in ±0.05; `shape` with the fastest dimension first. */
	tensor(name: string, shape: readonly number[]): void {
		const count = shape.reduce((product, n) => product * n, 1);
		const data = Buffer.alloc(Math.ceil((count * 4) / ALIGNMENT) * ALIGNMENT);
		for (let i = 0; i < count; i++) data.writeFloatLE(this.#random(), i * 4);
		const dimensions = [uint32(shape.length), ...shape.map(uint64)];
		this.#infos.push(Buffer.concat([string(name), ...dimensions, uint32(TENSOR_F32), uint64(this.#offset)]));
		this.#data.push(data);
		this.#offset += data.length;
	}

	finish(): Buffer {
		const head = [Buffer.from("GGUF"), uint32(3), uint64(this.#infos.length), uint64(this.#pairs.length)];
		const header = Buffer.concat([...head, ...this.#pairs, ...this.#infos]);
		const padding = Buffer.alloc((ALIGNMENT - (header.length % ALIGNMENT)) % ALIGNMENT);
		return Buffer.concat([header, padding, ...this.#data]);
	}

	#pair(key: string, type: number, value: Buffer): void {
		this.#pairs.push(Buffer.concat([string(key), uint32(type), value]));
	}

	/** @source the minimal standard generator of Park and Miller */
	#random(): number {
		this.#seed = (this.#seed * 48271) % 2147483647;
		return (this.#seed / 2147483647 - 0.5) / 10;
	}
}

function uint32(value: number): Buffer {
	const bytes = Buffer.alloc(4);
	bytes.writeUInt32LE(value);
	return bytes;
}

function float32(value: number): Buffer {
	const bytes = Buffer.alloc(4);
	bytes.writeFloatLE(value);
	return bytes;
}

function uint64(value: number): Buffer {
	const bytes = Buffer.alloc(8);
	bytes.writeBigUInt64LE(BigInt(value));
	return bytes;
}

function string(text: string): Buffer {
	const bytes = Buffer.from(text);
	return Buffer.concat([uint64(bytes.length), bytes]);
}
