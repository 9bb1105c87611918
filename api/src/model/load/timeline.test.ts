import { expect, it } from "vitest";
import { MOST_SAMPLES, TimelineSampler } from "./timeline.ts";

it("keeps a bounded number of samples, in order, from the first to the last moment", () => {
	const sampler = new TimelineSampler();
	for (let i = 0; i < 100_000; i++) sampler.sample(i * 0.01, i, 2 * i, 3 * i);
	const { seconds, running, waiting, kvTokens } = sampler.end(1000, 0, 0, 0);
	expect(seconds.length).toBeLessThanOrEqual(MOST_SAMPLES);
	expect(seconds.length).toBeGreaterThan(MOST_SAMPLES / 4);
	expect([seconds[0], seconds.at(-1)]).toEqual([0, 1000]);
	for (let i = 0; i < seconds.length - 1; i++) {
		expect(seconds[i + 1]).toBeGreaterThan(seconds[i] ?? Number.NaN);
		const step = Math.round((seconds[i] ?? 0) / 0.01);
		expect([running[i], waiting[i], kvTokens[i]]).toEqual([step, 2 * step, 3 * step]);
	}
});

it("shows the beginning of a run as closely as its end", () => {
	const sampler = new TimelineSampler();
	// Events come every 0.2 s for a while, then every 5 ms.
	let at = 0;
	for (let i = 0; i < 20_000; i++) {
		sampler.sample(at, 1, 0, 0);
		at += i < 2000 ? 0.2 : 0.005;
	}
	const { seconds } = sampler.end(at, 0, 0, 0);
	const gaps = seconds.slice(1).map((second, i) => second - (seconds[i] ?? 0));
	expect(Math.max(...gaps)).toBeLessThan((3 * at) / (MOST_SAMPLES / 2));
	expect(seconds.length).toBeGreaterThan(MOST_SAMPLES / 4);
});
