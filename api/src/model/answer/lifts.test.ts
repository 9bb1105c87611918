import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { measured, unknown, unmeasured } from "../fixtures/facts.ts";
import { BLANK_SCENARIO } from "./blank.ts";
import { lifts } from "./lifts.ts";
import { plan } from "./plan.ts";
import type { Scenario } from "./question.ts";

const scenario: Scenario = {
	...BLANK_SCENARIO,
	configuration: "abc",
	context: 16_000,
	output: 500,
	concurrency: 20,
	ttftSlo: 60,
	tpotSlo: 1,
};
const carried = (asked: Scenario) => plan(asked, measured).verdict.feasible;

describe("what would lift the limit", () => {
	test("a longest prompt beyond the model's own window says so", () => {
		const { model } = measured;
		if (!model) throw new Error("The measured facts have no model");
		const made = (maxContextTokens: number) =>
			lifts({ ...scenario, concurrency: 1 }, { ...measured, model: { ...model, maxContextTokens } });
		const short = made(4096).longestContext;
		expect(short.value).toBeGreaterThan(4096);
		expect(short.arithmetic).toContain("; beyond the model's 4,096; one token more");
		expect(made(1_000_000).longestContext.arithmetic).not.toContain("beyond the model's");
	});

	test("a cache of 8 bits holds twice the sequences of 16 bits where memory is the limit", () => {
		const { binding, now, changes } = lifts(scenario, measured);
		expect(binding).toBe("memory");
		// 80 GB × 0.9 − 16.06 GB of weights − overhead hold so many caches of 16,500 tokens × 131,072 bytes.
		const fp8 = changes.find(({ patch }) => patch.kvK === "fp8");
		const [before, after] = [now.users.value ?? 0, fp8?.users.value ?? 0];
		expect(after).toBeGreaterThanOrEqual(2 * before);
		expect(after).toBeLessThanOrEqual(2 * before + 1);
		expect(fp8?.carries).toBe(after >= 20);
	});

	test("each change carries more than before, or the load that was not carried; the most users come first", () => {
		const question = fc.record({
			context: fc.integer({ min: 100, max: 100_000 }),
			output: fc.integer({ min: 1, max: 2000 }),
			concurrency: fc.integer({ min: 1, max: 200 }),
			ttftSlo: fc.double({ min: 0.05, max: 60, noNaN: true }),
			tpotSlo: fc.double({ min: 0.009, max: 1, noNaN: true }),
		});
		fc.assert(
			fc.property(question, (asked) => {
				const { now, changes } = lifts({ ...scenario, ...asked }, measured);
				for (const { users, carries, change } of changes)
					expect((users.value ?? 0) > (now.users.value ?? 0) || (carries && !now.carries), change).toBe(true);
				const counts = changes.map(({ users }) => users.value ?? 0);
				expect(counts).toEqual([...counts].sort((a, b) => b - a));
			}),
			{ numRuns: 25 },
		);
	});

	test("solved for its length, the load is just carried: one token more is over a limit", () => {
		for (const concurrency of [1, 4, 20, 100]) {
			const asked = { ...scenario, concurrency, ttftSlo: 10 };
			const longest = lifts(asked, measured).longestContext.value ?? 0;
			expect(longest).toBeGreaterThan(0);
			expect(carried({ ...asked, context: longest })).toBe(true);
			expect(carried({ ...asked, context: longest + 1 })).toBe(false);
		}
	});

	test("solved for its GPUs, one fewer is too few", () => {
		const asked = { ...scenario, concurrency: 100 };
		const { fewestGpus, changes } = lifts(asked, measured);
		const gpus = fewestGpus.value ?? 0;
		expect(gpus).toBeGreaterThan(1);
		expect(carried({ ...asked, gpus })).toBe(true);
		expect(carried({ ...asked, gpus: gpus - 1 })).toBe(false);
		expect(changes.find(({ patch }) => patch.gpus === gpus && !patch.tp)?.carries).toBe(true);
		expect(lifts({ ...scenario, concurrency: 1 }, measured).fewestGpus.value).toBe(1);
	});

	test("an engine that nobody measured is spread as it takes the fewest GPUs", () => {
		const asked = { ...scenario, configuration: null, model: "llama-3.1-8b", gpu: "h100-sxm-80gb" };
		const tight = { ...asked, context: 100_000, concurrency: 24, ttftSlo: 1000 };
		const { fewestGpus, fewestGpusPatch } = lifts(tight, unmeasured);
		const gpus = fewestGpus.value ?? 0;
		const carries = (patch: Partial<Scenario>) => plan({ ...tight, ...patch }, unmeasured).verdict.feasible;
		expect(fewestGpusPatch).toMatchObject({ gpus });
		expect(carries(fewestGpusPatch ?? {})).toBe(true);
		// No spread of fewer GPUs carries it.
		for (let fewer = 1; fewer < gpus; fewer++)
			for (const tp of [1, 2, 4, 8])
				if (fewer % tp === 0) expect(carries({ gpus: fewer, tp }), `${fewer} GPUs, tp ${tp}`).toBe(false);
	});

	test("llama.cpp splits layers: no ranks are proposed of it", () => {
		const asked = { ...scenario, configuration: null, engine: "llama.cpp", model: "llama-3.1-8b" };
		const { changes, fewestGpusPatch } = lifts({ ...asked, gpu: "h100-sxm-80gb" }, unmeasured);
		expect(changes.length).toBeGreaterThan(0);
		for (const { patch, change } of changes) expect(patch.tp ?? 1, change).toBe(1);
		expect(fewestGpusPatch?.tp ?? 1).toBe(1);
	});

	test("heads that cannot be split evenly are refused, and no such split is proposed", () => {
		const { verdict } = plan({ ...scenario, gpus: 3, tp: 3 }, measured);
		expect(verdict.feasible).toBe(false);
		// Llama 3.1 8B has 32 heads.
		expect(verdict.reasons[0]).toContain("32 attention heads cannot be split evenly over 3 GPUs");
		const six = { ...scenario, configuration: null, model: "llama-3.1-8b", gpu: "h100-sxm-80gb", gpus: 6 };
		expect(plan(six, unmeasured).scenario.tp).toBe(2);
	});

	test("a limit that GPUs cannot lift is said, not searched for ever", () => {
		const { fewestGpus, longestContext } = lifts({ ...scenario, tpotSlo: 1e-6 }, measured);
		expect(fewestGpus.value).toBeNull();
		expect(fewestGpus.arithmetic).toContain("not even 1,024 engines");
		expect(longestContext.value).toBeNull();
		expect(longestContext.arithmetic).toContain("no prompt, however short");
	});

	test("where nothing is known, nothing is promised", () => {
		const { now, changes, longestContext, fewestGpus } = lifts({ ...scenario, configuration: null }, unknown);
		expect(changes).toEqual([]);
		for (const { value } of [now.users, longestContext, fewestGpus]) expect(value).toBeNull();
	});
});
