import { describe, expect, test } from "vitest";
import { BARS, evaluate, readJobs } from "./evaluate.ts";

const jobs = readJobs();
const scores = evaluate(jobs ?? []);

describe.skipIf(jobs === null)(
	jobs ? "public measurements that the fit has not seen" : "skipped: no shared data",
	() => {
		test.each(Object.keys(BARS))("%s holds its bar", (regime) => {
			const [score, bar] = [scores.get(regime), BARS[regime]];
			if (!score || !bar) throw new Error(`no jobs of ${regime}`);
			expect(score.median, "median error, %").toBeLessThanOrEqual(bar.median);
			expect(score.p90, "90th percentile of the error, %").toBeLessThanOrEqual(bar.p90);
			expect(score.coverage, "share inside the 95 % interval").toBeGreaterThanOrEqual(bar.coverage);
			expect(score.halfWidth, "median half-width of the interval, %").toBeLessThanOrEqual(bar.halfWidth);
		});

		test("mean errors stay below what AIConfigurator states for its own: TPOT 7.8 %, TTFT 22 %", () => {
			expect(scores.get("serving serve-tpot")?.mean).toBeLessThan(7.8);
			expect(scores.get("serving serve-ttft")?.mean).toBeLessThan(22);
		});
	},
);
