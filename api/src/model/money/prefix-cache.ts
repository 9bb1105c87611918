import { figure, percent, seconds, usd } from "../trust/figures.ts";
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
	requestsPerSecond: number;
	gpusPerReplica: number;
	/** Share of a replica's time that may be used, above 0, at most 1. */
	utilisationCeiling: number;
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
 * seconds = h · (full − cached); GPUs = rate · seconds / ceiling · GPUs per replica; money = GPUs · price · 730.
 * GPUs are a mean and not whole: a fleet rounds them to replicas.
 * @throws RangeError for a share outside 0…1 or a ceiling that is not above 0
 */
export function prefixCacheSaving(use: PrefixCacheUse): PrefixCacheSaving {
	const {
		fullSeconds,
		cachedSeconds,
		hitShare,
		requestsPerSecond,
		gpusPerReplica,
		utilisationCeiling,
		price,
	} = use;
	if (!(hitShare >= 0 && hitShare <= 1)) throw new RangeError(`hitShare must lie in 0…1, not ${hitShare}`);
	if (!(utilisationCeiling > 0 && utilisationCeiling <= 1))
		throw new RangeError(`utilisationCeiling must be above 0 and at most 1, not ${utilisationCeiling}`);
	const each = hitShare * (fullSeconds - cachedSeconds);
	const gpus = (requestsPerSecond * each * gpusPerReplica) / utilisationCeiling;
	const money = price.value === null ? null : gpus * price.value * HOURS_PER_MONTH;
	return {
		secondsPerRequest: state(
			each,
			"seconds",
			use.evidence,
			() =>
				`${percent(hitShare)} hits × (${seconds(fullSeconds)} − ${seconds(cachedSeconds)}) = ${seconds(each)}`,
		),
		gpus: state(
			gpus,
			"GPUs",
			use.evidence,
			() =>
				`${figure(requestsPerSecond)} requests/s × ${seconds(each)} / ${percent(utilisationCeiling)} × ${gpusPerReplica} GPUs a replica = ${figure(gpus)} GPUs`,
		),
		usdPerMonth: state(
			money,
			"USD/month",
			weakest(use.evidence, price.evidence),
			() =>
				money === null
					? `not known: ${price.from()}`
					: `${figure(gpus)} GPUs × ${usd(price.value ?? 0)} × ${HOURS_PER_MONTH} h = ${usd(money)}; ${price.from()}`,
			{},
			price.sources,
		),
	};
}
