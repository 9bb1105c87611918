import { callApi, type Envelope } from "../api.ts";
import { inEnglish, type Say } from "../chart/export/words.ts";
import { PAGES } from "../pages.ts";
import { searchConfigurations } from "../records/configuration-search.ts";
import type { ListedScenario, Model } from "../records/record.ts";

export type FindKind = "page" | "configuration" | "model" | "scenario";

/** Something that can be gone to. */
export interface Find {
	kind: FindKind;
	href: string;
	label: string;
	says?: string;
	/** Address of a plan with it. */
	plan?: string;
}

/** Of each kind so many are offered; words narrow them down. */
const OFFERED = 5;

const wordsOf = (text: string) => text.toLowerCase().split(/\s+/).filter(Boolean);
const holds = (text: string, words: readonly string[]) =>
	words.every((word) => text.toLowerCase().includes(word));

/**
 * Those of the finds in which all words stand; those whose label begins with them first.
 * @param say words as the page shows them: they are found as well as the English ones
 */
export function matching(finds: readonly Find[], text: string, say: Say = inEnglish): Find[] {
	const words = wordsOf(text);
	const begins = ({ label }: Find) =>
		[label, say(label)].some((name) => name.toLowerCase().startsWith(words.join(" ")));
	const found = finds.filter(({ label, says = "" }) =>
		holds([label, says, say(label), says && say(says)].join(" "), words),
	);
	return [...found.filter(begins), ...found.filter((find) => !begins(find))];
}

export const PAGE_FINDS: readonly Find[] = PAGES.map(({ href, label, says }) => ({
	kind: "page",
	href,
	label,
	says,
}));

async function configurations(fetcher: typeof fetch, text: string, signal: AbortSignal): Promise<Find[]> {
	const groups = await searchConfigurations(fetcher, text, null, signal);
	return groups
		.flatMap(({ choices }) => choices)
		.slice(0, OFFERED)
		.map(({ id, label }) => ({
			kind: "configuration",
			href: `/configurations/${encodeURIComponent(id)}`,
			label,
			plan: `/?configuration=${encodeURIComponent(id)}`,
		}));
}

async function models(fetcher: typeof fetch, text: string, signal: AbortSignal): Promise<Find[]> {
	const query = new URLSearchParams({ q: text.trim(), limit: String(OFFERED) });
	const { items } = await callApi<Envelope<Model>>(fetcher, `/models?${query}`, { signal });
	return items.map(({ id, name }) => ({
		kind: "model",
		href: `/models/${encodeURIComponent(id)}`,
		label: name,
	}));
}

/** Kept scenarios have no search of their own: there are few, and the newest hundred are looked through. */
async function scenarios(fetcher: typeof fetch, text: string, signal: AbortSignal): Promise<Find[]> {
	const { items } = await callApi<Envelope<ListedScenario>>(fetcher, "/scenarios?limit=100", { signal });
	const all = items.map(
		({ id, name, query, note }): Find => ({
			kind: "scenario",
			href: `/scenarios/${id}`,
			label: name,
			plan: `/?${query}`,
			...(note && { says: note }),
		}),
	);
	return matching(all, text).slice(0, OFFERED);
}

/**
 * What the server knows under some words: configurations, one's own first, then models, then kept scenarios.
 * @throws ApiProblem, and AbortError where the signal ends it
 */
export async function searchServer(
	fetcher: typeof fetch,
	text: string,
	signal: AbortSignal,
): Promise<Find[]> {
	const kinds = [configurations, models, scenarios];
	return (await Promise.all(kinds.map((read) => read(fetcher, text, signal)))).flat();
}

const RECENT = "plimsoll.recent";
const KEPT = 6;

const isFind = (value: unknown): value is Find => {
	const { kind, href, label } = (value ?? {}) as Partial<Find>;
	const known = ["page", "configuration", "model", "scenario"].includes(kind ?? "");
	return known && typeof label === "string" && typeof href === "string" && /^\/(?!\/)/.test(href);
};

/** The newest list with one more at its head; the same thing stands in it once. */
export const withRecent = (list: readonly Find[], find: Find): Find[] =>
	[find, ...list.filter(({ href }) => href !== find.href)].slice(0, KEPT);

/** What was gone to last from here, newest first. */
export function readRecent(): Find[] {
	try {
		const kept: unknown = JSON.parse(localStorage.getItem(RECENT) ?? "[]");
		return Array.isArray(kept) ? kept.filter(isFind).slice(0, KEPT) : [];
	} catch {
		return [];
	}
}

export function keepRecent(find: Find): void {
	try {
		localStorage.setItem(RECENT, JSON.stringify(withRecent(readRecent(), find)));
	} catch {
		// Storage can be forbidden; nothing is then recent.
	}
}
