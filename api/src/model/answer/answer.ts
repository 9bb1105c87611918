import type { MemoryAnswer } from "../memory/answer.ts";
import type { Quantity } from "../trust/quantity.ts";
import type { Scenario } from "./question.ts";

export type Binding = "memory" | "ttft" | "tpot" | "throughput" | null;

/** Whether a load is carried within its limits. */
export interface PlanVerdict {
	/** By the middle of every interval. */
	feasible: boolean;
	/** false: a limit could not be checked because something is not known; the reasons say what. */
	decided: boolean;
	/** Whether the 95 % intervals say the same as their middles. */
	sure: boolean;
	/** The limit that is crossed first; null where none is, or where it is none of these. */
	binding: Binding;
	/** Plain sentences: crossed limits first, then what could not be checked, then limits that are close. */
	reasons: string[];
}

/** What one user more than are carried meets: a wait for a place in the cache, or a time over its limit. */
export interface OneMore {
	kind: "wait" | "ttft" | "tpot";
	time: Quantity;
}

/** How many users a load can have before one of its limits is crossed. */
export interface Capacity {
	/** Requests in flight; the interval holds the numbers at which limits are crossed at the bounds of the times. null: not known. */
	users: Quantity;
	/** Time per output token with so many (with one, where not one is carried). */
	tpot: Quantity;
	/** What one user more would cross. */
	binding: Binding;
	/** What that costs; null: nothing that a law can say, or there is no number of users. */
	oneMore: OneMore | null;
	/** Why, in plain sentences. */
	reasons: string[];
}

export interface Plan {
	/** The scenario with every default filled in. */
	scenario: Scenario;
	/** Keys of the scenario that were defaults, with the words for why. */
	assumed: { key: keyof Scenario; reason: string }[];
	memory: MemoryAnswer;
	ttft: Quantity;
	tpot: Quantity;
	e2e: Quantity;
	load: {
		outputTokensPerSecond: Quantity;
		requestsPerSecond: Quantity;
		/** Share of the engine's time that this load takes, 0…1. */
		utilisation: Quantity;
		saturationConcurrency: Quantity;
	};
	cost: {
		usdPerMillionInputTokens: Quantity;
		usdPerMillionOutputTokens: Quantity;
		usdPerRequest: Quantity;
		usdPerMonth: Quantity;
	};
	verdict: PlanVerdict;
}
