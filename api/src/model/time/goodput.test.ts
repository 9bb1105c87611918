import { describe, expect, it } from "vitest";
import { goodput } from "./goodput.ts";

const request = (ttftSeconds: number, tpotSeconds: number | null) => ({
	ttftSeconds,
	tpotSeconds,
	e2eSeconds: null,
});

describe("goodput", () => {
	const requests = [request(0.15, 0.04), request(0.15, 0.06), request(0.25, 0.04), request(0.2, 0.05)];

	it("counts requests that meet every limit at once, limits included", () => {
		expect(goodput(requests, { ttftSeconds: 0.2, tpotSeconds: 0.05 }, 10)).toEqual({
			good: 2,
			requestsPerSecond: 0.2,
		});
	});

	it("does not limit what is left out, nor a request without that time", () => {
		expect(goodput(requests, { ttftSeconds: 0.2 }, 10).good).toBe(3);
		expect(goodput([request(0.1, null)], { tpotSeconds: 0.01 }, 1).good).toBe(1);
	});

	it("refuses a run without length", () => {
		expect(() => goodput(requests, {}, 0)).toThrow(/durationSeconds is 0/);
	});
});
