import { check } from "../time/prediction.ts";
import type { Random } from "./random.ts";

/**
 * How many tokens requests have. uniform: every whole number from … to. lognormal: by its median and the length that 95 %
 * stay below. trace: as in the rows of the workload's trace.
 */
export type Lengths =
	| { kind: "fixed"; tokens: number }
	| { kind: "uniform"; from: number; to: number }
	| { kind: "lognormal"; median: number; p95: number }
	| { kind: "trace" };

/** Longest request that is drawn: beyond it a lognormal tail is a mistake and no request. */
const LONGEST = 10_000_000;

/** 95 % point of the normal distribution. */
const Z95 = 1.6448536269514722;

/** @throws RangeError for lengths that no request can have */
export function checkLengths(name: string, lengths: Lengths): void {
	if (lengths.kind === "fixed") check(`${name}.tokens`, lengths.tokens, 1);
	else if (lengths.kind === "uniform") {
		check(`${name}.from`, lengths.from, 1);
		check(`${name}.to`, lengths.to, lengths.from);
	} else if (lengths.kind === "lognormal") {
		check(`${name}.median`, lengths.median, 1);
		check(`${name}.p95`, lengths.p95, lengths.median);
	}
}

/** Draws whole numbers of tokens, at least 1. @param traced tokens of the trace's row `i`, for kind trace */
export function lengthDrawer(
	lengths: Lengths,
	random: Random,
	traced: (i: number) => number,
): (i: number) => number {
	const whole = (tokens: number) => Math.min(LONGEST, Math.max(1, Math.round(tokens)));
	switch (lengths.kind) {
		case "fixed":
			return () => whole(lengths.tokens);
		case "uniform":
			return () => whole(Math.floor(lengths.from + random.uniform() * (lengths.to - lengths.from + 1)));
		case "lognormal": {
			const sigma = Math.log(lengths.p95 / lengths.median) / Z95;
			return () => whole(lengths.median * Math.exp(sigma * random.normal()));
		}
		case "trace":
			return (i) => whole(traced(i));
	}
}

/** Mean tokens of a distribution; of a trace, the mean of its rows. */
export function meanLength(lengths: Lengths, traced: ArrayLike<number>): number {
	if (lengths.kind === "fixed") return lengths.tokens;
	if (lengths.kind === "uniform") return (lengths.from + lengths.to) / 2;
	if (lengths.kind === "lognormal")
		return lengths.median * Math.exp((Math.log(lengths.p95 / lengths.median) / Z95) ** 2 / 2);
	let sum = 0;
	for (let i = 0; i < traced.length; i++) sum += traced[i] ?? 0;
	return sum / Math.max(1, traced.length);
}
