import { HOURS_PER_MONTH, usdPerMonth } from "../money/cost.ts";
import { count, figure, percent, usd } from "../trust/figures.ts";
import { type Evidence, type Quantity, weakest } from "../trust/quantity.ts";
import { state as stated } from "../trust/statement.ts";
import type { DemandFigures } from "./demand.ts";
import type { SizedOption } from "./sized.ts";
import { sizingFor } from "./sizing.ts";
import type { FleetQuestion } from "./sweep.ts";

/** A fleet for a demand that has grown, of the same kind of replica. */
export interface GrownFleet {
	/** From now. */
	months: number;
	/** Of the busiest hour. */
	peakRequestsPerSecond: Quantity;
	replicas: Quantity;
	gpus: Quantity;
	usdPerMonth: Quantity;
}

/** Months ahead at which a growing demand is sized again. */
const AHEAD = [12, 24, 36];

/**
 * The same kind of fleet for the demand in some months: peak · (1 + growth)^months, sized as today's is.
 * Where today's replicas are not as many as the closed form needs, each goes on to carry what it carries today.
 */
export function aheadOf(
	{ largest, sizing, state, candidate: { kind } }: SizedOption,
	{ demand, policy }: FleetQuestion,
	figures: DemandFigures,
	evidence: Evidence,
): GrownFleet[] {
	const growth = demand.growthPerMonth;
	if (growth === 0) return [];
	const asNeeded = sizing.working === sizingFor(demand, figures, policy, largest).working;
	const each = asNeeded ? largest : state;
	const { price, resolved, laws } = kind.outlook;
	const unit = resolved.asked.gpus;
	const sources = [...laws.sources];
	return AHEAD.map((months): GrownFleet => {
		const factor = (1 + growth) ** months;
		const { load } = demand;
		const grown = load.kind === "users" ? { ...load, users: load.users * factor } : load;
		const peak = figures.peakRequestsPerSecond;
		const then = sizingFor(
			{ ...demand, load: grown },
			{ ...figures, peakRequestsPerSecond: peak && peak * factor },
			policy,
			each,
		);
		const gpus = then.replicas * unit;
		const rate = then.peakRequestsPerSecond;
		const ifGrown = weakest(evidence, "assumed");
		return {
			months,
			peakRequestsPerSecond: stated(
				rate,
				"requests/s",
				"assumed",
				() =>
					`${figure(rate / factor)} requests/s × (1 + ${percent(growth)})^${months} = ${figure(rate)}, if it grows so`,
			),
			replicas: stated(
				then.replicas,
				"replicas",
				ifGrown,
				() =>
					`⌈${figure(rate)} requests/s / ${figure(each.requestsPerSecond)} of one replica${asNeeded ? "" : ", as today"}⌉ = ${count(then.working)}${policy.spareReplicas > 0 ? ` + ${policy.spareReplicas} spare` : ""}`,
				{},
				sources,
			),
			gpus: stated(
				gpus,
				"GPUs",
				ifGrown,
				() => `${count(then.replicas)} replicas × ${count(unit)} = ${count(gpus)}`,
				{},
				sources,
			),
			usdPerMonth: stated(
				price && usdPerMonth(gpus, price.value),
				"USD/month",
				ifGrown,
				() =>
					price
						? `${count(gpus)} GPUs × ${usd(price.value)} × ${HOURS_PER_MONTH} h = ${usd(usdPerMonth(gpus, price.value))}, at today's price; ${price.from()}`
						: "no price of this GPU is known",
				{},
				price?.sources ?? [],
			),
		};
	});
}
