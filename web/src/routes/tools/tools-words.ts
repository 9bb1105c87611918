import type { ToolsAnswer } from "@plimsoll/api";
import { counted, format, formatCount, formatQuantity } from "#lib/format.ts";

type Composition = ToolsAnswer["compositions"][number];
type Tool = ToolsAnswer["tools"][number];
type Finding = Tool["findings"][number];

/** "14 tools weigh 2,581 tokens: 2% of the window, 351 ms of the first token". */
export function toolsHeadline({ tools, tokens, all }: Pick<ToolsAnswer, "tools" | "tokens" | "all">): string {
	const time =
		all.firstToken.value === null ? "" : `, ${formatQuantity(all.firstToken).text} of the first token`;
	return `${counted(tools.length, "tool")} ${tools.length === 1 ? "weighs" : "weigh"} ${formatQuantity(tokens).text}: ${formatQuantity(all.share).text} of the window${time}`;
}

/** What stands in a request in place of all schemas, in words. */
export const COMPOSITIONS: Record<Composition["id"], { name: string; words: string }> = {
	all: { name: "All tools, as sent", words: "Every request carries every schema." },
	forbidden: {
		name: "Half of them forbidden",
		words: "The same list: the model still reads what it may not call. Permissions do not shrink a window.",
	},
	removed: { name: "Half of them removed", words: "Every second tool taken out of the list." },
	profile: { name: "Your profile", words: "The tools that are ticked above." },
	deferred: {
		name: "Deferred loading",
		words: "Names and first sentences, and one tool that loads a schema when it is needed.",
	},
	gateway: {
		name: "Gateway of three commands",
		words: "Find, run and continue an operation; its schema comes with the answer to find.",
	},
};

/** "184 tokens for each tool in use; smaller than all schemas up to 12 of them". */
export function extraWords({
	addsPerTool,
	worthUpTo,
}: Pick<Composition, "addsPerTool" | "worthUpTo">): string {
	if (addsPerTool === null || worthUpTo === null) return "";
	const each = `${counted(addsPerTool, "token")} for each tool in use`;
	return worthUpTo === 0
		? `${each}: no smaller than all schemas`
		: `${each}; smaller than all schemas up to ${formatCount(worthUpTo)} of them`;
}

const SEVERITY: Record<Finding["severity"], string> = {
	fails: "Known to fail",
	slow: "Reported slow or failing",
	check: "Worth a look",
};
const GRAVEST: readonly Finding["severity"][] = ["fails", "slow", "check"];

/** Findings of which the same is known, with all the places where they stand. */
export interface FindingGroup {
	title: string;
	severity: Finding["severity"];
	known: string;
	advice: string;
	places: { tool: string; at: string; what: string }[];
}

/** Findings of all tools, gravest first, what is known of them said once. */
export function findingGroups(tools: readonly Pick<Tool, "name" | "findings">[]): FindingGroup[] {
	const groups = new Map<string, FindingGroup>();
	for (const { name, findings } of tools)
		for (const { severity, known, advice, at, what } of findings) {
			const key = `${severity} ${known} ${advice}`;
			const group = groups.get(key) ?? { title: SEVERITY[severity], severity, known, advice, places: [] };
			group.places.push({ tool: name, at, what });
			groups.set(key, group);
		}
	return [...groups.values()].sort((a, b) => GRAVEST.indexOf(a.severity) - GRAVEST.indexOf(b.severity));
}

/** The address of the window budget with the weight of these tools filled in. */
export function windowLink({ tools, all, question }: ToolsAnswer, search: string): string {
	const query = new URLSearchParams(search);
	const link = new URLSearchParams();
	for (const key of ["configuration", "window", "system", "message", "answer", "concurrency", "price"]) {
		const value = query.get(key);
		if (value !== null) link.set(key, value);
	}
	link.set("window", String(question.windowTokens));
	link.set("tools", String(tools.length));
	// Whole tokens: rather one too many than one too few.
	link.set("toolTokens", String(Math.ceil(all.tokens / tools.length)));
	return `/window?${link}`;
}

/** "26% more": what a text weighs beside another. */
export function moreWords(tokens: number, than: number): string {
	if (than === 0 || tokens === than) return "the same";
	const share = format(Math.abs(tokens / than - 1), "ratio").text;
	return `${share} ${tokens > than ? "more" : "less"}`;
}

/** Positions left out after one is ticked or unticked: "3,5"; null: none. */
export function leaveOut(before: string | null, position: number, shown: boolean): string | null {
	const out = new Set((before ?? "").split(",").filter(Boolean).map(Number));
	if (shown) out.delete(position);
	else out.add(position);
	return out.size === 0 ? null : [...out].sort((a, b) => a - b).join(",");
}
