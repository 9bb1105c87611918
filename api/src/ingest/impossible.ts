import type { Conditions, Measurement, Statistics, ToolsMeasurement } from "./record.ts";

/** Beyond these a number is a slip of the pen or of a unit, and what is worked out from it would be endless. */
export const MOST_TOKENS = 1e9;
export const MOST_TOGETHER = 1e6;
export const MOST_GPUS = 100_000;
export const MOST_TOOLS = 100_000;

/**
 * Why a row can be no measurement: lengths, batches and times of work are finite and above zero, lengths and batches
 * such as there are, and its GPUs enough for its tensor parallel ranks.
 * A row that merely looks wrong is kept with its suspicions; this one no law could read.
 * @returns null where it can be one
 */
export function impossible(measurement: Measurement): string | null {
	const misfit = impossibleGpus(measurement.conditions);
	if (misfit !== null) return misfit;
	// Of a million rows of a benchmark all are possible: they are not spelled out.
	if (measurement.phase === "tools") return impossibleTools(measurement);
	if (measurement.phase !== "serve" && isPossible(measurement)) return null;
	const wrong = [...aboveZero(measurement)].find(([, value]) => !isAbove(value));
	if (wrong) return `${wrong[0]} must be above 0, not ${wrong[1]}`;
	const negative = [...atLeastZero(measurement)].find(([, value]) => !isAtLeast(value));
	if (negative) return `${negative[0]} must be at least 0, not ${negative[1]}`;
	const large = [...limited(measurement)].find(([, value, most]) => value > most);
	return large ? `${large[0]} must be at most ${large[2]}, not ${large[1]}` : null;
}

/** Why no server can be made of so many GPUs; null where the counts can be, or one of them is not known. */
export function impossibleGpus({ gpus, gpusBasis, tp }: Conditions): string | null {
	if (gpus !== null && gpus > MOST_GPUS)
		return `the number of GPUs must be at most ${MOST_GPUS}, not ${gpus}`;
	if (tp === null || tp <= 1) return null;
	if (tp > MOST_GPUS) return `tp must be at most ${MOST_GPUS}, not ${tp}`;
	if (gpus === null || tp <= gpus) return null;
	const needs = `tp ${tp} needs at least ${tp} GPUs`;
	return gpusBasis === "inferred"
		? `${needs}, the file shows ${gpus}: say how many were used as gpus`
		: `${needs}, gpus says ${gpus}`;
}

function impossibleTools({ tools, tokens, cached, secondsMean, seconds }: ToolsMeasurement): string | null {
	if (!isAtLeast(tools, MOST_TOOLS)) return `the number of tools must lie in 0…${MOST_TOOLS}, not ${tools}`;
	const time = [secondsMean, ...seconds].find((value) => !isAbove(value));
	if (time !== undefined) return `the time must be above 0, not ${time}`;
	const length = [tokens, cached].find((value) => value !== null && !isAtLeast(value, MOST_TOKENS));
	return length === undefined ? null : `the number of tokens must lie in 0…${MOST_TOKENS}, not ${length}`;
}

const isAbove = (value: number, most = Number.MAX_VALUE) => value > 0 && value <= most;
const isAtLeast = (value: number, most = Number.MAX_VALUE) => value >= 0 && value <= most;

type Timed = Exclude<Measurement, ToolsMeasurement>;

function isPossible(m: Exclude<Timed, { phase: "serve" }>): boolean {
	const shape =
		m.phase === "decode"
			? isAtLeast(m.context, MOST_TOKENS)
			: isAbove(m.tokens, MOST_TOKENS) && isAtLeast(m.cached, MOST_TOKENS);
	const generated = m.phase === "prefill" || m.generated === null || m.generated <= MOST_TOKENS;
	const spread =
		(m.secondsStd === null || isAtLeast(m.secondsStd)) && (m.repetitions === null || m.repetitions > 0);
	const work = isAbove(m.secondsMean) && isAbove(m.batch, MOST_TOGETHER);
	return shape && generated && spread && work && m.seconds.every((seconds) => isAbove(seconds));
}

type Named = [name: string, value: number];

function* aboveZero(m: Timed): Generator<Named> {
	yield ["the time", m.secondsMean];
	for (const seconds of m.seconds) yield ["the time of a repetition", seconds];
	if (m.repetitions !== null) yield ["the number of repetitions", m.repetitions];
	if (m.phase === "serve") {
		yield ["the number of input tokens", m.input];
		yield ["the number of output tokens", m.output];
		if (m.concurrency !== null) yield ["the number of requests in flight", m.concurrency];
		if (m.rate !== null) yield ["the request rate", m.rate];
	} else {
		yield ["the batch", m.batch];
		if (m.phase !== "decode") yield ["the number of tokens", m.tokens];
	}
}

function* atLeastZero(m: Timed): Generator<Named> {
	if (m.secondsStd !== null) yield ["the spread", m.secondsStd];
	if (m.phase === "decode") yield ["the context", m.context];
	else if (m.phase !== "serve") yield ["the number of cached tokens", m.cached];
	else for (const [name, times] of Object.entries(timesOf(m))) yield* statisticsOf(name, times);
}

/** What may not be larger than there is. */
function* limited(m: Timed): Generator<[...Named, most: number]> {
	if (m.phase === "serve") {
		yield ["the number of input tokens", m.input, MOST_TOKENS];
		yield ["the number of output tokens", m.output, MOST_TOKENS];
		yield ["the number of requests in flight", m.concurrency ?? 0, MOST_TOGETHER];
		yield ["the limit of requests in flight", m.concurrencyLimit ?? 0, MOST_TOGETHER];
		return;
	}
	yield ["the batch", m.batch, MOST_TOGETHER];
	if (m.phase === "decode") yield ["the context", m.context, MOST_TOKENS];
	else {
		yield ["the number of tokens", m.tokens, MOST_TOKENS];
		yield ["the number of cached tokens", m.cached, MOST_TOKENS];
	}
	if (m.phase !== "prefill") yield ["the number of generated tokens", m.generated ?? 0, MOST_TOKENS];
}

const timesOf = ({ ttft, tpot, itl, e2e }: Extract<Measurement, { phase: "serve" }>) => ({
	...{ TTFT: ttft, TPOT: tpot, ITL: itl, "end-to-end": e2e },
});

function* statisticsOf(name: string, times: Statistics | null): Generator<Named> {
	for (const [key, value] of Object.entries(times ?? {})) {
		if (value !== null) yield [`the ${key} of ${name}`, value];
	}
}
