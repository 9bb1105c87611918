import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ComparedTime, differenceOf } from "./difference.ts";

const repeated = (relative: number) => ({ relative, from: "repeated runs" as const });
const inside = (relative: number) => ({ relative, from: "repetitions" as const });
const time = (seconds: number, special: Partial<ComparedTime> = {}): ComparedTime => ({
	...{ seconds, from: "measured", n: 1, loo: null, noise: repeated(0.02) },
	...special,
});
const between = (a: ComparedTime, b: ComparedTime) => differenceOf(a, b, ["A", "B"]);

describe("two times with 2 % of noise each: the floor is 1.96 · √(0.02² + 0.02²) = 5.54 %", () => {
	test("12 % more time is beyond it", () => {
		const found = between(time(0.1), time(0.112));
		expect(found).toMatchObject({ verdict: "slower", words: "12 % more time (floor 5.54 %)" });
		expect(found.relative).toBeCloseTo(0.12, 12);
		expect(found.floor).toBeCloseTo(0.05544, 5);
	});

	test("3 % is inside: not distinguishable", () => {
		expect(between(time(0.1), time(0.103))).toMatchObject({
			verdict: "not distinguishable",
			words: "not distinguishable (floor 5.54 %)",
		});
	});

	test("less time is faster", () => {
		expect(between(time(0.1), time(0.08))).toMatchObject({
			verdict: "faster",
			words: "20 % less time (floor 5.54 %)",
		});
	});

	test("measured four times each, the floor is half: 3 % is then beyond it", () => {
		const found = between(time(0.1, { n: 4 }), time(0.103, { n: 4 }));
		expect(found.floor).toBeCloseTo(0.02772, 5);
		expect(found.verdict).toBe("slower");
	});

	test("a law that errs by 3 % adds to it: 1.96 · √(0.02² + 0.02² + 0.03²) = 8.08 %", () => {
		expect(between(time(0.1), time(0.1, { from: "fitted", loo: 0.03 })).floor).toBeCloseTo(0.08081, 5);
	});
});

test("repetitions inside a run are no measure of what runs differ by: 3 % are assumed, and said", () => {
	const found = between(time(0.1, { noise: inside(0.005) }), time(0.105));
	// 1.96 · √(0.03² + 0.02²)
	expect(found.floor).toBeCloseTo(0.07067, 5);
	expect(found).toMatchObject({ floorAssumed: true, verdict: "not distinguishable" });
	expect(found.words).toContain("3 % between runs are assumed of A: repeat a run to know");
	expect(between(time(0.1, { noise: inside(0.08) }), time(0.105)).floor).toBeCloseTo(
		1.96 * Math.hypot(0.08, 0.02),
		12,
	);
});

test("without any noise nothing is decided, and what to measure is said", () => {
	expect(between(time(0.1, { noise: null }), time(0.2))).toMatchObject({
		...{ floor: null, verdict: "not decided" },
		words: "100 % more time, but the noise of A is not known: run the same command again",
	});
});

test("what is faster one way is slower the other way, and equal times are never told apart", () => {
	const any = fc.record({
		seconds: fc.double({ min: 1e-3, max: 1e3, noNaN: true }),
		noise: fc.double({ min: 0, max: 0.2, noNaN: true }),
		n: fc.integer({ min: 1, max: 9 }),
	});
	const opposite = { faster: "slower", slower: "faster" } as Record<string, string>;
	fc.assert(
		fc.property(any, any, (a, b) => {
			const [one, other] = [a, b].map(({ seconds, noise, n }) =>
				time(seconds, { noise: repeated(noise), n }),
			);
			if (!one || !other) return;
			const { verdict } = between(one, other);
			expect(between(other, one).verdict).toBe(opposite[verdict] ?? verdict);
			expect(between(one, { ...other, seconds: one.seconds }).verdict).toBe("not distinguishable");
		}),
	);
});
