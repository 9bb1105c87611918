import azureCode from "../seed/traces/azure-2023-code.json" with { type: "json" };
import azureConversation from "../seed/traces/azure-2023-conversation.json" with { type: "json" };
import mooncakeConversation from "../seed/traces/mooncake-conversation.json" with { type: "json" };
import mooncakeSynthetic from "../seed/traces/mooncake-synthetic.json" with { type: "json" };

/** One entry a request, in the order of arrival. */
interface Columns {
	arrivalSeconds: number[];
	promptTokens: number[];
	outputTokens: number[];
	cachedTokens?: number[];
}

/** What a list shows of a trace. */
export interface TraceSummary {
	durationSeconds: number;
	meanPromptTokens: number;
	meanOutputTokens: number;
	/** Share of all prompt tokens that a prefix cache could hold; null where the source does not say. */
	cachedShare: number | null;
}

const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** @param columns of at least one request */
export function summariseTrace({
	arrivalSeconds,
	promptTokens,
	outputTokens,
	cachedTokens,
}: Columns): TraceSummary {
	const prompts = total(promptTokens);
	return {
		durationSeconds: arrivalSeconds.at(-1) ?? 0,
		meanPromptTokens: prompts / promptTokens.length,
		meanOutputTokens: total(outputTokens) / outputTokens.length,
		cachedShare: cachedTokens ? total(cachedTokens) / prompts : null,
	};
}

interface Seed {
	id: string;
	name: string;
	source: string;
	href: string;
	licence: string;
	citation: string;
	notes: string[];
	/** Tenths of a millisecond between arrivals, that of the first from the start. */
	tenthMillisecondGaps: number[];
	promptTokens: number[];
	outputTokens: number[];
	cachedTokens?: number[];
}

function rowOf({ tenthMillisecondGaps, promptTokens, outputTokens, cachedTokens, ...about }: Seed) {
	let tenths = 0;
	const arrivalSeconds = tenthMillisecondGaps.map((gap) => {
		tenths += gap;
		return tenths / 1e4;
	});
	const columns = { arrivalSeconds, promptTokens, outputTokens, ...(cachedTokens ? { cachedTokens } : {}) };
	return { ...about, requests: promptTokens.length, summary: summariseTrace(columns), columns };
}

/** The public traces that come with the product, as rows. */
export const traceSeeds = () =>
	([azureConversation, azureCode, mooncakeConversation, mooncakeSynthetic] satisfies Seed[]).map(rowOf);
