import { tokensOf } from "@plimsoll/api/scenario";

/** Reads a number of tokens as the API does ("64k" is 64 × 1000, "65536" is itself); null where it is none, or below 1. */
export function readTokens(text: string): number | null {
	try {
		const tokens = tokensOf(text);
		return tokens >= 1 ? tokens : null;
	} catch {
		return null;
	}
}
