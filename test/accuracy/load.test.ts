import { describe, expect, test } from "vitest";
import { isOverloaded, judge, judgeRecording, rank, readRecording, readSeries, readSets } from "./load.ts";

const sets = await readSets();
const recording = readRecording();
const series = readSeries();
const absent = "skipped: no shared data";

/** Median error in per cent. */
const median = (errors: readonly number[]) => 100 * rank(errors, 0.5);

describe.skipIf(sets === null)(sets ? "8 × H200, GLM-5, from 4 and 8 clients to 64" : absent, () => {
	const grid = sets?.find(({ cases }) => cases.some(isOverloaded));
	const found = grid && judge({ ...grid }, isOverloaded);

	test("with the cache that one overloaded run shows, times and saturation come out", () => {
		if (!found) throw new Error("no runs");
		const { tpot, ttft, ttftBeyond, ttftP99, throughput, saturation } = found.errors;
		expect(found.predicted).toBeGreaterThanOrEqual(20);
		expect(median(tpot), "TPOT").toBeLessThan(6);
		expect(median(ttft), "TTFT below saturation").toBeLessThan(18);
		expect(median(ttftBeyond), "TTFT beyond it").toBeLessThan(6);
		expect(median(ttftP99), "99 % of TTFT").toBeLessThan(10);
		expect(median(throughput), "throughput").toBeLessThan(5);
		expect(median(saturation), "users at saturation").toBeLessThan(15);
	});

	test("without a limit of the cache the overloaded runs do not", () => {
		const unlimited = grid && judge(grid);
		if (!found || !unlimited) throw new Error("no runs");
		expect(median(unlimited.errors.tpot)).toBeGreaterThan(1.5 * median(found.errors.tpot));
	});
});

describe.skipIf(recording === null)(recording ? "RTX 4090, 240 requests into a full cache" : absent, () => {
	const found = recording && judgeRecording(recording);

	test.each(["ttft", "tpot", "e2e"] as const)(
		"%s: median and 99th percentile from the laws of the 60 requests before",
		(time) => {
			if (!found) throw new Error("no recording");
			const off = (key: "p50" | "p99") =>
				100 * Math.abs(found.simulated[time][key] / found.measured[time][key] - 1);
			expect(off("p50")).toBeLessThan(time === "tpot" ? 7 : 13);
			expect(off("p99")).toBeLessThan(time === "tpot" ? 4 : 9);
		},
	);
});

describe.skipIf(series === null)(
	series ? "public vLLM series, from at most 16 clients to 1,024" : absent,
	() => {
		test("median errors of TPOT and TTFT of every third; large ones rarer than by the client-side laws", {
			timeout: 60_000,
		}, () => {
			const third = (series ?? []).filter((_, i) => i % 3 === 0);
			const scores = third.flatMap((set) => judge(set) ?? []);
			const all = (of: (score: (typeof scores)[number]) => number[]) => scores.flatMap(of);
			expect(scores.length).toBeGreaterThan(15);
			expect(median(all((s) => s.errors.tpot))).toBeLessThan(7);
			expect(median(all((s) => s.errors.ttft))).toBeLessThan(14);
			const large = (errors: number[]) => rank(errors, 0.9);
			expect(large(all((s) => s.errors.tpot))).toBeLessThan(0.6 * large(all((s) => s.closedForm.tpot)));
		});
	},
);
