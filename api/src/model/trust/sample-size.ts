import { count, figure, percent } from "./figures.ts";
import type { NoiseFloor } from "./noise.ts";
import type { Quantity } from "./quantity.ts";
import { state } from "./statement.ts";
import { normalQuantile, powerOf } from "./student.ts";

/** What a planned comparison of two arms is to find. */
export interface PlannedComparison {
	/** Smallest difference worth finding, relative to the first arm: 0.05 is 5 % more time, −0.05 is 5 % less; not 0, above −1. */
	effect: number;
	/** Share of comparisons of equal arms that may be called different, 0…1: 0.05. */
	alpha: number;
	/** Share of comparisons with such a difference that are to find it, 0…1: 0.8. */
	power: number;
}

/** Runs of each arm, and the figures they follow from. */
export interface SampleSize {
	/** Runs of each arm. */
	perArm: number;
	/** What the normal distribution alone would ask for, before it is rounded up. */
	normal: number;
	/** Share of comparisons that find the effect with so many runs, 0…1. */
	power: number;
}

/** More runs than anybody makes: the answer is then that such an effect cannot be seen. */
const MOST_RUNS = 1e7;

/**
 * Runs of each arm that a comparison of two means needs: the smallest n ≥ 2 with which a t-test has the power asked for.
 * By the normal distribution n = 2·((z(1 − α/2) + z(power)) / d)²; the spread being estimated from the runs themselves, a
 * t-test needs one or two more.
 * @param standardised effect d over the standard deviation of a single run, > 0
 * @returns null where more than ten million runs would be needed
 * @throws RangeError
 * @source Cohen 1988, tables 2.3 and 2.4
 */
export function sampleSize(
	standardised: number,
	{ alpha, power }: Omit<PlannedComparison, "effect">,
): SampleSize | null {
	if (!(standardised > 0)) throw new RangeError(`standardised must be above 0, not ${standardised}`);
	if (!(alpha > 0 && alpha < 1)) throw new RangeError(`alpha must lie between 0 and 1, not ${alpha}`);
	if (!(power >= 0.5 && power < 1)) throw new RangeError(`power must lie from 0.5 to below 1, not ${power}`);
	const normal = 2 * ((normalQuantile(1 - alpha / 2) + normalQuantile(power)) / standardised) ** 2;
	for (let perArm = Math.max(2, Math.floor(normal)); perArm <= MOST_RUNS; perArm++) {
		const reached = powerOf(standardised, perArm, alpha);
		if (reached >= power) return { perArm, normal, power: reached };
	}
	return null;
}

/** An arm of a planned comparison: what to call it, and its noise; null: nothing was repeated. */
export interface PlannedArm {
	name: string;
	noise: NoiseFloor | null;
}

/**
 * Runs of each arm that show an effect above the noise floor, or what has to be measured before that can be said.
 * Times are compared on the log scale: d = |ln(1 + effect)| / √((s₁² + s₂²) / 2)
 * @param arms one where both are of one configuration
 */
export function repetitionsNeeded(arms: readonly PlannedArm[], ask: PlannedComparison): Quantity {
	const silent = arms.filter(({ noise }) => noise?.from !== "repeated runs");
	if (silent.length > 0) return state(null, "runs", "assumed", () => firstMeasure(silent));
	const spreads = arms.map(({ noise }) => noise?.relative ?? 0);
	const spread = Math.sqrt(spreads.reduce((sum, s) => sum + s * s, 0) / spreads.length);
	const effect = Math.abs(Math.log1p(ask.effect));
	if (spread === 0)
		return state(
			2,
			"runs",
			"measured",
			() => "runs did not differ at all: two of each arm show any difference",
		);
	const size = sampleSize(effect / spread, ask);
	if (size === null)
		return state(
			null,
			"runs",
			"measured",
			() =>
				`more than ten million runs: ${percent(Math.abs(ask.effect))} is far below the noise of ${percent(spread)}`,
		);
	return state(size.perArm, "runs", "measured", () => sizeWords(ask, spread, effect, size));
}

function sizeWords(
	{ effect, alpha, power }: PlannedComparison,
	spread: number,
	log: number,
	size: SampleSize,
): string {
	const [z, zPower] = [normalQuantile(1 - alpha / 2), normalQuantile(power)].map((quantile) =>
		figure(quantile),
	);
	const change = `|ln(1 ${effect < 0 ? "−" : "+"} ${percent(Math.abs(effect))})| = ${figure(log)}`;
	return (
		`2 × ((${z} + ${zPower}) × ${percent(spread)} between runs / ${change})² = ${figure(size.normal)} by the normal distribution; ` +
		`${count(size.perArm)} runs of each arm, with which a t-test finds it in ${percent(size.power)} of comparisons ` +
		`and calls equal arms different in ${percent(alpha)}`
	);
}

function firstMeasure(silent: readonly PlannedArm[]): string {
	const names = silent.map(({ name }) => name).join(" and ");
	const inside = silent.find(({ noise }) => noise !== null)?.noise;
	const known = inside
		? `: repetitions inside a run differ by ${percent(inside.relative)}, runs differ by more`
		: "";
	return `not known: the spread between runs of ${names} was not measured${known}. Two identical arms first: post the same command twice`;
}
