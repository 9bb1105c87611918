import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
	answeredFromCache,
	beyondBelief,
	isSteady,
	type LoadReading,
	oddAmong,
	promptAgainstStep,
	startedCold,
	wrongThousand,
} from "./plausibility.ts";

describe("a first token that comes sooner under more load", () => {
	const load = (inFlight: number, ttftSeconds: number, special: Partial<LoadReading> = {}): LoadReading => ({
		...{ input: 4096, openLoop: false, inFlight, ttftSeconds, steady: true },
		...special,
	});
	const calm = load(1, 0.4);

	test("was answered from a prefix cache", () => {
		expect(answeredFromCache(load(16, 0.05), calm)).toBe(true);
		expect(startedCold(calm, load(16, 0.05))).toBe(false);
	});

	test("may be the cold start of a calmer one of few requests", () => {
		const cold = { ...calm, steady: false };
		expect(answeredFromCache(load(16, 0.05), cold)).toBe(false);
		expect(startedCold(cold, load(16, 0.05))).toBe(true);
		expect(startedCold(load(16, 0.05), cold)).toBe(false);
	});

	test.each([
		["a mean", null, 100, false],
		["a median of three", 0.4, 3, false],
		["a median of a hundred", 0.4, 100, true],
		["a median of so many as the tool does not say", 0.4, null, true],
	])("is read from %s", (_, p50, completed, steady) => {
		expect(isSteady(p50, completed)).toBe(steady);
	});

	test.each<[string, LoadReading]>([
		["about the same time", load(16, 0.3)],
		["fewer in flight", load(1, 0.05)],
		["other prompts", load(16, 0.05, { input: 512 })],
		["requests that come at a rate", load(16, 0.05, { openLoop: true })],
	])("says nothing with %s", (_, other) => {
		expect(answeredFromCache(other, calm)).toBe(false);
	});

	test("never holds of both of two loads", () => {
		const any = fc.record({
			inFlight: fc.integer({ min: 1, max: 256 }),
			ttft: fc.double({ min: 1e-3, max: 60, noNaN: true }),
		});
		fc.assert(
			fc.property(any, any, (a, b) => {
				const [one, other] = [load(a.inFlight, a.ttft), load(b.inFlight, b.ttft)];
				expect(answeredFromCache(one, other) && answeredFromCache(other, one)).toBe(false);
			}),
		);
	});
});

describe("a prompt against a step", () => {
	// An H100 on an 8B model: about 40 µs a prompt token, 8 ms a step.
	const prompt = { tokens: 4096, cached: 0, seconds: 4096 * 40e-6 };
	const steps = [{ context: 4096, seconds: 0.008 }];

	test("takes less time per token, by hundreds", () => {
		expect(promptAgainstStep(prompt, steps)).toBeNull();
	});

	test("in milliseconds taken for seconds is slower than steps, which is impossible", () => {
		expect(promptAgainstStep({ ...prompt, seconds: 1000 * prompt.seconds }, steps)).toMatch(
			/a prompt token takes 40 ms .*longer than one that is generated alone, 8 ms over 4,096 tokens/,
		);
	});

	test("beside steps in milliseconds taken for seconds is faster than any engine makes it", () => {
		expect(promptAgainstStep(prompt, [{ context: 4096, seconds: 8 }])).toMatch(/takes 200,000 times as long/);
	});

	test("is only held against steps over as long a context: attention of a long prompt may outweigh a short step", () => {
		expect(promptAgainstStep({ tokens: 65_536, cached: 0, seconds: 65_536 * 0.01 }, steps)).toBeNull();
		expect(
			promptAgainstStep({ tokens: 65_536, cached: 0, seconds: 65_536 * 0.01 }, [
				{ context: 65_536, seconds: 0.008 },
			]),
		).not.toBeNull();
	});

	test("of few tokens says nothing: launching takes most of its time", () => {
		expect(promptAgainstStep({ tokens: 16, cached: 0, seconds: 1 }, steps)).toBeNull();
	});
});

describe("times of one kind", () => {
	const odd = (what: "step" | "prompt", ...times: [tokens: number, seconds: number][]) =>
		[
			...oddAmong(
				what,
				times.map(([tokens, seconds]) => ({ tokens, seconds })),
			),
		].map(([{ tokens }, why]) => [tokens, why]);

	test("are odd where more work takes less than half the time, and most others say otherwise", () => {
		// As a Mac with 8 GB printed them: 5.4, 19.8 and 42.4 s, and then 4.4 s for the longest prompt.
		expect(odd("prompt", [512, 5.4], [2048, 19.8], [4096, 42.4], [8192, 4.4])).toEqual([
			[8192, expect.stringMatching(/a prompt of 8,192 tokens takes 4.4 s, one of 2,048 tokens 19.8 s/)],
		]);
		expect(odd("step", [64, 9], [1024, 0.008], [4096, 0.009]).map(([tokens]) => tokens)).toEqual([64]);
	});

	test("are both odd where it is one against one", () => {
		expect(odd("step", [64, 0.096], [4096, 0.00088])).toEqual([
			[64, expect.stringContaining("one over 4,096 tokens 880 µs")],
			[4096, expect.stringContaining("one over 64 tokens 96 ms")],
		]);
	});

	test("may fall a little, and grow as they like", () => {
		expect(odd("step", [64, 0.096], [4096, 0.09])).toEqual([]);
		expect(odd("prompt", [32, 0.001], [64, 5])).toEqual([]);
	});
});

describe("a time about a thousand times off", () => {
	test("was read in the wrong unit", () => {
		expect(wrongThousand(120, 0.12)).toMatch(/1,000 times what the earlier runs/);
		expect(wrongThousand(0.00012, 0.12)).toMatch(/a 1,000th of what/);
	});

	test("is not taken for slow or fast hardware", () => {
		for (const factor of [1, 2, 50, 1 / 50]) expect(wrongThousand(0.12 * factor, 0.12)).toBeNull();
	});
});

test("no machine computes a prompt token in nanoseconds, or takes days for one", () => {
	expect(beyondBelief("prefill", 1e-9, 1e-6)).toMatch(/per prompt token is beyond belief/);
	expect(beyondBelief("decode", 1e-6, 1e-6)).toMatch(/per step is beyond belief/);
	expect(beyondBelief("prefill", 1, 100_000)).toMatch(/more than a day/);
	// One token in 0.1 µs.
	expect(beyondBelief("prefill", 1e-7, 1e-7)).toMatch(/less than a microsecond/);
	// A rack that takes a million prompt tokens a second, and a small model on a fast card, are believed.
	expect(beyondBelief("prefill", 1e-6, 1)).toBeNull();
	expect(beyondBelief("decode", 1e-3, 1e-3)).toBeNull();
});
