import { expect, it } from "vitest";
import { ApiProblem } from "../api.ts";
import { searchConfigurations } from "./configuration-search.ts";

const { signal } = new AbortController();

it("asks the server for the words, one's own first, and leaves empty groups out", async () => {
	const asked: string[] = [];
	const server = (async (input: string) => {
		const query = new URL(input, "http://host").searchParams;
		asked.push([query.get("origin"), query.get("q"), query.get("fitted")].join(" "));
		const items = query.get("origin") === "example" ? [] : [{ id: query.get("origin"), label: "L", more: 1 }];
		return Response.json({ items, totalCount: items.length * 300 });
	}) as typeof fetch;
	const groups = await searchConfigurations(server, " h100 fp8 ", "prefill", signal);
	expect(groups).toEqual([
		{ origin: "own", choices: [{ id: "own", label: "L" }], count: 300 },
		{ origin: "published", choices: [{ id: "published", label: "L" }], count: 300 },
	]);
	expect(asked.sort()).toEqual(["example", "own", "published"].map((origin) => `${origin} h100 fp8 prefill`));
});

it("asks for all where nothing is typed", async () => {
	const asked: string[] = [];
	const server = (async (input: string) => {
		asked.push(input);
		return Response.json({ items: [], totalCount: 0 });
	}) as typeof fetch;
	expect(await searchConfigurations(server, "", null, signal)).toEqual([]);
	expect(asked.some((path) => /[?&](q|fitted)=/.test(path))).toBe(false);
});

it("fails with the server's words", async () => {
	const away = (async () =>
		Response.json({ detail: "the database is away" }, { status: 503 })) as typeof fetch;
	const search = searchConfigurations(away, "", null, signal);
	await expect(search).rejects.toThrow(new ApiProblem("the database is away", 503));
});
