/** Acceptance lengths are kept to this fraction of a token, so that whole tokens come out exactly. */
const PARTS = 100;

/**
 * Tokens that every decoding sequence has gained after a number of steps: ⌊rate · steps⌋, all sequences in step.
 * One token a step, or with speculative decoding the acceptance length on average.
 */
export class TokenClock {
	/** Tokens gained so far. */
	tokens = 0;
	private steps = 0;
	private readonly rate: number;
	/** Σ of the tokens gained after 0 … i − 1 steps, i up to PARTS. */
	private readonly sums: Float64Array;

	/** @param perStep tokens a step, ≥ 1, read to a hundredth */
	constructor(perStep: number) {
		this.rate = Math.round(perStep * PARTS);
		this.sums = new Float64Array(PARTS + 1);
		for (let i = 0; i < PARTS; i++) this.sums[i + 1] = (this.sums[i] ?? 0) + this.at(i);
	}

	advance(steps: number): void {
		this.steps += steps;
		this.tokens = this.at(this.steps);
	}

	/** Tokens that the next `steps` steps bring. */
	gain(steps: number): number {
		return this.at(this.steps + steps) - this.tokens;
	}

	/** Fewest steps that bring at least `tokens`. */
	stepsFor(tokens: number): number {
		if (this.rate === PARTS) return Math.max(0, tokens);
		let steps = Math.max(0, Math.floor((tokens * PARTS) / this.rate) - 1);
		while (this.gain(steps) < tokens) steps++;
		return steps;
	}

	/** Most steps that bring at most `tokens`. */
	stepsWithin(tokens: number): number {
		return this.stepsFor(tokens + 1) - 1;
	}

	/** Σ gain(i) of i = 0 … steps − 1: by how much the context of one sequence has grown, summed over these steps. */
	gains(steps: number): number {
		if (this.rate === PARTS) return (steps * Math.max(0, steps - 1)) / 2;
		const phase = this.steps % PARTS;
		return this.sum(phase + steps) - this.sum(phase) - steps * this.at(phase);
	}

	private at(steps: number): number {
		return Math.floor((this.rate * steps) / PARTS);
	}

	/** Σ at(i) of i = 0 … n − 1. */
	private sum(n: number): number {
		const rest = n % PARTS;
		const whole = (n - rest) / PARTS;
		const full = (PARTS * this.rate * whole * (whole - 1)) / 2 + whole * (this.sums[PARTS] ?? 0);
		return full + rest * this.rate * whole + (this.sums[rest] ?? 0);
	}
}
