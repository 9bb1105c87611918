/**
 * Remembers rows by a 53-bit hash, so that a row written twice is found without keeping the rows.
 * Two different rows of a million meet by chance once in 16,000 files.
 */
export class Fingerprints {
	private readonly seen = new Set<number>();

	/** Whether the text came before; it is remembered from now on. */
	repeated(text: string): boolean {
		const before = this.seen.size;
		this.seen.add(hash53(text));
		return this.seen.size === before;
	}
}

/** 53-bit hash of a text (two interleaved multiplicative rounds, after cyrb53 by bryc, public domain). */
function hash53(text: string): number {
	let low = 0xdeadbeef;
	let high = 0x41c6ce57;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		low = Math.imul(low ^ code, 2654435761);
		high = Math.imul(high ^ code, 1597334677);
	}
	low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
	high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
	return 4294967296 * (2097151 & high) + (low >>> 0);
}
