import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canonical, testApp } from "../support/api.ts";

const { call, close } = await testApp();
afterAll(close);

const JSON_TYPE = { "content-type": "application/json" };
const prefill = (tokens: number) => ({
	...{ phase: "prefill", tokens, cached: 0, batch: 1, seconds: [tokens / 1e4] },
});

/** Posted in this order; names and counts stand in others. */
const RUNS = [
	{ label: "delta", rows: 3 },
	{ label: "Alpha", rows: 1 },
	{ label: "charlie", rows: 4 },
	{ label: "bravo", rows: 1 },
	{ label: "echo, with 'quotes' and %", rows: 2 },
];
const ids: string[] = [];

beforeAll(async () => {
	for (const { label, rows } of RUNS) {
		const measured = Array.from({ length: rows }, (_, i) => prefill(512 * (i + 1)));
		const path = `/runs?label=${encodeURIComponent(label)}`;
		const { status, body } = await call("POST", path, canonical({ engineVersion: label }, measured));
		expect(status).toBe(201);
		ids.push(body.id);
	}
});

const patch = (id: string, body: unknown) => call("PATCH", `/runs/${id}`, JSON.stringify(body), JSON_TYPE);
const labels = ({ body }: { body: { items: { label: string }[] } }) =>
	body.items.map(({ label }) => label[0]);

/** First letters of the labels of all pages, one run a page. */
async function walk(query: string): Promise<string> {
	let seen = "";
	for (let cursor: string | null = ""; cursor !== null; ) {
		const { status, body } = await call("GET", `/runs?limit=1&${query}${cursor && `&cursor=${cursor}`}`);
		expect(status).toBe(200);
		seen += labels({ body }).join("");
		cursor = body.nextCursor;
	}
	return seen;
}

describe("the order of GET /runs", () => {
	it.each([
		["sort=newest", "ebcAd"],
		["", "ebcAd"],
		["sort=oldest", "dAcbe"],
		["sort=name", "Abcde"],
		// Of equals, the ids decide: Alpha and bravo in either order, but each once.
		["sort=accepted", /^cde(Ab|bA)$/],
	])("%s, one by one", async (query, expected) => {
		const seen = await walk(query);
		if (typeof expected === "string") expect(seen).toBe(expected);
		else expect(seen).toMatch(expected);
	});

	it("refuses an order that it does not know, and a cursor of another order", async () => {
		const { status, body } = await call("GET", "/runs?sort=size");
		expect(status).toBe(400);
		expect(body.errors[0].at).toBe("sort");
		const { body: first } = await call("GET", "/runs?limit=1&sort=name");
		const other = await call("GET", `/runs?limit=1&sort=oldest&cursor=${first.nextCursor}`);
		expect(other.status).toBe(400);
		expect(other.body.errors[0].at).toBe("cursor");
	});

	it("goes on behind a run that was deleted meanwhile", async () => {
		const { body: first } = await call("GET", "/runs?limit=2&sort=name");
		await call("DELETE", `/runs/${first.items[1].id}`);
		const next = await call("GET", `/runs?sort=name&cursor=${first.nextCursor}`);
		expect(labels(next)).toEqual(["c", "d", "e"]);
		await call("POST", `/runs/${first.items[1].id}/restore`);
	});
});

describe("PATCH /runs/{id}", () => {
	const [first = "", second = ""] = [0, 1].map((i) => RUNS[i]?.label);

	it("puts tags on a run, which lists and searches then find", async () => {
		const { status, body } = await patch(ids[0] ?? "", { tags: ["nightly", " driver 570 ", "nightly"] });
		expect(status).toBe(200);
		expect(body.tags).toEqual(["nightly", "driver 570"]);
		await patch(ids[1] ?? "", { tags: ["nightly"] });
		expect(labels(await call("GET", "/runs?tag=nightly&sort=name"))).toEqual([second[0], first[0]]);
		expect(labels(await call("GET", "/runs?tag=driver+570"))).toEqual([first[0]]);
		expect(labels(await call("GET", "/runs?q=DRIVER"))).toEqual([first[0]]);
		// A tag is itself, not a part of one.
		expect(labels(await call("GET", "/runs?tag=night"))).toEqual([]);
	});

	it("takes them off again, and keeps them through a delete", async () => {
		await call("DELETE", `/runs/${ids[0]}`);
		expect((await patch(ids[0] ?? "", { tags: [] })).status).toBe(404);
		const { body } = await call("POST", `/runs/${ids[0]}/restore`);
		expect(body.tags).toEqual(["nightly", "driver 570"]);
		expect((await patch(ids[0] ?? "", { tags: [] })).body.tags).toEqual([]);
		expect((await call("GET", `/runs/${ids[0]}`)).body.tags).toEqual([]);
	});

	it.each([
		[{ tags: [""] }, "tags[0]"],
		[{ tags: ["ok", "a".repeat(41)] }, "tags[1]"],
		[{ tags: ["one, two"] }, "tags[0]"],
		[{ tags: ["a\nb"] }, "tags[0]"],
		[{ tags: Array.from({ length: 21 }, (_, i) => `t${i}`) }, "tags"],
		[{ tags: "nightly" }, "tags"],
		[{}, "the body"],
	])("refuses %j and says where", async (change, at) => {
		const { status, body } = await patch(ids[2] ?? "", change);
		expect(status).toBe(400);
		expect(body.errors[0].at.replace(/\.(\d+)/, "[$1]")).toBe(at);
		expect(body.errors[0].reason.length).toBeGreaterThan(5);
	});

	it("says 404 of a run that is not there", async () => {
		expect((await patch("00000000-0000-4000-8000-000000000000", { tags: [] })).status).toBe(404);
		expect((await patch("nonsense", { tags: [] })).status).toBe(404);
	});
});
