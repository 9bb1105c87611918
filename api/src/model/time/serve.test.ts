import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fitConfiguration } from "./configuration.ts";
import type { ConfigurationFits, ServeFit } from "./curves.ts";
import { predictDecode } from "./decode.ts";
import type { Point, ServePoint } from "./points.ts";
import { predictPrefill } from "./prefill.ts";
import { fitServe, predictServe } from "./serve.ts";
import { ttftLaw as bareTtft } from "./serve-law.ts";

const once = { n: 1, betweenRuns: null, withinRun: null, measurementIds: [] };
const unknown = {
	rate: null,
	ttftSeconds: null,
	ttftP50Seconds: null,
	ttftP99Seconds: null,
	tpotSeconds: null,
	tpotP50Seconds: null,
	tpotP99Seconds: null,
	outputTokensPerSecond: null,
};
const served = (
	input: number,
	output: number,
	concurrency: number | null,
	times: Partial<ServePoint>,
): ServePoint => ({ phase: "serve", input, output, concurrency, ...unknown, ...once, ...times });

function fitted(points: ServePoint[]): ServeFit {
	const fit = fitServe(points);
	if (fit === null) throw new Error("no fit");
	return fit;
}

const only = (serve: ServeFit): ConfigurationFits => ({ prefill: null, decode: null, serve });

const tpotLaw = (input: number, output: number, B: number) =>
	0.006 + 5e-5 * B + 2e-9 * B * (input + output / 2) + 1e-5 * ((B * input) / output) + 1e-3 * Math.sqrt(B);
const ttftLaw = (input: number, B: number) => 0.03 + 5e-5 * input + 1e-3 * B + 2e-6 * B * input;
const loads = [1024, 4096, 8192].flatMap((input) =>
	[256, 1024].flatMap((output) => [1, 4, 16, 64].map((B) => ({ input, output, B }))),
);
const law = fitted(
	loads.map(({ input, output, B }) =>
		served(input, output, B, { tpotSeconds: tpotLaw(input, output, B), ttftSeconds: ttftLaw(input, B) }),
	),
);

test("where a source gives medians only, the throughput tells of the wait that a median hides", () => {
	// 32 clients, 100 tokens each, 500 tokens/s: 5 requests/s, so 6.4 s each (Little); 99 steps of 0.02 s leave 4.42 s.
	const crowded = served(1000, 100, 32, {
		ttftP50Seconds: 0.5,
		tpotP50Seconds: 0.02,
		outputTokensPerSecond: 500,
	});
	const mean = (point: ServePoint) =>
		predictServe(only(fitted([point])), { input: 1000, output: 100, concurrency: 32 }).ttft.mean;
	expect(mean(crowded)).toBeCloseTo(4.42, 6);
	// A mean is taken as it is; offered rates are no closed loop; a median above what the throughput tells stays.
	expect(mean({ ...crowded, ttftSeconds: 0.6 })).toBeCloseTo(0.6, 6);
	expect(mean({ ...crowded, rate: 5 })).toBeCloseTo(0.5, 6);
	expect(mean({ ...crowded, outputTokensPerSecond: 3000 })).toBeCloseTo(0.5, 6);
});

describe("points with medians only", () => {
	const medians = loads.map(({ input, output, B }) =>
		served(input, output, B, {
			tpotP50Seconds: tpotLaw(input, output, B),
			ttftP50Seconds: ttftLaw(input, B),
		}),
	);

	test("are fitted by them, and the fit says so", () => {
		const fit = fitted(medians);
		expect(fit.n).toBe(loads.length);
		expect(fit.notes.join()).toMatch(/no mean at every point/);
		const { tpot, ttft } = predictServe(only(fit), { input: 2048, output: 512, concurrency: 32 });
		expect((tpot.mean ?? 0) / tpotLaw(2048, 512, 32)).toBeCloseTo(1, 5);
		expect((ttft.mean ?? 0) / ttftLaw(2048, 32)).toBeCloseTo(1, 5);
	});

	test("give way to the mean where there is one", () => {
		const both = medians.map((point) => ({ ...point, tpotSeconds: 2 * (point.tpotP50Seconds ?? 0) }));
		const { tpot } = predictServe(only(fitted(both)), { input: 2048, output: 512, concurrency: 32 });
		expect((tpot.mean ?? 0) / (2 * tpotLaw(2048, 512, 32))).toBeCloseTo(1, 5);
		expect(law.notes).toEqual([]);
	});
});

