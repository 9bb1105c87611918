/** One weighted equation `row · coefficients = value`. */
export interface Equation {
	row: readonly number[];
	value: number;
	/** Weight of the squared residual, ≥ 0. */
	weight: number;
}

/** Least squares in the form its solution needs: XᵀWX and XᵀWy. */
export interface NormalEquations {
	gram: number[][];
	moment: number[];
}

const at = (values: readonly number[] | undefined, index: number) => values?.[index] ?? 0;

function dot(a: readonly number[], b: readonly number[], length = a.length): number {
	let sum = 0;
	for (let i = 0; i < length; i++) sum += at(a, i) * at(b, i);
	return sum;
}

/** Adds an equation to the sums, or takes it out again with `sign` −1. */
function include({ gram, moment }: NormalEquations, { row, value, weight }: Equation, sign = 1): void {
	for (let i = 0; i < row.length; i++) {
		const scaled = sign * weight * at(row, i);
		moment[i] = at(moment, i) + scaled * value;
		const line = gram[i] ?? [];
		for (let j = 0; j < row.length; j++) line[j] = at(line, j) + scaled * at(row, j);
	}
}

/** Sums the equations up to XᵀWX and XᵀWy. */
export function normalEquations(equations: readonly Equation[]): NormalEquations {
	const width = equations[0]?.row.length ?? 0;
	const zeros = () => new Array<number>(width).fill(0);
	const sums = { gram: Array.from({ length: width }, zeros), moment: zeros() };
	for (const equation of equations) include(sums, equation);
	return sums;
}

/** A column that keeps less than this share of its sum of squares was only in the equation taken out: the rest is rounding. */
const ROUNDING = 1e-12;

/** The sums without one of their equations. */
function without({ gram, moment }: NormalEquations, equation: Equation): NormalEquations {
	const rest = { gram: gram.map((line) => line.slice()), moment: moment.slice() };
	include(rest, equation, -1);
	gram.forEach((line, j) => {
		if (at(rest.gram[j], j) > ROUNDING * at(line, j)) return;
		for (const other of rest.gram) other[j] = 0;
		rest.gram[j]?.fill(0);
		rest.moment[j] = 0;
	});
	return rest;
}

/** Of columns that would help equally, the first is taken, whatever rounding says. */
const TIE = 1e-9;
/** A pivot of the unit-length columns below this means that the column depends on those before it. */
const DEPENDENT = 1e-13;

/**
 * Non-negative least squares by the active set of Lawson and Hanson, on the normal equations.
 * min ‖W^½(X·c − y)‖² subject to c ≥ 0
 * @param equations XᵀWX and XᵀWy, of any scale: columns are brought to unit length inside
 * @param guess columns that a similar problem used: saves most of the work where they fit here too
 * @returns c, one coefficient a column, each ≥ 0; a column that is zero or depends on those before it gets 0
 * @source Lawson & Hanson, Solving Least Squares Problems (1974), chapter 23; on normal equations as in Bro & de Jong,
 * J. Chemometrics 11 (1997) 393
 */
export function nnls({ gram, moment }: NormalEquations, guess: readonly number[] = []): number[] {
	const scale = gram.map((line, j) => 1 / Math.sqrt(at(line, j) || 1));
	const unit = gram.map((line, i) => line.map((g, j) => g * at(scale, i) * at(scale, j)));
	const target = moment.map((m, j) => m * at(scale, j));
	const tolerance = 1e-11 * Math.max(...target.map(Math.abs));
	const free = guess.filter((j) => at(gram[j], j) > 0);
	let solution =
		free.length > 0
			? backInside(
					free.map(() => 1),
					free,
					unit,
					target,
				)
			: [];
	for (let step = 0; step < 3 * target.length; step++) {
		const next = steepest(free, solution, unit, target, tolerance);
		if (next < 0) break;
		free.push(next);
		solution = backInside([...solution, 0], free, unit, target);
	}
	const coefficients = target.map(() => 0);
	free.forEach((j, i) => {
		coefficients[j] = at(solution, i) * at(scale, j);
	});
	return coefficients;
}

/** The fixed column along which the misfit falls fastest; −1 where none would help. */
function steepest(
	free: readonly number[],
	solution: readonly number[],
	gram: readonly number[][],
	moment: readonly number[],
	tolerance: number,
): number {
	let [best, greatest] = [-1, tolerance];
	for (let j = 0; j < moment.length; j++) {
		if (free.includes(j)) continue;
		let slope = at(moment, j);
		for (let i = 0; i < free.length; i++) slope -= at(gram[j], at(free, i)) * at(solution, i);
		if (slope > greatest * (1 + TIE)) [best, greatest] = [j, slope];
	}
	return best;
}

/** Solves for the free columns; while one comes out negative, walks to the wall that it hits and fixes it there. */
function backInside(from: number[], free: number[], gram: number[][], moment: number[]): number[] {
	let inside = from;
	for (;;) {
		const goal = solve(free, gram, moment);
		const reach = goal.map((z, i) => (z > 0 ? 1 : at(inside, i) / (at(inside, i) - z || 1)));
		const part = Math.min(1, ...reach);
		const stays = goal.map((z, i) => z > 0 || at(reach, i) > part);
		if (!stays.includes(false)) return goal;
		inside = inside.map((x, i) => x + part * (at(goal, i) - x)).filter((_, i) => stays[i]);
		free.splice(0, free.length, ...free.filter((_, i) => stays[i]));
	}
}

/** Cholesky of the chosen columns, forward and back; 0 where a column depends on those before it. */
function solve(columns: readonly number[], gram: readonly number[][], moment: readonly number[]): number[] {
	const lower: number[][] = [];
	const solution: number[] = [];
	for (let i = 0; i < columns.length; i++) {
		const line = gram[at(columns, i)];
		const row: number[] = [];
		let pivot = at(line, at(columns, i));
		let value = at(moment, at(columns, i));
		for (let j = 0; j < i; j++) {
			const above = at(lower[j], j);
			const entry = above > 0 ? (at(line, at(columns, j)) - dot(row, lower[j] ?? [], j)) / above : 0;
			row.push(entry);
			pivot -= entry * entry;
			value -= entry * at(solution, j);
		}
		const diagonal = pivot > DEPENDENT ? Math.sqrt(pivot) : 0;
		row.push(diagonal);
		lower.push(row);
		solution.push(diagonal > 0 ? value / diagonal : 0);
	}
	for (let i = columns.length - 1; i >= 0; i--) {
		let rest = at(solution, i);
		for (let j = i + 1; j < columns.length; j++) rest -= at(lower[j], i) * at(solution, j);
		const diagonal = at(lower[i], i);
		solution[i] = diagonal > 0 ? rest / diagonal : 0;
	}
	return solution;
}

/** Of fewer equations, one may be the only to tell two columns apart: the others are then solved from nothing. */
const MANY = 12;

/** Coefficients without each of the equations in turn; `sums` may hold more equations than these. */
export function leaveOneOut(equations: readonly Equation[], sums: NormalEquations): number[][] {
	const used = nnls(sums).flatMap((c, j) => (c > 0 ? [j] : []));
	const guess = equations.length > MANY ? used : [];
	return equations.map((equation) => nnls(without(sums, equation), guess));
}
