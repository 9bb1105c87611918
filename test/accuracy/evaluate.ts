import { existsSync, readFileSync } from "node:fs";
import {
	type ConfigurationFits,
	fitConfiguration,
	type Point,
	predictDecode,
	predictPrefill,
	predictServe,
} from "@plimsoll/api/model";

/** One configuration that others measured: rows to fit and rows to predict. */
export interface Job {
	group: string;
	series: string;
	regime: string;
	/** prefill [tokens, s]; decode [batch, context, s]; serve [input, output, concurrency, ttft s, tpot s]. */
	fit: number[][];
	check: number[][];
}

/** Accuracy over all points of a regime, in per cent; coverage is the share of points inside their 95 % interval. */
export interface Score {
	jobs: number;
	points: number;
	median: number;
	p90: number;
	mean: number;
	max: number;
	coverage: number;
	halfWidth: number;
}

/** What a regime must hold. */
export interface Bar {
	median: number;
	p90: number;
	coverage: number;
	halfWidth: number;
}

const bar = (median: number, p90: number, coverage: number, halfWidth: number): Bar => ({
	median,
	p90,
	coverage,
	halfWidth,
});

/** Errors and half-widths at most, coverage at least. */
export const BARS: Record<string, Bar> = {
	"sweep_bench prefill-inside": bar(0.15, 1, 0.95, 4),
	"sweep_bench prefill-x2": bar(0.5, 3.5, 0.95, 6),
	"sweep_bench prefill-x4": bar(1.7, 11.5, 0.93, 9),
	"sweep_bench decode": bar(1.1, 6, 0.95, 10),
	"kernel_composed decode": bar(5.8, 26, 0.95, 60),
	"kernel_composed prefill-inside": bar(2.8, 11, 0.95, 40),
	"kernel_composed prefill-x2": bar(4.5, 12, 0.95, 60),
	"kernel_composed prefill-x4": bar(11.5, 42, 0.95, 120),
	"splitwise prefill-inside": bar(4, 20.5, 0.9, 60),
	"splitwise decode": bar(2, 7.5, 0.95, 18),
	"sglang_grid decode": bar(2.2, 5, 0.9, 9),
	"serving serve-tpot": bar(3.2, 12.5, 0.9, 25),
};

const truth = new URL("../../../shared/data/truth/truth.json", import.meta.url);

/** The public truth data; null where the shared folder is missing. */
export function readJobs(): Job[] | null {
	return existsSync(truth) ? JSON.parse(readFileSync(truth, "utf8")).jobs : null;
}

const measuredOnce = { n: 1, betweenRuns: null, withinRun: null, measurementIds: [] };

/** A row as the point that a run with it alone would leave. */
export function pointOf({ regime }: Job, row: number[]): Point {
	const [x = 0, y = 0, z = 0, ttftSeconds = 0, tpotSeconds = 0] = row;
	if (regime.startsWith("prefill"))
		return { phase: "prefill", tokens: x, cached: 0, batch: 1, seconds: y, ...measuredOnce };
	if (regime.startsWith("decode"))
		return { phase: "decode", batch: x, context: y, seconds: z, ...measuredOnce };
	return {
		phase: "serve",
		input: x,
		output: y,
		concurrency: z,
		rate: null,
		ttftSeconds,
		tpotSeconds,
		ttftP50Seconds: null,
		ttftP99Seconds: null,
		tpotP50Seconds: null,
		tpotP99Seconds: null,
		outputTokensPerSecond: null,
		...measuredOnce,
	};
}

/** A measured time and what was predicted of it without having seen it. */
interface Answer {
	regime: string;
	truth: number;
	seconds: number | null;
	low: number | null;
	high: number | null;
}

function answers(job: Job): Answer[] {
	const fits = fitConfiguration(job.fit.map((row) => pointOf(job, row)));
	const regime = `${job.group} ${job.regime}`;
	return job.check.flatMap((row) => predicted(fits, pointOf(job, row)).map((p) => ({ regime, ...p })));
}

function predicted(fits: ConfigurationFits, point: Point): (Omit<Answer, "regime"> & { regime?: string })[] {
	if (point.phase === "prefill")
		return fits.prefill ? [{ truth: point.seconds, ...predictPrefill(fits.prefill, point) }] : [];
	if (point.phase === "decode")
		return fits.decode ? [{ truth: point.seconds, ...predictDecode(fits.decode, point) }] : [];
	const { input, output, concurrency } = point;
	const { ttft, tpot } = predictServe(fits, { input, output, concurrency: concurrency ?? 1 });
	return [
		{ truth: point.tpotSeconds ?? 0, seconds: tpot.mean, low: tpot.low, high: tpot.high },
		{
			regime: "serving serve-ttft",
			truth: point.ttftSeconds ?? 0,
			seconds: ttft.mean,
			low: ttft.low,
			high: ttft.high,
		},
	];
}

/** The value that a share of the sample does not exceed. */
function rank(sample: number[], share: number): number {
	const sorted = [...sample].sort((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? Number.NaN;
}

const mean = (sample: number[]) => sample.reduce((sum, x) => sum + x, 0) / sample.length;

function score(list: Answer[], jobs: number): Score {
	const errors = list.map((a) => (a.seconds === null ? Infinity : Math.abs(a.seconds / a.truth - 1) * 100));
	const held = list.map((a) => ((a.low ?? Infinity) <= a.truth && a.truth <= (a.high ?? -Infinity) ? 1 : 0));
	return {
		jobs,
		points: list.length,
		median: rank(errors, 0.5),
		p90: rank(errors, 0.9),
		mean: mean(errors),
		max: Math.max(...errors),
		coverage: mean(held),
		halfWidth: rank(
			list.map((a) => (50 * ((a.high ?? Infinity) - (a.low ?? 0))) / (a.seconds ?? 1)),
			0.5,
		),
	};
}

/** Fits and predicts every job; scores by regime, in the order of their names. */
export function evaluate(jobs: readonly Job[]): Map<string, Score> {
	const found = new Map<string, { list: Answer[]; series: Set<Job> }>();
	for (const job of jobs)
		for (const answer of answers(job)) {
			const group = found.get(answer.regime) ?? { list: [], series: new Set<Job>() };
			group.list.push(answer);
			group.series.add(job);
			found.set(answer.regime, group);
		}
	const sorted = [...found].sort(([a], [b]) => a.localeCompare(b));
	return new Map(sorted.map(([regime, { list, series }]) => [regime, score(list, series.size)]));
}
