/**
 * Blocks of the KV cache. A sequence of n cached tokens holds ⌈n / blockTokens⌉ of them. Decoding sequences grow in step,
 * so that they are kept as a count per place inside the block: how many need a new block next is then known at once.
 */
export class BlockPool {
	/** Blocks in use. */
	used = 0;
	readonly blocks: number;
	readonly blockTokens: number;
	/** Decoding sequences by (context − tokens gained so far) mod blockTokens. */
	private readonly places: Int32Array;
	private growing = 0;
	private phase = 0;

	/** @param tokens whole cache, may be endless @param blockTokens tokens of a block, whole, ≥ 1 */
	constructor(tokens: number, blockTokens: number) {
		this.blockTokens = blockTokens;
		this.blocks = Math.floor(tokens / blockTokens);
		this.places = new Int32Array(blockTokens);
	}

	get usedTokens(): number {
		return this.used * this.blockTokens;
	}

	blocksOf(tokens: number): number {
		return Math.ceil(tokens / this.blockTokens);
	}

	/** Takes blocks for a prompt. @returns whether they were free */
	take(tokens: number): boolean {
		const blocks = this.blocksOf(tokens);
		if (this.used + blocks > this.blocks) return false;
		this.used += blocks;
		return true;
	}

	give(tokens: number): void {
		this.used -= this.blocksOf(tokens);
	}

	/** A sequence whose blocks are taken begins to grow with the others. */
	join(context: number): void {
		this.places[this.place(context)] = (this.places[this.place(context)] ?? 0) + 1;
		this.growing++;
	}

	/** A growing sequence ends; its blocks are free again. */
	leave(context: number): void {
		this.places[this.place(context)] = (this.places[this.place(context)] ?? 0) - 1;
		this.growing--;
		this.give(context);
	}

	/** Blocks that the growing sequences need for `tokens` more each. */
	growth(tokens: number): number {
		const rest = tokens % this.blockTokens;
		let blocks = this.growing * ((tokens - rest) / this.blockTokens);
		for (let i = 0; i < rest; i++) blocks += this.crossing(i);
		return blocks;
	}

	/** Every growing sequence has `tokens` more. */
	grow(tokens: number): void {
		this.used += this.growth(tokens);
		this.phase = (this.phase + tokens) % this.blockTokens;
	}

	/** Tokens that each growing sequence can still gain before the cache is full. */
	room(): number {
		if (this.growing === 0 || this.blocks === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
		const cycles = Math.floor((this.blocks - this.used) / this.growing);
		let free = this.blocks - this.used - cycles * this.growing;
		let tokens = 0;
		for (; tokens < this.blockTokens; tokens++) {
			free -= this.crossing(tokens);
			if (free < 0) break;
		}
		return cycles * this.blockTokens + tokens;
	}

	/** Sequences whose block is full after `tokens` more, so that the next token takes a new one. */
	private crossing(tokens: number): number {
		const at = (this.phase + tokens) % this.blockTokens;
		return this.places[at === 0 ? 0 : this.blockTokens - at] ?? 0;
	}

	private place(context: number): number {
		const at = (context - this.phase) % this.blockTokens;
		return at < 0 ? at + this.blockTokens : at;
	}
}
