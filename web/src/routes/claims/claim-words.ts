import type { ClaimKind, ClaimSubject, ClaimTopic, LedgerEntry } from "@plimsoll/api/model";

/** The kinds of claims with their names, and what each is worth. */
export const KINDS: readonly { kind: ClaimKind; label: string; means: string }[] = [
	{
		kind: "measurement",
		label: "Measurement",
		means: "Somebody measured it and says how. It holds for what was measured, and may hold for you.",
	},
	{
		kind: "vendor",
		label: "Vendor's claim",
		means: "Who makes or sells the thing says so: a data sheet, a price list, an evaluation of its own.",
	},
	{
		kind: "arithmetic",
		label: "Own arithmetic",
		means: "Worked out here from stated figures; it is right where those are.",
	},
	{
		kind: "folklore",
		label: "Folklore",
		means:
			"People repeat it and nobody found where it comes from. An answer that rests on such a figure calls it assumed.",
	},
];

export const kindLabel = (kind: ClaimKind): string => KINDS.find((one) => one.kind === kind)?.label ?? kind;

export const SUBJECTS: readonly { about: ClaimSubject; label: string }[] = [
	{ about: "claim", label: "Figures that circulate" },
	{ about: "length", label: "Effective lengths" },
	{ about: "preset", label: "Presets of demand" },
	{ about: "scheme", label: "Prompt caches" },
	{ about: "price", label: "Prices" },
	{ about: "gpu", label: "GPUs" },
	{ about: "model", label: "Models" },
];

export const TOPICS: Record<ClaimTopic, string> = {
	window: "What fills a window",
	length: "Length and quality",
	time: "Time and memory",
	caching: "Prompt caching",
	repeatability: "Repeatability",
	agents: "Agents",
	other: "Other",
};

/** The heading that an entry stands under. */
export function headingOf({ subject, topic, kind, against }: LedgerEntry): string {
	if (subject !== "claim") return SUBJECTS.find(({ about }) => about === subject)?.label ?? subject;
	if (against.length > 0) return "Open disputes";
	return kind === "folklore" ? "Without a source" : TOPICS[topic];
}

/** Entries under their headings, in the order in which they come. */
export function grouped(entries: readonly LedgerEntry[]): { heading: string; entries: LedgerEntry[] }[] {
	const headings = [...new Set(entries.map(headingOf))];
	return headings.map((heading) => ({
		heading,
		entries: entries.filter((entry) => headingOf(entry) === heading),
	}));
}
