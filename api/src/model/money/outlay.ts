import { replicasFor } from "./crossover.ts";
import { bookValueUsd } from "./ownership.ts";

/** What is bought for a replica, USD. */
export interface OwnedReplica {
	capexUsd: number;
	/** Power, staff, hosting of a month. */
	runningUsdPerMonth: number;
	lifetimeMonths: number;
	residualShare: number;
}

/** What a fleet costs over the months, in three ways. Each way that has no price is null. */
export interface OutlayQuestion {
	/** Months looked ahead, whole, at least 1. */
	months: number;
	requestsPerMonth: number;
	/** Growth of the volume from one month to the next, e.g. 0.05. */
	growthPerMonth: number;
	/** Requests of a month that one replica serves, the daily peak included. */
	requestsPerReplicaMonth: number;
	spareReplicas: number;
	rentUsdPerReplicaMonth: number | null;
	own: OwnedReplica | null;
	apiUsdPerRequest: number | null;
}

/** All that was paid up to the end of a month, USD; null: no price. */
export interface OutlayMonth {
	/** 1 for the first. */
	month: number;
	requests: number;
	replicas: number;
	rent: number | null;
	/** Paid for hardware of one's own: bought when it is needed, and again when it is worn out. */
	own: number | null;
	/** The same less what the hardware is still worth. */
	ownNet: number | null;
	api: number | null;
}

/**
 * Cumulative cost of renting, buying and paying per request.
 * In month i there are V·(1 + g)^(i−1) requests and the replicas that they need, never fewer than the month before for
 * bought ones; rent += replicas·R; own += new replicas·capex + replicas·running; api += requests·u.
 * @throws RangeError where months are no whole number from 1 on or growth is not above −1
 */
export function outlayByMonth(question: OutlayQuestion): OutlayMonth[] {
	const { months, growthPerMonth, rentUsdPerReplicaMonth: rentEach, own, apiUsdPerRequest: api } = question;
	if (!(Number.isInteger(months) && months >= 1))
		throw new RangeError(`months must be a whole number from 1 on, not ${months}`);
	if (!(growthPerMonth > -1)) throw new RangeError(`growthPerMonth must be above −1, not ${growthPerMonth}`);
	const paid = { rent: 0, own: 0, api: 0 };
	let bought: Bought[] = [];
	return Array.from({ length: months }, (_, i) => {
		const requests = question.requestsPerMonth * (1 + growthPerMonth) ** i;
		const replicas = replicasFor(requests, { ...question, usdPerReplicaMonth: 0 });
		paid.rent += replicas * (rentEach ?? 0);
		paid.api += requests * (api ?? 0);
		if (own) {
			const isWorn = ({ month }: Bought) => i - month >= own.lifetimeMonths;
			paid.own -= replicasOf(bought.filter(isWorn)) * own.capexUsd * own.residualShare;
			bought = bought.filter((some) => !isWorn(some));
			const missing = Math.max(0, replicas - replicasOf(bought));
			if (missing > 0) bought.push({ month: i, replicas: missing });
			paid.own += missing * own.capexUsd + replicasOf(bought) * own.runningUsdPerMonth;
		}
		return {
			month: i + 1,
			requests,
			replicas,
			rent: rentEach === null ? null : paid.rent,
			own: own && paid.own,
			ownNet: own && paid.own - worth(own, bought, i + 1),
			api: api === null ? null : paid.api,
		};
	});
}

/** Replicas that were bought in one month: counted, not listed, however many a growing volume takes. */
interface Bought {
	/** 0 for the first. */
	month: number;
	replicas: number;
}

const replicasOf = (bought: readonly Bought[]): number =>
	bought.reduce((sum, { replicas }) => sum + replicas, 0);

const worth = (
	{ capexUsd: capitalUsd, ...own }: OwnedReplica,
	bought: readonly Bought[],
	now: number,
): number =>
	bought.reduce(
		(sum, { month, replicas }) => sum + replicas * bookValueUsd({ capitalUsd, ...own }, now - month),
		0,
	);

/** The first month at whose end one way has cost no more than another, and stays so; null: not within these months. */
export function cheaperFrom(
	months: readonly OutlayMonth[],
	one: "rent" | "own" | "ownNet" | "api",
	other: "rent" | "own" | "ownNet" | "api",
): number | null {
	const dearer = months.filter((at) => {
		const [a, b] = [at[one], at[other]];
		return a === null || b === null || a > b;
	});
	const last = dearer.at(-1)?.month ?? 0;
	return last < (months.at(-1)?.month ?? 0) ? last + 1 : null;
}
