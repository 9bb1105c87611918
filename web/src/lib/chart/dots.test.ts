import type { Point } from "@plimsoll/api/model";
import { expect, it } from "vitest";
import { prefillDots } from "./dots.ts";

const base = { n: 1, betweenRuns: null, withinRun: null, measurementIds: [] };
const prefill = (tokens: number, cached = 0, batch = 1): Point => ({
	...base,
	phase: "prefill",
	...{ tokens, cached, batch, seconds: tokens / 10_000 },
});

it("shows single cold prompts inside the span only", () => {
	const decode: Point = { ...base, phase: "decode", batch: 1, context: 512, seconds: 0.02 };
	const points = [prefill(512), prefill(512, 1024), prefill(512, 0, 4), prefill(64), decode];
	expect(prefillDots(points, { from: 256, to: 4096 })).toEqual([{ x: 512, y: 0.0512, n: 1, source: null }]);
});
