const SUFFIX = { "": 1, k: 1e3, ki: 1024, m: 1e6, mi: 1024 ** 2 } as const;

/**
 * Reads a number of tokens as people write it: "64k" is 64 × 1000, "64Ki" is 64 × 1024, "65536" and "65,536" are themselves.
 * @returns whole tokens, or null where the text is not a number of tokens ≥ 1
 */
export function parseTokens(text: string): number | null {
	const match = /^(\d+(?:\.\d+)?|\.\d+)(k|ki|m|mi)?$/i.exec(
		text.trim().replaceAll(/[\s,_\u00a0\u202f]/g, ""),
	);
	if (!match?.[1]) return null;
	const suffix = (match[2] ?? "").toLowerCase() as keyof typeof SUFFIX;
	const tokens = Math.round(Number(match[1]) * SUFFIX[suffix]);
	return Number.isSafeInteger(tokens) && tokens >= 1 ? tokens : null;
}
