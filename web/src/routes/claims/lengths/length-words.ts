import { type EffectiveLength, inLedger, type Quantity, reachWords } from "@plimsoll/api/model";

/** "base 92.6%, 1K 86.4%"; empty where nothing is scored. */
export const scoreWords = ({ scores }: Pick<EffectiveLength, "scores">): string =>
	scores.map(({ at, percent }) => `${at} ${percent}%`).join(", ");

/** What stands before a length: nothing, at least, or less than. */
export const BOUND_SIGN: Record<EffectiveLength["bound"], string> = {
	"up to": "",
	"at least": "≥ ",
	below: "< ",
};

/** The effective length with what it was found by; null where the source measures none. */
export function lengthQuantity(length: EffectiveLength): Quantity | null {
	const { effectiveTokens, evidence, conditions, source, id } = length;
	if (effectiveTokens === null) return null;
	const scored = scoreWords(length);
	return {
		...{ value: effectiveTokens, unit: "tokens", evidence },
		arithmetic: [reachWords(length), scored && `Scores: ${scored}.`, conditions].filter(Boolean).join(" "),
		sources: inLedger("length", { id, sources: [source] }),
	};
}
