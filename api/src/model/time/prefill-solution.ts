import { beyond, type Miss } from "../trust/interval.ts";
import { type Equation, leaveOneOut, nnls, normalEquations } from "../trust/nnls.ts";
import type { PrefillFit } from "./curves.ts";
import type { PrefillPoint } from "./points.ts";
import { distinct, spanWithout } from "./prediction.ts";
import {
	isPlain,
	lengthOf,
	linearWork,
	type PrefillQuestion,
	prefillLaw,
	quadraticWork,
} from "./prefill-law.ts";
import { plainPoints, residualOf } from "./prefill-residuals.ts";
import { residualAt } from "./residuals.ts";

type Form = PrefillFit["form"];
type Coefficients = PrefillFit["coefficients"];

export const KNEED = "f + a·max(0, u − k) + b·v";
export const STRAIGHT = "f + a·u + b·v";
const ORIGIN = "a·u + b·v";
export const CHUNKS = "chunks of one size";
export const SCALED = "roofline shape, scaled";

/**
 * Median and spread of b/a per token over the public series of the accuracy table: medians 1.1e-5 (64 sums of measured
 * kernels), 1.7e-5 (89 whole-model sweeps) and 5e-5 (7 Splitwise tables), quartiles within 2e-5 of each.
 */
export const TYPICAL_SHARE = 1.5e-5;
const SHARE_SPREAD = 2.5e-5;
/** Relative scatter assumed even of an exact fit: it lets the typical share decide where lengths cannot. */
const LEAST_SCATTER = 1e-4;
/** The same of three points, which three coefficients fit exactly however much they scatter. */
const SCATTER_OF_THREE = 3e-3;

/** Places at which the knee is tried, evenly spaced in log size. */
const KNEES = 32;

/** A form with its solution, and what it takes to solve it again without one of the points. */
export interface Solution {
	form: Form;
	coefficients: Coefficients;
	equations: readonly Equation[];
}

/** The form that so many distinct sizes allow. */
function formOf(points: readonly PrefillPoint[]): Form {
	const sizes = distinct(points.map(linearWork)).length;
	if (sizes >= 5) return KNEED;
	if (sizes >= 3) return STRAIGHT;
	if (sizes === 2) return ORIGIN;
	const oneChunk = distinct(points.map((p) => p.tokens)).length === 1;
	return oneChunk && points.length > 1 ? CHUNKS : SCALED;
}

/** Coefficients of the form that the points allow; `share` is the b/a of a single length. */
export const solution = (points: readonly PrefillPoint[], share = TYPICAL_SHARE): Solution =>
	solveAs(formOf(points), points, share);

function solveAs(form: Form, points: readonly PrefillPoint[], share: number): Solution {
	const plain = points.map((p) => equation(form, 0, p, share));
	const straight = solve(plain, form, 0, share);
	if (form === SCALED) return straight;
	// Two sizes between which time grows slower than the size show a floor.
	if (form === ORIGIN && straight.coefficients.b === 0) return solveAs(STRAIGHT, points, share);
	const error = misfit(points, straight.coefficients);
	const { equations, k } = form === KNEED ? kneed(points, straight, error) : { ...straight, k: 0 };
	return solve([...equations, typicalShare(points, form, error)], form, k);
}

function equation(form: Form, k: number, point: PrefillPoint, share = 0): Equation {
	return { row: columns(form, k, point, share), value: point.seconds, weight: 1 / point.seconds };
}

/** Columns of f − a·k, a and b. The floor is at least a·k: seconds per token never rise with the size. */
function columns(form: Form, k: number, point: PrefillQuestion, share: number): number[] {
	const [u, v] = [linearWork(point), quadraticWork(point)];
	if (form === SCALED) return [0, u + share * v, 0];
	return [form === ORIGIN || form === CHUNKS ? 0 : 1, Math.max(u, k), v];
}

function solve(equations: readonly Equation[], form: Form, k: number, share = 0): Solution {
	const solved = nnls(normalEquations(equations));
	return { form, equations, coefficients: coefficientsOf(solved, k, form === SCALED ? share : 0) };
}

const coefficientsOf = ([rest = 0, a = 0, b = 0]: number[], k: number, share: number): Coefficients => ({
	a,
	b: b + share * a,
	f: rest + a * k,
	k: a > 0 ? k : 0,
});

/** Σ (measured − law)² / measured */
function misfit(points: readonly PrefillPoint[], coefficients: Coefficients): number {
	let sum = 0;
	for (const point of points) sum += (point.seconds - prefillLaw(coefficients, point)) ** 2 / point.seconds;
	return sum;
}

/** Profiles the knee over a log grid from the smallest to the middle size. */
function kneed(points: readonly PrefillPoint[], straight: Solution, error: number) {
	const sizes = distinct(points.map(linearWork));
	const from = sizes[0] ?? 1;
	const to = sizes[sizes.length >> 1] ?? from;
	let best = { equations: straight.equations, k: 0, error };
	for (let i = 1; i <= KNEES; i++) {
		const k = from * (to / from) ** (i / KNEES);
		const equations = points.map((p) => equation(KNEED, k, p));
		const tried = solve(equations, KNEED, k);
		const remaining = misfit(points, tried.coefficients);
		if (remaining < best.error) best = { equations, k, error: remaining };
	}
	return best;
}

/**
 * Draws b towards its typical share of a, as strongly as the points scatter about the straight form: kernels that step at
 * tile edges would else be read as attention, and grow with the square beyond the last length.
 */
function typicalShare(points: readonly PrefillPoint[], form: Form, error: number): Equation {
	const { seconds, ...longest } = points.reduce((a, b) => (linearWork(b) > linearWork(a) ? b : a));
	const slope = seconds / linearWork(longest);
	const least = form === STRAIGHT && points.length <= 3 ? SCATTER_OF_THREE : LEAST_SCATTER;
	const noise = Math.max(error / Math.max(1, points.length - 3), least ** 2 * seconds);
	return { row: [0, -TYPICAL_SHARE, 1], value: 0, weight: noise / (SHARE_SPREAD * slope) ** 2 };
}

/** Up to this many points, those that are left are solved in the form that they allow; beyond, the form is kept. */
const FEW = 12;

/** Each point predicted from the others, the knee held, as the curve would predict it. */
export function prefillMisses(points: readonly PrefillPoint[], found: Solution, share?: number): Miss[] {
	const { form, coefficients, equations } = found;
	const others = leaveOneOut(equations.slice(0, points.length), normalEquations(equations));
	const plain = plainPoints(points);
	const lengths = points.map(lengthOf).sort((a, b) => a - b);
	return points.map((point, i) => {
		const rest = points.length <= FEW ? points.filter((other) => other !== point) : [];
		const changes = form !== KNEED && rest.length > 0 && formOf(rest) !== form;
		const theirs = changes
			? solution(rest, share).coefficients
			: coefficientsOf(others[i] ?? [], coefficients.k, 0);
		const residual = form === CHUNKS || !isPlain(point) ? 0 : neighbours(plain, point, theirs);
		return {
			log: Math.log(point.seconds / prefillLaw(theirs, point)) - residual,
			factor: beyond(lengthOf(point), spanWithout(lengths, lengthOf(point))),
		};
	});
}

function neighbours(plain: readonly PrefillPoint[], point: PrefillPoint, coefficients: Coefficients): number {
	const place = plain.indexOf(point);
	const around = [plain[place - 1], plain[place + 1]].flatMap((p) =>
		p ? [residualOf(p, coefficients)] : [],
	);
	return residualAt(around, point.tokens);
}
