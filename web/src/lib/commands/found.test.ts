import { describe, expect, it } from "vitest";
import { type Find, matching, PAGE_FINDS, withRecent } from "./found.ts";

const find = (label: string, says?: string): Find => ({
	...{ kind: "page", href: `/${label.toLowerCase()}`, label, ...(says && { says }) },
});
const labels = (finds: readonly Find[]) => finds.map(({ label }) => label);

describe("what is searched for", () => {
	const finds = [find("Prices", "The book"), find("Fleet", "Which hardware at what price"), find("Bill")];

	it("is found by all of its words, in what it is called and what it says", () => {
		expect(labels(matching(finds, "hardware fleet"))).toEqual(["Fleet"]);
		expect(labels(matching(finds, "hardware bill"))).toEqual([]);
		expect(labels(matching(finds, "  "))).toEqual(["Prices", "Fleet", "Bill"]);
	});

	it("stands first where its name begins so", () => {
		expect(labels(matching([...finds].reverse(), "PRICE"))).toEqual(["Prices", "Fleet"]);
	});

	it("is found by the words that the page shows, too", () => {
		const say = (english: string) => (english === "Fleet" ? "Парк" : english);
		expect(labels(matching(finds, "парк", say))).toEqual(["Fleet"]);
		expect(labels(matching(finds, "fleet", say))).toEqual(["Fleet"]);
	});

	it("leads to every page, also those that stood in no line of links", () => {
		expect(labels(matching(PAGE_FINDS, "usage"))).toEqual(["Usage"]);
		expect(labels(matching(PAGE_FINDS, "effective"))).toEqual(["Effective lengths"]);
	});
});

it("keeps the last six, each once, the newest first", () => {
	const seven = ["A", "B", "C", "D", "E", "F", "G"].map((label) => find(label));
	const list = seven.reduce<Find[]>((kept, one) => withRecent(kept, one), []);
	expect(labels(list)).toEqual(["G", "F", "E", "D", "C", "B"]);
	expect(labels(withRecent(list, find("D")))).toEqual(["D", "G", "F", "E", "C", "B"]);
});
