import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BLANK_SCENARIO } from "./model/answer/blank.ts";
import type { Scenario } from "./model/answer/question.ts";
import { BLOCK_BYTES_PER_32, type KvType } from "./model/memory/facts.ts";
import { scenarioFromQuery, scenarioToQuery, unknownKeys } from "./scenario.ts";

const read = (query: string) => scenarioFromQuery(new URLSearchParams(query));

test("an empty query is the blank scenario, and back", () => {
	expect(read("")).toEqual({ scenario: BLANK_SCENARIO, problems: [] });
	// The length is the model's own where it is left out, so that a link always says it.
	expect(scenarioToQuery(BLANK_SCENARIO).toString()).toBe("context=16384");
});

describe("lengths", () => {
	test.each([
		["65536", 65_536],
		["64k", 64_000],
		["128K", 128_000],
		["1M", 1_000_000],
		["128,000", 128_000],
		["1.5k", 1500],
	])("%s is %i tokens", (text, tokens) => {
		expect(read(`context=${text}`).scenario.context).toBe(tokens);
	});

	test.each(["abc", "", "-5", "0", "1e999", "12.5", "NaN", "64kk", "0x10", "1.2.3"])(
		"%j is refused",
		(text) => {
			const { problems, scenario } = read(`context=${encodeURIComponent(text)}`);
			expect(problems).toHaveLength(1);
			expect(problems[0]?.at).toBe("context");
			expect(scenario.context).toBe(BLANK_SCENARIO.context);
		},
	);
});

test("every key that cannot be read is named", () => {
	const { problems } = read("context=abc&cached=2&kv=q9&ttftSlo=-1&concurrency=0");
	expect(problems.map((problem) => problem.at).sort()).toEqual([
		"cached",
		"concurrency",
		"context",
		"kv",
		"ttftSlo",
	]);
});

test("kv sets both K and V; kvV alone wins over it", () => {
	expect(read("kv=fp8").scenario).toMatchObject({ kvK: "fp8", kvV: "fp8" });
	expect(read("kv=q8_0&kvV=q4_0").scenario).toMatchObject({ kvK: "q8_0", kvV: "q4_0" });
});

test("a rate takes the place of the concurrency; both are refused", () => {
	expect(read("rate=2").scenario).toMatchObject({ rate: 2, concurrency: null });
	expect(read("rate=2&concurrency=4").problems).toHaveLength(1);
});

test("an engine over more GPUs than there are is refused", () => {
	expect(read("gpus=4&tp=8")).toMatchObject({ scenario: { gpus: 4, tp: null }, problems: [{ at: "tp" }] });
	expect(read("gpus=8&tp=8").problems).toEqual([]);
});

test("keys that are no part of a scenario are left alone", () => {
	expect(read("theme=dark&tab=2")).toEqual({ scenario: BLANK_SCENARIO, problems: [] });
});

const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const name = fc.stringMatching(/^[a-z0-9][a-z0-9 .&=+%/-]{0,20}[a-z0-9]$/);
const kvType = fc.constantFrom(...(Object.keys(BLOCK_BYTES_PER_32) as KvType[]));
const above0 = fc.double({ min: 1e-6, max: 1e6, noNaN: true });
const share = fc.double({ min: 0.01, max: 1, noNaN: true });
const scenarios: fc.Arbitrary<Scenario> = fc
	.record({
		configuration: some(name),
		model: some(name),
		gpu: some(name),
		engine: some(name),
		gpus: some(fc.integer({ min: 1, max: 1000 })),
		tp: some(fc.integer({ min: 1, max: 64 })),
		weights: some(name),
		kvK: some(kvType),
		kvV: some(kvType),
		kvHeads: some(fc.integer({ min: 1, max: 128 })),
		context: fc.integer({ min: 1, max: 10_000_000 }),
		output: fc.integer({ min: 1, max: 100_000 }),
		concurrency: fc.integer({ min: 1, max: 100_000 }),
		rate: some(above0),
		cached: fc.double({ min: 0, max: 1, noNaN: true }),
		utilisation: some(share),
		price: some(fc.double({ min: 0, max: 1e5, noNaN: true })),
		busy: share,
		ttftSlo: some(above0),
		tpotSlo: some(above0),
		weightsBytes: some(above0),
		totalBytes: some(fc.double({ min: 1, max: 1e12, noNaN: true })),
		maxSequences: some(fc.integer({ min: 1, max: 1_000_000 })),
		overheadBytes: some(fc.double({ min: 0, max: 1e12, noNaN: true })),
	})
	.map((s) => ({ ...s, concurrency: s.rate === null ? s.concurrency : null }))
	.map((s) => ({ ...s, gpus: s.gpus === null ? null : Math.max(s.gpus, s.tp ?? 1) }));

test("what is written is read back as it was", () => {
	fc.assert(
		fc.property(scenarios, (scenario) => {
			const { scenario: back, problems } = scenarioFromQuery(
				new URLSearchParams(scenarioToQuery(scenario).toString()),
			);
			expect(problems).toEqual([]);
			// −0 and 0 are one share.
			expect({ ...back, cached: back.cached + 0 }).toEqual({ ...scenario, cached: scenario.cached + 0 });
		}),
	);
});

test("any query gives a scenario and never throws", () => {
	const keys = fc.constantFrom(...Object.keys(BLANK_SCENARIO), "kv");
	fc.assert(
		fc.property(fc.array(fc.tuple(keys, fc.string()), { maxLength: 8 }), (pairs) => {
			const { scenario, problems } = scenarioFromQuery(new URLSearchParams(pairs));
			expect(Object.keys(scenario).sort()).toEqual(Object.keys(BLANK_SCENARIO).sort());
			for (const { at, reason } of problems) expect(at && reason).toBeTruthy();
		}),
	);
});

test("a misspelt key is named, not passed over", () => {
	const problems = unknownKeys(new URLSearchParams("concurency=100&context=16k&kv=fp8"));
	expect(problems.map(({ at }) => at)).toEqual(["concurency"]);
});

test("of two loads the users count, and only where they can be read", () => {
	const load = (query: string) => {
		const { scenario, problems } = scenarioFromQuery(new URLSearchParams(query));
		return [scenario.concurrency, scenario.rate, problems.map(({ at }) => at)];
	};
	expect(load("concurrency=4&rate=2")).toEqual([4, null, ["rate"]]);
	expect(load("concurrency=abc&rate=2")).toEqual([null, 2, ["concurrency"]]);
});
