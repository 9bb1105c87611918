import { describe, expect, test } from "vitest";
import { type AdviceScore, evaluateAdvice, someOf } from "./advice.ts";
import { readJobs } from "./evaluate.ts";

const jobs = readJobs();
const scores = evaluateAdvice(someOf(jobs ?? []));

/** Mean over all trials of some regimes. */
function over(regimes: (name: string) => boolean, key: keyof AdviceScore): number {
	const chosen = [...scores].filter(([name]) => regimes(name)).map(([, score]) => score);
	const trials = chosen.reduce((sum, score) => sum + score.trials, 0);
	return chosen.reduce((sum, score) => sum + score[key] * score.trials, 0) / trials;
}
const all = () => true;
const longer = (name: string) => /prefill-x[24]$/.test(name);

describe.skipIf(jobs === null)(
	jobs
		? "one further measurement of public series, chosen by what it is expected to do"
		: "skipped: no shared data",
	() => {
		test("leaves a smaller true error than the mean of all that could have been chosen", () => {
			expect(over(all, "advised")).toBeLessThan(over(all, "random"));
			expect(over(all, "advised")).toBeLessThan(over(all, "before"));
		});

		test("beyond the measured lengths leaves less than half of it", () => {
			expect(over(longer, "advised")).toBeLessThan(over(longer, "random") / 2);
			expect(over(longer, "advised")).toBeLessThan(over(longer, "before") / 10);
		});

		test("narrows the interval more, and about as much as was expected", () => {
			expect(over(all, "widthAdvised")).toBeLessThan(over(all, "widthRandom"));
			expect(over(all, "widthAdvised")).toBeLessThan(1.2 * over(all, "widthExpected"));
		});
	},
);
