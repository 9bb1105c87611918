import type { Source } from "./quantity.ts";

/** On what ground a figure stands that people repeat. */
export const CLAIM_KINDS = ["measurement", "vendor", "arithmetic", "folklore"] as const;
export type ClaimKind = (typeof CLAIM_KINDS)[number];

/** What an entry of the ledger is about. Claims circulate; the rest are the catalogs and presets that answers rest on. */
export const CLAIM_SUBJECTS = ["claim", "length", "preset", "scheme", "price", "gpu", "model"] as const;
export type ClaimSubject = (typeof CLAIM_SUBJECTS)[number];

/** What claims that circulate are grouped by, in the order of their list. */
export const CLAIM_TOPICS = [
	"window",
	"length",
	"time",
	"caching",
	"repeatability",
	"agents",
	"other",
] as const;
export type ClaimTopic = (typeof CLAIM_TOPICS)[number];

/** What is said against a claim. */
export interface CounterClaim {
	statement: string;
	kind: ClaimKind;
	/** null: without a source. */
	source: Source | null;
}

/** A figure that circulates, with the ground it stands on. */
export interface Claim {
	id: string;
	statement: string;
	kind: ClaimKind;
	topic: ClaimTopic;
	/** Method of a measurement, the sum of an arithmetic, when and on what it holds; null: not said. */
	conditions: string | null;
	/** null: without a source. */
	source: Source | null;
	/** Not empty: an open dispute. */
	against: CounterClaim[];
	/** What would settle it; null: nobody said. */
	settledBy: string | null;
}

/** An entry of the ledger: a claim, or a fact that answers rest on. */
export interface LedgerEntry extends Claim {
	subject: ClaimSubject;
	/** Page of the thing itself; null: the ledger is its place. */
	href: string | null;
	origin: "seed" | "user";
	/** Name of the key; null without one. */
	enteredBy: string | null;
}

/** Id of the ledger's entry of a fact that answers rest on; claims have their own. */
export const claimIdOf = (subject: Exclude<ClaimSubject, "claim">, id: string): string => `${subject}-${id}`;

/** Sources of a catalog's entry, each as the ledger's entry of it. */
export const inLedger = (
	subject: Exclude<ClaimSubject, "claim">,
	{ id, sources }: { id: string; sources: readonly Source[] },
): Source[] => sources.map((source) => ({ ...source, claim: claimIdOf(subject, id) }));

/**
 * Order of the ledger: open disputes, what has no source, then what circulates by topic, then the facts that answers
 * rest on, by what they are about and by id.
 */
export function byWeight(a: LedgerEntry, b: LedgerEntry): number {
	const [left, right] = [placeOf(a), placeOf(b)];
	const at = left.findIndex((rank, i) => rank !== right[i]);
	return at === -1 ? (a.id < b.id ? -1 : Number(a.id > b.id)) : (left[at] ?? 0) - (right[at] ?? 0);
}

function placeOf({ subject, kind, topic, against }: LedgerEntry): number[] {
	const circulates = subject === "claim";
	const weight = !circulates ? 3 : against.length > 0 ? 0 : kind === "folklore" ? 1 : 2;
	return [weight, CLAIM_SUBJECTS.indexOf(subject), circulates ? CLAIM_TOPICS.indexOf(topic) : 0];
}
