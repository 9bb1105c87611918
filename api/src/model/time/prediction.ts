import { halfWidth, UNSEEN_ERROR } from "../trust/interval.ts";
import { type NoiseFloor, noiseFloor, type Repeated } from "../trust/noise.ts";
import { type Evidence, weakest } from "../trust/quantity.ts";
import type { FitBase, Prediction } from "./curves.ts";

/** Most ids that a fit lists of the measurements behind it. */
const LISTED = 1000;

/** What every fit says of its points. */
export function lineage(points: readonly (Repeated & { measurementIds: string[] })[]): {
	n: number;
	noise: NoiseFloor | null;
	measurementIds: string[];
} {
	const measurementIds = [...new Set(points.flatMap((p) => p.measurementIds))].slice(0, LISTED);
	return { n: points.length, noise: noiseFloor(points), measurementIds };
}

/**
 * A time with its 95 % interval; extrapolated where `factor` beyond the fitted range is above 1.
 * @param unseen whether the step out of the range goes in a direction in which only one value was measured
 */
export function predictionOf(
	fit: Pick<FitBase, "n" | "loo"> & { evidence: Evidence },
	seconds: number,
	factor: number,
	unseen = false,
): Prediction {
	const loo = unseen ? Math.hypot(fit.loo ?? 0, UNSEEN_ERROR) : fit.loo;
	const width = Math.exp(halfWidth({ n: fit.n, loo }, factor));
	return {
		seconds,
		low: seconds / width,
		high: seconds * width,
		evidence: factor > 1 ? weakest(fit.evidence, "extrapolated") : fit.evidence,
		outsideBy: factor,
	};
}

/** The smallest and the largest. */
export const span = (values: readonly number[]): [number, number] =>
	values.reduce<[number, number]>(
		([least, most], value) => [Math.min(least, value), Math.max(most, value)],
		[Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
	);

/** Whether a value lies off a range that holds one value only. */
export const isUnseen = (value: number, [from, to]: readonly [number, number]): boolean =>
	from === to && value !== from;

export const distinct = (values: readonly number[]): number[] => [...new Set(values)].sort((a, b) => a - b);

/** @throws RangeError that names parameter, value and bound */
export function check(name: string, value: number, least: number, strictly = false): void {
	if (Number.isFinite(value) && (strictly ? value > least : value >= least)) return;
	throw new RangeError(
		`${name} must be a finite number ${strictly ? "above" : "of at least"} ${least}, not ${value}`,
	);
}

/** Range of sorted values when one of them is taken out. */
export function spanWithout(sorted: readonly number[], value: number): [number, number] {
	const last = sorted.length - 1;
	const from = sorted[0] === value ? sorted[1] : sorted[0];
	const to = sorted[last] === value ? sorted[last - 1] : sorted[last];
	return [from ?? value, to ?? value];
}
