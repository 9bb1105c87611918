import {
	fitConfiguration,
	type Point,
	predictDecode,
	predictPrefill,
	predictServe,
	type ServePoint,
} from "@plimsoll/api/model";

const once = { n: 1, betweenRuns: null, withinRun: null, measurementIds: [] };
/** Deviations of a few per cent, the same on every run. */
const wobble = (i: number) => 1 + 0.02 * Math.sin(12.9898 * i) * Math.cos(78.233 * i);

function prefillPoint(i: number): Point {
	const tokens = 64 + 33 * i;
	const seconds = (0.02 + 1e-4 * Math.max(tokens, 300) + 2e-9 * tokens ** 2) * wobble(i);
	return { phase: "prefill", tokens, cached: 0, batch: 1, seconds, ...once };
}

function decodePoint(i: number): Point {
	const [batch, context] = [1 + 5 * (i % 25), 128 + 512 * Math.floor(i / 25)];
	const seconds = (0.008 + 1e-4 * batch + 1e-8 * batch * context) * wobble(i);
	return { phase: "decode", batch, context, seconds, ...once };
}

function servePoint(i: number): ServePoint {
	const [concurrency, input, output] = [1 + 4 * (i % 50), 512 * (1 + Math.floor(i / 50)), 256];
	return {
		phase: "serve",
		input,
		output,
		concurrency,
		rate: null,
		ttftSeconds: (0.05 + 1e-4 * input + 1e-3 * concurrency) * wobble(i),
		ttftP50Seconds: null,
		ttftP99Seconds: null,
		tpotSeconds: (0.008 + 1e-4 * concurrency + (1e-5 * concurrency * input) / output) * wobble(i + 7),
		tpotP50Seconds: null,
		tpotP99Seconds: null,
		outputTokensPerSecond: null,
		...once,
	};
}

const many = (count: number, point: (i: number) => Point): Point[] =>
	Array.from({ length: count }, (_, i) => point(i));

function median(sample: number[]): number {
	const sorted = [...sample].sort((a, b) => a - b);
	return sorted[sorted.length >> 1] ?? Number.NaN;
}

/** Median milliseconds of a fit, after it ran once. */
function fitMilliseconds(points: Point[]): number {
	fitConfiguration(points);
	return median(
		Array.from({ length: 15 }, () => {
			const start = performance.now();
			fitConfiguration(points);
			return performance.now() - start;
		}),
	);
}

/** Microseconds of one call, over half a million, after as many. */
function callMicroseconds(call: (i: number) => number): number {
	const calls = 500_000;
	let sum = 0;
	for (let i = 0; i < calls; i++) sum += call(i);
	const start = performance.now();
	for (let i = 0; i < calls; i++) sum += call(i);
	const each = (1000 * (performance.now() - start)) / calls;
	if (!Number.isFinite(sum)) throw new Error("a prediction is not finite");
	return each;
}

/** Figures of the laws of time, as lines. */
export async function benchModel(): Promise<string[]> {
	const mixed = [...many(334, prefillPoint), ...many(333, decodePoint), ...many(333, servePoint)];
	const fits = fitConfiguration(mixed);
	const { prefill, decode } = fits;
	if (!prefill || !decode) throw new Error("no fits");
	const load = (i: number) => ({ input: 1000 + (i % 100), output: 200, concurrency: 1 + (i % 64) });
	const milliseconds = (points: Point[]) => `${fitMilliseconds(points).toFixed(1)} ms`;
	const microseconds = (call: (i: number) => number) => `${callMicroseconds(call).toFixed(2)} µs`;
	return [
		`fit of 1,000 prefill points           ${milliseconds(many(1000, prefillPoint))}   (goal < 20 ms)`,
		`fit of 1,000 decode points            ${milliseconds(many(1000, decodePoint))}`,
		`fit of 1,000 serve points             ${milliseconds(many(1000, servePoint))}`,
		`fit of 1,000 points of all phases     ${milliseconds(mixed)}`,
		`predictPrefill                        ${microseconds((i) => predictPrefill(prefill, { tokens: 100 + (i % 20_000) }).seconds)}  (goal < 2 µs)`,
		`predictDecode                         ${microseconds((i) => predictDecode(decode, { batch: 1 + (i % 64), context: 100 + (i % 5000) }).seconds)}`,
		`predictServe by its law               ${microseconds((i) => predictServe(fits, load(i)).tpot.mean ?? 0)}`,
		`predictServe by prefill and decode    ${microseconds((i) => predictServe({ ...fits, serve: null }, load(i)).tpot.mean ?? 0)}`,
	];
}
