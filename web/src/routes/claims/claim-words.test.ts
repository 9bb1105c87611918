import type { LedgerEntry } from "@plimsoll/api/model";
import { expect, it } from "vitest";
import { grouped } from "./claim-words.ts";

const entry = (id: string, change: Partial<LedgerEntry> = {}): LedgerEntry => ({
	...{ id, statement: id, kind: "measurement", topic: "time", conditions: null, source: null, against: [] },
	...{ settledBy: null, subject: "claim", href: null, origin: "seed", enteredBy: null },
	...change,
});

it("puts disputes and folklore under headings of their own, facts under what they are about", () => {
	const groups = grouped([
		entry("a", { against: [{ statement: "no", kind: "folklore", source: null }], kind: "folklore" }),
		entry("b", { kind: "folklore" }),
		entry("c"),
		entry("d", { topic: "caching" }),
		entry("e"),
		entry("f", { subject: "gpu", kind: "vendor" }),
	]);
	expect(groups.map(({ heading, entries }) => [heading, entries.map(({ id }) => id).join()])).toEqual([
		...[
			["Open disputes", "a"],
			["Without a source", "b"],
			["Time and memory", "c,e"],
			["Prompt caching", "d"],
			["GPUs", "f"],
		],
	]);
});
