const NOTHING = new Uint8Array(0);

/** Takes a stream of chunks in portions of wanted sizes. */
export class ByteReader {
	#rest: Uint8Array = NOTHING;
	readonly #chunks: AsyncIterator<Uint8Array>;

	constructor(source: AsyncIterable<Uint8Array>) {
		this.#chunks = source[Symbol.asyncIterator]();
	}

	/** The next `length` bytes; fewer only at the end of the stream. */
	async take(length: number): Promise<Uint8Array> {
		const taken: Uint8Array[] = [];
		for await (const chunk of this.chunks(length)) taken.push(chunk);
		return taken.length === 1 && taken[0] ? taken[0] : joined(taken);
	}

	/** The next `length` bytes as they come, in chunks. */
	async *chunks(length: number): AsyncGenerator<Uint8Array> {
		for (let left = length; left > 0; ) {
			const chunk = await this.#next();
			if (chunk === null) return;
			if (chunk.length > left) this.#rest = chunk.subarray(left);
			yield chunk.length > left ? chunk.subarray(0, left) : chunk;
			left -= chunk.length;
		}
	}

	/** Everything that is left. */
	rest(): AsyncGenerator<Uint8Array> {
		return this.chunks(Number.POSITIVE_INFINITY);
	}

	/** Puts bytes back in front of what is left. */
	unread(bytes: Uint8Array): void {
		this.#rest = joined([bytes, this.#rest]);
	}

	/** Ends the stream early, so that its owner can let go of it. */
	async release(): Promise<void> {
		await this.#chunks.return?.();
	}

	async #next(): Promise<Uint8Array | null> {
		if (this.#rest.length > 0) {
			const rest = this.#rest;
			this.#rest = NOTHING;
			return rest;
		}
		const { value, done } = await this.#chunks.next();
		return done ? null : value;
	}
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
	const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
	let at = 0;
	for (const chunk of chunks) {
		whole.set(chunk, at);
		at += chunk.length;
	}
	return whole;
}
