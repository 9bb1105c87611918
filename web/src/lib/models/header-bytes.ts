/** Read from a file at a time: the lists of a tokenizer take a few of them, everything else less than one. */
const CHUNK = 2 ** 20;

/** A file that ends before its header does. */
export class CutHeader extends Error {
	override readonly name = "CutHeader";
}

/** Reads a file from its start by slices, little-endian. Only what is asked for is ever read. */
export class HeaderBytes {
	readonly #file: Blob;
	#view = new DataView(new ArrayBuffer(0));
	/** Place of the buffer's first byte in the file, and of the next byte in the buffer. */
	#start = 0;
	#next = 0;

	constructor(file: Blob) {
		this.#file = file;
	}

	/** Bytes that can be read without waiting. */
	get ready(): number {
		return this.#view.byteLength - this.#next;
	}

	/** Makes `bytes` more readable. @throws CutHeader where the file ends before */
	async need(bytes: number): Promise<void> {
		if (this.ready >= bytes) return;
		const from = this.#start + this.#next;
		if (from + bytes > this.#file.size)
			throw new CutHeader(`The file ends at byte ${this.#file.size}, within its header.`);
		const part = this.#file.slice(from, from + Math.max(CHUNK, bytes));
		this.#view = new DataView(await part.arrayBuffer());
		this.#start = from;
		this.#next = 0;
	}

	/** Passes over bytes that are ready. */
	pass(bytes: number): void {
		this.#next += bytes;
	}

	/** Passes over bytes without reading them. */
	async skip(bytes: number): Promise<void> {
		if (this.ready >= bytes) return this.pass(bytes);
		this.#start += this.#next + bytes;
		this.#next = 0;
		this.#view = new DataView(new ArrayBuffer(0));
		if (this.#start > this.#file.size)
			throw new CutHeader(`The file ends at byte ${this.#file.size}, within its header.`);
	}

	/** A value of a width, which must be ready. */
	take<T>(bytes: number, read: (view: DataView, at: number) => T): T {
		const at = this.#next;
		this.#next += bytes;
		return read(this.#view, at);
	}

	/** A length or count; the 64 bits of the format hold more than any file has. */
	takeSize(): number {
		return Number(this.take(8, (view, at) => view.getBigUint64(at, true)));
	}

	async size(): Promise<number> {
		await this.need(8);
		return this.takeSize();
	}

	async u32(): Promise<number> {
		await this.need(4);
		return this.take(4, (view, at) => view.getUint32(at, true));
	}

	async text(): Promise<string> {
		const length = await this.size();
		await this.need(length);
		return this.take(length, (view, at) => new TextDecoder().decode(new Uint8Array(view.buffer, at, length)));
	}
}