describe("a law measured without noise", () => {
	test("tells the tokens of others' prefills from the batch and from the cache", () => {
		const { tpot, ttft, evidence } = predictServe(only(law), { input: 2048, output: 512, concurrency: 32 });
		expect((tpot.mean ?? 0) / tpotLaw(2048, 512, 32)).toBeCloseTo(1, 5);
		expect((ttft.mean ?? 0) / ttftLaw(2048, 32)).toBeCloseTo(1, 5);
		expect(evidence).toBe("fitted");
	});

	test("is extrapolated by load, input or output, with a wider band", () => {
		const inside = predictServe(only(law), { input: 2048, output: 512, concurrency: 32 }).tpot;
		for (const outside of [
			{ input: 2048, output: 512, concurrency: 256 },
			{ input: 65_536, output: 512, concurrency: 32 },
			{ input: 2048, output: 16, concurrency: 32 },
		]) {
			const { tpot, evidence } = predictServe(only(law), outside);
			expect(evidence).toBe("extrapolated");
			expect((tpot.high ?? 0) / (tpot.mean ?? 1)).toBeGreaterThan((inside.high ?? 0) / (inside.mean ?? 1));
		}
	});

	test("answers a rate by Little's law: as many in flight as arrive while one is served", () => {
		const question = { input: 2048, output: 512 };
		const rate = 1.5;
		const byRate = predictServe(only(law), { ...question, rate });
		const inFlight = rate * ((byRate.ttft.mean ?? 0) + 511 * (byRate.tpot.mean ?? 0));
		const byLoad = predictServe(only(law), { ...question, concurrency: inFlight });
		// An arrival finds the others and adds itself: one more than Little's mean.
		const withArrival = predictServe(only(law), { ...question, concurrency: inFlight + 1 });
		expect(byRate.tpot.mean ?? 0).toBeGreaterThanOrEqual((byLoad.tpot.mean ?? 0) * 0.99);
		expect(byRate.tpot.mean ?? 0).toBeLessThanOrEqual((withArrival.tpot.mean ?? 0) * 1.01);
	});

	test("knows no times for a rate that cannot be served", () => {
		expect(predictServe(only(law), { input: 8192, output: 1024, rate: 1000 }).ttft.mean).toBeNull();
	});
});

test("a rate without a load is put in flight by Little's law: 2/s × (0.5 s + 99 × 20 ms) = 4.96", () => {
	const fit = fitted([served(1000, 100, null, { rate: 2, ttftSeconds: 0.5, tpotSeconds: 0.02 })]);
	expect(fit.range.concurrency[0]).toBeCloseTo(4.96, 12);
});

test("percentiles lie where they lay in the measurements, on the geometric mean", () => {
	const fit = fitted([
		served(1000, 100, 4, { tpotSeconds: 0.02, tpotP50Seconds: 0.018, tpotP99Seconds: 0.04 }),
		served(1000, 100, 8, { tpotSeconds: 0.03, tpotP50Seconds: 0.03, tpotP99Seconds: 0.24 }),
	]);
	expect(fit.percentiles?.tpot.p50).toBeCloseTo(Math.sqrt(0.9), 12);
	expect(fit.percentiles?.tpot.p99).toBeCloseTo(4, 12);
	const { tpot, ttft } = predictServe(only(fit), { input: 1000, output: 100, concurrency: 4 });
	expect((tpot.p99 ?? 0) / (tpot.mean ?? 1)).toBeCloseTo(4, 12);
	expect(tpot.p95).toBeNull();
	expect(ttft).toEqual({ mean: null, p50: null, p95: null, p99: null, low: null, high: null });
});

