/** One 32-bit word of xoshiro128**. @source Blackman & Vigna 2018, prng.di.unimi.it/xoshiro128starstar.c */
export class Xoshiro128 {
	private a: number;
	private b: number;
	private c: number;
	private d: number;

	/** @param state four 32-bit words, not all zero */
	constructor(state: readonly [number, number, number, number]) {
		[this.a, this.b, this.c, this.d] = state;
	}

	/** The next word, 0…2³² − 1. */
	next(): number {
		const result = Math.imul(rotated(Math.imul(this.b, 5), 7), 9) >>> 0;
		const shifted = this.b << 9;
		this.c ^= this.a;
		this.d ^= this.b;
		this.b ^= this.c;
		this.a ^= this.d;
		this.c ^= shifted;
		this.d = rotated(this.d, 11);
		return result;
	}
}

const rotated = (word: number, by: number): number => (word << by) | (word >>> (32 - by));

/** A word that shares no pattern with the one before. @source splitmix32, the finaliser of MurmurHash3 */
function mixed(word: number): number {
	let z = (word + 0x9e3779b9) | 0;
	z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
	z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
	return (z ^ (z >>> 16)) >>> 0;
}

/**
 * Random numbers that depend on a seed and a stream only: the same on server and page.
 * Each use has a stream of its own, so that another rate leaves the lengths as they were.
 */
export class Random {
	private readonly words: Xoshiro128;

	/** @param seed whole number of at most 2⁵³ in size @param stream what the numbers are for */
	constructor(seed: number, stream: number) {
		const low = mixed(seed >>> 0);
		const high = mixed(low ^ (Math.floor(seed / 2 ** 32) >>> 0));
		const third = mixed(high ^ Math.imul(stream + 1, 0x9e3779b1));
		this.words = new Xoshiro128([low, high, third, mixed(third) | 1]);
	}

	/** Evenly distributed in [0, 1), with 53 bits. */
	uniform(): number {
		return ((this.words.next() >>> 5) * 67108864 + (this.words.next() >>> 6)) / 2 ** 53;
	}

	/** Exponentially distributed with mean 1. */
	exponential(): number {
		return -Math.log(1 - this.uniform());
	}

	/** Normally distributed with mean 0 and deviation 1. @source Box & Muller 1958 */
	normal(): number {
		return Math.sqrt(2 * this.exponential()) * Math.cos(2 * Math.PI * this.uniform());
	}

	/**
	 * Gamma distributed with mean 1.
	 * @param shape above 0; 1 is the exponential distribution, below it arrivals come in bursts
	 * @source Marsaglia & Tsang 2000
	 */
	gamma(shape: number): number {
		if (shape === 1) return this.exponential();
		if (shape < 1) return (this.gamma(shape + 1) * (shape + 1) * (1 - this.uniform()) ** (1 / shape)) / shape;
		const d = shape - 1 / 3;
		for (;;) {
			const x = this.normal();
			const v = (1 + x / Math.sqrt(9 * d)) ** 3;
			if (v > 0 && Math.log(1 - this.uniform()) < (x * x) / 2 + d - d * v + d * Math.log(v))
				return (d * v) / shape;
		}
	}
}
