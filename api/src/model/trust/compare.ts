import type { ConfigurationFits } from "../time/curves.ts";
import { predictDecode } from "../time/decode.ts";
import type { DecodePoint, Point, PrefillPoint, ServePoint } from "../time/points.ts";
import { predictPrefill } from "../time/prefill.ts";
import { predictServe } from "../time/serve.ts";
import { type ComparedTime, type Difference, differenceOf, timeWords, verdictOf } from "./difference.ts";
import { count, percent } from "./figures.ts";
import { quantile } from "./interval.ts";

/** What a comparison reads of a configuration. */
export interface Compared {
	/** Short name, unique among those compared: "A". */
	name: string;
	fits: ConfigurationFits;
	points: readonly Point[];
}

export type ComparedPhase = "prefill" | "decode" | "serve";

/** One shape, with the time that each configuration takes for it. */
export interface ComparedRow {
	/** "4,096 tokens", "8 together at 16,384 tokens", "1,024 → 128 tokens, 16 in flight". */
	shape: string;
	/** Place on the axis of the chart: tokens of the prompt or the context, requests in flight. */
	at: number;
	/** In the order of the configurations; null: outside what this one measured. */
	times: (ComparedTime | null)[];
	/** Against the first; null for the first itself, and where one of the two has no time. */
	differences: (Difference | null)[];
}

/** What the rows of one phase add up to for a configuration against the first. */
export interface ComparedSummary {
	/** Median over the rows; null: no row has both. */
	difference: Difference | null;
	words: string;
}

export interface PhaseComparison {
	phase: ComparedPhase;
	rows: ComparedRow[];
	/** In the order of the configurations; null for the first. */
	summaries: (ComparedSummary | null)[];
}

/** Rows that a table can have and still be read. */
const MOST_ROWS = 10;

/**
 * Holds configurations against the first of them, phase by phase, at shapes that lie inside what was measured.
 * @param all two or more; only phases that two of them measured are answered
 */
export function compare(all: readonly Compared[]): PhaseComparison[] {
	return [prefillRows(all), decodeRows(all), serveRows(all)].map(({ phase, shapes }) => {
		const rows = few(shapes.flatMap((shape) => rowOf(all, shape)));
		return {
			phase,
			rows,
			summaries: all.map((one, i) => (i === 0 ? null : summaryOf(phase, all, one, rows))),
		};
	});
}

/** A shape and how a configuration answers it. */
interface Shape {
	words: string;
	at: number;
	timeOf(one: Compared): ComparedTime | null;
}

function rowOf(all: readonly Compared[], { words, at, timeOf }: Shape): ComparedRow[] {
	const times = all.map(timeOf);
	if (times.filter((time) => time !== null).length < 2) return [];
	const [first, base] = [times[0] ?? null, all[0]];
	const differences = times.map((time, i) => {
		const other = all[i];
		if (i === 0 || !first || !time || !base || !other) return null;
		return differenceOf(first, time, [base.name, other.name]);
	});
	return [{ shape: words, at, times, differences }];
}

/** Rows spread evenly over all of them, the first and the last included. */
function few(rows: readonly ComparedRow[]): ComparedRow[] {
	if (rows.length <= MOST_ROWS) return [...rows];
	const places = Array.from({ length: MOST_ROWS }, (_, i) =>
		Math.round((i * (rows.length - 1)) / (MOST_ROWS - 1)),
	);
	return places.flatMap((place) => rows[place] ?? []);
}

/** Lengths that tools report as means lie a little off the round ones. */
const REACH = 1.02;
const inside = (value: number, from: number, to: number) => value >= from / REACH && value <= to * REACH;
const distinct = (values: readonly number[]) => [...new Set(values)].sort((a, b) => a - b);
const measured = (
	{ seconds, n }: { seconds: number; n: number },
	noise: ComparedTime["noise"],
): ComparedTime => ({
	...{ seconds, from: "measured", n, loo: null, noise },
});

const isWhole = (p: Point): p is PrefillPoint => p.phase === "prefill" && p.batch === 1 && p.cached === 0;

function prefillRows(all: readonly Compared[]): { phase: ComparedPhase; shapes: Shape[] } {
	const lengths = distinct(all.flatMap(({ points }) => points.filter(isWhole).map(({ tokens }) => tokens)));
	const shapes = lengths.map((tokens) => ({
		words: `${count(tokens)} tokens`,
		at: tokens,
		timeOf: ({ fits: { prefill }, points }: Compared): ComparedTime | null => {
			if (!prefill) return null;
			const point = points.filter(isWhole).find((p) => p.tokens === tokens);
			if (point) return measured(point, prefill.noise);
			if (!inside(tokens, prefill.range.from, prefill.range.to)) return null;
			const { seconds } = predictPrefill(prefill, { tokens });
			return { seconds, from: "fitted", n: 1, loo: prefill.loo, noise: prefill.noise };
		},
	}));
	return { phase: "prefill", shapes };
}

const isStep = (p: Point): p is DecodePoint => p.phase === "decode";

