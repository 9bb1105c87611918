import { count, figure } from "../trust/figures.ts";
import { beyond, looError, type Miss } from "../trust/interval.ts";
import { leaveOneOut, nnls, normalEquations } from "../trust/nnls.ts";
import type { DecodeFit, Prediction } from "./curves.ts";
import type { DecodePoint } from "./points.ts";
import { check, distinct, isUnseen, lineage, predictionOf, span, spanWithout } from "./prediction.ts";

/** One decode step of `batch` sequences at mean context `context` tokens. */
export interface DecodeQuestion {
	batch: number;
	context: number;
}

type Growth = DecodeFit["g"];

/**
 * Tokens per pass at which the matrix products of a step start to cost more than reading the weights: the balance of dense
 * 16-bit peak and bandwidth, 156 on A100, 206 on H200, 295 on H100 by their data sheets.
 */
const MACHINE_BALANCE = 200;

const GROWTHS: Record<Growth, { words: string; of: (batch: number, activeShare: number) => number }> = {
	none: { words: "", of: () => 0 },
	roofline: {
		words: `√(1 + (B/${MACHINE_BALANCE})²)`,
		of: (batch) => Math.sqrt(1 + (batch / MACHINE_BALANCE) ** 2),
	},
	sqrt: { words: "√B", of: Math.sqrt },
	log2: { words: "log₂B", of: Math.log2 },
	// Sequences that choose their experts by themselves: what a step of B leaves untouched is left by each of them.
	experts: { words: "(1 − (1 − a)^B)", of: (batch, activeShare) => 1 - (1 - activeShare) ** batch },
};

/** Least share of the fastest step that reads the weights: even an empty cache is not decoded in no time. */
const LEAST_WEIGHTS = 0.01;

/** What the measured batches and contexts can tell apart. */
interface Design {
	perSequence: boolean;
	perToken: boolean;
	g: Growth;
}

/**
 * Fits how long a decode step takes.
 * t(B, L) = c0 + c1·B + c2·B·L + c3·g(B): read the weights, work per sequence, read its cache
 * g is the roofline's growth from three batches on; from five on √B and log₂B compete with it by leave-one-out (the
 * experts that a mixture-of-experts step touches grow concavely).
 * @returns null without points
 * @throws RangeError for a point that is not a time of work
 * @source DESIGN 2.4; the growths compared in the accuracy table
 */
export function fitDecode(points: readonly DecodePoint[]): DecodeFit | null {
	for (const point of points) checkPoint(point);
	if (points.length === 0) return null;
	const [first, ...others] = designs(points).map((design) => solve(points, design));
	if (!first) return null;
	const best = others.reduce((a, b) => ((b.loo ?? Infinity) < (a.loo ?? Infinity) ? b : a), first);
	const [c0 = 0, c1 = 0, c2 = 0, c3 = 0] = best.coefficients;
	const fastest = Math.min(...points.map((p) => p.seconds));
	return {
		phase: "decode",
		form: formOf(best.design),
		g: best.design.g,
		coefficients: { c0: Math.max(c0, c1 + c3 > 0 ? 0 : LEAST_WEIGHTS * fastest), c1, c2, c3 },
		units: { c0: "seconds", c1: "seconds", c2: "seconds/token", c3: "seconds" },
		evidence: "fitted",
		range: {
			batch: span(points.map((p) => p.batch)),
			context: span(points.map((p) => p.context)),
			read: Math.max(...points.map(cacheRead)),
		},
		loo: best.loo,
		...lineage(points),
		notes: notesOf(best.design),
	};
}

function checkPoint({ batch, context, seconds }: DecodePoint): void {
	checkQuestion({ batch, context });
	check("seconds", seconds, 0, true);
}

function checkQuestion({ batch, context }: DecodeQuestion): void {
	check("batch", batch, 0, true);
	check("context", context, 0);
}

const cacheRead = ({ batch, context }: DecodeQuestion) => batch * context;

function designs(points: readonly DecodePoint[]): Design[] {
	const batches = distinct(points.map((p) => p.batch)).length;
	const perToken = distinct(points.map((p) => p.context)).length > 1;
	const growths: Growth[] =
		batches >= 5 ? ["roofline", "sqrt", "log2"] : [batches >= 3 ? "roofline" : "none"];
	return growths.map((g) => ({ perSequence: batches > 1, perToken, g }));
}

