import type { UsageAnswer } from "@plimsoll/api";
import { counted, format, formatCount } from "#lib/format.ts";

type Operation = UsageAnswer["operations"][number];
type Outlier = Operation["outliers"][number];

/** What is asked for most dearly, in a sentence. */
export function usageHeadline({ operations, results }: UsageAnswer): string {
	const [largest] = operations;
	if (!largest) return "Nothing was asked for yet";
	return `${counted(results, "answer")}; the largest are those of “${largest.operation}”: ${bytesText(largest.bytes.p95)} at the 95th percentile`;
}

export const bytesText = (bytes: number): string => format(bytes, "bytes").text;

/** Tokens are estimated, and say so. */
export const tokensText = (tokens: number | undefined): string =>
	tokens === undefined ? "no text" : `≈ ${formatCount(tokens)}`;

/** Who says to have asked: the key, the program, the way it came. */
export function callerText({ caller, client, version, transport }: Outlier): string {
	const program = version === null ? client : `${client} ${version}`;
	const whose = caller === null ? "" : `key ${caller}, `;
	return program === transport ? `${whose}${program}` : `${whose}${program} by ${transport}`;
}

/** How the answers went out, most first. */
export function transportsText(transports: UsageAnswer["transports"]): string {
	return Object.entries(transports)
		.sort(([, a], [, b]) => b - a)
		.map(([transport, n]) => `${formatCount(n)} by ${transport}`)
		.join(", ");
}
