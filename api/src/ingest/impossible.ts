import type { Measurement, Statistics } from "./record.ts";

/**
 * Why a row can be no measurement: lengths, batches and times of work are finite and above zero.
 * A row that merely looks wrong is kept with its suspicions; this one no law could read.
 * @returns null where it can be one
 */
export function impossible(measurement: Measurement): string | null {
	// Of a million rows of a benchmark all are possible: they are not spelled out.
	if (measurement.phase !== "serve" && isPossible(measurement)) return null;
	const wrong = [...aboveZero(measurement)].find(([, value]) => !isAbove(value));
	if (wrong) return `${wrong[0]} must be above 0, not ${wrong[1]}`;
	const negative = [...atLeastZero(measurement)].find(([, value]) => !isAtLeast(value));
	return negative ? `${negative[0]} must be at least 0, not ${negative[1]}` : null;
}

const isAbove = (value: number) => value > 0 && value < Number.POSITIVE_INFINITY;
const isAtLeast = (value: number) => value >= 0 && value < Number.POSITIVE_INFINITY;

function isPossible(m: Exclude<Measurement, { phase: "serve" }>): boolean {
	const shape = m.phase === "decode" ? isAtLeast(m.context) : isAbove(m.tokens) && isAtLeast(m.cached);
	const spread =
		(m.secondsStd === null || isAtLeast(m.secondsStd)) && (m.repetitions === null || m.repetitions > 0);
	return shape && spread && isAbove(m.secondsMean) && isAbove(m.batch) && m.seconds.every(isAbove);
}

type Named = [name: string, value: number];

function* aboveZero(m: Measurement): Generator<Named> {
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

function* atLeastZero(m: Measurement): Generator<Named> {
	if (m.secondsStd !== null) yield ["the spread", m.secondsStd];
	if (m.phase === "decode") yield ["the context", m.context];
	else if (m.phase !== "serve") yield ["the number of cached tokens", m.cached];
	else for (const [name, times] of Object.entries(timesOf(m))) yield* statisticsOf(name, times);
}

const timesOf = ({ ttft, tpot, itl, e2e }: Extract<Measurement, { phase: "serve" }>) => ({
	...{ TTFT: ttft, TPOT: tpot, ITL: itl, "end-to-end": e2e },
});

function* statisticsOf(name: string, times: Statistics | null): Generator<Named> {
	for (const [key, value] of Object.entries(times ?? {})) {
		if (value !== null) yield [`the ${key} of ${name}`, value];
	}
}
