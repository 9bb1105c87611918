/** seconds = factor · tokens^exponent */
export interface PowerLaw {
	factor: number;
	exponent: number;
}

const FEWEST = 3;

/**
 * The power law nearest to measured times: a straight line through their logarithms, by least squares.
 * Good for contrast: it is what a ruler on double-log paper gives, and it errs far beyond the measured lengths.
 * @param points tokens and seconds, both above zero
 * @returns null with fewer than three distinct lengths: through two any law passes
 */
export function powerLaw(points: readonly { x: number; y: number }[]): PowerLaw | null {
	if (new Set(points.map((p) => p.x)).size < FEWEST) return null;
	const logs = points.map(({ x, y }) => [Math.log(x), Math.log(y)] as const);
	const meanX = mean(logs.map(([x]) => x));
	const meanY = mean(logs.map(([, y]) => y));
	const across = mean(logs.map(([x, y]) => (x - meanX) * (y - meanY)));
	const along = mean(logs.map(([x]) => (x - meanX) ** 2));
	const exponent = across / along;
	return { factor: Math.exp(meanY - exponent * meanX), exponent };
}

function mean(values: readonly number[]): number {
	return values.reduce((sum, value) => sum + value, 0) / values.length;
}
