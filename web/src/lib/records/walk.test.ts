import { describe, expect, it } from "vitest";
import { hasWords, walkList } from "./walk.ts";

/** A server with the numbers 0 … count − 1 as a list, its cursor the place. */
const serving = (count: number, calls: string[] = []) =>
	(async (input: string) => {
		calls.push(input);
		const query = new URL(input, "http://host").searchParams;
		const limit = Number(query.get("limit"));
		const offset = Number(query.get("cursor") ?? 0);
		const items = Array.from({ length: Math.max(0, Math.min(limit, count - offset)) }, (_, i) => offset + i);
		const end = offset + items.length;
		return Response.json({
			items,
			totalCount: count,
			returned: items.length,
			offset,
			truncated: end < count,
			nextCursor: end < count ? String(end) : null,
		});
	}) as typeof fetch;

describe("walkList", () => {
	it("reads one page of 20 where nothing is looked for", async () => {
		const calls: string[] = [];
		const walk = await walkList<number>(serving(50, calls), "/runs", null);
		expect(walk).toEqual({
			items: Array.from({ length: 20 }, (_, i) => i),
			totalCount: 50,
			offset: 0,
			seen: 20,
			nextCursor: "20",
		});
		expect(calls).toEqual(["/api/v1/runs?limit=20"]);
	});

	it("walks on until enough match, and its cursor goes on where it stopped", async () => {
		const everyTenth = (n: number) => n % 10 === 0;
		const first = await walkList<number>(serving(1000), "/runs", null, everyTenth);
		expect(first.items.slice(0, 3)).toEqual([0, 10, 20]);
		expect(first.seen).toBe(200);
		const second = await walkList<number>(serving(1000), "/runs", first.nextCursor, everyTenth);
		expect(second.items[0]).toBe(200);
		expect(second.offset).toBe(200);
	});

	it("ends with the list, and looks through 2,000 items at most", async () => {
		const none = () => false;
		expect(await walkList<number>(serving(150), "/runs", null, none)).toMatchObject({
			items: [],
			seen: 150,
			nextCursor: null,
		});
		expect(await walkList<number>(serving(9000), "/runs", null, none)).toMatchObject({ seen: 2000 });
	});
});

it("finds all words in any order, in any of the texts", () => {
	expect(hasWords("h100 LLAMA", ["Llama 3.1 70B", null, "H100 SXM"])).toBe(true);
	expect(hasWords("h100 qwen", ["Llama 3.1 70B", "H100 SXM"])).toBe(false);
	expect(hasWords("", [])).toBe(true);
});
