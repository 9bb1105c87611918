import { seedCatalogs } from "@plimsoll/db";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testApp } from "../support/api.ts";

const { call, close, deps } = await testApp();
afterAll(close);
beforeAll(() => seedCatalogs(deps.database));

const json = { "content-type": "application/json" };
const add = (claim: object) => call("POST", "/claims", JSON.stringify(claim), json);
interface Entry {
	id: string;
	kind: string;
	subject: string;
	source: { label: string } | null;
	against: unknown[];
}
const list = async (query = "") => (await call("GET", `/claims?limit=100&${query}`)).body;
const ids = ({ items }: { items: Entry[] }) => items.map(({ id }) => id);

describe("GET /claims", () => {
	it("begins with the four open disputes, then what has no source", async () => {
		const { items } = await list();
		expect(ids({ items: items.slice(0, 4) }).sort()).toEqual([
			...["caches-shared", "middle-lost-2026", "one-agent-or-many", "speculative-decoding"],
		]);
		for (const dispute of items.slice(0, 4)) {
			expect(dispute.against).not.toEqual([]);
			expect(dispute.settledBy).toBeTruthy();
		}
		expect(items.slice(4, 10).map(({ kind }: Entry) => kind)).toEqual(Array(6).fill("folklore"));
		expect(items[10].kind).not.toBe("folklore");
	});

	it("holds prices, presets, schemes, catalogs and effective lengths as entries, each once", async () => {
		const all: Entry[] = [];
		let cursor: string | null = "";
		while (cursor !== null) {
			const page = await list(cursor && `cursor=${cursor}`);
			all.push(...page.items);
			cursor = page.nextCursor;
		}
		const counts = new Map<string, number>();
		for (const { subject } of all) counts.set(subject, (counts.get(subject) ?? 0) + 1);
		expect(Object.fromEntries(counts)).toEqual({
			...{ claim: 38, length: 37, preset: 3, scheme: 5, price: 45, gpu: 56, model: 94 },
		});
		expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
		for (const { id, kind, source } of all) expect(source === null, id).toBe(kind === "folklore");
	});

	it("narrows by kind, by what it is about, and by words, case or not", async () => {
		expect((await list("kind=folklore&about=claim")).totalCount).toBe(7);
		expect(ids(await list("q=deepseek+64&about=claim"))).toEqual(["deepseek-chunk-64", "position-64k"]);
		expect(ids(await list("q=2502.07776"))).toEqual([]);
		expect(ids(await list("q=H100+SXM&about=gpu"))).toContain("gpu-h100-sxm-80gb");
		expect((await call("GET", "/claims?kind=gossip")).status).toBe(400);
	});

	it("is the entry that the sources of vendors' figures name", async () => {
		const plan = (await call("GET", "/plan?model=llama-3.1-8b&gpu=h100-sxm-80gb&context=1000")).body;
		const named = plan.cost.usdPerRequest.sources.flatMap(({ claim }: { claim?: string }) => claim ?? []);
		expect(named.some((id: string) => id.startsWith("price-"))).toBe(true);
		const total = plan.memory.totalBytes.sources[0];
		expect(total.claim).toBe("gpu-h100-sxm-80gb");
		for (const id of [...named, total.claim])
			expect((await call("GET", `/claims/${id}`)).status, id).toBe(200);
	});
});

describe("POST /claims", () => {
	const own = {
		statement: "Our agent fills 31,000 tokens before the first turn.",
		...{ kind: "measurement", topic: "window", conditions: "Three sessions, no difference." },
		...{ source: "our proxy's log", readOn: "2026-11-20", settledBy: "The same count next month." },
	};

	it("enters a claim once, to be found at its address, and takes it out", async () => {
		const { status, body } = await add(own);
		expect(status).toBe(201);
		expect(body).toMatchObject({
			...{ kind: "measurement", origin: "user", subject: "claim", against: [] },
			source: { label: "our proxy's log", date: "2026-11-20" },
		});
		expect((await add(own)).body.id).toBe(body.id);
		expect((await call("GET", `/claims/${body.id}`)).body).toEqual(body);
		expect(ids(await list("q=31,000+agent"))).toEqual([body.id]);
		expect((await call("DELETE", `/claims/${body.id}`)).status).toBe(204);
		expect((await call("GET", `/claims/${body.id}`)).status).toBe(404);
	});

	it.each([
		[{ statement: "x", kind: "measurement", source: "a blog" }, "conditions"],
		[{ statement: "x", kind: "vendor" }, "source"],
		[{ statement: "x", kind: "arithmetic", source: "ours" }, "conditions"],
		[{ statement: "x", kind: "folklore", source: "a blog" }, "kind"],
		[{ statement: " ", kind: "folklore" }, "statement"],
		[{ statement: "x", kind: "rumour" }, "kind"],
		[{ ...own, href: "ftp://host/x" }, "href"],
		[{ ...own, wrong: 1 }, "wrong"],
	])("refuses %j at %s", async (claim, at) => {
		const { status, body } = await add(claim);
		expect(status).toBe(400);
		expect(body.errors.map((error: { at: string }) => error.at)).toContain(at);
	});

	it("refuses a day to come, and to take out what comes with the product", async () => {
		expect((await add({ ...own, readOn: "2199-01-01" })).body.errors[0].at).toBe("readOn");
		expect((await call("DELETE", "/claims/rag-1250")).status).toBe(409);
		expect((await call("DELETE", "/claims/gpu-l4")).status).toBe(404);
	});

	it("needs the scope of a catalog where keys are used", async () => {
		const guarded = await testApp({ access: { keysNeeded: true, hosts: [] } });
		expect((await guarded.call("POST", "/claims", JSON.stringify(own), json)).status).toBe(401);
		await guarded.close();
	});
});
