/** Beginnings of a clause that asks about a deed, and orders none. */
const ASKED = [
	"who|when|why|whether|how (?:do|does|can|could|would|should|to|is|are|was|were)",
	"(?:can|could|may|might|should|must|do|did|am|are) (?:i|we|they|he|she|anyone|anybody|somebody|someone)",
	"is (?:it|there|this|that|he|she)|was|were|has|have|had|did|what (?:happens|if|would|will|was|were|did|do|have|has|.* (?:did|do|have) (?:i|we|you|they))|are|which",
	"(?:tell|update|inform|show|remind) (?:me|us)|let (?:me|us) know|explain",
	"кто|когда|зачем|почему|можно|нужно ли|надо ли|стоит ли|как|что (?:будет|произойдет|если|случится)|если",
	"могу|можем|могут|был|была|было|были|безопасно|расскажи|объясни|скажи|покажи",
].join("|");
const QUESTION = new RegExp(
	`(?:^|[.,;:!?–—(]\\s*|(?<!\\p{L})(?:and|but|so|и|а|но) )(${ASKED})(?!\\p{L})`,
	"u",
);
/** "Whether" stands behind its verb in Russian: "удалится ли". */
const WHETHER = /\p{L}+ ли(?!\p{L})/u;

const NOT =
	"don'?t|do not|does not|doesn'?t|must not|should not|shouldn'?t|never|not|without|avoid|instead of|rather than|no need to|un|не|нельзя|без|вместо";

/**
 * Words by which a task orders no change though it speaks of one: it asks about it ("who deleted the run?") or forbids
 * it ("do not delete it"). null: it may be an order.
 * @param heard the words that named the change
 */
export function noOrder(task: string, heard: readonly string[]): string | null {
	const plain = task.toLowerCase().replaceAll("ё", "е").replaceAll("’", "'").replaceAll(/\s+/g, " ").trim();
	const [, asked] = QUESTION.exec(plain) ?? [];
	if (asked !== undefined) return asked;
	const [whether] = WHETHER.exec(plain) ?? [];
	if (whether !== undefined) return whether;
	for (const words of heard) {
		const first = /[\p{L}\p{N}]+/u.exec(words)?.[0] ?? "";
		const forbidden = new RegExp(`(?<!\\p{L})(?:${NOT})[ -](?:[^ ]+ ){0,2}${first}(?!\\p{L})`, "u").exec(
			plain,
		);
		if (forbidden) return forbidden[0];
	}
	return null;
}
