import { HOURS_PER_MONTH } from "../money/cost.ts";
import { type Crossover, crossover } from "../money/crossover.ts";
import type { HostedTraffic } from "../money/hosted.ts";
import { hostedUsdPerRequest, type RangeEnd } from "../money/hosted-prices.ts";
import { evidenceOf, ownershipAt, sourceOf, usdPerGpuHour } from "../money/hourly.ts";
import { cheaperFrom, type OutlayMonth, type OwnedReplica, outlayByMonth } from "../money/outlay.ts";
import { type Ownership, runningUsdPerHour } from "../money/ownership.ts";
import { type PrefixCacheSaving, prefixCacheSaving } from "../money/prefix-cache.ts";
import {
	type AmountRange,
	type HostedTerms,
	middleOf,
	type OwnedTerms,
	type PriceEntry,
	withMiddle,
} from "../money/price.ts";
import { type Sensitivity, sensitivity } from "../money/sensitivity.ts";
import { predictPrefill } from "../time/prefill.ts";
import { figure, usd } from "../trust/figures.ts";
import { type Evidence, type Quantity, weakest } from "../trust/quantity.ts";
import { type Figure, state } from "../trust/statement.ts";
import type { DemandFigures } from "./demand.ts";
import { servingKind } from "./group.ts";
import type { FleetOption } from "./option.ts";
import { requestsPerMonth } from "./option-cost.ts";
import { type SizedOption, sized } from "./sized.ts";
import { type FleetQuestion, isRefusal } from "./sweep.ts";

/** What a fleet is compared with. null: not compared. */
export interface EconomicsAsk {
	own: (PriceEntry & { terms: OwnedTerms }) | null;
	hosted: (PriceEntry & { terms: HostedTerms }) | null;
	/** Leading tokens that requests share, and the share of the requests that find them remembered. */
	prefixTokens: number;
	hitShare: number;
	/** Different prefixes at the same time, for a hosted cache whose storage is paid. */
	prefixes: number;
	/** Months looked ahead. */
	months: number;
}

/** Renting, buying and paying per request, for one fleet. */
export interface Economics {
	hostedUsdPerRequest: Quantity;
	/** Volumes from which the fleet is cheaper than the hosted API; null where either has no price. */
	rentAgainstApi: Crossover | null;
	ownAgainstApi: Crossover | null;
	/** All that was paid by the end of each month, at the low, middle and high end of the prices. */
	outlay: Record<RangeEnd, OutlayMonth[]>;
	/** First month at whose end all that was paid for buying is no more, and stays so; null: not within these months. */
	ownPaidBackAgainstRentFrom: number | null;
	ownPaidBackAgainstApiFrom: number | null;
	/** The same with what the hardware is still worth taken off: its value in the books, not cash. */
	ownCheaperThanRentFrom: number | null;
	ownCheaperThanApiFrom: number | null;
	rentCheaperThanApiFrom: number | null;
	/** What a prefix cache of one's own saves; null without a prefill law. */
	prefixCache: PrefixCacheSaving | null;
	/** What each assumption alone does to the fleet's USD per month. */
	sensitivity: Sensitivity;
}

const ENDS: readonly RangeEnd[] = ["low", "middle", "high"];

/**
 * The money of a fleet beside buying its GPUs and a hosted API.
 * @param option of the sized fleet, whose bands are taken
 * @throws RangeError for a prefix longer than the prompt, a share outside 0…1 or months that are no whole number from 1 on
 */
