import { tokensOf } from "@plimsoll/api/model";

/** Reads a count as the API does ("64k" is 64 × 1000, "65536" is itself); null where it is none, or below 1. */
export function readTokens(text: string): number | null {
	const tokens = tokensOf(text);
	return tokens !== null && tokens >= 1 ? tokens : null;
}
