import { callApi, type Envelope } from "../api.ts";

/** Part of a list of the API, as far as one page shows it. */
export interface Walk<T> {
	items: T[];
	/** Items of the whole list, matching or not. */
	totalCount: number;
	/** Items looked at before this part. */
	offset: number;
	/** Items looked at up to the end of this part. */
	seen: number;
	nextCursor: string | null;
}

const SHOWN = 20;
const LARGEST_PAGE = 100;
/** Pages that one request looks through for matches before it asks the reader whether to go on. */
const MOST_PAGES = 20;

/**
 * The next part of a list; with `matches` only those items, looked for page by page until enough are found.
 * @param path of the list, e.g. "/runs"
 */
export async function walkList<T>(
	fetcher: typeof fetch,
	path: string,
	cursor: string | null,
	matches: ((item: T) => boolean) | null = null,
): Promise<Walk<T>> {
	const limit = matches ? LARGEST_PAGE : SHOWN;
	const read = (next: string | null) => {
		const query = new URLSearchParams({ limit: String(limit), ...(next ? { cursor: next } : {}) });
		return callApi<Envelope<T>>(fetcher, `${path}?${query}`);
	};
	let page = await read(cursor);
	const { offset } = page;
	const items = page.items.filter(matches ?? (() => true));
	for (let pages = 1; items.length < SHOWN && page.nextCursor && pages < MOST_PAGES; pages++) {
		page = await read(page.nextCursor);
		items.push(...page.items.filter(matches ?? (() => true)));
	}
	const { totalCount, nextCursor } = page;
	return { items, totalCount, offset, seen: page.offset + page.returned, nextCursor };
}

/** Whether every word of a search stands somewhere in the texts. */
export function hasWords(search: string, texts: readonly (string | null | undefined)[]): boolean {
	const all = texts.filter(Boolean).join("\n").toLowerCase();
	return search
		.toLowerCase()
		.split(/\s+/)
		.every((word) => all.includes(word));
}
