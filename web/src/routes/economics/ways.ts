import type { CheckedFleet, CheckedOption } from "@plimsoll/api";
import {
	type BandedAmount,
	type Economics,
	evidenceOf,
	figure,
	type GpuTerms,
	HOURS_PER_MONTH,
	type HostedTerms,
	type OutlayMonth,
	type OwnedTerms,
	type Quantity,
	type ReplicaSteps,
	sourceOf,
	stepsUsd,
	usd,
	usdPerGpuHour,
	weakest,
	withMiddle,
} from "@plimsoll/api/model";
import type { Way, WayLine } from "#lib/chart/options/monthly-cost.ts";
import type { CurvePoint } from "#lib/chart/series.ts";
import type { PriceItem } from "#lib/records/record.ts";

/** Keys of the address that say what a fleet is compared with; all others are the fleet's: the hits of its prefix cache too. */
export const COMPARED_KEYS = ["option", "own", "hosted", "prefixes", "months"] as const;

type Priced<T> = PriceItem & { terms: T };
export const isHosted = (price: PriceItem): price is Priced<HostedTerms> => price.terms.kind === "hosted";
export const isOwned = (price: PriceItem): price is Priced<OwnedTerms> => price.terms.kind === "owned";
const isOfGpu = (price: PriceItem): price is Priced<GpuTerms> => price.terms.kind !== "hosted";

const SECONDS_PER_MONTH = HOURS_PER_MONTH * 3600;
const ENDS = ["low", "middle", "high"] as const;

/** The ways that have a price, at the demand that was asked for. */
interface Ways {
	requestsPerMonth: number;
	tokensPerRequest: number;
	/** Requests of a month that one replica serves, its busiest hour within the limits. */
	capacity: BandedAmount;
	spareReplicas: number;
	/** USD of one replica for a month; null: no price. */
	rent: BandedAmount | null;
	own: BandedAmount | null;
	/** USD of one request; null: no price list. */
	api: BandedAmount | null;
	/** USD of the month by each way. */
	months: Record<Way, Quantity>;
}

interface Compared {
	demand: CheckedFleet["demand"];
	option: CheckedOption;
	economics: Economics;
	ownPrice: PriceItem | null;
}

const banded = ({ value, low, high }: Quantity): BandedAmount | null =>
	value === null ? null : { low: low ?? value, middle: value, high: high ?? value };

/** What each way costs: a replica, a request, and the month that was asked for. */
export function waysOf({ demand, option, economics, ownPrice }: Compared): Ways {
	const requests = demand.requestsPerMonth.value ?? 0;
	const peakFactor = ((demand.peakRequestsPerSecond.value ?? 0) * SECONDS_PER_MONTH) / requests;
	const speed = banded(option.largestRequestsPerSecond) ?? { low: 0, middle: 0, high: 0 };
	const perMonth = (perSecond: number) => (perSecond * SECONDS_PER_MONTH) / peakFactor;
	const own =
		ownPrice && isOfGpu(ownPrice)
			? withMiddle(timesHours(usdPerGpuHour(ownPrice.terms, ownPrice.currency), option.gpusPerReplica))
			: null;
	const api = banded(economics.hostedUsdPerRequest);
	return {
		requestsPerMonth: requests,
		tokensPerRequest: (demand.promptTokens.value ?? 0) + (demand.outputTokens.value ?? 0),
		capacity: {
			low: perMonth(speed.low),
			middle: perMonth(speed.middle),
			high: perMonth(speed.high),
		},
		spareReplicas: (option.replicas.value ?? 0) - option.working,
		rent: rentOf(economics.outlay),
		...{ own, api },
		months: {
			rent: option.cost.usdPerMonth,
			own: ownMonth(own, option, ownPrice),
			api: apiMonth(economics.hostedUsdPerRequest, demand.requestsPerMonth),
		},
	};
}

