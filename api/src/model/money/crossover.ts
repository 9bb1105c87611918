import { count, figure, usd } from "../trust/figures.ts";
import type { Evidence, Quantity, Source } from "../trust/quantity.ts";
import { state } from "../trust/statement.ts";
import type { BandedAmount } from "./price.ts";

/** GPUs of one's own, rented or bought, as a staircase of replicas: idle capacity is charged. */
export interface ReplicaSteps {
	/** USD of one replica for a month, used or not. */
	usdPerReplicaMonth: number;
	/** Requests of a month that one replica serves within the limits, the daily peak being what it is sized for. */
	requestsPerReplicaMonth: number;
	/** Replicas kept beyond those needed (N + 1). */
	spareReplicas: number;
}

/** Replicas for a volume: ⌈volume / capacity⌉ + spare, at least one that works. */
export const replicasFor = (
	volume: number,
	{ requestsPerReplicaMonth, spareReplicas }: ReplicaSteps,
): number => Math.max(1, Math.ceil(volume / requestsPerReplicaMonth)) + spareReplicas;

/** USD of a month on GPUs of one's own. */
export const stepsUsd = (volume: number, steps: ReplicaSteps): number =>
	replicasFor(volume, steps) * steps.usdPerReplicaMonth;

/** Volumes between which hosting oneself begins to be cheaper than paying per request. null: it never is. */
export interface CrossoverVolumes {
	/** Requests per month at which it is cheaper for the first time. */
	first: number | null;
	/** From here on it is cheaper at every volume, the steps included. */
	always: number | null;
}

/**
 * Volume at which a staircase of replicas meets a price per request.
 * n working replicas cost (n + spare)·C a month and serve up to n·K requests: cheaper from (n + spare)·C/u on, where that
 * is still on their step, (n + spare)·C/u ≤ n·K. Always: behind the last step on which that is not so from its begin.
 * @param usdPerRequest what a hosted API takes, above 0
 */
export function crossoverVolumes(steps: ReplicaSteps, usdPerRequest: number): CrossoverVolumes {
	const { usdPerReplicaMonth, requestsPerReplicaMonth: most, spareReplicas: spare } = steps;
	// Requests that pay for one replica.
	const each = usdPerReplicaMonth / usdPerRequest;
	if (each >= most) return { first: null, always: null };
	const n = Math.max(1, Math.ceil((spare * each) / (most - each)));
	// The first step that is cheaper from its begin on; on the one before it lies the last crossing, or its end.
	const m = Math.ceil((most + spare * each) / (most - each));
	const always = Math.min((m - 1 + spare) * each, (m - 1) * most);
	return { first: (n + spare) * each, always };
}

/** The crossover with its band: low is the cheapest GPUs against the dearest API, high the reverse. */
export interface Crossover {
	first: Quantity;
	always: Quantity;
}

/** What is compared: both sides as ranges. */
export interface CrossoverQuestion {
	usdPerReplicaMonth: BandedAmount;
	requestsPerReplicaMonth: BandedAmount;
	spareReplicas: number;
	usdPerRequest: BandedAmount;
	evidence: Evidence;
	sources: readonly Source[];
}

/** The volume from which GPUs of one's own are cheaper than a hosted API, with bands from the ranges of both. */
export function crossover(question: CrossoverQuestion): Crossover {
	const { usdPerReplicaMonth: money, requestsPerReplicaMonth: capacity, usdPerRequest: api } = question;
	const at = (usdPerReplicaMonth: number, requestsPerReplicaMonth: number, usdPerRequest: number) =>
		crossoverVolumes(
			{ usdPerReplicaMonth, requestsPerReplicaMonth, spareReplicas: question.spareReplicas },
			usdPerRequest,
		);
	const middle = at(money.middle, capacity.middle, api.middle);
	const best = at(money.low, capacity.high, api.high);
	const worst = at(money.high, capacity.low, api.low);
	const quantity = (key: keyof CrossoverVolumes, what: string): Quantity => {
		const value = middle[key];
		const made = state(
			value,
			"requests/month",
			question.evidence,
			() => describe(question, value, what, best[key], worst[key]),
			{},
			question.sources,
		);
		const [low, high] = [best[key], worst[key]];
		if (value !== null && low !== null && high !== null && low !== high) Object.assign(made, { low, high });
		return made;
	};
	return {
		first: quantity("first", "cheaper for the first time"),
		always: quantity("always", "cheaper at every volume"),
	};
}

function describe(
	{ usdPerReplicaMonth, requestsPerReplicaMonth, spareReplicas, usdPerRequest }: CrossoverQuestion,
	value: number | null,
	what: string,
	best: number | null,
	worst: number | null,
): string {
	const sides = `replicas of ${usd(usdPerReplicaMonth.middle)} a month for up to ${count(Math.round(requestsPerReplicaMonth.middle))} requests each, ${spareReplicas} spare, against ${usd(usdPerRequest.middle)} a request`;
	if (value === null)
		return best === null
			? `never: ${sides}: even a full replica costs more than the API`
			: `not at the middle of the prices: ${sides}; with the cheapest GPUs and the dearest API from ${count(Math.round(best))} requests a month on`;
	const open = worst === null ? "; with the dearest GPUs and the cheapest API never" : "";
	return `${what} from ${figure(value)} requests a month on: ${sides}${open}`;
}
