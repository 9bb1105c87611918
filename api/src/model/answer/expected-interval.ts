import type { ConfigurationFits } from "../time/curves.ts";
import type { Point } from "../time/points.ts";
import { type Foresight, hypotheticalPoint, type MeasurementShape, refitWith } from "./measurement-shape.ts";

/** Half-widths of what is asked, ln(high / low) / 2 each, from the laws. */
export type WidthsOf = (fits: ConfigurationFits) => number[];

/** How a measurement may come out, in standard deviations, and how likely. */
export interface Outcome {
	z: number;
	weight: number;
}
/** The middles of three equally likely thirds of the normal law: its quantiles at 1/6, 1/2 and 5/6. */
const OUTCOMES: readonly Outcome[] = [
	{ z: -0.9674, weight: 1 / 3 },
	{ z: 0, weight: 1 / 3 },
	{ z: 0.9674, weight: 1 / 3 },
];
/** Only as it is expected: a third of the work, for a first choice among many. */
export const AS_EXPECTED: readonly Outcome[] = [{ z: 0, weight: 1 }];

/** Everything that the effect of a further measurement is worked out from. */
export interface Standing {
	fits: ConfigurationFits;
	points: readonly Point[];
	foresight: Foresight;
	widthsOf: WidthsOf;
}

/**
 * Half-widths to expect when a measurement is added: the laws are fitted again with it as it may come out, lower, as
 * expected and higher, and the product's own interval of each is averaged by how likely it is.
 * @param shapes what one measurement times: a tool that sends one request at a time times a prompt and a step
 * @param outcomes how it may come out
 * @returns null where the laws expect nothing of such a measurement
 */
export function expectedWidths(
	{ fits, points, foresight, widthsOf }: Standing,
	shapes: readonly MeasurementShape[],
	outcomes: readonly Outcome[] = OUTCOMES,
): number[] | null {
	let expected: number[] | null = null;
	for (const { z, weight } of outcomes) {
		const added = shapes.map((shape) => hypotheticalPoint(shape, foresight, z));
		if (!added.every((point) => point !== null)) return null;
		const widths = widthsOf(refitWith(fits, points, added));
		expected = widths.map((width, i) => (expected?.[i] ?? 0) + weight * width);
	}
	return expected;
}

/** By how much a measurement narrows what is asked, all half-widths together. */
export const shrinkOf = (before: readonly number[], after: readonly number[]): number =>
	before.reduce((sum, width, i) => sum + width - (after[i] ?? 0), 0);
