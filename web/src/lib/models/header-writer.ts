/** Writes the bytes of a GGUF header value by value, after ggml/docs/gguf.md. For tests only. */
export class HeaderWriter {
	#parts: Uint8Array<ArrayBuffer>[] = [];

	#put(bytes: number, set: (view: DataView) => void): this {
		const view = new DataView(new ArrayBuffer(bytes));
		set(view);
		this.#parts.push(new Uint8Array(view.buffer));
		return this;
	}
	u8 = (n: number) => this.#put(1, (v) => v.setUint8(0, n));
	u32 = (n: number) => this.#put(4, (v) => v.setUint32(0, n, true));
	u64 = (n: number) => this.#put(8, (v) => v.setBigUint64(0, BigInt(n), true));
	f32 = (n: number) => this.#put(4, (v) => v.setFloat32(0, n, true));
	text(text: string): this {
		const bytes = new TextEncoder().encode(text);
		this.u64(bytes.length).#parts.push(bytes);
		return this;
	}
	begin(tensors: number, keys: number): this {
		return this.u32(0x46554747).u32(3).u64(tensors).u64(keys);
	}
	/** In one piece, as a file is: slices of a hundred thousand pieces take seconds. */
	async file(): Promise<Blob> {
		return new Blob([await new Blob(this.#parts).arrayBuffer()]);
	}
}
