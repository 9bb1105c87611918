import { format, formatCount, roundTo, shortTokens } from "#lib/format.ts";
import type { ChartAxis, ScaleKind } from "./option.ts";
import { linearEnd, linearTicks } from "./scale.ts";

/** Span of the values on an axis, both ends included. */
export interface Extent {
	from: number;
	to: number;
}

/** Lengths that an axis of tokens names wherever it reaches them. */
const NAMED_TOKENS = [1e3, 32e3, 128e3];
const LANDMARK_TOKENS = [16, 64, 256, 1e3, 4e3, 16e3, 32e3, 128e3, 1e6];
const DOUBLING_TOKENS = [
	1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1e3, 2e3, 4e3, 8e3, 16e3, 32e3, 64e3, 128e3, 256e3, 512e3, 1e6, 2e6,
	4e6, 8e6,
];
const ENOUGH_TICKS = 4;
const MANY_TICKS = 7;
const FEW_TICKS = 3;
/** Round figures of a decade, from many to few. */
const LOG_STEPS = [[1, 1.5, 2, 3, 4, 5, 7], [1, 2, 5], [1, 3], [1]];
/** Factor of room at both ends of a horizontal axis, so that a dot there is drawn whole. */
const ACROSS = 1.06;
/** A round figure within this factor of an end of an axis is that end's tick. */
const SAME = 1.06;
/** Round figures to end a vertical axis in: of a part of a decade or two, and of more. */
const FINE_ENDS = [1, 1.5, 2, 3, 4, 5, 7];
const COARSE_ENDS = [1, 2, 5];
const COARSE_FROM = 100;
/** An axis shorter than this factor has ticks equal differences apart. */
const SHORT = 3;
/** Values nearer to each other than this factor are one value, around which an axis has room. */
const NARROW = 1.001;
/** Ticks nearer to an end than this share of the axis would touch its words. */
const CLEAR = 1 / 9;

const within =
	({ from, to }: Extent) =>
	(value: number) =>
		value >= from * 0.999 && value <= to * 1.001;

/** The span of some numbers; 1 … 10 where there are none above zero, so that an empty chart still has axes. */
export function extentOf(values: readonly (number | null | undefined)[]): Extent {
	const known = values.filter((v): v is number => typeof v === "number" && Number.isFinite(v) && v > 0);
	if (known.length === 0) return { from: 1, to: 10 };
	return { from: Math.min(...known), to: Math.max(...known) };
}

/** Ticks of a token axis: 1K, 4K, 16K, 32K, 128K, 1M, with all doublings between where these are too few. */
export function tokenTicks(extent: Extent): number[] {
	const landmarks = LANDMARK_TOKENS.filter(within(extent));
	return landmarks.length >= ENOUGH_TICKS ? landmarks : DOUBLING_TOKENS.filter(within(extent));
}

/** Ticks of a log axis in round figures, seven at most where decades allow it. */
export function logTicks(extent: Extent): number[] {
	const first = Math.floor(Math.log10(extent.from));
	const last = Math.ceil(Math.log10(extent.to));
	const decades = Array.from({ length: last - first + 1 }, (_, i) => 10 ** (first + i));
	const candidates = LOG_STEPS.map((steps) =>
		decades.flatMap((decade) => steps.map((step) => roundTo(step * decade, 3))).filter(within(extent)),
	);
	const enough = candidates.find((ticks) => ticks.length <= MANY_TICKS);
	if (enough) return enough.length >= FEW_TICKS ? enough : evenTicks(extent);
	const powers = candidates.at(-1) ?? [];
	return powers.filter((_, i) => i % Math.ceil(powers.length / MANY_TICKS) === 0);
}

/** A round step that divides a span into about four. */
function evenStep({ from, to }: Extent): number {
	const rough = (to - from) / ENOUGH_TICKS;
	const decade = 10 ** Math.floor(Math.log10(rough));
	return decade * ([1, 2, 5, 10].find((s) => s * decade >= rough) ?? 10);
}

/** Ticks equal differences apart, in round figures: for a log axis so short that decades have none to offer. */
function evenTicks({ from, to }: Extent): number[] {
	const step = evenStep({ from, to });
	const first = Math.ceil(from / step - SLACK);
	const count = Math.floor(to / step + SLACK) - first + 1;
	return Array.from({ length: count }, (_, i) => roundTo((first + i) * step, 6));
}
const SLACK = 1e-9;

/** The nearest round figures that hold a span between them. */
function roundEnds({ from, to }: Extent): Extent {
	const steps = to / from > COARSE_FROM ? COARSE_ENDS : FINE_ENDS;
	const figures = (value: number) => {
		const decade = 10 ** Math.floor(Math.log10(value) + SLACK);
		return [0.1, 1, 10].flatMap((scale) => steps.map((step) => roundTo(step * scale * decade, 3)));
	};
	const low = figures(from).findLast((figure) => figure <= from * (1 + SLACK)) ?? from;
	const high = figures(to).find((figure) => figure >= to * (1 - SLACK)) ?? to;
	return { from: low, to: high > low ? high : low * 10 };
}

