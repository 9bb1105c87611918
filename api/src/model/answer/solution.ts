import type { Quantity } from "../trust/quantity.ts";
import type { Binding, Capacity, Plan } from "./answer.ts";
import type { Scenario } from "./question.ts";

/** What a scenario can be solved for, the others being kept. */
export const SOLVE_FOR = ["users", "context", "gpus", "price"] as const;
export type SolveFor = (typeof SOLVE_FOR)[number];

/** What a cost can be stated for. */
export const COST_PER = ["request", "output", "input", "month"] as const;
export type CostPer = (typeof COST_PER)[number];

/** What a load may cost, USD: from far below a token of the smallest model to beyond any month of a data centre. */
export const GOAL_USD = { least: 1e-9, most: 1e9 } as const;

/** The highest price of a GPU-hour that a scenario takes, USD. */
export const MOST_PRICE_USD = 1e6;

/** Whether a load may be said to cost so much. @param usd USD */
export const isGoal = (usd: number): boolean => usd >= GOAL_USD.least && usd <= GOAL_USD.most;

/** What the load may cost. */
export interface CostGoal {
	/** USD, within GOAL_USD. */
	usd: number;
	/** For a request, a million output tokens, a million prompt tokens, or a month. */
	per: CostPer;
}

/** A scenario solved for one of its variables. */
export interface Solution {
	solveFor: SolveFor;
	/** The most users, the longest prompt, the fewest GPUs or the highest price; null: there is none, or it is not known. */
	answer: Quantity;
	/** What lies beyond the answer, in a plain sentence; empty where there is none. */
	beyond: string;
	/** What can be done where there is no answer; empty where there is one. */
	advice: string;
	/** What takes the answer; null: nothing. */
	patch: Partial<Scenario> | null;
	/** Of a price: none that can be said is too high; the answer is then null. */
	unbounded?: true;
}

/** A capacity as the answer that it is. */
export function solvedUsers({ users, binding, reasons }: Capacity): Solution {
	const [first = ""] = reasons;
	const some = (users.value ?? 0) > 0;
	return {
		solveFor: "users",
		answer: users,
		beyond: some ? first : "",
		advice: some ? "" : `${first} ${users.value === null ? "" : whatHelps(binding)}`.trim(),
		patch: some ? { concurrency: users.value, rate: null } : null,
	};
}

/** The figure of a plan that a goal is stated for. */
export const costPer = ({ cost }: Plan, per: CostPer): Quantity =>
	({
		request: cost.usdPerRequest,
		output: cost.usdPerMillionOutputTokens,
		input: cost.usdPerMillionInputTokens,
		month: cost.usdPerMonth,
	})[per];

/** What can be asked otherwise where a limit allows nothing. */
export function whatHelps(binding: Binding): string {
	switch (binding) {
		case "memory":
			return "Smaller weights or a smaller cache, fewer users or more GPUs for an engine make room.";
		case "ttft":
			return "Allow more time to the first token, cache a part of the prompt, or spread an engine over more GPUs.";
		case "tpot":
			return "Allow more time per token, take smaller weights, or spread an engine over more GPUs.";
		case "throughput":
			return "Ask for fewer requests per second, or take smaller weights.";
		case null:
			return "Choose a shorter prompt, other ranks or another model.";
	}
}
