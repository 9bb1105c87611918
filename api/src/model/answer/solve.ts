import { choosePrice } from "../money/choice.ts";
import { HOURS_PER_MONTH } from "../money/cost.ts";
import { percent, usd } from "../trust/figures.ts";
import type { Quantity } from "../trust/quantity.ts";
import { state, type Wording } from "../trust/statement.ts";
import type { Plan } from "./answer.ts";
import { capacity } from "./capacity.ts";
import { plan } from "./plan.ts";
import type { PlanFacts, Scenario } from "./question.ts";
import { contextQuantity, fewestEngines, gpusQuantity, longestContext, withFewer } from "./searches.ts";
import {
	type CostGoal,
	type CostPer,
	costPer,
	GOAL_USD,
	isGoal,
	MOST_PRICE_USD,
	type Solution,
	type SolveFor,
	solvedUsers,
	whatHelps,
} from "./solution.ts";

const PER_WORDS: Record<CostPer, string> = {
	request: "a request",
	output: "1M output tokens",
	input: "1M prompt tokens",
	month: "a month",
};

/**
 * Solves a scenario for one variable, everything else kept: the most users, the longest prompt or the fewest GPUs within
 * every limit, or the highest price of a GPU-hour at which the load costs what it may.
 * @param goal what the load may cost; only asked for with "price"
 * @throws RangeError where the goal is outside GOAL_USD
 */
export function solve(
	solveFor: SolveFor,
	scenario: Scenario,
	facts: PlanFacts,
	goal: CostGoal | null = null,
	wording: Wording = {},
): Solution {
	switch (solveFor) {
		case "users":
			return solvedUsers(capacity(scenario, facts, wording));
		case "context":
			return solvedContext(scenario, facts, wording);
		case "gpus":
			return solvedGpus(scenario, facts, wording);
		case "price":
			return solvedPrice(scenario, facts, goal, wording);
	}
}

function solvedContext(scenario: Scenario, facts: PlanFacts, wording: Wording): Solution {
	const found = longestContext(scenario, facts);
	const answer = contextQuantity(scenario, facts, found, wording);
	const { longest, beyond } = found;
	return solved("context", answer, beyond, longest > 0 ? { context: longest } : null);
}

function solvedGpus(scenario: Scenario, facts: PlanFacts, wording: Wording): Solution {
	const engines = fewestEngines(scenario, facts, plan(scenario, facts, { arithmetic: false }));
	const { fewest, unit, patch } = engines;
	const fewer = withFewer(scenario, facts, engines);
	const answer = gpusQuantity(scenario, engines, fewer, wording);
	return solved("gpus", answer, fewest === unit ? null : fewer, fewest === null ? null : patch(fewest));
}

/** @param beyond one token more, one engine fewer; null: nothing lies there */
function solved(
	solveFor: SolveFor,
	answer: Quantity,
	beyond: Plan | null,
	patch: Partial<Scenario> | null,
): Solution {
	const first = beyond?.verdict.reasons[0] ?? "";
	if (patch) return { solveFor, answer, beyond: first, advice: "", patch };
	const helps = beyond?.verdict.decided ? whatHelps(beyond.verdict.binding) : "";
	return { solveFor, answer, beyond: "", advice: `${first} ${helps}`.trim(), patch };
}

/**
 * Money is linear in the price of a GPU-hour: price = goal / (cost at $1 per GPU-hour).
 * Its interval is that of the times: at their lower bound more is served for the same hour.
 */
function solvedPrice(
	scenario: Scenario,
	facts: PlanFacts,
	goal: CostGoal | null,
	wording: Wording,
): Solution {
	if (goal && !isGoal(goal.usd))
		throw new RangeError(`goal: ${goal.usd} USD is outside ${GOAL_USD.least} to ${GOAL_USD.most}`);
	const unit = plan({ ...scenario, price: 1 }, facts);
	if (!goal) {
		const missing = "say what the load may cost: a request, a million tokens or a month";
		const answer = state(null, "USD/hour", "assumed", () => missing, wording);
		return { solveFor: "price", answer, beyond: "", advice: missing, patch: null };
	}
	const each = costPer(unit, goal.per);
	// An answer of one token comes with its prompt: output alone takes no time.
	const price = each.value && goal.usd / each.value <= MOST_PRICE_USD ? goal.usd / each.value : null;
	const answer = state(
		price,
		"USD/hour",
		each.evidence,
		() => priceWords(goal, each, price),
		wording,
		each.sources ?? [],
	);
	if (price !== null && each.low !== undefined && each.high !== undefined && each.low > 0)
		Object.assign(answer, { low: goal.usd / each.high, high: goal.usd / each.low });
	if (answer.value === null)
		return {
			...{ solveFor: "price", answer, beyond: "", advice: priceWords(goal, each, null), patch: null },
			...(each.value !== null && { unbounded: true as const }),
		};
	const { verdict } = unit;
	const beyond =
		verdict.feasible && verdict.decided
			? againstBook(scenario, facts, goal, each)
			: `The load itself is not carried within its limits: ${verdict.reasons[0] ?? ""}`;
	return { solveFor: "price", answer, beyond, advice: "", patch: { price: roundedDown(answer.value) } };
}

function priceWords({ usd: goal, per }: CostGoal, each: Quantity, price: number | null): string {
	if (each.value === 0) return `${PER_WORDS[per]} cost nothing at any price: they take no time of the GPU`;
	if (each.value === null) return each.arithmetic;
	if (price === null)
		return `at every price up to ${usd(MOST_PRICE_USD)} per GPU-hour, the highest that can be said, less than ${usd(goal)} for ${PER_WORDS[per]}`;
	const hours = per === "month" ? ` (${HOURS_PER_MONTH} hours)` : "";
	return `${usd(goal)} for ${PER_WORDS[per]}${hours} / ${usd(each.value ?? 0)} for ${PER_WORDS[per]} at $1 per GPU-hour = ${usd(price)} per GPU-hour; at $1: ${each.arithmetic}`;
}

/** What the price that is in force makes of the goal. */
function againstBook({ price }: Scenario, { prices }: PlanFacts, goal: CostGoal, each: Quantity): string {
	const chosen = choosePrice(price, prices);
	if (!chosen || each.value === null) return "No price of this GPU is known to hold against it.";
	const now = chosen.value * each.value;
	const how = chosen.kind === null ? "as entered" : "the middle of what is listed";
	const apart = percent(Math.abs(now / goal.usd - 1));
	const words = now > goal.usd ? `${apart} over what it may cost` : `${apart} under what it may cost`;
	return `At ${usd(chosen.value)} per GPU-hour, ${how}, ${PER_WORDS[goal.per]} costs ${usd(now)}: ${words}.`;
}

/** To four digits, never above: the goal is still kept. */
function roundedDown(value: number): number {
	const step = 10 ** (Math.floor(Math.log10(value)) - 3);
	return Number((Math.floor(value / step + 1e-9) * step).toPrecision(4));
}
