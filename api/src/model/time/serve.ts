import { halfWidth } from "../trust/interval.ts";
import { type Evidence, weakest } from "../trust/quantity.ts";
import type { ConfigurationFits, Prediction, ServeFit } from "./curves.ts";
import { predictDecode } from "./decode.ts";
import type { ServePoint } from "./points.ts";
import { predictPrefill } from "./prefill.ts";
import { regress } from "./regression.ts";

/** A load: requests of `input` and `output` tokens, `concurrency` of them in flight or `rate` arriving each second. */
export interface ServeQuestion {
	input: number;
	output: number;
	concurrency?: number;
	rate?: number;
}

/** Statistics of one time under load, in seconds; null where unknown. low and high are the band of the mean. */
export interface ServePrediction {
	mean: number | null;
	p50: number | null;
	p95: number | null;
	p99: number | null;
	low: number | null;
	high: number | null;
}

const terms = (input: number, output: number, concurrency: number) => [
	1,
	concurrency,
	concurrency * (input + output / 2),
	(concurrency * input) / output,
	Math.sqrt(concurrency),
];

/** Fits the TPOT law under load; null without points. */
export function fitServe(points: ServePoint[]): ServeFit | null {
	const equations = points.flatMap((p) =>
		p.tpotSeconds === null || p.concurrency === null
			? []
			: [
					{
						row: terms(p.input, p.output, p.concurrency),
						value: p.tpotSeconds,
						weight: 1 / p.tpotSeconds ** 2,
					},
				],
	);
	if (equations.length === 0) return null;
	const { coefficients, loo } = regress(equations);
	const [c0 = 0, c1 = 0, c2 = 0, c3 = 0, c4 = 0] = coefficients;
	const span = (values: number[]): [number, number] => [Math.min(...values), Math.max(...values)];
	return {
		phase: "serve",
		form: "c0 + c1·B + c2·B·L + c3·P + c4·√B",
		coefficients: { c0, c1, c2, c3, c4 },
		evidence: "fitted",
		range: {
			concurrency: span(points.flatMap((p) => p.concurrency ?? [])),
			input: span(points.map((p) => p.input)),
			output: span(points.map((p) => p.output)),
		},
		ttft: null,
		n: equations.length,
		loo,
		noise: null,
		measurementIds: points.flatMap((p) => p.measurementIds),
		notes: [],
	};
}

const band = ({ seconds, low, high }: Prediction): ServePrediction => ({
	mean: seconds,
	p50: null,
	p95: null,
	p99: null,
	low,
	high,
});
const unknown: ServePrediction = { mean: null, p50: null, p95: null, p99: null, low: null, high: null };

/** TTFT and TPOT under load: from the serve fit where there is one, else from the prefill and decode laws. */
export function predictServe(
	fits: ConfigurationFits,
	question: ServeQuestion,
): { ttft: ServePrediction; tpot: ServePrediction; evidence: Evidence } {
	const { input, output, concurrency = 1 } = question;
	const ttft = fits.prefill && predictPrefill(fits.prefill, { tokens: input });
	const tpot = fits.serve
		? predictTpot(fits.serve, input, output, concurrency)
		: fits.decode && predictDecode(fits.decode, { batch: concurrency, context: input + output / 2 });
	return {
		ttft: ttft ? band(ttft) : unknown,
		tpot: tpot ? band(tpot) : unknown,
		evidence: weakest("estimated", ttft?.evidence ?? "arithmetic", tpot?.evidence ?? "arithmetic"),
	};
}

function predictTpot(fit: ServeFit, input: number, output: number, concurrency: number): Prediction {
	const { c0, c1, c2, c3, c4 } = fit.coefficients;
	const row = terms(input, output, concurrency);
	const seconds = [c0, c1, c2, c3, c4].reduce((sum, c, j) => sum + c * (row[j] ?? 0), 0);
	const [from, to] = fit.range.concurrency;
	const outsideBy = Math.max(1, concurrency / to, from / concurrency);
	const half = Math.exp(halfWidth(fit, Math.log2(outsideBy)));
	const evidence = outsideBy > 1 ? "extrapolated" : fit.evidence;
	return { seconds, low: seconds / half, high: seconds * half, evidence, outsideBy };
}
