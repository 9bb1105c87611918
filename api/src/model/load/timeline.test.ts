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
