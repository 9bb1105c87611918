import { jsonText } from "./sql.ts";

/** Beginning of every stream: a signature, no flags, no extension. */
const HEADER = Buffer.from("PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0", "latin1");
/** End of every stream: a row of −1 columns. */
const TRAILER = Buffer.from([0xff, 0xff]);
/** Object ids of the element types of arrays. */
const FLOAT8 = 701;
const TEXT = 25;
const NULL = -1;
/** The only version of jsonb's binary form. */
const JSONB_VERSION = 1;

/** Writes rows in PostgreSQL's binary COPY format: no number is printed here and read again there. */
export class CopyRows {
	#bytes: Buffer<ArrayBuffer>;
	#view: DataView;
	#at = 0;
	readonly #capacity: number;

	/** @param capacity bytes to begin with; more is taken where it is needed */
	constructor(capacity: number) {
		this.#capacity = capacity;
		this.#bytes = Buffer.allocUnsafeSlow(capacity);
		this.#view = new DataView(this.#bytes.buffer);
	}

	/** Bytes written since they were last taken. */
	get length(): number {
		return this.#at;
	}

	/**
	 * What was written so far; writing goes on in another buffer.
	 * @param spare what was taken before and is needed no more: large buffers are freed late
	 */
	take(spare?: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
		const taken = this.#bytes.subarray(0, this.#at);
		this.#bytes = spare ? Buffer.from(spare.buffer) : Buffer.allocUnsafeSlow(this.#capacity);
		this.#view = new DataView(this.#bytes.buffer);
		this.#at = 0;
		return taken;
	}

	begin(): void {
		this.raw(HEADER);
	}

	end(): void {
		this.raw(TRAILER);
	}

	row(columns: number): void {
		this.#room(2);
		this.#view.setInt16(this.#at, columns);
		this.#at += 2;
	}

	/** Cells written before. */
	raw(cells: Uint8Array): void {
		this.#room(cells.length);
		this.#bytes.set(cells, this.#at);
		this.#at += cells.length;
	}

	null(): void {
		this.#room(4);
		this.#int32(NULL);
	}

	text(value: string | null): void {
		const start = this.#open(value === null ? 0 : 3 * value.length);
		if (value !== null) this.#letters(value);
		this.#close(start, value === null);
	}

	/** @param value 32 hex digits, with dashes or without */
	uuid(value: string): void {
		this.#room(20);
		this.#int32(16);
		this.#at += this.#bytes.write(value.replaceAll("-", ""), this.#at, "hex");
	}

	/** A finite number, else null: "not known" is never NaN in the database. */
	float(value: number | null): void {
		this.#room(12);
		if (value === null || !Number.isFinite(value)) this.#int32(NULL);
		else {
			this.#int32(8);
			this.#float64(value);
		}
	}

	/** A whole number of 32 bits, else null. */
	integer(value: number | null): void {
		this.#room(8);
		if (value === null || (value | 0) !== value) this.#int32(NULL);
		else {
			this.#int32(4);
			this.#int32(value);
		}
	}

	boolean(value: boolean): void {
		this.#room(5);
		this.#int32(1);
		this.#bytes[this.#at++] = value ? 1 : 0;
	}

	/** An array of float8; null where it is empty. */
	floats(values: readonly number[]): void {
		const start = this.#open(20 + 12 * values.length);
		if (values.length > 0) this.#array(FLOAT8, values.length);
		for (const value of values) {
			this.#int32(8);
			this.#float64(value);
		}
		this.#close(start, values.length === 0);
	}

	/** An array of text; null where it is empty. */
	texts(values: readonly string[]): void {
		const start = this.#open(20);
		if (values.length > 0) this.#array(TEXT, values.length);
		for (const value of values) this.text(value);
		this.#close(start, values.length === 0);
	}

	json(value: unknown): void {
		const text = value === null ? "" : jsonText(value);
		const start = this.#open(1 + 3 * text.length);
		this.#bytes[this.#at++] = JSONB_VERSION;
		this.#letters(text);
		this.#close(start, value === null);
	}

	/** Begins a cell whose length is known only when it is written. */
	#open(most: number): number {
		this.#room(4 + most);
		const start = this.#at;
		this.#at += 4;
		return start;
	}

	/** Ends it; a null has a length of −1 and nothing behind it. */
	#close(start: number, isNull: boolean): void {
		if (isNull) this.#at = start + 4;
		this.#view.setInt32(start, isNull ? NULL : this.#at - start - 4);
	}

	#array(elements: number, length: number): void {
		this.#int32(1);
		this.#int32(0);
		this.#int32(elements);
		this.#int32(length);
		this.#int32(1);
	}

	/** Text in UTF-8, without NUL, which PostgreSQL cannot hold. Most of it is short and of few letters. */
	#letters(text: string): void {
		const written = this.#shortLetters(text);
		this.#at += written ?? this.#bytes.write(text.replaceAll("\0", ""), this.#at, "utf8");
	}

	/** Writes letters of one or two bytes; null where there are others. A call into the system takes longer. */
	#shortLetters(text: string): number | null {
		const bytes = this.#bytes;
		let at = this.#at;
		for (let i = 0; i < text.length; i++) {
			const code = text.charCodeAt(i);
			if (code === 0 || code > 0x7ff) return null;
			if (code < 128) bytes[at++] = code;
			else {
				bytes[at++] = 0xc0 | (code >> 6);
				bytes[at++] = 0x80 | (code & 63);
			}
		}
		return at - this.#at;
	}

	#int32(value: number): void {
		this.#view.setInt32(this.#at, value);
		this.#at += 4;
	}

	#float64(value: number): void {
		this.#view.setFloat64(this.#at, value);
		this.#at += 8;
	}

	#room(bytes: number): void {
		if (this.#at + bytes <= this.#bytes.length) return;
		const larger = Buffer.allocUnsafeSlow(2 * (this.#at + bytes));
		this.#bytes.copy(larger, 0, 0, this.#at);
		this.#bytes = larger;
		this.#view = new DataView(larger.buffer);
	}
}