const timesHours = ({ low, high }: { low: number; high: number }, gpus: number) => ({
	low: low * gpus * HOURS_PER_MONTH,
	high: high * gpus * HOURS_PER_MONTH,
});

/** USD of one rented replica for a month: what the first month costs over its replicas. */
function rentOf(outlay: Economics["outlay"]): BandedAmount | null {
	const [low, middle, high] = ENDS.map((end) => {
		const first = outlay[end][0];
		return first && first.rent !== null ? first.rent / first.replicas : null;
	});
	return low == null || middle == null || high == null ? null : { low, middle, high };
}

function ownMonth(own: BandedAmount | null, option: CheckedOption, price: PriceItem | null): Quantity {
	const replicas = option.replicas.value;
	if (own === null || price === null || replicas === null)
		return unknownMonth("no price of owned GPUs of this kind is entered");
	const value = own.middle * replicas;
	return {
		...{ value, unit: "USD/month", evidence: weakest(option.replicas.evidence, evidenceOf(price)) },
		...ownEnds(own, option.replicas),
		arithmetic: `${replicas} replicas × ${option.gpusPerReplica} GPUs × ${usd(own.middle / option.gpusPerReplica / HOURS_PER_MONTH)} × ${HOURS_PER_MONTH} h = ${usd(value)}; ${option.replicas.arithmetic}`,
		sources: [{ ...sourceOf(price), href: `/prices/${price.id}` }],
	};
}

/** Ends of a month's owning: of the price and of the replicas at once; no upper end where the replicas have none. */
function ownEnds({ low, high }: BandedAmount, { value, ...ends }: Quantity): { low?: number; high?: number } {
	const replicas = value ?? 0;
	const from = low * (ends.low ?? replicas);
	if (ends.low !== undefined && ends.high === undefined) return { low: from };
	const to = high * (ends.high ?? replicas);
	return from === to ? {} : { low: from, high: to };
}

function apiMonth(each: Quantity, requests: Quantity): Quantity {
	if (each.value === null || requests.value === null)
		return unknownMonth("no price list of a hosted model is chosen");
	const value = each.value * requests.value;
	return {
		...{ value, unit: "USD/month", evidence: weakest(each.evidence, requests.evidence) },
		...(each.low !== undefined && { low: each.low * requests.value }),
		...(each.high !== undefined && { high: each.high * requests.value }),
		arithmetic: `${figure(requests.value)} requests × ${usd(each.value)} = ${usd(value)}; ${each.arithmetic}`,
		...(each.sources && { sources: each.sources }),
	};
}

const unknownMonth = (why: string): Quantity => ({
	...{ value: null, unit: "USD/month", evidence: "assumed", arithmetic: `not known: ${why}` },
});

/** Places of the chart on each side of what was asked for, and steps that are drawn one by one. */
const [AROUND, PLACES, MOST_STEPS] = [30, 120, 60];

/** USD of a month against requests of a month, by each way that has a price. */
export function monthlyCurves(ways: Ways, crossings: readonly number[]): WayLine[] {
	const { capacity, spareReplicas, requestsPerMonth, rent, own, api } = ways;
	const marks = [requestsPerMonth, ...crossings];
	const [from, to] = [Math.min(...marks) / AROUND, Math.max(...marks) * AROUND];
	const even = Array.from({ length: PLACES }, (_, i) => from * (to / from) ** (i / (PLACES - 1)));
	// A step ends where its replicas are full: one place there and one right behind it.
	const steps = Array.from({ length: MOST_STEPS }, (_, i) => (i + 1) * capacity.middle).flatMap((at) => [
		at,
		at * (1 + 1e-6),
	]);
	const places = [...even, ...steps.filter((at) => at > from && at < to)].sort((a, b) => a - b);
	const staircase = (each: BandedAmount): CurvePoint[] => {
		const at = (volume: number, usdPerReplicaMonth: number, requestsPerReplicaMonth: number) => {
			const one: ReplicaSteps = { usdPerReplicaMonth, requestsPerReplicaMonth, spareReplicas };
			return requestsPerReplicaMonth > 0 ? stepsUsd(volume, one) : null;
		};
		return places.map((x) => ({
			x,
			y: at(x, each.middle, capacity.middle),
			low: at(x, each.low, capacity.high),
			high: at(x, each.high, capacity.low),
		}));
	};
	const perRequest = (each: BandedAmount): CurvePoint[] =>
		places.map((x) => ({ x, y: x * each.middle, low: x * each.low, high: x * each.high }));
	const line = (way: Way, points: CurvePoint[]): WayLine => ({
		...{ way, points, evidence: ways.months[way].evidence },
	});
	return [
		...(rent ? [line("rent", staircase(rent))] : []),
		...(own ? [line("own", staircase(own))] : []),
		...(api ? [line("api", perRequest(api))] : []),
	];
}

