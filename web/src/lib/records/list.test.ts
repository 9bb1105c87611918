import { describe, expect, it } from "vitest";
import { ApiProblem } from "../api.ts";
import { filterOf, isEmpty, readList } from "./list.ts";

/** A list of numbers that knows the cursors "a" and "b"; what it is asked is kept. */
function serving(calls: string[]): typeof fetch {
	return (async (input: string) => {
		calls.push(input);
		const query = new URL(input, "http://host").searchParams;
		const cursor = query.get("cursor");
		if (query.get("origin") === "mine") return refused("origin");
		if (cursor !== null && !["a", "b"].includes(cursor)) return refused("cursor");
		return Response.json({ items: [1, 2], totalCount: 2, nextCursor: null });
	}) as typeof fetch;
}
const refused = (at: string) =>
	Response.json({ detail: "no", errors: [{ at, reason: "not known" }] }, { status: 400 });

describe("readList", () => {
	it("asks for 20 items, for what is said of the filter, and goes on at the cursor", async () => {
		const calls: string[] = [];
		const page = await readList<number>(serving(calls), "/runs", "a", { q: "h100 & more", origin: "" });
		expect(page.items).toEqual([1, 2]);
		expect(calls).toEqual(["/api/v1/runs?q=h100+%26+more&limit=20&cursor=a"]);
	});

	it("begins anew where the list does not know the place", async () => {
		const calls: string[] = [];
		const page = await readList<number>(serving(calls), "/runs", "of-another-filter", { q: "x" });
		expect(page.items).toEqual([1, 2]);
		expect(calls.at(-1)).toBe("/api/v1/runs?q=x&limit=20");
	});

	it("hands on every other refusal", async () => {
		const reading = readList(serving([]), "/runs", null, { origin: "mine" });
		await expect(reading).rejects.toThrow(ApiProblem);
	});
});

it("takes the keys of a filter from the address, and no others", () => {
	const filter = filterOf(new URLSearchParams("q=%20a%20&cursor=x&origin=own"), ["q", "origin", "format"]);
	expect(filter).toEqual({ q: "a", origin: "own", format: "" });
	expect(isEmpty(filter)).toBe(false);
	expect(isEmpty(filterOf(new URLSearchParams("q=%20"), ["q"]))).toBe(true);
});
