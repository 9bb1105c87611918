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
export function without({ gram, moment }: NormalEquations, equation: Equation): NormalEquations {
	const rest = { gram: gram.map((line) => [...line]), moment: [...moment] };
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

/**
 * Non-negative least squares by the active set of Lawson and Hanson, on the normal equations.
 * min ‖W^½(X·c − y)‖² subject to c ≥ 0
 * @param equations XᵀWX and XᵀWy, of any scale: columns are brought to unit length inside
 * @returns c, one coefficient a column, each ≥ 0; a column that is zero or depends on those before it gets 0
 * @source Lawson & Hanson, Solving Least Squares Problems (1974), chapter 23; on normal equations as in Bro & de Jong,
 * J. Chemometrics 11 (1997) 393
 */
export function nnls({ gram, moment }: NormalEquations): number[] {
	const scale = gram.map((line, j) => 1 / Math.sqrt(at(line, j) || 1));
	const unit = gram.map((line, i) => line.map((g, j) => g * at(scale, i) * at(scale, j)));
	const target = moment.map((m, j) => m * at(scale, j));
	const tolerance = 1e-11 * Math.max(...target.map(Math.abs));
	const free = target.map(() => false);
	let solution = target.map(() => 0);
	for (let step = 0; step < 3 * target.length; step++) {
		const slope = target.map((t, j) => (free[j] ? 0 : t - dot(unit[j] ?? [], solution)));
		const greatest = Math.max(...slope);
		if (greatest <= tolerance) break;
		const steepest = slope.findIndex((s) => s >= greatest * (1 - TIE));
		free[steepest] = true;
		solution = backInside(solution, free, unit, target);
	}
	return solution.map((value, j) => value * at(scale, j));
}

/** Solves for the free columns; while one comes out negative, walks to the wall that it hits and fixes it there. */
function backInside(from: number[], free: boolean[], gram: number[][], moment: number[]): number[] {
	let inside = from;
	for (;;) {
		const goal = solveFree(gram, moment, free);
		const outside = goal.flatMap((z, j) => (free[j] && z <= 0 ? [j] : []));
		if (outside.length === 0) return goal;
		const reach = (j: number) => at(inside, j) / (at(inside, j) - at(goal, j) || 1);
		const part = Math.min(...outside.map(reach));
		for (const j of outside) if (reach(j) === part) free[j] = false;
		inside = inside.map((x, j) => (free[j] ? x + part * (at(goal, j) - x) : 0));
	}
}

/** A pivot of the unit-length columns below this means that the column depends on those before it. */
const DEPENDENT = 1e-13;

/** Cholesky on the free columns, forward and back; 0 where fixed or dependent. */
function solveFree(gram: number[][], moment: number[], free: boolean[]): number[] {
	const columns = free.flatMap((f, j) => (f ? [j] : []));
	const lower: number[][] = [];
	const half: number[] = [];
	columns.forEach((column, i) => {
		const row: number[] = [];
		for (let j = 0; j < i; j++) {
			const rest = at(gram[column], at(columns, j)) - dot(row, lower[j] ?? [], j);
			row.push(at(lower[j], j) > 0 ? rest / at(lower[j], j) : 0);
		}
		const pivot = at(gram[column], column) - dot(row, row);
		const diagonal = pivot > DEPENDENT ? Math.sqrt(pivot) : 0;
		half.push(diagonal > 0 ? (at(moment, column) - dot(row, half)) / diagonal : 0);
		lower.push([...row, diagonal]);
	});
	const solution = free.map(() => 0);
	for (let i = columns.length - 1; i >= 0; i--) {
		let rest = at(half, i);
		for (let j = i + 1; j < columns.length; j++) rest -= at(lower[j], i) * at(solution, at(columns, j));
		const diagonal = at(lower[i], i);
		solution[at(columns, i)] = diagonal > 0 ? rest / diagonal : 0;
	}
	return solution;
}
