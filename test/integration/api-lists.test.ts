import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canonical, testApp } from "../support/api.ts";

const { call, close, deps } = await testApp();
afterAll(close);

const prefill = (tokens: number) => ({
	phase: "prefill",
	tokens,
	cached: 0,
	batch: 1,
	seconds: [tokens / 1e4],
});
const upload = (name: string) =>
	call("POST", `/runs?label=${name}`, canonical({ engineVersion: name }, [prefill(512), prefill(1024)]));

beforeAll(async () => {
	for (let i = 0; i < 23; i++) await upload(`list-${i}`);
});

/** Walks a list to its end; `between` runs after each page. */
async function walk(path: string, limit: number, between: () => Promise<unknown> = async () => {}) {
	const ids: string[] = [];
	let cursor: string | null = "";
	let offset = 0;
	while (cursor !== null) {
		const query = `${path.includes("?") ? "&" : "?"}limit=${limit}${cursor && `&cursor=${cursor}`}`;
		const { status, body } = await call("GET", path + query);
		expect(status).toBe(200);
		expect(body.offset).toBe(offset);
		expect(body.returned).toBe(body.items.length);
		expect(body.truncated).toBe(body.nextCursor !== null);
		ids.push(...body.items.map((item: { id: string }) => item.id));
		offset += body.returned;
		cursor = body.nextCursor;
		await between();
	}
	return ids;
}

describe.each(["/runs", "/configurations"])("GET %s", (path) => {
	it("has 20 items where no limit is asked", async () => {
		const { body } = await call("GET", path);
		expect(body).toMatchObject({ returned: 20, offset: 0, truncated: true, totalCount: 23 });
	});

	it.each([1, 5, 23, 100])("gives every item once, %i at a time", async (limit) => {
		const ids = await walk(path, limit);
		expect(new Set(ids).size).toBe(ids.length);
		expect(ids).toHaveLength((await call("GET", path)).body.totalCount);
	});

	it.each(["limit=101", "limit=0", "limit=x", "limit=1.5", "cursor=garbage!", "cursor=e30", "cursor="])(
		"refuses %s and says where",
		async (query) => {
			const { status, headers, body } = await call("GET", `${path}?${query}`);
			expect(status).toBe(400);
			expect(headers.get("content-type")).toBe("application/problem+json");
			expect(body.errors[0].at).toBe(query.split("=")[0]);
		},
	);
});

it("a cursor of one list is refused by another", async () => {
	const { nextCursor } = (await call("GET", "/runs?limit=2")).body;
	expect((await call("GET", `/configurations?cursor=${nextCursor}`)).status).toBe(400);
});

it("rows inserted during a walk neither repeat nor hide the others", async () => {
	const before = await walk("/runs", 100);
	let n = 0;
	const during = await walk("/runs", 4, () => upload(`during-${n++}`));
	expect(new Set(during).size).toBe(during.length);
	expect(before.filter((id) => !during.includes(id))).toEqual([]);
});

it("runs of the very same moment are all found", async () => {
	await deps.database.sql`update runs set created_at = '2026-01-01T00:00:00.123456Z'`;
	const ids = await walk("/runs", 7);
	expect(new Set(ids).size).toBe((await call("GET", "/runs?limit=1")).body.totalCount);
	expect(ids).toHaveLength(new Set(ids).size);
});

it("measurements of a run page in the order of the file, those of a configuration newest first", async () => {
	const rows = Array.from({ length: 250 }, (_, i) => prefill(i + 1));
	const { body: run } = await call("POST", "/runs", canonical({ engineVersion: "rows" }, rows));
	const numbers = (ids: string[]) => ids.map(Number);
	const ofRun = numbers(await walk(`/runs/${run.id}/measurements`, 100));
	expect(ofRun).toHaveLength(250);
	expect(ofRun).toEqual([...ofRun].sort((a, b) => a - b));
	const ofConfiguration = numbers(
		await walk(`/configurations/${run.configurations[0].id}/measurements`, 100),
	);
	expect(ofConfiguration).toEqual([...ofRun].reverse());
});

describe("what is not there", () => {
	it.each([
		"/runs/nope",
		"/runs/00000000-0000-4000-8000-000000000000",
		"/runs/nope/raw",
		"/runs/nope/measurements",
		"/configurations/nope",
		"/configurations/nope/facts",
		"/models/nope",
		"/gpus/nope",
		"/nowhere",
		"/plan?configuration=nope",
		"/plan?model=nope&gpu=nope",
		"/facts?model=nope",
		"/memory?model=nope",
	])("GET %s is a 404 problem", async (path) => {
		const { status, headers, body } = await call("GET", path);
		expect(status).toBe(404);
		expect(headers.get("content-type")).toBe("application/problem+json");
		expect(body).toMatchObject({
			type: expect.stringMatching(/^urn:/),
			title: expect.any(String),
			status: 404,
		});
		expect(body.detail.length).toBeGreaterThan(10);
	});

	it.each([
		"/runs/a%00b",
		"/configurations/%00",
		"/plan?configuration=%00",
		"/memory?model=%00",
		"/runs?cursor=%00",
	])("GET %s is a 4xx, never a failure inside", async (path) => {
		const { status } = await call("GET", path);
		expect(status).toBeGreaterThanOrEqual(400);
		expect(status).toBeLessThan(500);
	});
});
