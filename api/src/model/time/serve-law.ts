import { count, figure } from "../trust/figures.ts";
import { beyond, looError, type Miss } from "../trust/interval.ts";
import { leaveOneOut, nnls, normalEquations } from "../trust/nnls.ts";
import type { Percentiles, ServeFit } from "./curves.ts";
import type { ServePoint } from "./points.ts";
import { check, isUnseen, lineage, span, spanWithout } from "./prediction.ts";
import { kindsOf, type LoadSeries, loadResidual, sameRequests, seriesOf } from "./serve-residuals.ts";

/** Requests of `input` and `output` tokens, `concurrency` of them in flight. */
export interface Load {
	input: number;
	output: number;
	concurrency: number;
}

/**
 * Columns of the mean TPOT: weights, work per sequence, reading its cache, the prefill tokens of others that each decode
 * step shares the engine with, and the concave share of a mixture of experts.
 */
const tpotColumns = ({ input, output, concurrency: B }: Load): number[] => [
	1,
	B,
	B * (input + output / 2),
	(B * input) / output,
	Math.sqrt(B),
];

/**
 * Columns of the mean TTFT: launch, own prefill, waiting for a step of B sequences, waiting for their prefills. On the
 * public serving tables: median error 8 % between measured loads, 17 % for a power law with as many coefficients.
 */
const ttftColumns = ({ input, concurrency: B }: Load): number[] => [1, input, B, B * input];

const TPOT_FORM = "c0 + c1·B + c2·B·L + c3·P + c4·√B";
const TTFT_FORM = "c0 + c1·input + c2·B + c3·B·input";

const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);

/** Mean TPOT by the law, bent to the loads that were measured. */
export const tpotLaw = (
	{ coefficients: { c0, c1, c2, c3, c4 }, series = [] }: Pick<ServeFit, "coefficients" | "series">,
	load: Load,
): number => dot([c0, c1, c2, c3, c4], tpotColumns(load)) * Math.exp(loadResidual(series, load));

/** Mean TTFT by the law, bent to the loads that were measured. */
export const ttftLaw = (
	{ coefficients, series = [] }: { coefficients: readonly number[]; series?: readonly LoadSeries[] },
	load: Load,
): number => dot(coefficients, ttftColumns(load)) * Math.exp(loadResidual(series, load));

const described = (coefficients: readonly number[], terms: readonly string[]): string =>
	coefficients.flatMap((c, i) => (c > 0 ? [`${figure(c)}${terms[i] ?? ""}`] : [])).join(" + ") || "0";

/** "(0.012 + 0.0003 × 16) × 0.93, as measured loads show": the sum, and what bends it. */
function bentWords(sum: string, series: readonly LoadSeries[], load: Load): string {
	const factor = Math.exp(loadResidual(series, load));
	if (Math.abs(factor - 1) < 5e-4) return sum;
	const alike = series.find((one) => sameRequests(one, load));
	const from = alike ? `loads of such requests` : `loads of other requests`;
	return `(${sum}) × ${figure(factor)}, as measured ${from} show`;
}

/** The law of the TPOT with its numbers put in: "0.012 + 0.0003 × 16 + 2e−8 × 16 × 1,088". */
export function describeTpotLaw(
	{ coefficients: { c0, c1, c2, c3, c4 }, series = [] }: ServeFit,
	load: Load,
): string {
	const { input, output, concurrency } = load;
	const B = figure(concurrency);
	const sum = described(
		[c0, c1, c2, c3, c4],
		[
			"",
			` × ${B}`,
			` × ${B} × ${count(input + output / 2)}`,
			` × ${B} × ${count(input)} / ${count(output)}`,
			` × √${B}`,
		],
	);
	return bentWords(sum, series, load);
}

/** The law of the TTFT with its numbers put in. */
export function describeTtftLaw(
	{ coefficients, series = [] }: { coefficients: readonly number[]; series?: readonly LoadSeries[] },
	load: Load,
): string {
	const [B, input] = [figure(load.concurrency), count(load.input)];
	const sum = described(coefficients, ["", ` × ${input}`, ` × ${B}`, ` × ${B} × ${input}`]);
	return bentWords(sum, series, load);
}

/** Clients send means of lengths and people ask for whole tokens: the whole ones on either side were seen too. */
const seenLengths = ([from, to]: readonly [number, number]): readonly [number, number] => [
	Math.floor(from),
	Math.ceil(to),
];

