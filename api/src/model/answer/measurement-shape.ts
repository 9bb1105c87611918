import type { ConfigurationFits } from "../time/curves.ts";
import { fitDecode } from "../time/decode.ts";
import type { DecodePoint, Point, PrefillPoint, ServePoint } from "../time/points.ts";
import { fitPrefill } from "../time/prefill.ts";
import { fitServe } from "../time/serve.ts";
import { intervalQuantile } from "../trust/interval.ts";

/** What one measurement times: a prompt, a decode step, or a load. */
export type MeasurementShape =
	| { phase: "prefill"; tokens: number; cached: number; batch: number }
	| { phase: "decode"; batch: number; context: number }
	| { phase: "serve"; input: number; output: number; concurrency: number };

type ShapeOf<Phase> = Extract<MeasurementShape, { phase: Phase }>;

/** A time that is expected, with its 95 % interval, in seconds. */
export interface Expected {
	seconds: number;
	low: number;
	high: number;
	/** Points of the law that tells it; 0 for an estimate. */
	points: number;
}

/** What the laws of today expect of a measurement that was not made; null where no law tells. */
export interface Foresight {
	prefill(shape: ShapeOf<"prefill">): Expected | null;
	decode(shape: ShapeOf<"decode">): Expected | null;
	serve(shape: ShapeOf<"serve">): { ttft: Expected; tpot: Expected } | null;
}

const measuredOnce = { n: 1, betweenRuns: null, withinRun: null, measurementIds: [] };

/** Half of a 95 % interval over its standard deviation: Student's t of the law's points, as the interval was made. */
const deviations = (points: number): number =>
	intervalQuantile(points > 0 ? points : Number.POSITIVE_INFINITY);
const at = ({ seconds, low, high, points }: Expected, z: number): number =>
	seconds * Math.exp((z * Math.log(high / low)) / 2 / deviations(points));

/**
 * The point that a measurement would leave if it came out `z` standard deviations from what the laws expect.
 * @returns null where the laws expect nothing
 */
export function hypotheticalPoint(shape: MeasurementShape, foresight: Foresight, z: number): Point | null {
	if (shape.phase === "serve") {
		const times = foresight.serve(shape);
		return times && servePoint(shape, at(times.ttft, z), at(times.tpot, z));
	}
	const time = shape.phase === "prefill" ? foresight.prefill(shape) : foresight.decode(shape);
	return time && { ...shape, seconds: at(time, z), ...measuredOnce };
}

function servePoint(shape: ShapeOf<"serve">, ttftSeconds: number, tpotSeconds: number): ServePoint {
	return {
		...shape,
		...{ rate: null, ttftSeconds, tpotSeconds, outputTokensPerSecond: null },
		...{ ttftP50Seconds: null, ttftP99Seconds: null, tpotP50Seconds: null, tpotP99Seconds: null },
		...measuredOnce,
	};
}

/** Whether a point of this shape is there, so that another would only repeat it. */
export function isMeasured(shape: MeasurementShape, points: readonly Point[]): boolean {
	return points.some(
		(point) =>
			point.phase === shape.phase &&
			numbersOf(shape).every(([key, value]) => isNear(value, numberOf(point, key))),
	);
}

const numbersOf = (shape: MeasurementShape): [string, number][] =>
	Object.entries(shape).filter((entry): entry is [string, number] => typeof entry[1] === "number");
const numberOf = (point: Point, key: string): number =>
	Number(Object.entries(point).find(([name]) => name === key)?.[1]);

/** Within this share of each other two lengths or loads tell the same. */
const SAME = 0.1;
export const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= SAME * Math.max(a, b);

/** The laws with further points; phases to which nothing is added keep theirs. */
export function refitWith(
	fits: ConfigurationFits,
	points: readonly Point[],
	added: readonly Point[],
): ConfigurationFits {
	const all = [...points, ...added];
	const touched = new Set(added.map((point) => point.phase));
	return {
		prefill: touched.has("prefill")
			? fitPrefill(all.filter((p): p is PrefillPoint => p.phase === "prefill"))
			: fits.prefill,
		decode: touched.has("decode")
			? fitDecode(all.filter((p): p is DecodePoint => p.phase === "decode"))
			: fits.decode,
		serve: touched.has("serve")
			? fitServe(all.filter((p): p is ServePoint => p.phase === "serve"))
			: fits.serve,
	};
}