describe("a server that takes 32 at once while clients send up to 128", () => {
	// Steps of 20 ms + 1 ms a sequence; a request of 200 tokens leaves, the next one of the line enters.
	const each = (B: number) => 0.02 + 0.001 * Math.min(32, B);
	const first = (B: number) => 0.3 + (Math.max(0, B - 32) / 32) * (0.3 + 199 * each(32));
	const loads = [1, 4, 16, 32, 64, 128];
	const fit = fitted(loads.map((B) => served(4096, 200, B, { tpotSeconds: each(B), ttftSeconds: first(B) })));
	const at = (concurrency: number, input = 4096) =>
		predictServe(only(fit), { input, output: 200, concurrency });

	test("is told as it was measured where it was, though no smooth law bends so", () => {
		for (const B of loads) {
			expect(at(B).tpot.mean).toBeCloseTo(each(B), 9);
			expect(at(B).ttft.mean).toBeCloseTo(first(B), 9);
		}
	});

	test("lies between its neighbours in between", () => {
		const { ttft, tpot } = at(90);
		expect(ttft.mean).toBeGreaterThan(first(64));
		expect(ttft.mean).toBeLessThan(first(128));
		expect(tpot.mean).toBeCloseTo(each(90), 2);
	});

	test("tells less of requests the less alike they are", () => {
		const off = (input: number) => Math.abs(Math.log((at(64, input).ttft.mean ?? 0) / plain(input)));
		const plain = (input: number) => {
			const { ttft } = fit;
			if (!ttft) throw new Error("no TTFT");
			return bareTtft({ coefficients: ttft.coefficients }, { input, output: 200, concurrency: 64 });
		};
		expect(off(4096)).toBeGreaterThan(off(6000));
		expect(off(6000)).toBeGreaterThan(off(60_000));
		expect(off(60_000)).toBeLessThan(0.1 * off(4096));
	});
});

test("whole tokens beside a mean length that was seen are not outside it", () => {
	const fit = fitted(
		[1, 4, 16].map((B) => served(1020.5625, 125, B, { tpotSeconds: 0.01 + 1e-4 * B, ttftSeconds: 0.05 })),
	);
	const at = (input: number) => predictServe(only(fit), { input, output: 125, concurrency: 4 }).evidence;
	expect([at(1020), at(1021), at(1022)]).toEqual(["fitted", "fitted", "extrapolated"]);
});

test("points without a load or without a TPOT leave no fit", () => {
	expect(fitServe([])).toBeNull();
	expect(fitServe([served(10, 10, 4, {}), served(10, 10, null, { tpotSeconds: 0.1 })])).toBeNull();
});

