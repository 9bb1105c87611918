import type { BlockPool } from "./block-pool.ts";
import type { Pace } from "./pace.ts";
import { Soonest } from "./soonest.ts";
import { TokenClock } from "./token-clock.ts";

const NONE = -1;

/** The sequences that decode together: all gain the same tokens in a step, so that many steps can be taken at once. */
export class DecodingSet {
	count = 0;
	/** Cached tokens of all of them. */
	context = 0;
	private readonly pace: Pace;
	private readonly pool: BlockPool;
	private readonly clock: TokenClock;
	private readonly acceptanceLength: number;
	private readonly ends = new Soonest();
	private readonly member: Uint8Array;
	/** By request: cached tokens less the clock's, and the clock's tokens at the last one. */
	private readonly offset: Float64Array;
	private readonly lastToken: Float64Array;

	/** @param requests how many there are in all */
	constructor(requests: number, acceptanceLength: number, pace: Pace, pool: BlockPool) {
		this.pace = pace;
		this.pool = pool;
		this.acceptanceLength = acceptanceLength;
		this.clock = new TokenClock(acceptanceLength);
		this.member = new Uint8Array(requests);
		this.offset = new Float64Array(requests);
		this.lastToken = new Float64Array(requests);
	}

	/** Tokens of a pass that they take. */
	get passTokens(): number {
		return this.count * Math.ceil(this.acceptanceLength);
	}

	has(request: number): boolean {
		return this.member[request] === 1;
	}

	/** A sequence whose `context` tokens are cached begins to decode; `left` tokens are missing. */
	join(request: number, context: number, left: number): void {
		this.member[request] = 1;
		this.offset[request] = context - this.clock.tokens;
		this.lastToken[request] = this.clock.tokens + left;
		this.ends.push(this.clock.tokens + left, request);
		this.pool.join(context);
		this.context += context;
		this.count++;
	}

	/** Takes a sequence out; its blocks are free again. @returns tokens that it still misses */
	leave(request: number): number {
		const context = (this.offset[request] ?? 0) + this.clock.tokens;
		this.member[request] = 0;
		this.pool.leave(context);
		this.context -= context;
		this.count--;
		return (this.lastToken[request] ?? 0) - this.clock.tokens;
	}

	/** Whether the cache has room for the next step. */
	get fits(): boolean {
		return this.pool.used + this.pool.growth(this.clock.gain(1)) <= this.pool.blocks;
	}

	/** Takes the places of the next step. */
	reserve(): void {
		if (this.count > 0) this.pool.grow(this.clock.gain(1));
	}

	/** Steps, at least the one reserved, until one ends or the cache is full. */
	stepsToChange(): number {
		return Math.min(
			this.clock.stepsFor(this.nextEnd() - this.clock.tokens),
			this.clock.stepsWithin(this.clock.gain(1) + this.pool.room()),
		);
	}

	/** Fewest steps that take at least `seconds`, 1…most. */
	stepsUntil(seconds: number, most: number): number {
		if (this.elapsed(most) < seconds) return most;
		const growth = (this.pace.perToken * this.count * this.acceptanceLength) / 2;
		const root = (2 * seconds) / (this.first + Math.sqrt(this.first ** 2 + 4 * growth * seconds));
		let steps = Math.max(1, Math.min(most, Math.floor(root)));
		while (steps < most && this.elapsed(steps) < seconds) steps++;
		while (steps > 1 && this.elapsed(steps - 1) >= seconds) steps--;
		return steps;
	}

	/** Seconds of the next steps. */
	elapsed(steps: number): number {
		return steps * this.first + this.pace.perToken * this.count * this.clock.gains(steps);
	}

	/** Takes steps, the first of which is reserved. */
	advance(steps: number): void {
		if (this.count === 0) return;
		const gain = this.clock.gain(steps);
		this.pool.grow(gain - this.clock.gain(1));
		this.clock.advance(steps);
		this.context += this.count * gain;
	}

	/** Takes out one that has all its tokens. @returns −1 where none has */
	removeEnded(): number {
		if (this.nextEnd() > this.clock.tokens) return NONE;
		const request = this.ends.first;
		this.ends.pop();
		this.leave(request);
		return request;
	}

	/** Seconds of the next step. */
	private get first(): number {
		return this.pace.base(this.count) + this.pace.perToken * this.context;
	}

	/** Token at which the next one ends; entries of those thrown out meanwhile are passed over. */
	private nextEnd(): number {
		for (;;) {
			const { next, first } = this.ends;
			if (next === Number.POSITIVE_INFINITY || (this.has(first) && this.lastToken[first] === next))
				return next;
			this.ends.pop();
		}
	}
}
