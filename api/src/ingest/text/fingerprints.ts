/**
 * Remembers rows (or whole files) by a 53-bit hash of their values, so that one written twice is found without
 * keeping them. Two different rows of a million meet by chance once in 16,000 files.
 */
export class Fingerprints {
	private readonly seen = new HashSet();
	/** Two interleaved halves of the hash; an array, as fields would box numbers of 32 bits. */
	private readonly state = new Int32Array(2);

	/** Whether the same values came before, in this order; they are remembered from now on. */
	repeated(values: readonly unknown[]): boolean {
		this.state[0] = 0xdeadbeef;
		this.state[1] = 0x41c6ce57;
		for (const value of values) this.add(value);
		return !this.seen.add(this.hash());
	}

	private add(value: unknown): void {
		if (typeof value === "number") this.number(value);
		else if (value instanceof Uint8Array) for (const byte of value) this.mix(byte);
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
		// 0 marks a free place of the set.
		return 4294967296 * (2097151 & b) + (a >>> 0) || 1;
	}
}

/** A set of positive numbers in one flat array: 16 bytes a number, where a Set takes about 50. */
class HashSet {
	private places = new Float64Array(1024);
	private size = 0;

	/** Whether the number is new. */
	add(value: number): boolean {
		if (2 * this.size > this.places.length) this.grow();
		const place = this.placeOf(value);
		if (this.places[place] === value) return false;
		this.places[place] = value;
		this.size++;
		return true;
	}

	/** The place that holds the number, or the free one where it belongs. */
	private placeOf(value: number): number {
		const mask = this.places.length - 1;
		let place = value & mask;
		while (this.places[place] !== 0 && this.places[place] !== value) place = (place + 1) & mask;
		return place;
	}

	private grow(): void {
		const old = this.places;
		this.places = new Float64Array(2 * old.length);
		for (const value of old) if (value !== 0) this.places[this.placeOf(value)] = value;
	}
}
