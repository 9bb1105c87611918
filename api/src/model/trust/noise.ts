/** How much the measurements of one point differ, as the points carry it. */
export interface Repeated {
	n: number;
	/** Relative standard deviation between runs; null with fewer than two. */
	betweenRuns: number | null;
	/** Relative standard deviation between repetitions inside a run. */
	withinRun: number | null;
}

export interface NoiseFloor {
	relative: number;
	from: "repeated runs" | "repetitions";
}

/**
 * Relative spread between identical measurements, pooled over points.
 * √(Σ (n − 1)·s² / Σ (n − 1)) over points measured in two runs or more; only without such, the spread of the repetitions
 * inside runs, which is smaller: identical commands differed by 3 to 4 % where the spread inside each was 0.5 %.
 * @returns null where nothing was repeated
 * @source DESIGN 5
 */
export function noiseFloor(points: readonly Repeated[]): NoiseFloor | null {
	const between = pooled(
		points,
		(p) => p.betweenRuns,
		(p) => p.n - 1,
	);
	if (between !== null) return { relative: between, from: "repeated runs" };
	const within = pooled(
		points,
		(p) => p.withinRun,
		() => 1,
	);
	return within === null ? null : { relative: within, from: "repetitions" };
}

function pooled(
	points: readonly Repeated[],
	spread: (point: Repeated) => number | null,
	weight: (point: Repeated) => number,
): number | null {
	let squares = 0;
	let weights = 0;
	for (const point of points) {
		const s = spread(point);
		if (s === null || weight(point) <= 0) continue;
		squares += weight(point) * s * s;
		weights += weight(point);
	}
	return weights > 0 ? Math.sqrt(squares / weights) : null;
}
