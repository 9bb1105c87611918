import type { Advice, Scenario, Surety } from "@plimsoll/api/model";
import { counted, formatCount, formatSignificant, NOT_KNOWN } from "#lib/format.ts";

/** From here on an interval is a factor: "±150%" would reach below nothing. */
const FACTOR_FROM = 0.9;

/** Half of an interval: 0.123 → "±12%"; a wide one as what it is: 1 → "within a factor of 2.0". */
export function sureWords(share: number | null): string {
	if (share === null) return NOT_KNOWN;
	if (share >= FACTOR_FROM) return `within a factor of ${formatSignificant(1 + share, 2)}`;
	return `±${formatSignificant(100 * share, 2)}%`;
}

/** Duration that nobody needs to the second: "40 s", "4 min", "2.5 h"; null where it is not known. */
export function durationWords(seconds: number | null): string | null {
	if (seconds === null) return null;
	if (seconds < 1) return "under a second";
	if (seconds < 100) return `about ${Math.round(seconds)}\u00a0s`;
	if (seconds < 5400) return `about ${Math.round(seconds / 60)}\u00a0min`;
	return `about ${formatSignificant(seconds / 3600, 2)}\u00a0h`;
}

const PARTS: readonly { key: keyof Surety; label: string }[] = [
	{ key: "ttft", label: "First token" },
	{ key: "tpot", label: "Per token" },
];
/** A change that nobody would notice. */
const UNSEEN = 0.05;

/** What a measurement does to the answer, part by part; parts that it leaves as they are stay away. */
export function changes(now: Surety, after: Surety): { label: string; from: string; to: string }[] {
	return PARTS.flatMap(({ key, label }) => {
		const [from, to] = [now[key], after[key]];
		if (to === null || (from !== null && to > from * (1 - UNSEEN))) return [];
		return [{ label, from: sureWords(from), to: sureWords(to) }];
	});
}

/** What is asked: "Prompts of 16,000 tokens, 8 at once". */
export function questionWords({ context, concurrency, rate }: Scenario): string {
	const load =
		rate !== null ? `${formatSignificant(rate)} a second` : `${formatCount(concurrency ?? 1)} at once`;
	return `Prompts of ${counted(context, "token")}, ${load}`;
}

/** What the first runs of a setup give, and how long they take: one sentence, which other languages order otherwise. */
export function startWords(note: string, { runs, seconds }: NonNullable<Advice["start"]>): string {
	const give = runs.length === 1 ? "This run gives" : `These ${runs.length} runs give`;
	const duration = durationWords(seconds);
	return `${note} ${give} a usable plan${duration === null ? "" : `, ${duration} once the model is loaded`}:`;
}