describe("from prefill and decode alone", () => {
	const points: Point[] = [
		...[512, 1024, 2048, 4096, 8192].map(
			(tokens): Point => ({
				phase: "prefill",
				tokens,
				cached: 0,
				batch: 1,
				seconds: 0.01 + 1e-4 * tokens,
				...once,
			}),
		),
		...[1, 8, 64].flatMap((batch) =>
			[512, 8192].map(
				(context): Point => ({
					phase: "decode",
					batch,
					context,
					seconds: 0.01 + 1e-4 * batch + 1e-8 * batch * context,
					...once,
				}),
			),
		),
	];
	const fits = fitConfiguration(points);
	if (!fits.prefill || !fits.decode) throw new Error("no fits");
	const [prefill, decode] = [fits.prefill, fits.decode];

	test("one request alone takes its prefill, then the bare step", () => {
		const { ttft, tpot, evidence } = predictServe(fits, { input: 2048, output: 256, concurrency: 1 });
		expect(ttft.mean).toBeCloseTo(predictPrefill(prefill, { tokens: 2048 }).seconds, 12);
		expect(tpot.mean).toBeCloseTo(predictDecode(decode, { batch: 1, context: 2176 }).seconds, 12);
		expect(evidence).toBe("fitted");
	});

	test("sixteen share the engine: each cycle holds all sixteen prefills and its own steps, which share the weights", () => {
		const { ttft, tpot, evidence } = predictServe(fits, { input: 2048, output: 256, concurrency: 16 });
		const cycle =
			16 * predictPrefill(prefill, { tokens: 2048 }).seconds +
			255 * predictDecode(decode, { batch: 16, context: 2176 }).seconds;
		const whole = (ttft.mean ?? 0) + 255 * (tpot.mean ?? 0);
		expect(whole).toBeLessThan(cycle);
		// Each of sixteen prompts of one pass saves at most one whole step.
		const step = predictDecode(decode, { batch: 16, context: 2176 }).seconds;
		expect(whole).toBeGreaterThan(cycle - 16 * 1.1 * step);
		expect(evidence).toBe("estimated");
		for (const { mean, low, high } of [ttft, tpot]) {
			expect(low).toBeLessThan(mean ?? 0);
			expect(high).toBeGreaterThan(mean ?? 0);
		}
	});

	test("more arrivals than the engine can serve have no bounded TTFT", () => {
		expect(predictServe(fits, { input: 8192, output: 256, rate: 100 }).ttft.mean).toBeNull();
		expect(predictServe(fits, { input: 8192, output: 256, rate: 0.1 }).ttft.mean).toBeGreaterThan(0.8);
	});

	test("nothing is known where a phase is missing", () => {
		expect(predictServe({ ...fits, decode: null }, { input: 1, output: 1 }).tpot.mean).toBeNull();
	});
});

describe("wrong arguments", () => {
	test.each([
		[{ input: 0, output: 1 }, "input must be a finite number above 0, not 0"],
		[{ input: 1, output: -1 }, "output must be a finite number above 0, not -1"],
		[{ input: 1, output: 1, concurrency: 0 }, "concurrency must be a finite number above 0, not 0"],
		[{ input: 1, output: 1, rate: Number.NaN }, "rate must be a finite number above 0, not NaN"],
	])("%j", (question, message) => {
		expect(() => predictServe(only(law), question)).toThrow(new RangeError(message));
	});
});

const series = fc.uniqueArray(
	fc.record({
		input: fc.integer({ min: 16, max: 32_768 }),
		output: fc.integer({ min: 2, max: 4096 }),
		concurrency: fc.integer({ min: 1, max: 512 }),
		noise: fc.double({ min: -0.2, max: 0.2, noNaN: true }),
	}),
	{
		minLength: 1,
		maxLength: 12,
		selector: ({ input, output, concurrency }) => `${input} ${output} ${concurrency}`,
	},
);
const question = fc.record({
	input: fc.integer({ min: 1, max: 200_000 }),
	output: fc.integer({ min: 1, max: 10_000 }),
	concurrency: fc.integer({ min: 1, max: 2000 }),
});

test("whatever was measured, times are finite, lie inside their bands and grow with the load", () => {
	fc.assert(
		fc.property(series, question, (list, q) => {
			const fits = only(
				fitted(
					list.map(({ input, output, concurrency: B, noise }) =>
						served(input, output, B, {
							tpotSeconds: tpotLaw(input, output, B) * Math.exp(noise),
							ttftSeconds: ttftLaw(input, B) * Math.exp(-noise),
						}),
					),
				),
			);
			const here = predictServe(fits, q);
			const more = predictServe(fits, { ...q, concurrency: 2 * q.concurrency });
			for (const time of ["ttft", "tpot"] as const) {
				const { mean, low, high } = here[time];
				expect(mean).toBeGreaterThan(0);
				expect(low).toBeLessThan(mean ?? 0);
				expect(high).toBeGreaterThan(mean ?? 0);
				expect(high).toBeLessThan(Number.POSITIVE_INFINITY);
				expect(more[time].mean).toBeGreaterThanOrEqual(mean ?? Number.POSITIVE_INFINITY);
			}
		}),
	);
});
