import { type Evidence, weakest } from "../trust/quantity.ts";
import type {
	ConfigurationFits,
	DecodeFit,
	Percentiles,
	Prediction,
	PrefillFit,
	ServeFit,
} from "./curves.ts";
import { decodeSeconds, predictDecode, weightsSeconds } from "./decode.ts";
import { closedLoop, type Engine, type LoadState, openLoop } from "./load.ts";
import { type SharedEngine, sharedPassage } from "./passage.ts";
import { check, predictionOf } from "./prediction.ts";
import { predictPrefill } from "./prefill.ts";
import { isOff, type Load, outsideBy, tpotLaw, ttftLaw } from "./serve-law.ts";

export { fitServe } from "./serve-law.ts";

/** A load: requests of `input` and `output` tokens, `concurrency` of them in flight or `rate` arriving each second. */
export interface ServeQuestion {
	input: number;
	output: number;
	/** Default 1, where no rate is given. */
	concurrency?: number;
	rate?: number;
}

/** Statistics of one time under load, in seconds; null where unknown. low and high are the band of the mean. */
export interface ServePrediction {
	mean: number | null;
	p50: number | null;
	p95: number | null;
	p99: number | null;
	low: number | null;
	high: number | null;
}

export interface ServeAnswer {
	ttft: ServePrediction;
	tpot: ServePrediction;
	evidence: Evidence;
}

const UNKNOWN: ServePrediction = { mean: null, p50: null, p95: null, p99: null, low: null, high: null };

/** Tokens of one pass. @source vLLM's default on cards below 70 GiB, llama.cpp's n_batch */
const USUAL_CHUNK = 2048;

/** Sequences taken to run at most when a rate is asked for. @source vLLM's default max_num_seqs */
const MOST_RUNNING = 256;

/**
 * TTFT and TPOT that a client sees under load: from the serve law where there is one, else from prefill and decode taking
 * turns on one engine. A rate is first turned into requests in flight.
 * @returns means null where no law tells them, and where requests arrive faster than they can be served
 * @throws RangeError that names what is out of bounds
 * @source DESIGN 2.5
 */
export function predictServe(fits: ConfigurationFits, question: ServeQuestion): ServeAnswer {
	check("input", question.input, 0, true);
	check("output", question.output, 0, true);
	check("concurrency", question.concurrency ?? 1, 0, true);
	check("rate", question.rate ?? 1, 0, true);
	if (fits.serve) return served(fits.serve, fits.prefill, question);
	if (fits.prefill && fits.decode) return shared(fits.prefill, fits.decode, question);
	return { ttft: UNKNOWN, tpot: UNKNOWN, evidence: "assumed" };
}

/** By the client-side law; a law without TTFT borrows the bare prefill where nobody else is in flight. */
function served(serve: ServeFit, prefill: PrefillFit | null, question: ServeQuestion): ServeAnswer {
	const concurrency = inFlight(serve, question);
	if (concurrency === null) return { ttft: UNKNOWN, tpot: UNKNOWN, evidence: "extrapolated" };
	const load: Load = { ...question, concurrency };
	const factor = outsideBy(serve.range, load);
	const unseen = isOff(serve.range, load);
	const tpot = predictionOf(serve, tpotLaw(serve, load), factor, unseen);
	const ttft = serve.ttft
		? predictionOf(
				{ n: serve.n, ...serve.ttft, evidence: serve.evidence },
				ttftLaw(serve.ttft, load),
				factor,
				unseen,
			)
		: prefill && concurrency <= 1
			? predictPrefill(prefill, { tokens: question.input })
			: null;
	return {
		ttft: ttft ? statistics(ttft, serve.percentiles?.ttft) : UNKNOWN,
		tpot: statistics(tpot, serve.percentiles?.tpot),
		evidence: weakest(tpot.evidence, ttft?.evidence ?? "arithmetic"),
	};
}

/** Requests in flight of a question; null where its rate cannot be served. */
function inFlight(serve: ServeFit, { input, output, concurrency, rate }: ServeQuestion): number | null {
	if (concurrency !== undefined || rate === undefined) return concurrency ?? 1;
	const at = (running: number) => {
		const load = { input, output, concurrency: running };
		const tpot = tpotLaw(serve, load);
		const first = serve.ttft ? ttftLaw(serve.ttft, load) : 0;
		return { first, tpot, cycle: first + (output - 1) * tpot };
	};
	const slots = Math.max(MOST_RUNNING, serve.range.concurrency[1]);
	const state = openLoop({ at, slots }, rate);
	return state.stable ? state.running : null;
}

const statistics = (
	{ seconds, low, high }: Pick<Prediction, "seconds" | "low" | "high">,
	{ p50, p99 }: Percentiles = { p50: null, p99: null },
): ServePrediction => ({
	mean: seconds,
	p50: p50 === null ? null : seconds * p50,
	p95: null,
	p99: p99 === null ? null : seconds * p99,
	low,
	high,
});

/** Prefill and decode on one engine; what waits for what is estimated as soon as there is a second request. */
function shared(prefill: PrefillFit, decode: DecodeFit, question: ServeQuestion): ServeAnswer {
	const { input, output, concurrency = 1, rate } = question;
	const context = input + output / 2;
	const first = predictPrefill(prefill, { tokens: input });
	const step = predictDecode(decode, { batch: Math.max(1, concurrency), context });
	const state = (prefillSeconds: number, scale: number): LoadState => {
		const shared: SharedEngine = {
			...{ prefillSeconds, promptTokens: input, chunkTokens: USUAL_CHUNK, output },
			floorSeconds: prefill.coefficients.f * (prefillSeconds / first.seconds),
			stepSeconds: (batch) => scale * decodeSeconds(decode, { batch, context }),
			weightsSeconds: scale * weightsSeconds(decode),
		};
		const engine: Engine = {
			at: (running) => sharedPassage(shared, running),
			slots: rate === undefined ? Math.max(1, concurrency) : MOST_RUNNING,
		};
		return rate === undefined ? closedLoop(engine, concurrency) : openLoop(engine, rate);
	};
	const states = {
		seconds: state(first.seconds, 1),
		low: state(first.low, step.low / step.seconds),
		high: state(first.high, step.high / step.seconds),
	};
	const alone = rate === undefined && concurrency <= 1;
	return {
		ttft: between(states, (s) => s.ttftSeconds),
		tpot: between(states, (s) => s.tpotSeconds),
		evidence: weakest(first.evidence, step.evidence, alone ? "arithmetic" : "estimated"),
	};
}

/** Statistics of a time at the laws and at the bounds of their bands; an endless wait is unknown. */
function between(
	{ seconds, low, high }: { seconds: LoadState; low: LoadState; high: LoadState },
	of: (state: LoadState) => number,
): ServePrediction {
	const known = (state: LoadState) => (Number.isFinite(of(state)) ? of(state) : null);
	return { ...UNKNOWN, mean: known(seconds), low: known(low), high: known(high) };
}
