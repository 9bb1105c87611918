import type { AccuracyRecord } from "@plimsoll/api/model";
import { evaluateAdvice, someOf } from "./advice.ts";
import { evaluate, type Job } from "./evaluate.ts";

export const COMMAND = "npm run accuracy -- --write";

/** Three digits say all that is meant. */
const rounded = (value: number): number => Number(value.toPrecision(3));

function keyOf(name: string): { group: string; regime: string } {
	const [group = "", regime = ""] = name.split(" ");
	return { group, regime };
}

/** What is kept of a computation over the public data. */
export function recordOf(jobs: readonly Job[], computedOn: string): AccuracyRecord {
	const regimes = [...evaluate(jobs)].map(([name, score]) => ({
		...keyOf(name),
		series: score.jobs,
		points: score.points,
		median: rounded(score.median),
		p90: rounded(score.p90),
		mean: rounded(score.mean),
		held: rounded(100 * score.coverage),
		halfWidth: rounded(score.halfWidth),
	}));
	const advice = [...evaluateAdvice(someOf(jobs))].map(([name, score]) => ({
		...keyOf(name),
		trials: score.trials,
		before: rounded(score.before),
		advised: rounded(score.advised),
		random: rounded(score.random),
	}));
	return { computedOn, command: COMMAND, regimes, advice };
}
