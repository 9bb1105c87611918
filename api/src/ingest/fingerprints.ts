/**
 * Remembers rows by a 53-bit hash of their values, so that a row written twice is found without keeping the
 * rows. Two different rows of a million meet by chance once in 16,000 files.
 */
export class Fingerprints {
	private readonly seen = new Set<number>();
	/** Two interleaved halves of the hash; an array, as fields would box numbers of 32 bits. */
	private readonly state = new Int32Array(2);

	/** Whether the same values came before, in this order; they are remembered from now on. */
	repeated(values: readonly unknown[]): boolean {
		this.state[0] = 0xdeadbeef;
		this.state[1] = 0x41c6ce57;
		for (const value of values) this.add(value);
		const before = this.seen.size;
		this.seen.add(this.hash());
		return this.seen.size === before;
	}

	private add(value: unknown): void {
		if (typeof value === "number") this.number(value);
		else if (Array.isArray(value)) for (const member of value) this.add(member);
		else this.text(String(value));
		this.mix(0x1f);
	}

	private number(value: number): void {
		const whole = Math.trunc(value);
		this.mix(whole | 0);
		this.mix((whole / 4294967296) | 0);
		if (whole !== value) this.mix(((value - whole) * 4294967296) | 0);
	}

	private text(text: string): void {
		for (let at = 0; at < text.length; at++) this.mix(text.charCodeAt(at));
	}

	/** One round of two multiplicative hashes (after cyrb53 by bryc, public domain). */
	private mix(bits: number): void {
		const { state } = this;
		state[0] = Math.imul(Number(state[0]) ^ bits, 2654435761);
		state[1] = Math.imul(Number(state[1]) ^ bits, 1597334677);
	}

	private hash(): number {
		const [low = 0, high = 0] = this.state;
		const a = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
		const b = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
		return 4294967296 * (2097151 & b) + (a >>> 0);
	}
}