/** All that was paid by the end of each month, by each way that has a price, and the net of what is owned. */
export function outlayCurves({ low, middle, high }: Economics["outlay"], months: Ways["months"]) {
	const points = (key: "rent" | "own" | "api"): CurvePoint[] =>
		middle.map((month, i) => ({
			x: month.month,
			y: month[key],
			low: low[i]?.[key] ?? null,
			high: high[i]?.[key] ?? null,
		}));
	const known = (key: keyof OutlayMonth) => middle.some((month) => month[key] !== null);
	return {
		lines: (["rent", "own", "api"] as const)
			.filter(known)
			.map((way): WayLine => ({ way, points: points(way), evidence: months[way].evidence })),
		net: known("ownNet") ? middle.map(({ month, ownNet }) => ({ x: month, y: ownNet })) : [],
	};
}

const VERBS: Record<Way, string> = { rent: "renting", own: "owning", api: "a hosted model" };

/** "Renting is cheapest: $1,752.00 a month, against $2,100.00 for a hosted model"; null where less than two are known. */
export function cheapestWords(months: Ways["months"]): string | null {
	const known = (Object.keys(VERBS) as Way[])
		.flatMap((way) => (months[way].value === null ? [] : [{ way, value: months[way].value }]))
		.sort((a, b) => a.value - b.value);
	const [first, ...others] = known;
	if (!first || others.length === 0) return null;
	const name = VERBS[first.way];
	return `${name.charAt(0).toUpperCase()}${name.slice(1)} is cheapest: ${usd(first.value)} a month, against ${others
		.map(({ way, value }) => `${usd(value)} for ${VERBS[way]}`)
		.join(" and ")}`;
}

/** "from month 14 on", or that it is never so within what is looked at. */
export const fromMonth = (month: number | null, months: number): string =>
	month === null
		? `not within ${months} months`
		: month === 1
			? "from the first month on"
			: `from month ${month} on`;

/** All that was paid by the end of the last month, by each way that has a price, and what then is still there. */
export function totalsWords(outlay: readonly OutlayMonth[]): string | null {
	const last = outlay.at(-1);
	if (!last) return null;
	const names = { rent: "renting", own: "owning", api: "the hosted model" } as const;
	const paid = (["rent", "own", "api"] as const).flatMap((way) =>
		last[way] === null ? [] : [`${usd(last[way])} for ${names[way]}`],
	);
	if (paid.length === 0) return null;
	const worth = last.own !== null && last.ownNet !== null ? last.own - last.ownNet : 0;
	const left = worth > 0 ? `, for which hardware of a book value of ${usd(worth)} is still there` : "";
	const months = last.month === 1 ? "1 month" : `${last.month} months`;
	// What is left belongs to owning: it stands behind it.
	const all = paid.map((words) => (words.endsWith("owning") ? `${words}${left}` : words));
	return `Paid in ${months}, at the middle of the prices: ${all.join("; ")}.`;
}