function decodeRows(all: readonly Compared[]): { phase: ComparedPhase; shapes: Shape[] } {
	const steps = all.flatMap(({ points }) => points.filter(isStep));
	const shapes = distinct(steps.map(({ batch }) => batch)).flatMap((batch) =>
		distinct(steps.filter((step) => step.batch === batch).map(({ context }) => context)).map((context) => ({
			words: `${batch === 1 ? "alone" : `${count(batch)} together`} at ${count(Math.round(context))} tokens`,
			at: context,
			timeOf: ({ fits: { decode }, points }: Compared): ComparedTime | null => {
				if (!decode) return null;
				const point = points.filter(isStep).find((p) => p.batch === batch && p.context === context);
				if (point) return measured(point, decode.noise);
				const { range } = decode;
				if (!inside(batch, ...range.batch) || !inside(context, ...range.context)) return null;
				const { seconds } = predictDecode(decode, { batch, context });
				return { seconds, from: "fitted", n: 1, loo: decode.loo, noise: decode.noise };
			},
		})),
	);
	return { phase: "decode", shapes };
}

type Load = ServePoint & { concurrency: number };
const isLoad = (p: Point): p is Load => p.phase === "serve" && p.concurrency !== null;
const alike = (a: number, b: number) => a <= b * REACH && b <= a * REACH;

/** Time per token that clients saw. A load is one shape with another where lengths and requests in flight are about equal. */
function serveRows(all: readonly Compared[]): { phase: ComparedPhase; shapes: Shape[] } {
	const loads = all.flatMap(({ points }) => points.filter(isLoad));
	const unlike = loads.filter((load, i) => !loads.slice(0, i).some((earlier) => sameLoad(earlier, load)));
	const shapes = unlike
		.sort((a, b) => a.input - b.input || a.output - b.output || a.concurrency - b.concurrency)
		.map((load) => ({
			words: `${count(Math.round(load.input))} → ${count(Math.round(load.output))} tokens, ${count(Number(load.concurrency.toPrecision(3)))} in flight`,
			at: load.concurrency,
			timeOf: (one: Compared) => loadTime(one, load),
		}));
	return { phase: "serve", shapes };
}

const sameLoad = (a: Load, b: Load) =>
	alike(a.input, b.input) && alike(a.output, b.output) && alike(a.concurrency, b.concurrency);

function loadTime({ fits, points }: Compared, load: Load): ComparedTime | null {
	const { serve } = fits;
	if (!serve) return null;
	const point = points.filter(isLoad).find((p) => sameLoad(p, load));
	const seconds = point?.tpotSeconds ?? point?.tpotP50Seconds ?? null;
	if (point && seconds !== null) return measured({ seconds, n: point.n }, serve.noise);
	const { input, output, concurrency } = load;
	const { range } = serve;
	const near = inside(input, ...range.input) && inside(output, ...range.output);
	if (!near || !inside(concurrency, ...range.concurrency)) return null;
	const { mean } = predictServe(
		{ ...fits, prefill: null, decode: null },
		{ input, output, concurrency },
	).tpot;
	return mean === null ? null : { seconds: mean, from: "fitted", n: 1, loo: serve.loo, noise: serve.noise };
}

const PHASE_WORDS: Record<ComparedPhase, string> = {
	prefill: "prompts",
	decode: "decode steps",
	serve: "loads",
};

function summaryOf(
	phase: ComparedPhase,
	all: readonly Compared[],
	one: Compared,
	rows: readonly ComparedRow[],
): ComparedSummary {
	const place = all.indexOf(one);
	const differences = rows.flatMap(({ differences }) => differences[place] ?? []);
	if (differences.length === 0) return { difference: null, words: missingWords(phase, all[0], one) };
	const middle = (of: (difference: Difference) => number) => quantile(differences.map(of), 0.5);
	const relative = middle((d) => d.relative);
	const floor = differences.every((d) => d.floor !== null) ? middle((d) => d.floor ?? 0) : null;
	const floorAssumed = differences.some((d) => d.floorAssumed);
	const judged = { relative, floor, floorAssumed, verdict: verdictOf(relative, floor) };
	const words = summaryWords(phase, judged, differences.length);
	return { difference: { ...judged, words }, words };
}

function summaryWords(
	phase: ComparedPhase,
	{ relative, floor, verdict, floorAssumed }: Omit<Difference, "words">,
	rows: number,
): string {
	const over = `median of ${rows} ${rows === 1 ? PHASE_WORDS[phase].slice(0, -1) : PHASE_WORDS[phase]}`;
	if (floor === null) return `${timeWords(relative)}, ${over}; noise not known, so not decided`;
	const assumed = floorAssumed ? ", partly assumed" : "";
	const against = `floor ${percent(floor)}${assumed}`;
	return verdict === "not distinguishable"
		? `not distinguishable (${against}), ${over}`
		: `${timeWords(relative)} (${against}), ${over}`;
}

const HOW_TO_MEASURE: Record<ComparedPhase, string> = {
	prefill: "llama-bench -p 512,2048,8192 -n 0",
	decode: "llama-bench -p 0 -n 64 -d 0,4096,16384",
	serve: "vllm bench serve at the same lengths and concurrencies",
};

function missingWords(phase: ComparedPhase, first: Compared | undefined, other: Compared): string {
	const without = [first, other].filter((one) => one && !one.fits[phase]).map((one) => one?.name);
	const how = `: ${HOW_TO_MEASURE[phase]} would tell`;
	if (without.length > 0)
		return `${without.join(" and ")} ${without.length > 1 ? "have" : "has"} no measured ${PHASE_WORDS[phase]}${how}`;
	return `no ${PHASE_WORDS[phase]} lie in what both measured${how}`;
}
