import type { DecodeFit, PrefillFit } from "../time/curves.ts";
import { predictDecode, weightsSeconds } from "../time/decode.ts";
import { predictPrefill } from "../time/prefill.ts";
import { prefillLaw } from "../time/prefill-law.ts";

/** The laws that time an iteration. */
export interface EngineLaws {
	prefill: PrefillFit;
	decode: DecodeFit;
}

/** One iteration of the engine: chunks of prompts and decoding sequences that pass through the weights together. */
export interface Pass {
	/** Prompt tokens of sequences that begin in this pass. */
	fresh: number;
	/** Prompt tokens that go on with a prompt begun before, less those below the knee. */
	continued: number;
	/** Σ n² + 2·n·d of the chunks, tokens². */
	attention: number;
	/** Σ tokens · residual of the prompt they belong to. */
	weighted: number;
	/** All prompt tokens of the pass. */
	tokens: number;
	/** Decoding sequences, and the tokens that all of them have cached. */
	batch: number;
	context: number;
}

export const emptyPass = (): Pass => ({
	fresh: 0,
	continued: 0,
	attention: 0,
	weighted: 0,
	tokens: 0,
	batch: 0,
	context: 0,
});

/**
 * How long iterations take, by the fitted laws.
 *
 *   prompts alone   f + a·max(0, u − k) + b·v, each prompt times its residual: its chunks telescope to the whole prompt
 *   decode alone    c0 + c1·B + c2·B·L + c3·g(B)
 *   together        max(f + a·max(0, u − k), c0) + b·v + c1·B + c2·B·L + c3·g(B)
 *
 * Together the weights are read once: c0, the reading, is covered by the prompts' arithmetic where that takes longer.
 * Fitted to 30 public vLLM series (1k and 8k prompts, 4…512 clients), median and 90 % errors of the mean TPOT are
 * 2.6 / 8.2 % this way, 3.2 / 8.8 % where both laws are added, 2.5 / 9.4 % where the larger of both linear parts is taken;
 * of the mean TTFT 8 %, 8 % and 11 %.
 * @source DESIGN 2.3–2.5
 */
export class Pace {
	/** Seconds that each cached token adds to a decode step. */
	readonly perToken: number;
	/** Seconds of a decode step that read the weights. */
	private readonly weights: number;
	private readonly laws: EngineLaws;
	/** c0 + c1·B + c3·g(B) by B, worked out when first asked for. */
	private readonly bases: number[] = [];

	constructor(laws: EngineLaws) {
		this.laws = laws;
		this.perToken = laws.decode.coefficients.c2;
		this.weights = weightsSeconds(laws.decode);
	}

	/** Seconds of a decode step of `batch` sequences without any cached token. */
	base(batch: number): number {
		const known = this.bases[batch];
		if (known !== undefined) return known;
		const seconds = predictDecode(this.laws.decode, { batch, context: 0 }).seconds;
		this.bases[batch] = seconds;
		return seconds;
	}

	/** Measured over law of a whole prompt: what all its chunks are multiplied by. */
	residual(tokens: number, cached: number): number {
		const { prefill } = this.laws;
		const question = { tokens, cached };
		const law = prefillLaw(prefill.coefficients, question);
		return law > 0 ? predictPrefill(prefill, question).seconds / law : 1;
	}

	/** Adds `tokens` of a prompt to a pass, over `cached` found in the cache and `done` computed before. */
	add(pass: Pass, tokens: number, cached: number, done: number, residual: number): void {
		const { k } = this.laws.prefill.coefficients;
		if (done === 0) pass.fresh += tokens;
		else pass.continued += Math.max(0, done + tokens - k) - Math.max(0, done - k);
		pass.attention += tokens * (tokens + 2 * (cached + done));
		pass.weighted += tokens * residual;
		pass.tokens += tokens;
	}

	/** Seconds of an iteration. */
	seconds(pass: Pass): number {
		const { batch, context, tokens } = pass;
		const decode = batch > 0 ? this.base(batch) : 0;
		const reading = this.perToken * context;
		if (tokens === 0) return decode + reading;
		const { b } = this.laws.prefill.coefficients;
		const residual = pass.weighted / tokens;
		const linear = this.linear(pass.fresh, pass.continued) * residual;
		const attention = b * pass.attention * residual;
		if (batch === 0) return linear + attention;
		return Math.max(linear, this.weights) + attention + (decode - this.weights) + reading;
	}

	private linear(fresh: number, continued: number): number {
		const { a, f, k } = this.laws.prefill.coefficients;
		const begun = a * continued;
		return fresh > 0 ? Math.max(begun, f + a * Math.max(0, fresh + continued - k)) : begun;
	}
}
