import { describe, expect, it } from "vitest";
import { measured } from "../fixtures/facts.ts";
import type { ServePoint } from "../time/points.ts";
import { calibrate } from "./calibration.ts";
import type { EngineSetting } from "./setting.ts";
import { simulateLoad } from "./simulate.ts";

const { prefill, decode } = measured.fits;
if (!prefill || !decode) throw new Error("the fixture has no laws");
const limits = { maxSequences: 256, kvTokens: Number.POSITIVE_INFINITY, blockTokens: 16 };
/** An engine whose laws are known; the calibration sees only what its clients would. */
const truth: EngineSetting = { prefill, decode, ...limits, chunkTokens: 2048, acceptanceLength: 1 };

const outcomeAt = (setting: EngineSetting, users: number, input: number) =>
	simulateLoad({
		setting,
		workload: {
			arrivals: { kind: "users", users },
			requests: Math.max(60, 10 * users),
			prompt: { kind: "fixed", tokens: input },
			output: { kind: "uniform", from: 180, to: 220 },
		},
		seed: 11,
	});

function pointAt(users: number, input: number): ServePoint {
	const { ttft, tpot, outputTokensPerSecond } = outcomeAt(truth, users, input);
	return {
		phase: "serve",
		input,
		output: 200,
		concurrency: users,
		rate: null,
		ttftSeconds: ttft?.mean ?? null,
		ttftP50Seconds: ttft?.p50 ?? null,
		ttftP99Seconds: ttft?.p99 ?? null,
		tpotSeconds: tpot?.mean ?? null,
		tpotP50Seconds: tpot?.p50 ?? null,
		tpotP99Seconds: tpot?.p99 ?? null,
		outputTokensPerSecond,
		n: 1,
		betweenRuns: null,
		withinRun: null,
		measurementIds: [`${users}-${input}`],
	};
}

const points = [1, 2, 4, 8].flatMap((users) => [1024, 4096].map((input) => pointAt(users, input)));

describe("calibrate", () => {
	const found = calibrate(points, limits);

	it("finds laws with which loads nobody measured come out as under the true ones", () => {
		if (!found) throw new Error("no calibration");
		expect(found.error).toBeLessThan(0.03);
		const setting = { ...truth, ...found };
		for (const [users, input] of [
			[16, 2048],
			[24, 4096],
		] as const) {
			const [ours, theirs] = [outcomeAt(setting, users, input), outcomeAt(truth, users, input)];
			const off = (of: (o: typeof ours) => number) => Math.abs(of(ours) / of(theirs) - 1);
			expect(off((o) => o.tpot?.mean ?? 0)).toBeLessThan(0.05);
			expect(off((o) => o.ttft?.p99 ?? 0)).toBeLessThan(0.1);
			expect(off((o) => o.requestsPerSecond)).toBeLessThan(0.05);
		}
	});

	it("says which measurements it rests on and how far they reach", () => {
		expect(found?.prefill.n).toBe(8);
		expect(found?.prefill.range).toEqual({ from: 1024, to: 4096 });
		expect(found?.decode.range.batch).toEqual([1, 8]);
		expect(found?.decode.measurementIds).toHaveLength(8);
	});

	it("needs two points with both times and a load", () => {
		const [one] = points;
		if (!one) throw new Error("no point");
		expect(calibrate([one], limits)).toBeNull();
		expect(
			calibrate(
				points.map((p) => ({ ...p, concurrency: null })),
				limits,
			),
		).toBeNull();
		const withoutTtft = points.map((p) => ({ ...p, ttftSeconds: null, ttftP50Seconds: null }));
		expect(calibrate(withoutTtft, limits)).toBeNull();
	});
});
