import type { DecodeFit, Prediction } from "../time/curves.ts";
import { type DecodeQuestion, predictDecode } from "../time/decode.ts";
import { predictPrefill } from "../time/prefill.ts";
import { ROOFLINE_SPREAD } from "../time/roofline.ts";
import type { Law } from "./law.ts";
import type { Laws } from "./laws.ts";

/** An estimate without points has the spread between stacks as its band. */
export function banded(prediction: Prediction, points: number): Prediction {
	if (points > 0) return prediction;
	const { seconds } = prediction;
	return { ...prediction, low: seconds / ROOFLINE_SPREAD, high: seconds * ROOFLINE_SPREAD };
}

/** A decode step by a law; what was estimated of it has the band of an estimate. */
export function stepOf({ fit, estimatedRead = 0 }: Law<DecodeFit>, at: DecodeQuestion): Prediction {
	const step = banded(predictDecode(fit, at), fit.n);
	const read = estimatedRead * at.batch * at.context;
	if (!(read > 0)) return step;
	const rest = Math.max(0, step.seconds - read);
	return {
		...step,
		low: (rest * step.low) / step.seconds + read / ROOFLINE_SPREAD,
		high: (rest * step.high) / step.seconds + read * ROOFLINE_SPREAD,
	};
}

/** A prompt alone on the engine, of which `cached` tokens more are there already; null where no law tells. */
export const aloneOf = (
	{ prefill: law }: Pick<Laws, "prefill">,
	tokens: number,
	cached = 0,
): Prediction | null => law && banded(predictPrefill(law.fit, { tokens, cached }), law.fit.n);
