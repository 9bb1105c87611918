import { describe, expect, it } from "vitest";
import { Random, Xoshiro128 } from "./random.ts";

describe("Xoshiro128", () => {
	it("gives the words of the reference implementation in C", () => {
		// Made with xoshiro128starstar.c and published as test data of edorfaus/xoshiro-6502.
		const words = new Xoshiro128([0x964d4a0c, 0xd40ab895, 0xad7fdecb, 0x3006f0f0]);
		const first = [words.next(), words.next(), words.next(), words.next()];
		expect(first).toEqual([0xf1391922, 0x6fe53806, 0xa5be2840, 0xf510ee70]);
	});
});

const COUNT = 200_000;

/** Mean and variance of many draws. */
function moments(draw: () => number): { mean: number; variance: number } {
	let [sum, squares] = [0, 0];
	for (let i = 0; i < COUNT; i++) {
		const value = draw();
		sum += value;
		squares += value * value;
	}
	const mean = sum / COUNT;
	return { mean, variance: squares / COUNT - mean ** 2 };
}

describe("Random", () => {
	it("depends on seed and stream only", () => {
		const draws = (seed: number, stream: number) => {
			const random = new Random(seed, stream);
			return [random.uniform(), random.uniform(), random.normal()];
		};
		expect(draws(7, 1)).toEqual(draws(7, 1));
		expect(draws(7, 1)).not.toEqual(draws(8, 1));
		expect(draws(7, 1)).not.toEqual(draws(7, 2));
		expect(draws(7, 1)).not.toEqual(draws(7 + 2 ** 32, 1));
	});

	// Bounds are five standard errors of the mean and variance over that many draws.
	const within = (value: number, expected: number, error: number) =>
		expect(Math.abs(value - expected)).toBeLessThan((5 * error) / Math.sqrt(COUNT));

	it("draws uniformly from 0 to 1", () => {
		const random = new Random(1, 1);
		const { mean, variance } = moments(() => random.uniform());
		within(mean, 1 / 2, Math.sqrt(1 / 12));
		within(variance, 1 / 12, Math.sqrt(1 / 180));
	});

	it("draws exponential gaps of mean and variance 1", () => {
		const random = new Random(2, 1);
		const { mean, variance } = moments(() => random.exponential());
		within(mean, 1, 1);
		within(variance, 1, Math.sqrt(8));
	});

	it("draws normal deviates", () => {
		const random = new Random(3, 1);
		const { mean, variance } = moments(() => random.normal());
		within(mean, 0, 1);
		within(variance, 1, Math.sqrt(2));
	});

	it.each([0.25, 1, 4])("draws gamma gaps of shape %s: mean 1, variance 1/shape", (shape) => {
		const random = new Random(4, 1);
		const { mean, variance } = moments(() => random.gamma(shape));
		within(mean, 1, Math.sqrt(1 / shape));
		// Fourth central moment of a gamma distribution of mean 1: 3/k² + 6/k³.
		within(variance, 1 / shape, Math.sqrt(2 / shape ** 2 + 6 / shape ** 3));
	});
});