/** A log axis that begins and ends in round figures, with a tick at each end. */
export function roundLogAxis(extent: Extent): Extent & { ticks: number[] } {
	const span = extent.to / extent.from > NARROW ? extent : { from: extent.from / 1.1, to: extent.to * 1.1 };
	if (span.to / span.from < SHORT) {
		const step = evenStep(span);
		const [first, last] = [Math.floor(span.from / step + SLACK), Math.ceil(span.to / step - SLACK)];
		const ticks = Array.from({ length: last - first + 1 }, (_, i) => roundTo((first + i) * step, 6));
		return { from: ticks[0] ?? span.from, to: ticks.at(-1) ?? span.to, ticks };
	}
	const { from, to } = roundEnds(span);
	const whole = Math.log(to / from);
	const clear = (tick: number) => Math.min(Math.log(tick / from), Math.log(to / tick)) >= CLEAR * whole;
	return { from, to, ticks: [from, ...logTicks({ from, to }).filter(clear), to] };
}

/**
 * Ticks with one at each end of what is shown: one that is as good as the end, else a round figure, else the end itself.
 * @param round further figures that a tick may have
 */
export function withEnds(
	ticks: readonly number[],
	{ from, to }: Extent,
	round: readonly number[] = [],
): number[] {
	const same = (end: number) => (tick: number) => Math.max(tick / end, end / tick) <= SAME;
	const at = (end: number) => (ticks.some(same(end)) ? [] : [round.find(same(end)) ?? end]);
	return [...at(from), ...ticks, ...(to === from ? [] : at(to))];
}

/** Ticks at the powers of two of a count. */
export function countTicks({ from, to }: Extent): number[] {
	const first = Math.ceil(Math.log2(from) - 1e-9);
	const count = Math.floor(Math.log2(to) + 1e-9) - first + 1;
	const step = Math.ceil(count / MANY_TICKS);
	return Array.from({ length: Math.max(0, count) }, (_, i) => 2 ** (first + i)).filter(
		(_, i) => i % step === 0,
	);
}

/** A figure on an axis carries no idle digits: "2.00" → "2". */
const trimmed = (number: string) => (number.includes(".") ? number.replace(/\.?0+$/, "") : number);

/** "50 ms", "2 s", "600 s": a time on an axis; one unit from a second up, so that a decade reads as one. */
export function shortSeconds(seconds: number): string {
	if (seconds === 0) return "0";
	if (seconds >= 1) return `${trimmed(formatCount(roundTo(seconds, 3)))}\u00a0s`;
	const { number, unit } = format(seconds, "seconds");
	return `${trimmed(number)}\u00a0${unit}`;
}

/** "$0.5", "$120": money on an axis. */
export function shortDollars(dollars: number): string {
	return `$${trimmed(formatCount(roundTo(dollars, 3)))}`;
}

/** "+5%", "0", "−5%": a deviation on an axis. */
export function signedPercent(share: number): string {
	const percent = roundTo(share * 100, 3);
	if (percent === 0) return "0";
	return `${percent > 0 ? "+" : "−"}${trimmed(formatCount(Math.abs(percent)))}%`;
}

/** Room beyond the first and the last value. */
const roomy = ({ from, to }: Extent, factor: number): Extent => ({ from: from / factor, to: to * factor });

/** Log axis of tokens, ticks at both ends and at 1K, 4K, 16K, 32K, 128K, 1M. */
export function tokenAxis(name: string, extent: Extent): ChartAxis {
	const ticks = withEnds(tokenTicks(extent), extent, DOUBLING_TOKENS);
	const span = { scale: "log" as const, ...roomy(extent, ACROSS) };
	return { name, unit: "tokens", ...span, ticks, landmarks: NAMED_TOKENS, write: shortTokens };
}

/** Log axis of a count of sequences or requests, ticks at both ends and at powers of two. */
export function countAxis(name: string, extent: Extent, unit = "requests"): ChartAxis {
	const ticks = withEnds(countTicks(extent), extent);
	return { name, unit, scale: "log", ...roomy(extent, ACROSS), ticks, write: formatCount };
}

/** Vertical axis from one round figure to another; linear begins at zero. */
export function valueAxis(
	name: string,
	unit: string,
	extent: Extent,
	write: (value: number) => string,
	scale: ScaleKind = "log",
): ChartAxis {
	if (scale === "log") return { name, unit, scale, ...roundLogAxis(extent), write };
	const to = linearEnd(extent.to, ENOUGH_TICKS);
	return { name, unit, scale, from: 0, to, ticks: linearTicks(to, ENOUGH_TICKS), write };
}

/** Vertical axis of relative deviations, as far down as up, so that zero is in the middle. */
export function deviationAxis(name: string, largest: number): ChartAxis {
	const ticks = [-1, -0.5, 0, 0.5, 1].map((share) => share * largest);
	return { name, unit: "ratio", scale: "linear", from: -largest, to: largest, ticks, write: signedPercent };
}

/** Horizontal axis of moments, from the start to the end. */
export function timeAxis(name: string, to: number): ChartAxis {
	const inner = linearTicks(to, ENOUGH_TICKS).filter((tick) => tick <= to * (1 - CLEAR));
	return { name, unit: "seconds", scale: "linear", from: 0, to, ticks: [...inner, to], write: shortSeconds };
}

/** Log axis of a rate, ticks at both ends and in round figures. */
export function rateAxis(name: string, unit: string, extent: Extent): ChartAxis {
	const write = (value: number) => trimmed(formatCount(roundTo(value, 2)));
	const ticks = withEnds(logTicks(extent), extent);
	return { name, unit, scale: "log", ...roomy(extent, ACROSS), ticks, write };
}
