/** Least squares in the form its solution needs: XᵀWX and XᵀWy. */
export interface NormalEquations {
	gram: number[][];
	moment: number[];
}

/** One weighted equation `row · coefficients = value`. */
export interface Equation {
	row: readonly number[];
	value: number;
	/** Weight of the squared residual; 0 leaves the equation out. */
	weight: number;
}

const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);

/** Sums the equations up to XᵀWX and XᵀWy. */
export function normalEquations(equations: readonly Equation[]): NormalEquations {
	const width = equations[0]?.row.length ?? 0;
	const columns = Array.from({ length: width }, (_, j) => j);
	const sum = (of: (e: Equation) => number) => equations.reduce((total, e) => total + e.weight * of(e), 0);
	return {
		gram: columns.map((i) => columns.map((j) => sum((e) => (e.row[i] ?? 0) * (e.row[j] ?? 0)))),
		moment: columns.map((i) => sum((e) => (e.row[i] ?? 0) * e.value)),
	};
}

/**
 * Non-negative least squares by the active set of Lawson and Hanson, on the normal equations.
 * min ‖W^½(X·c − y)‖² subject to c ≥ 0
 * @param equations XᵀWX and XᵀWy, of any scale: columns are brought to unit length inside
 * @returns c, one coefficient a column, each ≥ 0; a column that is zero or depends on others gets 0
 * @source Lawson and Hanson, Solving Least Squares Problems, 1974, chapter 23; on normal equations as in Bro and de Jong,
 * J. Chemometrics 11 (1997) 393
 */
export function nnls({ gram, moment }: NormalEquations): number[] {
	const scale = gram.map((row, j) => 1 / Math.sqrt(row[j] || 1));
	const unit = gram.map((row, i) => row.map((g, j) => g * (scale[i] ?? 0) * (scale[j] ?? 0)));
	const target = moment.map((m, j) => m * (scale[j] ?? 0));
	const tolerance = 1e-11 * Math.max(...target.map(Math.abs));
	const free = target.map(() => false);
	let x = target.map(() => 0);
	for (let step = 0; step < 3 * target.length; step++) {
		const slope = target.map((t, j) => (free[j] ? 0 : t - dot(unit[j] ?? [], x)));
		const steepest = slope.indexOf(Math.max(...slope));
		if ((slope[steepest] ?? 0) <= tolerance) break;
		free[steepest] = true;
		x = backInside(x, free, unit, target);
	}
	return x.map((value, j) => value * (scale[j] ?? 0));
}

/** Solves for the free columns; while one comes out negative, walks to the wall it hits and fixes it there. */
function backInside(from: number[], free: boolean[], gram: number[][], moment: number[]): number[] {
	let x = from;
	for (;;) {
		const z = solveFree(gram, moment, free);
		const ratios = z.map((zj, j) => (free[j] && zj <= 0 ? (x[j] ?? 0) / ((x[j] ?? 0) - zj || 1) : 1));
		const part = Math.min(...ratios);
		if (!free.some((f, j) => f && (z[j] ?? 0) <= 0)) return z;
		x = x.map((xj, j) => xj + part * ((z[j] ?? 0) - xj));
		ratios.forEach((ratio, j) => {
			if (ratio === part && (z[j] ?? 0) <= 0) free[j] = false;
		});
		x = x.map((xj, j) => (free[j] ? xj : 0));
	}
}

/** Cholesky on the free columns; one whose pivot vanishes depends on those before it and gets 0. */
function solveFree(gram: number[][], moment: number[], free: boolean[]): number[] {
	const index = free.flatMap((f, j) => (f ? [j] : []));
	const lower: number[][] = [];
	const half: number[] = [];
	for (const [i, at] of index.entries()) {
		const row: number[] = [];
		for (let j = 0; j < i; j++) {
			const g = (gram[at]?.[index[j] ?? 0] ?? 0) - dot(row, lower[j]?.slice(0, j) ?? []);
			row.push((lower[j]?.[j] ?? 0) > 0 ? g / (lower[j]?.[j] ?? 1) : 0);
		}
		const pivot = (gram[at]?.[at] ?? 0) - dot(row, row);
		row.push(pivot > 1e-13 ? Math.sqrt(pivot) : 0);
		lower.push(row);
		half.push(pivot > 1e-13 ? ((moment[at] ?? 0) - dot(row.slice(0, i), half)) / (row[i] ?? 1) : 0);
	}
	const solution = free.map(() => 0);
	for (let i = index.length - 1; i >= 0; i--) {
		const diagonal = lower[i]?.[i] ?? 0;
		let rest = half[i] ?? 0;
		for (let j = i + 1; j < index.length; j++) rest -= (lower[j]?.[i] ?? 0) * (solution[index[j] ?? 0] ?? 0);
		solution[index[i] ?? 0] = diagonal > 0 ? rest / diagonal : 0;
	}
	return solution;
}
