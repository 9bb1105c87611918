import { HOURS_PER_MONTH, usdPerMonth } from "../money/cost.ts";
import { kwhPerMonth } from "../money/ownership.ts";
import { inLedger } from "../trust/claim.ts";
import { count, figure, percent, usd } from "../trust/figures.ts";
import { type Evidence, type Quantity, type Source, type Unit, weakest } from "../trust/quantity.ts";
import type { DemandFigures } from "./demand.ts";
import { gpuNameOf } from "./option-words.ts";
import type { SizedOption } from "./sized.ts";

/** What a fleet costs at a number of GPUs and a price, USD. */
export interface FleetMoney {
	perMonth: number;
	perRequest: number;
	perMillionInput: number;
	perMillionOutput: number;
}

/**
 * Money of a fleet; idle capacity is charged.
 * month = GPUs · price · 730; request = month / (mean rate · 730 · 3600); tokens: split by the engine's time
 */
export function fleetMoney(
	gpus: number,
	usdPerGpuHour: number,
	meanRequestsPerSecond: number,
	tokens: { prompt: number; output: number; inputShare: number },
): FleetMoney {
	const perMonth = usdPerMonth(gpus, usdPerGpuHour);
	const perRequest = perMonth / requestsPerMonth(meanRequestsPerSecond);
	return {
		perMonth,
		perRequest,
		perMillionInput: (perRequest * tokens.inputShare * 1e6) / tokens.prompt,
		perMillionOutput: (perRequest * (1 - tokens.inputShare) * 1e6) / tokens.output,
	};
}

/** Requests of a month: rate · 730 h · 3600 s. */
export const requestsPerMonth = (perSecond: number): number => perSecond * HOURS_PER_MONTH * 3600;

/** A quantity of an option: its unit, its words, its ends; evidence and sources are the option's where they are left out. */
export type OptionQuantity = (
	value: number | null,
	unit: Unit,
	words: () => string,
	ends?: readonly (number | null | undefined)[],
	how?: Evidence,
	from?: readonly Source[],
) => Quantity;

/** What the money of an option is worked out from. */
export interface CostGround {
	one: SizedOption;
	figures: DemandFigures;
	/** Requests per second of the mean hour. */
	mean: number;
	/** How the times are known. */
	evidence: Evidence;
	/** GPUs with the times at their fast end and at their slow end; null: no number holds the limits. */
	cards: readonly (number | null)[];
	/** At which load the engine's time is split between prompts and output, in words. */
	split: string;
}

/** The money of an option; its ends are those of the times and of the price at once. */
export function optionCost(
	{ one, figures, mean: meanRate, evidence: how, cards: [fewCards, manyCards], split: shared }: CostGround,
	quantity: OptionQuantity,
) {
	const { outlook, facts } = one.candidate.kind;
	const { promptTokens: prompt, outputTokens: output } = figures;
	const { inputShare } = one.state;
	const gpus = one.sizing.replicas * outlook.resolved.asked.gpus;
	const { price } = outlook;
	const tokens = { prompt, output, inputShare };
	const money = (cards: number | null | undefined, usdPerHour: number | undefined) =>
		cards == null || usdPerHour === undefined ? null : fleetMoney(cards, usdPerHour, meanRate, tokens);
	const [middle, low, high] = [
		money(gpus, price?.value),
		money(fewCards, price?.low),
		money(manyCards, price?.high),
	];
	const missing = `no price of ${gpuNameOf(facts)} is known: enter USD per GPU-hour, or add one to the price book`;
	const make = (of: (money: FleetMoney) => number, unitOf: Unit, words: (money: FleetMoney) => string) =>
		quantity(
			middle && of(middle),
			unitOf,
			() => (middle ? `${words(middle)}; ${price?.from() ?? ""}` : missing),
			[low && of(low), high && of(high)],
			weakest(how, price?.evidence ?? "assumed"),
			[...(price?.sources ?? []), ...outlook.laws.sources],
		);
	const monthly = figure(requestsPerMonth(meanRate));
	/** The ends are those of the times and of the price at once: fewer GPUs at the lowest, more at the highest. */
	const bandOfMonth = (least: FleetMoney | null, most: FleetMoney | null) => {
		if (!price || !least || !most || least.perMonth === most.perMonth) return "";
		const at = (cards: number | null | undefined, usdPerHour: number, all: FleetMoney) =>
			`${count(cards ?? 0)} GPUs × ${usd(usdPerHour)} × ${HOURS_PER_MONTH} h = ${usd(all.perMonth)}`;
		const [fast, slow] =
			fewCards === manyCards
				? ["at the lowest price", "at the highest"]
				: [
						`with its times at their fast end${price.low < price.high ? " and the lowest price" : ""}`,
						`at their slow end${price.low < price.high ? " and the highest price" : ""}`,
					];
		return `; ${fast} ${at(fewCards, price.low, least)}, ${slow} ${at(manyCards, price.high, most)}`;
	};
	return {
		usdPerMonth: make(
			(m) => m.perMonth,
			"USD/month",
			(m) =>
				`${count(gpus)} GPUs × ${usd(price?.value ?? 0)} × ${HOURS_PER_MONTH} h = ${usd(m.perMonth)}${bandOfMonth(low, high)}`,
		),
		usdPerRequest: make(
			(m) => m.perRequest,
			"USD/request",
			(m) =>
				`${usd(m.perMonth)} / (${figure(meanRate)} requests/s × ${HOURS_PER_MONTH} h × 3,600 = ${monthly} requests)`,
		),
		usdPerMillionInputTokens: make(
			(m) => m.perMillionInput,
			"USD/million tokens",
			(m) =>
				`${usd(m.perRequest)} a request × ${percent(inputShare)} of the engine's time on prompts / ${figure(prompt)} tokens × 10⁶; ${shared}`,
		),
		usdPerMillionOutputTokens: make(
			(m) => m.perMillionOutput,
			"USD/million tokens",
			(m) =>
				`${usd(m.perRequest)} a request × ${percent(1 - inputShare)} of the engine's time on output / ${figure(output)} tokens × 10⁶; ${shared}`,
		),
	};
}

/** Energy of an option's GPUs at their power limit. */
export function optionEnergy(one: SizedOption, quantity: OptionQuantity): Quantity {
	const { facts, outlook } = one.candidate.kind;
	const cards = one.sizing.replicas * outlook.resolved.asked.gpus;
	const watts = facts.gpu?.tdpWatts ?? null;
	return quantity(
		watts === null ? null : cards * kwhPerMonth(watts),
		"kWh/month",
		() =>
			watts === null
				? "not known: the catalog has no power of this GPU"
				: `${count(cards)} GPUs × ${figure(watts / 1000)} kW × ${HOURS_PER_MONTH} h: at the power limit of the cards all the time, an upper bound`,
		[],
		watts === null ? "assumed" : "vendor",
		facts.gpu ? inLedger("gpu", facts.gpu) : [],
	);
}