/** How far a load lies outside the measured ones, in the direction that is farthest. */
export const outsideBy = (range: ServeFit["range"], { input, output, concurrency }: Load): number =>
	Math.max(
		beyond(concurrency, range.concurrency),
		beyond(input, seenLengths(range.input)),
		beyond(output, seenLengths(range.output)),
	);

/** Whether a load differs from the measured ones in what was the same in all of them. */
export const isOff = (range: ServeFit["range"], { input, output, concurrency }: Load): boolean =>
	isUnseen(concurrency, range.concurrency) ||
	[[input, range.input] as const, [output, range.output] as const].some(
		([length, seen]) => isUnseen(length, seen) && beyond(length, seenLengths(seen)) > 1,
	);

/** The time that stands for a load: its mean, else its median. Other tools print the median alone. */
const tpotOf = (point: ServePoint) => point.tpotSeconds ?? point.tpotP50Seconds;

/**
 * The mean, else the median; where some requests queue and most do not, the median hides a wait that the throughput tells.
 * At least B / X − (output − 1)·TPOT of a closed loop, with X requests per second (Little's law).
 */
function ttftOf(point: ServePoint): number | null {
	const { ttftSeconds, ttftP50Seconds, output, concurrency, rate, outputTokensPerSecond } = point;
	if (ttftSeconds !== null || ttftP50Seconds === null) return ttftSeconds;
	const tpot = tpotOf(point);
	if (concurrency === null || rate !== null || outputTokensPerSecond === null || tpot === null)
		return ttftP50Seconds;
	const each = (concurrency * output) / outputTokensPerSecond;
	return Math.max(ttftP50Seconds, each - (output - 1) * tpot);
}

/** Requests in flight: as measured, else by Little's law from the offered rate; null where neither is known. */
function inFlight(point: ServePoint): number | null {
	const { concurrency, rate, output } = point;
	if (concurrency !== null) return concurrency;
	const [ttft, tpot] = [ttftOf(point), tpotOf(point)];
	if (rate === null || ttft === null || tpot === null) return null;
	return rate * (ttft + (output - 1) * tpot);
}

interface Timed {
	load: Load;
	seconds: number;
}

function timed(points: readonly ServePoint[], of: (point: ServePoint) => number | null): Timed[] {
	return points.flatMap((point) => {
		const [seconds, concurrency] = [of(point), inFlight(point)];
		if (seconds === null || concurrency === null || !(seconds > 0) || !(concurrency > 0)) return [];
		return [{ seconds, load: { input: point.input, output: point.output, concurrency } }];
	});
}

/**
 * Fits client-side times under load: means, and medians where a source gives nothing else.
 * TPOT = c0 + c1·B + c2·B·L + c3·P + c4·√B with L = input + output/2 and P = B·input/output;
 * TTFT = c0 + c1·input + c2·B + c3·B·input where the points carry it
 * @returns null where no point carries a TPOT and a load; its notes say at how many points a median stood for the mean
 * @throws RangeError for a point that is not a load
 * @source DESIGN 2.5
 */
export function fitServe(points: readonly ServePoint[]): ServeFit | null {
	for (const { input, output } of points) {
		check("input", input, 0, true);
		check("output", output, 0, true);
	}
	const used = points.filter((p) => timed([p], tpotOf).length > 0);
	if (used.length === 0) return null;
	const tpot = solve(timed(used, tpotOf), tpotColumns);
	const first = timed(used, ttftOf);
	const [c0 = 0, c1 = 0, c2 = 0, c3 = 0, c4 = 0] = tpot.coefficients;
	return {
		phase: "serve",
		form: TPOT_FORM,
		coefficients: { c0, c1, c2, c3, c4 },
		evidence: "fitted",
		range: rangeOf(timed(used, tpotOf)),
		ttft: first.length > 0 ? { ...solve(first, ttftColumns), form: TTFT_FORM, n: first.length } : null,
		percentiles: {
			ttft: percentiles(used, "ttftSeconds", "ttftP50Seconds", "ttftP99Seconds"),
			tpot: percentiles(used, "tpotSeconds", "tpotP50Seconds", "tpotP99Seconds"),
		},
		...{ loo: tpot.loo, series: tpot.series },
		...lineage(used),
		notes: notesOf(used),
	};
}