export function fleetEconomics(
	one: SizedOption,
	option: FleetOption,
	question: FleetQuestion,
	figures: DemandFigures,
	ask: EconomicsAsk,
): Economics {
	const { kind } = one.candidate;
	const { price } = kind.outlook;
	const gpus = kind.outlook.resolved.asked.gpus;
	const mean = one.sizing.peakRequestsPerSecond / figures.peakFactor;
	const volume = requestsPerMonth(mean);
	const perReplica = ({ low, high }: AmountRange): AmountRange => ({
		low: low * gpus * HOURS_PER_MONTH,
		high: high * gpus * HOURS_PER_MONTH,
	});
	const rent = price && perReplica(price);
	const own = ask.own && perReplica(usdPerGpuHour(ask.own.terms, ask.own.currency));
	const traffic: HostedTraffic = {
		requestsPerMonth: volume,
		promptTokens: figures.promptTokens,
		outputTokens: figures.outputTokens,
		...{ prefixTokens: ask.prefixTokens, hitShare: ask.hitShare, prefixes: ask.prefixes },
	};
	const { hosted } = ask;
	const api = hosted && ((end: RangeEnd) => hostedUsdPerRequest(hosted.terms, hosted.currency, traffic, end));
	const capacity = capacityOf(option, figures);
	const against = (replica: AmountRange | null, evidence: Evidence): Crossover | null =>
		replica && api && hosted
			? crossover({
					usdPerReplicaMonth: withMiddle(replica),
					requestsPerReplicaMonth: capacity,
					spareReplicas: question.policy.spareReplicas,
					usdPerRequest: { low: api("low"), middle: api("middle"), high: api("high") },
					evidence: weakest(option.replicas.evidence, evidence, evidenceOf(hosted)),
					sources: [sourceOf(hosted), ...(price?.sources ?? [])],
				})
			: null;
	const sizedCapacity = requestsPerMonth(one.largest.requestsPerSecond / figures.peakFactor);
	const outlay = Object.fromEntries(
		ENDS.map((end) => [
			end,
			outlayByMonth({
				months: ask.months,
				requestsPerMonth: volume,
				growthPerMonth: question.demand.growthPerMonth,
				// The cheapest end has fast replicas, and so few of them.
				requestsPerReplicaMonth: end === "middle" ? sizedCapacity : capacity[end === "low" ? "high" : "low"],
				spareReplicas: question.policy.spareReplicas,
				rentUsdPerReplicaMonth: rent && at(rent, end),
				own: ask.own && ownedReplica(ask.own, gpus, end),
				apiUsdPerRequest: api ? api(end) : null,
			}),
		]),
	) as Record<RangeEnd, OutlayMonth[]>;
	return {
		hostedUsdPerRequest: hostedQuantity(hosted, api, traffic),
		rentAgainstApi: against(rent, price?.evidence ?? "assumed"),
		ownAgainstApi: against(own, ask.own ? evidenceOf(ask.own) : "assumed"),
		outlay,
		ownPaidBackAgainstRentFrom: cheaperFrom(outlay.middle, "own", "rent"),
		ownPaidBackAgainstApiFrom: cheaperFrom(outlay.middle, "own", "api"),
		ownCheaperThanRentFrom: cheaperFrom(outlay.middle, "ownNet", "rent"),
		ownCheaperThanApiFrom: cheaperFrom(outlay.middle, "ownNet", "api"),
		rentCheaperThanApiFrom: cheaperFrom(outlay.middle, "rent", "api"),
		prefixCache: prefixCacheOf(one, option, question, figures, ask),
		sensitivity: sensitivityOf(one, option, question, mean),
	};
}

const at = (range: AmountRange, end: RangeEnd): number => (end === "middle" ? middleOf(range) : range[end]);

/** Requests of a month that one replica serves, its daily peak within the limits, with the band of its speed. */
function capacityOf(
	{ largestRequestsPerSecond: { value, low, high } }: FleetOption,
	{ peakFactor }: DemandFigures,
) {
	const middle = value ?? 0;
	return {
		low: requestsPerMonth((low ?? middle) / peakFactor),
		middle: requestsPerMonth(middle / peakFactor),
		high: requestsPerMonth((high ?? middle) / peakFactor),
	};
}

function ownedReplica(
	{ terms, currency }: PriceEntry & { terms: OwnedTerms },
	gpus: number,
	end: RangeEnd,
): OwnedReplica {
	const [low, high] = [ownershipAt(terms, "low"), ownershipAt(terms, "high")];
	const between = (of: (own: Ownership) => number) =>
		at({ low: of(low), high: of(high) }, end) * currency.usdPerUnit * gpus;
	return {
		capexUsd: between((own) => own.capitalUsd),
		runningUsdPerMonth: between((own) => runningUsdPerHour(own) * HOURS_PER_MONTH),
		lifetimeMonths: terms.lifetimeMonths,
		residualShare: terms.residualShare,
	};
}

function hostedQuantity(
	hosted: EconomicsAsk["hosted"],
	api: ((end: RangeEnd) => number) | null,
	{ promptTokens, outputTokens, prefixTokens, hitShare }: HostedTraffic,
): Quantity {
	if (!hosted || !api)
		return state(null, "USD/request", "assumed", () => "not known: no hosted price list is named");
	const value = api("middle");
	const made = state(
		value,
		"USD/request",
		evidenceOf(hosted),
		() =>
			`${figure(promptTokens)} prompt tokens, ${figure(prefixTokens)} of them shared and found by ${figure(hitShare * 100)} % of the requests, and ${figure(outputTokens)} output tokens at the list of ${hosted.subject} = ${usd(value)}`,
		{},
		[sourceOf(hosted)],
	);
	const [low, high] = [api("low"), api("high")];
	if (low !== high) Object.assign(made, { low, high });
	return made;
}