function formOf({ perSequence, perToken, g }: Design): string {
	const terms = [
		"c0",
		perSequence ? "c1·B" : "",
		perToken ? "c2·B·L" : "",
		g === "none" ? "" : `c3·${GROWTHS[g].words}`,
	];
	return terms.filter(Boolean).join(" + ");
}

function notesOf({ perSequence, perToken }: Design): string[] {
	return [
		perSequence ? "" : "one batch only: the work per sequence is not told apart from reading the weights",
		perToken ? "" : "one context only: reading the cache is not told apart from the work per sequence",
	].filter(Boolean);
}

const columns = ({ perSequence, perToken, g }: Design, { batch, context }: DecodeQuestion): number[] => [
	1,
	perSequence ? batch : 0,
	perToken ? batch * context : 0,
	GROWTHS[g].of(batch, 1),
];

function solve(points: readonly DecodePoint[], design: Design) {
	const equations = points.map((p) => ({
		row: columns(design, p),
		value: p.seconds,
		weight: p.seconds ** -2,
	}));
	const sums = normalEquations(equations);
	const loo = looError(misses(points, design, leaveOneOut(equations, sums)));
	return { design, coefficients: nnls(sums), loo };
}

const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);

/** Each point predicted with the coefficients of the others. */
function misses(points: readonly DecodePoint[], design: Design, others: number[][]): Miss[] {
	const sorted = (of: (p: DecodePoint) => number) => points.map(of).sort((a, b) => a - b);
	const [batches, contexts, reads] = [sorted((p) => p.batch), sorted((p) => p.context), sorted(cacheRead)];
	return points.map((point, i) => {
		const rest = {
			batch: spanWithout(batches, point.batch),
			context: spanWithout(contexts, point.context),
			read: spanWithout(reads, cacheRead(point))[1],
		};
		const seconds = dot(others[i] ?? [], columns(design, point));
		return { log: Math.log(point.seconds / seconds), factor: outsideBy(rest, point) };
	});
}

/** The farthest of batch, context and cache read. */
function outsideBy({ batch, context, read }: DecodeFit["range"], question: DecodeQuestion): number {
	return Math.max(
		beyond(question.batch, batch),
		beyond(question.context, context),
		read === undefined ? 1 : cacheRead(question) / Math.max(1, read),
	);
}

/**
 * Seconds of one decode step with the 95 % interval.
 * @param question batch > 0, context ≥ 0
 * @throws RangeError that names what is out of bounds
 */
export function predictDecode(fit: DecodeFit, question: DecodeQuestion): Prediction {
	checkQuestion(question);
	const { batch, context } = fit.range;
	const unseen = isUnseen(question.batch, batch) || isUnseen(question.context, context);
	return predictionOf(fit, decodeSeconds(fit, question), outsideBy(fit.range, question), unseen);
}

/**
 * Seconds of one decode step by the law alone, without its interval.
 * c0 + c1·B + c2·B·L + c3·g(B)
 * @param question batch > 0, context ≥ 0; not checked
 */
export function decodeSeconds(
	{ coefficients: { c0, c1, c2, c3 }, g, activeShare = 1 }: DecodeFit,
	question: DecodeQuestion,
): number {
	const { batch } = question;
	return c0 + c1 * batch + c2 * cacheRead(question) + c3 * GROWTHS[g].of(batch, activeShare);
}

/** Seconds of a step that read the weights: its constant. The roofline's growth is 1 for few sequences, that of experts their share. */
export function weightsSeconds({ coefficients: { c0, c3 }, g, activeShare = 1 }: DecodeFit): number {
	if (g === "experts") return c0 + c3 * activeShare;
	return g === "roofline" ? c0 + c3 : c0;
}

/** The law with its numbers put in: "0.008 + 0.0001 × 8 + 1e−8 × 8 × 4,096". */
export function describeDecode(
	{ coefficients, g, activeShare = 1 }: DecodeFit,
	{ batch, context }: DecodeQuestion,
): string {
	const { c0, c1, c2, c3 } = coefficients;
	const B = figure(batch);
	return [
		c0 > 0 || c3 === 0 ? figure(c0) : "",
		c1 > 0 ? `${figure(c1)} × ${B}` : "",
		c2 > 0 ? `${figure(c2)} × ${B} × ${count(context)}` : "",
		c3 > 0 && g !== "none"
			? `${figure(c3)} × ${GROWTHS[g].words.replace("B", B).replace("a", figure(activeShare))}`
			: "",
	]
		.filter(Boolean)
		.join(" + ");
}