function notesOf(points: readonly ServePoint[]): string[] {
	const medians = points.filter(
		(p) => p.tpotSeconds === null || (p.ttftSeconds === null && ttftOf(p) !== null),
	);
	if (medians.length === 0) return [];
	const which =
		medians.length === points.length ? "every point" : `${medians.length} of ${points.length} points`;
	return [
		`the source gives no mean at ${which}: the median stands for it, which slow requests move less; of the wait for the first token at least what the throughput tells`,
	];
}

const rangeOf = (points: readonly Timed[]): ServeFit["range"] => ({
	concurrency: span(points.map((p) => p.load.concurrency)),
	input: span(points.map((p) => p.load.input)),
	output: span(points.map((p) => p.load.output)),
});

function solve(points: readonly Timed[], columns: (load: Load) => number[]) {
	const equations = points.map((p) => ({
		row: columns(p.load),
		value: p.seconds,
		weight: p.seconds ** -2,
	}));
	const sums = normalEquations(equations);
	const loo = looError(misses(points, columns, leaveOneOut(equations, sums)));
	const coefficients = nnls(sums);
	return { coefficients, loo, series: seriesOf(residualsOf(points, columns, coefficients)) };
}

function residualsOf(
	points: readonly Timed[],
	columns: (load: Load) => number[],
	coefficients: readonly number[],
) {
	return points.flatMap(({ load, seconds }) => {
		const log = Math.log(seconds / dot(coefficients, columns(load)));
		return Number.isFinite(log) ? [{ ...load, log }] : [];
	});
}

/** Each point predicted with the coefficients of the others, bent to those of the same requests. */
function misses(points: readonly Timed[], columns: (load: Load) => number[], others: number[][]): Miss[] {
	const sorted = (of: (load: Load) => number) => points.map((p) => of(p.load)).sort((a, b) => a - b);
	const loads = sorted((load) => load.concurrency);
	const inputs = sorted((load) => load.input);
	const outputs = sorted((load) => load.output);
	const kinds = kindsOf([...points.keys()], (i) => points[i]?.load as Load);
	const beside = new Map(kinds.flatMap((kind) => besideEach(kind, points)));
	return points.map(({ load, seconds }, i) => {
		const rest = {
			concurrency: spanWithout(loads, load.concurrency),
			input: spanWithout(inputs, load.input),
			output: spanWithout(outputs, load.output),
		};
		const theirs = others[i] ?? [];
		const bent = loadResidual(seriesOf(residualsOf(beside.get(i) ?? [], columns, theirs)), load);
		const predicted = dot(theirs, columns(load)) * Math.exp(bent);
		return { log: Math.log(seconds / predicted), factor: outsideBy(rest, load) };
	});
}

/** Of each load of one kind, by its place, those at the same concurrency, else the next below and above: what bends a law there. */
function besideEach(kind: readonly number[], points: readonly Timed[]): [number, Timed[]][] {
	const at = (i: number) => points[i]?.load.concurrency ?? 0;
	const steps = new Map<number, number[]>();
	for (const i of [...kind].sort((a, b) => at(a) - at(b))) steps.set(at(i), [...(steps.get(at(i)) ?? []), i]);
	const ladder = [...steps.values()];
	return ladder.flatMap((step, n) =>
		step.map((i): [number, Timed[]] => {
			const same = step.filter((j) => j !== i);
			const chosen = same.length > 0 ? same : [...(ladder[n - 1] ?? []), ...(ladder[n + 1] ?? [])];
			return [i, chosen.flatMap((j) => points[j] ?? [])];
		}),
	);
}

type TimeOf = {
	[K in keyof ServePoint]: ServePoint[K] extends number | null ? K : never;
}[keyof ServePoint];

/** Geometric mean of percentile / mean over the points that carry both. */
function percentiles(points: readonly ServePoint[], mean: TimeOf, p50: TimeOf, p99: TimeOf): Percentiles {
	const share = (percentile: TimeOf) => {
		const logs = points.flatMap((p) => {
			const ratio = (p[percentile] ?? 0) / (p[mean] ?? 0);
			return ratio > 0 && Number.isFinite(ratio) ? [Math.log(ratio)] : [];
		});
		return logs.length > 0 ? Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length) : null;
	};
	return { p50: share(p50), p99: share(p99) };
}
