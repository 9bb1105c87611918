import { count, percent, seconds, usd } from "../trust/figures.ts";
import { type Evidence, type Quantity, weakest } from "../trust/quantity.ts";
import { type Figure, state } from "../trust/statement.ts";
import { HOURS_PER_MONTH } from "./cost.ts";

/** What a prefix cache of one's own is worth depends on. */
export interface PrefixCacheUse {
	/** Seconds of a whole prompt's prefill on one replica. */
	fullSeconds: number;
	/** Seconds of its prefill where the prefix is in the cache. */
	cachedSeconds: number;
	/** How both are known. */
	evidence: Evidence;
	/** Share of the requests that find their prefix, 0…1. */
	hitShare: number;
	/** Replicas of the fleet that serves the hits. */
	replicas: number;
	/** The same without hits; in words why that is not known. */
	replicasWithout: number | string;
	/** How the replicas are known. */
	replicasEvidence: Evidence;
	gpusPerReplica: number;
	/** USD per GPU-hour; null value: unknown. */
	price: Figure;
}

/** What hits save: seconds of prefill per request, GPUs that need not be there, and their money. */
export interface PrefixCacheSaving {
	secondsPerRequest: Quantity;
	gpus: Quantity;
	usdPerMonth: Quantity;
}

/**
 * What a prefix cache saves on GPUs of one's own.
 * seconds = h · (full − cached); GPUs = (replicas without − with) · GPUs per replica; money = GPUs · price · 730.
 * GPUs come in steps of a replica: less than a replica's worth saves none.
 * @throws RangeError for a share outside 0…1
 */
export function prefixCacheSaving(use: PrefixCacheUse): PrefixCacheSaving {
	const {
		fullSeconds,
		cachedSeconds,
		hitShare,
		replicas,
		replicasWithout,
		gpusPerReplica: unit,
		price,
	} = use;
	if (!(hitShare >= 0 && hitShare <= 1)) throw new RangeError(`hitShare must lie in 0…1, not ${hitShare}`);
	const each = hitShare * (fullSeconds - cachedSeconds);
	const gpus = typeof replicasWithout === "string" ? null : (replicasWithout - replicas) * unit;
	const money = price.value === null || gpus === null ? null : gpus * price.value * HOURS_PER_MONTH;
	const unheld = `not known: ${replicasWithout}`;
	return {
		secondsPerRequest: state(
			each,
			"seconds",
			use.evidence,
			() =>
				`${percent(hitShare)} hits × (${seconds(fullSeconds)} − ${seconds(cachedSeconds)}) = ${seconds(each)}`,
		),
		gpus: state(gpus, "GPUs", use.replicasEvidence, () =>
			gpus === null
				? unheld
				: `(${replicasWithout} replicas without hits − ${count(replicas)} with them) × ${count(unit)} = ${count(gpus)} ${gpus === 1 ? "GPU" : "GPUs"}, in whole replicas`,
		),
		usdPerMonth: state(
			money,
			"USD/month",
			weakest(use.replicasEvidence, price.evidence),
			() =>
				money === null
					? gpus === null
						? unheld
						: `not known: ${price.from()}`
					: `${count(gpus ?? 0)} GPUs × ${usd(price.value ?? 0)} × ${HOURS_PER_MONTH} h = ${usd(money)}; ${price.from()}`,
			{},
			price.sources,
		),
	};
}
