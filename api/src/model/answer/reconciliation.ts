import { count, figure, percent, usd } from "../trust/figures.ts";
import { type Evidence, type Quantity, type Unit, weakest } from "../trust/quantity.ts";
import { state, type Wording } from "../trust/statement.ts";
import { costFigures } from "./costs.ts";
import { type Outlook, outlookOf, type Timing, timingOf } from "./outlook.ts";
import { loadPointOf } from "./plan.ts";
import type { PlanFacts, Scenario } from "./question.ts";
import { sourcesOf } from "./sources.ts";
import { missingTimes } from "./times.ts";

/** What a month really took, as the bill and the meters say. */
export interface ActualMonth {
	/** GPU-hours that were paid, > 0. */
	gpuHours: number;
	/** USD that were paid; null: not said, the planned price stands in. */
	usd: number | null;
	/** Tokens of all prompts, those a prefix cache held included, ≥ 0. */
	promptTokens: number;
	outputTokens: number;
}

/** A plan held against a month. */
export interface Reconciliation {
	/** GPU-hours that these tokens take at the planned load, while the engine is busy. */
	neededGpuHours: Quantity;
	/** The same with the hours that the plan leaves idle. */
	plannedGpuHours: Quantity;
	actualGpuHours: Quantity;
	/** Share of the paid hours that explains the bill: needed over paid. */
	utilisation: Quantity;
	plannedUtilisation: Quantity;
	plannedUsd: Quantity;
	actualUsd: Quantity;
	/** actual − planned. */
	differenceUsd: Quantity;
	/** Of the difference: more or fewer hours at the planned price. */
	ofHoursUsd: Quantity;
	/** Of the difference: a dearer or cheaper hour than planned. */
	ofPriceUsd: Quantity;
	/** What the figures say, in plain sentences. */
	findings: string[];
}

interface Needed {
	middle: number;
	low: number;
	high: number;
}

/**
 * Holds the GPU-hours and the money of a month against what the plan says the same tokens take.
 * needed = prompt tokens · GPU-hours per prompt token + output tokens · GPU-hours per output token, at the planned load;
 * utilisation = needed / paid; planned = needed / planned share of busy hours.
 * The difference in money is (paid − planned hours) · planned price + paid hours · (paid − planned price).
 * @throws RangeError that names what is out of bounds
 * @source DESIGN 2.8
 */
export function reconcile(
	scenario: Scenario,
	facts: PlanFacts,
	actual: ActualMonth,
	wording: Wording = {},
): Reconciliation {
	checkMonth(actual);
	const outlook = outlookOf(scenario, facts);
	const timing = timingOf(outlook, loadPointOf(outlook.resolved.scenario));
	const needed = neededHours(outlook, timing, actual);
	const { busy } = outlook.resolved.said;
	const price = outlook.price;
	const { gpuHours } = actual;
	const planned = needed && {
		middle: needed.middle / busy,
		low: needed.low / busy,
		high: needed.high / busy,
	};
	const evidence = timing ? weakest(timing.ttftEvidence, timing.tpotEvidence) : "assumed";
	const moneyEvidence = weakest(evidence, price?.evidence ?? "assumed");
	const sources = [...(price?.sources ?? []), ...sourcesOf(outlook, timing, "prefill", "decode")];
	const says = (
		value: number | null | undefined,
		unit: Unit,
		kind: Evidence,
		words: () => string,
		ends?: [number, number],
	): Quantity => {
		const quantity = state(
			value ?? null,
			unit,
			kind,
			() => (value == null ? missing(outlook, timing) : words()),
			wording,
			sources,
		);
		if (value != null && ends) Object.assign(quantity, { low: Math.min(...ends), high: Math.max(...ends) });
		return quantity;
	};
	const hours = "GPU-hours" as const;
	const plannedUsd = planned && price ? planned.middle * price.value : null;
	const actualUsd = actual.usd ?? (price ? gpuHours * price.value : null);
	const difference = plannedUsd !== null && actualUsd !== null ? actualUsd - plannedUsd : null;
	const ofHours = planned && price ? (gpuHours - planned.middle) * price.value : null;
	const ofPrice =
		price && actual.usd !== null
			? actual.usd - gpuHours * price.value
			: actual.usd === null && price
				? 0
				: null;
	const utilisation = needed && needed.middle / gpuHours;
	return {
		neededGpuHours: says(
			needed?.middle,
			hours,
			evidence,
			() => neededWords(outlook, timing, actual, needed?.middle ?? 0),
			needed ? [needed.low, needed.high] : undefined,
		),
		plannedGpuHours: says(
			planned?.middle,
			hours,
			evidence,
			() =>
				`${figure(needed?.middle ?? 0)} / ${percent(busy)} of the paid hours that are planned to be busy = ${figure(planned?.middle ?? 0)}`,
			planned ? [planned.low, planned.high] : undefined,
		),
		actualGpuHours: state(
			gpuHours,
			hours,
			"measured",
			() => `${figure(gpuHours)}, as the bill says`,
			wording,
		),
		utilisation: says(
			utilisation,
			"ratio",
			evidence,
			() =>
				`${figure(needed?.middle ?? 0)} GPU-hours needed / ${figure(gpuHours)} paid = ${percent(utilisation ?? 0)}`,
			needed ? [needed.low / gpuHours, needed.high / gpuHours] : undefined,
		),
		plannedUtilisation: state(busy, "ratio", "arithmetic", () => `${percent(busy)}, as planned`, wording),
		plannedUsd: says(
			plannedUsd,
			"USD",
			moneyEvidence,
			() => `${figure(planned?.middle ?? 0)} GPU-hours × ${usd(price?.value ?? 0)}; ${price?.from() ?? ""}`,
			planned && price ? [planned.low * price.low, planned.high * price.high] : undefined,
		),
		actualUsd:
			actual.usd === null
				? says(
						actualUsd,
						"USD",
						price?.evidence ?? "assumed",
						() =>
							`the bill was not said: ${figure(gpuHours)} GPU-hours × ${usd(price?.value ?? 0)}; ${price?.from() ?? ""}`,
					)
				: state(actual.usd, "USD", "measured", () => `${usd(actual.usd ?? 0)}, as the bill says`, wording),
		differenceUsd: says(
			difference,
			"USD",
			moneyEvidence,
			() => `${usd(actualUsd ?? 0)} − ${usd(plannedUsd ?? 0)} = ${usd(difference ?? 0)}`,
		),
		ofHoursUsd: says(
			ofHours,
			"USD",
			moneyEvidence,
			() =>
				`(${figure(gpuHours)} − ${figure(planned?.middle ?? 0)}) GPU-hours × ${usd(price?.value ?? 0)} = ${usd(ofHours ?? 0)}`,
		),
		ofPriceUsd: says(ofPrice, "USD", price?.evidence ?? "assumed", () =>
			actual.usd === null
				? "the bill was not said, so the planned price stands for it"
				: `${figure(gpuHours)} GPU-hours × (${usd((actual.usd ?? 0) / gpuHours)} − ${usd(price?.value ?? 0)}) = ${usd(ofPrice ?? 0)}`,
		),
		findings: wording.arithmetic === false ? [] : findingsOf(needed, actual, busy),
	};
}

