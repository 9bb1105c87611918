import { invalidInput } from "../problem.ts";

export const DEFAULT_LIMIT = 20;
export const MAX_LIMIT = 100;

/** What every list answers. */
export interface Page<T> {
	items: T[];
	/** All items of the list, not only those of this page. */
	totalCount: number;
	returned: number;
	/** Items on the pages before this one. */
	offset: number;
	/** Whether there are more items behind this page. */
	truncated: boolean;
	nextCursor: string | null;
}

export interface PageRequest {
	limit?: number | undefined;
	cursor?: string | undefined;
}

/** Place of an item in its list: the columns it is ordered by, as text. */
export type Place = readonly [string, string];

interface PageSource<R> {
	/** Name of the list; a cursor of another list is refused. */
	list: string;
	count(): Promise<number>;
	/** Rows behind the place (from the start where it is null), in order. */
	rows(after: Place | null, limit: number): Promise<R[]>;
	place(row: R): Place;
}

/**
 * One page by keyset: rows that are inserted while a reader walks the pages neither repeat nor hide one of
 * those that were there when the walk began.
 * @throws Problem 400 for a cursor that this list did not hand out
 */
export async function readPage<R, T>(
	request: PageRequest,
	source: PageSource<R>,
	toItems: (rows: R[]) => T[] | Promise<T[]>,
): Promise<Page<T>> {
	const limit = request.limit ?? DEFAULT_LIMIT;
	const start = request.cursor === undefined ? null : decodeCursor(request.cursor, source.list);
	const offset = start?.offset ?? 0;
	const found = await source.rows(start?.after ?? null, limit + 1);
	const totalCount = await source.count();
	const rows = found.slice(0, limit);
	const last = rows.at(-1);
	const truncated = found.length > limit;
	const items = await toItems(rows);
	const next = { list: source.list, offset: offset + rows.length };
	return {
		items,
		totalCount,
		returned: items.length,
		offset,
		truncated,
		nextCursor: truncated && last !== undefined ? encodeCursor({ ...next, after: source.place(last) }) : null,
	};
}

interface Cursor {
	list: string;
	offset: number;
	after: Place;
}

/** Places are times, ids and numbers; anything else was not written here and must not reach the database. */
const PLACE_PART = /^[0-9a-zA-Z:.+ _-]{1,80}$/;

function encodeCursor({ list, offset, after }: Cursor): string {
	return Buffer.from(JSON.stringify([list, offset, ...after])).toString("base64url");
}

function decodeCursor(text: string, list: string): Cursor {
	try {
		const [name, offset, ...after] = JSON.parse(Buffer.from(text, "base64url").toString());
		const sound = after.length === 2 && after.every((part: unknown) => PLACE_PART.test(String(part)));
		if (name === list && Number.isSafeInteger(offset) && offset >= 0 && sound)
			return { list, offset, after: [String(after[0]), String(after[1])] };
	} catch {
		// Not base64url of JSON: refused below like any other foreign text.
	}
	throw invalidInput([{ at: "cursor", reason: "not a cursor of this list; start again without it" }]);
}