/** What a prefix cache of one's own saves: this fleet beside the same kind of replica that finds nothing cached. */
function prefixCacheOf(
	{ candidate }: SizedOption,
	option: FleetOption,
	question: FleetQuestion,
	figures: DemandFigures,
	{ prefixTokens, hitShare }: EconomicsAsk,
): PrefixCacheSaving | null {
	const { kind } = candidate;
	const law = kind.outlook.laws.prefill;
	if (!law) return null;
	const { promptTokens } = figures;
	const cached = Math.min(prefixTokens, promptTokens - 1);
	const full = predictPrefill(law.fit, { tokens: promptTokens });
	const rest = predictPrefill(law.fit, { tokens: promptTokens - cached, cached });
	const { price } = kind.outlook;
	const priced: Figure = price ?? {
		value: null,
		evidence: "assumed",
		from: () => "no price of this GPU is known",
	};
	const evidence = weakest(law.evidence, full.evidence, rest.evidence);
	return prefixCacheSaving({
		fullSeconds: full.seconds,
		cachedSeconds: Math.min(rest.seconds, full.seconds),
		...{ evidence, hitShare },
		replicas: option.replicas.value ?? 0,
		replicasWithout: replicasWithoutHits(candidate, question, figures),
		replicasEvidence: weakest(evidence, option.replicas.evidence),
		gpusPerReplica: kind.outlook.resolved.asked.gpus,
		price: priced,
	});
}

/** Replicas of the same kind where nothing is cached, by the same laws; or why that is not known. */
function replicasWithoutHits(
	candidate: SizedOption["candidate"],
	question: FleetQuestion,
	figures: DemandFigures,
): number | string {
	const { kind } = candidate;
	const nothing = { ...figures, hits: null };
	const bare = servingKind({ ...kind, scenario: { ...kind.scenario, cached: 0 } }, nothing);
	if (isRefusal(bare)) return `without hits it ${bare.reason}`;
	// Clients' times speak of prompts that nothing of is cached: beside them an estimate's difference is that of two grounds.
	if (bare.timing.served !== kind.timing.served)
		return "without hits this setup is measured by its clients' times, with them it is estimated: measure it with its prefix cache on";
	const one = sized({ ...candidate, kind: bare }, question, nothing);
	return one?.sizing.replicas ?? "without hits no number of these replicas holds the limits";
}

/** How far a demand may be off, both ways, where nobody says: a convention. */
const DEMAND_SPREAD = 1.25;

/** What price, speed, demand, its peak and the spare replicas do to the money of a month. */
function sensitivityOf(
	one: SizedOption,
	{ largestRequestsPerSecond: speed }: FleetOption,
	{ policy }: FleetQuestion,
	mean: number,
): Sensitivity {
	const { outlook } = one.candidate.kind;
	const { price } = outlook;
	const largest = one.largest.requestsPerSecond;
	const peak = one.sizing.peakRequestsPerSecond / mean;
	const assumptions = [
		{
			key: "price",
			label: "USD per GPU-hour",
			low: price?.low ?? 0,
			base: price?.value ?? 0,
			high: price?.high ?? 0,
		},
		{
			key: "speed",
			label: "Requests/s of one replica",
			low: speed.low ?? largest,
			base: largest,
			high: speed.high ?? largest,
		},
		{
			key: "demand",
			label: "Demand over what was said",
			low: 1 / DEMAND_SPREAD,
			base: 1,
			high: DEMAND_SPREAD,
		},
		{ key: "peak", label: "Busiest hour over the mean", low: 1, base: peak, high: Math.max(2, 2 * peak) },
		{
			key: "spare",
			label: "Spare replicas",
			low: 0,
			base: policy.spareReplicas,
			high: policy.spareReplicas + 1,
		},
	];
	return sensitivity(
		assumptions,
		({ price: hourly = 0, speed: each = 1, demand = 1, peak: factor = 1, spare = 0 }) => {
			if (!price) return null;
			const working = Math.max(1, Math.ceil((mean * factor * demand) / each - 1e-9));
			return (working + spare) * outlook.resolved.asked.gpus * hourly * HOURS_PER_MONTH;
		},
	);
}
