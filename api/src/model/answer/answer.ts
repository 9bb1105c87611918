import type { MemoryAnswer } from "../memory/answer.ts";
import type { Quantity } from "../trust/quantity.ts";
import type { Scenario } from "./question.ts";

export type Binding = "memory" | "ttft" | "tpot" | "throughput" | null;

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
	/** `decided` false: a limit could not be checked because something is not known; the reasons say what. */
	verdict: { feasible: boolean; decided: boolean; binding: Binding; reasons: string[] };
}
