import { area, curveLinear, curveStepAfter, line } from "d3-shape";
import type { BandSeries, DotSeries, DotSymbol, LineSeries } from "./option.ts";
import type { Plot } from "./plot.ts";

/** Decimals of a pixel. */
const DIGITS = 1;

const rounded = (pixels: number) => Math.round(pixels * 10 ** DIGITS) / 10 ** DIGITS;

/** The path of a line, broken where it has no value, or none that its axis can show: zero is not on a log axis. */
export function linePath({ points, steps }: LineSeries, { x, y }: Plot): string {
	const draw = line<LineSeries["points"][number]>()
		.defined((p) => p.y !== null && Number.isFinite(x(p.x)) && Number.isFinite(y(p.y)))
		.x((p) => x(p.x))
		.y((p) => y(p.y ?? Number.NaN))
		.curve(steps ? curveStepAfter : curveLinear)
		.digits(DIGITS);
	return draw(points) ?? "";
}

/** The outline of a band from its low to its high values; a low that a log axis cannot show is at its foot. */
export function bandPath({ points }: BandSeries, { x, y, bottom }: Plot): string {
	const foot = (low: number) => (Number.isFinite(y(low)) ? y(low) : bottom);
	const draw = area<BandSeries["points"][number]>()
		.x((p) => x(p.x))
		.defined((p) => Number.isFinite(x(p.x)) && Number.isFinite(y(p.high)))
		.y0((p) => foot(p.low))
		.y1((p) => y(p.high))
		.digits(DIGITS);
	return draw(points) ?? "";
}

/** Each shape as wide and as high as `size`, around a pixel. */
const SHAPES: Record<DotSymbol, (x: number, y: number, size: number) => string> = {
	circle: (x, y, d) =>
		`M${rounded(x - d / 2)},${y}a${d / 2},${d / 2} 0 1 1 ${d},0a${d / 2},${d / 2} 0 1 1 ${-d},0Z`,
	rect: (x, y, d) => `M${rounded(x - d / 2)},${rounded(y - d / 2)}h${d}v${d}h${-d}Z`,
	triangle: (x, y, d) => `M${x},${rounded(y - d / 2)}l${d / 2},${d}h${-d}Z`,
	diamond: (x, y, d) =>
		`M${x},${rounded(y - d / 2)}l${d / 2},${d / 2}l${-d / 2},${d / 2}l${-d / 2},${-d / 2}Z`,
};

/** Wider than any chart is high, so that two coordinates are one number. */
const WIDER = 2 ** 16;

/** All dots of a series that are in sight, as one path, each place once: thousands cost no more elements than one. */
export function dotsPath({ points, symbol, size }: DotSeries, plot: Plot): string {
	const shape = SHAPES[symbol];
	const drawn = new Set<number>();
	let path = "";
	for (const p of points) {
		const [x, y] = [rounded(plot.x(p.x)), rounded(plot.y(p.y))];
		const inSight = x >= plot.left && x <= plot.right && y >= plot.top && y <= plot.bottom;
		const place = x * WIDER + y;
		if (!inSight || drawn.has(place)) continue;
		drawn.add(place);
		path += shape(x, y, size);
	}
	return path;
}
