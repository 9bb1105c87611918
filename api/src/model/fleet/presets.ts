import type { Lengths } from "../load/lengths.ts";
import type { Evidence, Source } from "../trust/quantity.ts";

/** A usual kind of demand, to start from. */
export interface DemandPreset {
	id: "chat" | "agent" | "multi-agent";
	name: string;
	prompt: Lengths;
	output: Lengths;
	requestsPerTask: number;
	evidence: Evidence;
	note: string;
	sources: Source[];
}

/** Means of the trace's first 4,000 requests: 1,182.8 prompt and 253.7 output tokens. */
const CHAT = {
	prompt: { kind: "fixed", tokens: 1183 },
	output: { kind: "fixed", tokens: 254 },
} as const;

const trace: Source = {
	label: "Azure LLM inference 2023, conversation (Patel et al., Splitwise, ISCA 2024)",
	href: "https://github.com/Azure/AzurePublicDataset",
};
const claim: Source = {
	label: "Anthropic, How we built our multi-agent research system",
	href: "https://www.anthropic.com/engineering/multi-agent-research-system",
	date: "2025-06-13",
};
const vendor = (times: number) =>
	`About ${times} times the tokens of a chat: a vendor's figure about its own product. Taken as ${times} requests of a chat's lengths; fewer and longer ones would cost more.`;

export const DEMAND_PRESETS: readonly DemandPreset[] = [
	{
		id: "chat",
		name: "Chat",
		...CHAT,
		requestsPerTask: 1,
		evidence: "measured",
		note: "Mean lengths of a public trace; the trace itself has their spread.",
		sources: [trace],
	},
	{
		id: "agent",
		name: "Agent",
		...CHAT,
		requestsPerTask: 4,
		evidence: "vendor",
		note: vendor(4),
		sources: [trace, claim],
	},
	{
		id: "multi-agent",
		name: "Several agents",
		...CHAT,
		requestsPerTask: 15,
		evidence: "vendor",
		note: vendor(15),
		sources: [trace, claim],
	},
];