function checkMonth({ gpuHours, usd: paid, promptTokens, outputTokens }: ActualMonth): void {
	const bound = (name: string, value: number, positive: boolean) => {
		if (!Number.isFinite(value) || value < 0 || (positive && value === 0))
			throw new RangeError(`${name} must be a number ${positive ? "above" : "of at least"} 0, not ${value}`);
	};
	bound("gpuHours", gpuHours, true);
	if (paid !== null) bound("usd", paid, false);
	bound("promptTokens", promptTokens, false);
	bound("outputTokens", outputTokens, false);
}

/** GPU-hours of a million tokens of each kind: what they cost at one USD an hour with every paid hour busy. */
function hoursPerMillion(outlook: Outlook, timing: Timing | null, bound: "middle" | "low" | "high") {
	const at = loadPointOf(outlook.resolved.scenario);
	const { busy } = outlook.resolved.said;
	const { perMillionInput, perMillionOutput } = costFigures(outlook, at, timing, 1, bound);
	if (perMillionInput === null || perMillionOutput === null) return null;
	return { prompt: perMillionInput * busy, output: perMillionOutput * busy };
}

function neededHours(outlook: Outlook, timing: Timing | null, actual: ActualMonth): Needed | null {
	const at = (bound: "middle" | "low" | "high") => {
		const each = hoursPerMillion(outlook, timing, bound);
		return each && (actual.promptTokens * each.prompt + actual.outputTokens * each.output) / 1e6;
	};
	const [middle, low, high] = [at("middle"), at("low"), at("high")];
	return middle !== null && low !== null && high !== null ? { middle, low, high } : null;
}

function neededWords(outlook: Outlook, timing: Timing | null, actual: ActualMonth, needed: number): string {
	const each = hoursPerMillion(outlook, timing, "middle") ?? { prompt: 0, output: 0 };
	const part = (tokens: number, hours: number, kind: string) =>
		`${count(tokens)} ${kind} tokens × ${figure(hours)} GPU-hours per million`;
	return `${part(actual.promptTokens, each.prompt, "prompt")} + ${part(actual.outputTokens, each.output, "output")}, at the planned load = ${figure(needed)}`;
}

const missing = (outlook: Outlook, timing: Timing | null): string => {
	if (!timing) return missingTimes(outlook);
	if (timing.fits === 0) return "nothing runs: not one sequence fits in the cache";
	return "no price is known: enter USD per GPU-hour, or add one to the price book";
};

/** Below this share of busy hours most of the bill is waiting. */
const MOSTLY_IDLE = 0.3;

function findingsOf(needed: Needed | null, { gpuHours, usd: paid }: ActualMonth, busy: number): string[] {
	if (!needed) return [];
	const [low, middle, high] = [needed.low, needed.middle, needed.high].map((hours) => hours / gpuHours) as [
		number,
		number,
		number,
	];
	if (low > 1)
		return [
			"More was served than this plan says the paid hours can: shorter prompts than planned, more prefix-cache hits, more requests together, or tokens that ran elsewhere. Compare the plan's lengths and load with the meters.",
		];
	const within = low <= busy && busy <= high;
	return [
		within
			? `The bill agrees with the plan: the served tokens explain ${percent(middle)} of the paid hours, the plan has ${percent(busy)} of them busy, and the difference is inside the interval of the times.`
			: `The served tokens explain ${percent(middle)} of the paid hours; the plan has ${percent(busy)} of them busy.`,
		...(high < MOSTLY_IDLE
			? [
					"Most of the paid hours were idle: fewer replicas, or hours switched off, would have carried the same.",
				]
			: []),
		...(paid === null ? ["What was paid is not said: the planned price stands for it."] : []),
	];
}
