import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { canonical, testApp } from "../support/api.ts";

const { call, close } = await testApp();
afterAll(close);

const fixtures = join(import.meta.dirname, "../fixtures/llama-cpp-cpu");
const post = async (name: string) => {
	const { status, body } = await call("POST", `/runs?fileName=${name}`, readFileSync(join(fixtures, name)));
	expect(status).toBe(201);
	return body;
};
const detail = async (id: string) => (await call("GET", `/configurations/${id}`)).body;

describe("our own CPU runs of llama-bench: arms A, B and C are the identical command", () => {
	it("have one configuration, whose noise floor comes from the repeated runs and not from their repetitions", async () => {
		const arms = ["A", "B", "C"].map((arm) => `bench-prefill-gqa-f16-arm${arm}.jsonl`);
		const runs = [];
		const floors: { relative: number; from: string }[] = [];
		for (const arm of arms) {
			const run = await post(arm);
			runs.push(run);
			floors.push((await detail(run.configurations[0].id)).fits.prefill.noise);
		}
		expect(new Set(runs.map(({ configurations }) => configurations[0].id)).size).toBe(1);
		expect(floors.map(({ from }) => from)).toEqual(["repetitions", "repeated runs", "repeated runs"]);

		const { points, fits, counts } = await detail(runs[0].configurations[0].id);
		expect(counts).toMatchObject({ measurements: 24, excluded: 0, runs: 3 });
		const at512 = points.find(({ tokens }: { tokens: number }) => tokens === 512);
		// avg_ns of the three: 153,416,830, 160,156,041 and 157,841,246; their logarithms lie −0.0238, 0.0192 and 0.0046
		// beside their mean: s = √((0.0238² + 0.0192² + 0.0046²)/2) = 0.0219.
		expect(at512.n).toBe(3);
		expect(at512.betweenRuns).toBeCloseTo(0.02186, 4);
		// Inside the runs: stddev of the samples over their mean is 0.79, 0.43 and 1.94 %; √(mean of squares) = 1.24 %.
		expect(at512.withinRun).toBeCloseTo(0.0124, 3);
		// Pooled over the eight lengths of 128 to 16,384 tokens, 16 degrees of freedom: 2.75 %.
		expect(fits.prefill.noise).toMatchObject({ from: "repeated runs" });
		expect(fits.prefill.noise.relative).toBeCloseTo(0.02754, 4);
	});

	it("have a floor of each phase: decode was noisier on the shared machine", async () => {
		const arms = [];
		for (const arm of ["A", "B", "C"]) arms.push(await post(`bench-decode-gqa-f16-kv_f16-arm${arm}.jsonl`));
		const { points, fits } = await detail(arms[0].configurations[0].id);
		const empty = points.find(({ context }: { context: number }) => context < 100);
		// 70.69, 80.74 and 76.84 ms for 32 tokens: s of the logarithms is 6.7 %, where the ten repetitions spread by less.
		expect(empty.betweenRuns).toBeCloseTo(0.06715, 4);
		expect(empty.withinRun).toBeLessThan(empty.betweenRuns);
		expect(fits.decode.noise).toMatchObject({ from: "repeated runs" });
		// Four depths in three runs and one in two, 9 degrees of freedom: 5.65 %.
		expect(fits.decode.noise.relative).toBeCloseTo(0.0565, 4);
		// In arm C at depth 4,096 five repetitions took 161 to 164 ms and the next five 195 to 203: that row counts nowhere.
		const { body: rows } = await call("GET", `/runs/${arms[2].id}/measurements`);
		const out = rows.items.filter(({ included }: { included: boolean }) => !included);
		expect(out.map(({ depth }: { depth: number }) => Math.floor(depth))).toEqual([4111]);
		expect(out[0].suspicions.join()).toMatch(/rises by 26 %/);
	});
});

describe("by hand", () => {
	const prefill = (tokens: number, seconds: number[]) => ({
		phase: "prefill",
		tokens,
		cached: 0,
		batch: 1,
		seconds,
	});
	const noiseOf = async (version: string, runs: ReturnType<typeof prefill>[][]) => {
		let id = "";
		for (const [i, rows] of runs.entries())
			id = (await call("POST", `/runs?label=${i}`, canonical({ engineVersion: version }, rows))).body
				.configurations[0].id;
		return (await detail(id)).fits.prefill.noise;
	};

	it("repetitions inside one run: the pooled spread of 1 and 3 % is √5 %", async () => {
		// s of {1 − d, 1 + d} is d·√2: d = 1 %/√2 and 3 %/√2.
		const around = (middle: number, s: number) => [
			middle * (1 - s / Math.SQRT2),
			middle * (1 + s / Math.SQRT2),
		];
		const floor = await noiseOf("repetitions", [
			[prefill(512, around(0.1, 0.01)), prefill(1024, around(0.2, 0.03))],
		]);
		expect(floor.from).toBe("repetitions");
		expect(floor.relative).toBeCloseTo(0.01 * Math.sqrt(5), 6);
	});

	it("one repeated point outweighs the repetitions of all others", async () => {
		const floor = await noiseOf("repeats", [
			[prefill(512, [0.1, 0.1]), prefill(1024, [0.2, 0.2])],
			[prefill(512, [0.104, 0.104])],
		]);
		expect(floor.from).toBe("repeated runs");
		expect(floor.relative).toBeCloseTo(Math.log(1.04) / Math.SQRT2, 9);
	});

	it("a single measurement leaves the floor unknown", async () => {
		expect(await noiseOf("single", [[prefill(512, [0.1]), prefill(1024, [0.2])]])).toBeNull();
	});
});
