import {
	type ConfigurationFits,
	type Expected,
	expectedWidths,
	type Foresight,
	fitConfiguration,
	type MeasurementShape,
	type Point,
	predictDecode,
	predictPrefill,
	predictServe,
	quantile,
	refitWith,
	type ServePrediction,
} from "@plimsoll/api/model";
import { type Job, pointOf } from "./evaluate.ts";

/** Error at a point that nobody measured, before and after one further real measurement. Errors are |ln(law / truth)|. */
interface Trial {
	before: number;
	/** After the measurement that was advised. */
	advised: number;
	/** Mean over all that could have been made. */
	random: number;
	widthBefore: number;
	widthAdvised: number;
	/** Half-width that was expected of the advised measurement, before it was made. */
	widthExpected: number;
	widthRandom: number;
}

/** Medians and means over the trials of a regime, in per cent. */
export interface AdviceScore {
	trials: number;
	before: number;
	advised: number;
	random: number;
	/** Trials in which the advised measurement left a smaller error than the mean of the others. */
	better: number;
	widthBefore: number;
	widthAdvised: number;
	widthExpected: number;
	widthRandom: number;
}

/** Fewest rows from which one is asked about and the others can be chosen. */
const LEAST_ROWS = 4;
/** Rows of a job that are asked about, one at a time. */
const ASKED = 3;

/** Every fifth series of a regime: trying every further measurement of all of them takes ten times as long. */
const EVERY = 5;
export function someOf(jobs: readonly Job[]): Job[] {
	const seen = new Map<string, number>();
	return jobs.filter(({ group, regime }) => {
		const place = seen.get(`${group} ${regime}`) ?? 0;
		seen.set(`${group} ${regime}`, place + 1);
		return place % EVERY === 0;
	});
}

const whole = ({ mean, low, high }: ServePrediction, points: number): Expected | null =>
	mean === null || low === null || high === null ? null : { seconds: mean, low, high, points };

/** What the fits expect at a shape: of a load the time per output token. */
function bandAt(fits: ConfigurationFits, shape: MeasurementShape): Expected | null {
	const { prefill, decode, serve } = fits;
	if (shape.phase === "prefill") return prefill && { ...predictPrefill(prefill, shape), points: prefill.n };
	if (shape.phase === "decode") return decode && { ...predictDecode(decode, shape), points: decode.n };
	return whole(predictServe(fits, shape).tpot, serve?.n ?? 0);
}

const foresightOf = (fits: ConfigurationFits): Foresight => ({
	prefill: (shape) => bandAt(fits, shape),
	decode: (shape) => bandAt(fits, shape),
	serve: (shape) => {
		const { ttft, tpot } = predictServe(fits, shape);
		const points = fits.serve?.n ?? 0;
		const bands = { ttft: whole(ttft, points), tpot: whole(tpot, points) };
		return bands.ttft && bands.tpot ? { ttft: bands.ttft, tpot: bands.tpot } : null;
	},
});

const shapeOf = (point: Point): MeasurementShape =>
	point.phase === "serve" ? { ...point, concurrency: point.concurrency ?? 1 } : point;
const truthOf = (point: Point): number =>
	point.phase === "serve" ? (point.tpotSeconds ?? 0) : point.seconds;
const widthOf = (band: Expected | null): number => (band ? Math.log(band.high / band.low) / 2 : Math.log(10));
const missOf = (band: Expected | null, point: Point): number =>
	band ? Math.abs(Math.log(band.seconds / truthOf(point))) : Math.log(10);

/** Some rows of a job evenly chosen, the first and the last among them. */
function askedRows(points: Point[]): Point[] {
	const places = Array.from({ length: ASKED }, (_, i) => Math.round((i * (points.length - 1)) / (ASKED - 1)));
	return [...new Set(places)].flatMap((place) => points[place] ?? []);
}

/** A measurement that could be made: its interval as expected, and what it really does. */
interface Made {
	expected: number;
	width: number;
	miss: number;
}

function trial(fitted: Point[], asked: Point, others: Point[]): Trial | null {
	const fits = fitConfiguration(fitted);
	const shape = shapeOf(asked);
	const standing = {
		fits,
		points: fitted,
		foresight: foresightOf(fits),
		widthsOf: (changed: ConfigurationFits) => [widthOf(bandAt(changed, shape))],
	};
	const made = others.flatMap((point): Made[] => {
		const [expected] = expectedWidths(standing, [shapeOf(point)]) ?? [];
		if (expected === undefined) return [];
		const band = bandAt(refitWith(fits, fitted, [point]), shape);
		return [{ expected, width: widthOf(band), miss: missOf(band, asked) }];
	});
	const [first, ...rest] = made;
	if (!first) return null;
	const best = rest.reduce((a, b) => (b.expected < a.expected ? b : a), first);
	const mean = (of: (one: Made) => number) => made.reduce((sum, one) => sum + of(one), 0) / made.length;
	const now = bandAt(fits, shape);
	return {
		before: missOf(now, asked),
		advised: best.miss,
		random: mean((one) => one.miss),
		widthBefore: widthOf(now),
		widthAdvised: best.width,
		widthExpected: best.expected,
		widthRandom: mean((one) => one.width),
	};
}

/** What the advised measurement does to the error at points that were not measured, by regime. */
export function evaluateAdvice(jobs: readonly Job[]): Map<string, AdviceScore> {
	const trials = new Map<string, Trial[]>();
	for (const job of jobs) {
		const checks = job.check.map((row) => pointOf(job, row));
		if (checks.length < LEAST_ROWS) continue;
		const fitted = job.fit.map((row) => pointOf(job, row));
		const regime = `${job.group} ${job.regime}`;
		for (const asked of askedRows(checks)) {
			const others = checks.filter((point) => point !== asked);
			const made = trial(fitted, asked, others);
			if (made) trials.set(regime, [...(trials.get(regime) ?? []), made]);
		}
	}
	return new Map(
		[...trials].sort(([a], [b]) => a.localeCompare(b)).map(([regime, list]) => [regime, score(list)]),
	);
}

function score(trials: readonly Trial[]): AdviceScore {
	const mean = (key: keyof Trial) => (100 * trials.reduce((sum, one) => sum + one[key], 0)) / trials.length;
	const median = (key: keyof Trial) =>
		100 *
		quantile(
			trials.map((one) => one[key]),
			0.5,
		);
	return {
		trials: trials.length,
		before: mean("before"),
		advised: mean("advised"),
		random: mean("random"),
		better: trials.filter(({ advised, random }) => advised <= random).length,
		widthBefore: median("widthBefore"),
		widthAdvised: median("widthAdvised"),
		widthExpected: median("widthExpected"),
		widthRandom: median("widthRandom"),
	};
}
