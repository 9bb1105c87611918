import type { Conditions, Measurement } from "./record.ts";

/** Everything but the shape of a time that was read once: no repetitions, so no spread. */
export function singleReading(
	conditions: Conditions,
	seconds: number,
	suspicions: string[] = [],
): Pick<
	Measurement,
	| "conditions"
	| "startedAt"
	| "status"
	| "notes"
	| "suspicions"
	| "seconds"
	| "secondsMean"
	| "secondsStd"
	| "repetitions"
	| "details"
> {
	return {
		conditions,
		startedAt: null,
		status: "ok",
		notes: [],
		suspicions,
		seconds: [seconds],
		secondsMean: seconds,
		secondsStd: null,
		repetitions: 1,
		details: {},
	};
}
