import { seedCatalogs } from "@plimsoll/db";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canonical, testApp } from "../support/api.ts";

const { call, close, deps } = await testApp();
afterAll(close);
beforeAll(() => seedCatalogs(deps.database));

const json = { "content-type": "application/json" };
const add = (entry: object) => call("POST", "/effective-lengths", JSON.stringify(entry), json);
const own = {
	...{ model: "llama-3.1-8b", task: "our contracts", threshold: "90 % right", effectiveTokens: 24_000 },
	...{ source: "our test set, 3 runs", readOn: "2026-11-01" },
};
const warningsOf = async (query: string) => (await call("GET", `/plan?${query}`)).body.warnings;
const tasks = (warnings: { entry: { task: string } }[]) => warnings.map(({ entry }) => entry.task);

describe("GET /plan", () => {
	it("warns where the prompt passes the effective length of its model, with source and arithmetic", async () => {
		const warnings = await warningsOf("model=llama-3.1-70b&gpu=h100-sxm-80gb&gpus=8&context=100000");
		expect(tasks(warnings)).toEqual(["NoLiMa", "RULER"]);
		const [nolima, ruler] = warnings;
		// 100,000 − 2,000; 100,000 − 65,536.
		expect(nolima.unused).toMatchObject({ value: 98_000, unit: "tokens", evidence: "published" });
		expect(nolima.unused.arithmetic).toContain("100,000 prompt tokens − 2,000 = 98,000, 98 %");
		expect(nolima.unused.sources[0]).toMatchObject({
			href: "https://arxiv.org/abs/2502.05167",
			claim: "length-nolima-llama-3.1-70b",
		});
		expect(ruler.unused.value).toBe(34_464);
		expect(nolima.words).toMatch(/Llama 3\.1 70B reaches 85 % .* of up to 2,000 tokens, not of 4,000/);
	});

	it("warns of the test that the prompt passes and of no other", async () => {
		const pair = "model=llama-3.1-70b&gpu=h100-sxm-80gb&gpus=8";
		expect(tasks(await warningsOf(`${pair}&context=65536`))).toEqual(["NoLiMa"]);
		expect(await warningsOf(`${pair}&context=2000`)).toEqual([]);
	});

	it("never warns of a model about which nothing is known, nor beyond what was tested", async () => {
		expect(await warningsOf("model=gpt-oss-20b&gpu=h100-sxm-80gb&context=120000")).toEqual([]);
		expect(await warningsOf("model=qwen3-32b&gpu=h100-sxm-80gb&context=200000")).toEqual([]);
		expect(await warningsOf("gpu=h100-sxm-80gb&context=120000")).toEqual([]);
	});

	it("knows the model of a measured configuration by the catalog's identity, however the file spells it", async () => {
		const run = canonical({ model: "meta-llama/Meta-Llama-3.1-8B-Instruct" }, [
			...[512, 4096].map((tokens) => ({
				phase: "prefill",
				tokens,
				cached: 0,
				batch: 1,
				seconds: [tokens / 1e4],
			})),
		]);
		const { body } = await call("POST", "/runs", run);
		const warnings = await warningsOf(`configuration=${body.configurations[0].id}&context=4000`);
		expect(warnings.map(({ entry }: { entry: { id: string } }) => entry.id)).toEqual(["nolima-llama-3.1-8b"]);
	});
});

describe("POST /effective-lengths", () => {
	it("takes an own measurement, once, and the plan warns by it", async () => {
		const { status, body } = await add(own);
		expect(status).toBe(201);
		expect(body).toMatchObject({
			modelId: "llama-3.1-8b",
			evidence: "measured",
			bound: "up to",
			origin: "user",
		});
		expect((await add(own)).body).toEqual(body);
		const { body: listed } = await call("GET", "/effective-lengths?model=llama-3.1-8b");
		expect(listed.items.map(({ id }: { id: string }) => id)).toEqual([
			...[body.id, "nolima-llama-3.1-8b", "ruler-llama-3.1-8b"],
		]);
		const warnings = await warningsOf("model=llama-3.1-8b&gpu=h100-sxm-80gb&context=30000");
		expect(tasks(warnings)).toEqual(["NoLiMa", "our contracts"]);
		expect(warnings[1].unused).toMatchObject({ value: 6000, evidence: "measured" });
		expect((await call("DELETE", `/effective-lengths/${body.id}`)).status).toBe(204);
		expect(tasks(await warningsOf("model=llama-3.1-8b&gpu=h100-sxm-80gb&context=30000"))).toEqual(["NoLiMa"]);
	});

	it("waits for a model that the catalog does not have yet", async () => {
		const entry = { ...own, model: "My-Own-7B" };
		expect((await add(entry)).body.modelId).toBeNull();
		const shape = { layers: 32, heads: 32, kvHeads: 8, headDimK: 128, hidden: 4096, paramsTotal: 7.2e9 };
		await call("POST", "/models", JSON.stringify({ name: "My-Own-7B", ...shape }), json);
		const pair = "model=my-own-7b&gpu=h100-sxm-80gb&context=30000";
		expect(tasks(await warningsOf(pair))).toEqual(["our contracts"]);
		expect((await call("DELETE", "/models/my-own-7b")).status).toBe(204);
		expect((await add(entry)).body.modelId).toBeNull();
	});

	it.each([
		[{ ...own, effectiveTokens: 0 }, "effectiveTokens"],
		[{ ...own, effectiveTokens: "24K" }, "effectiveTokens"],
		[{ ...own, failedAtTokens: 24_000 }, "failedAtTokens"],
		[{ ...own, bound: "at least", failedAtTokens: 30_000 }, "failedAtTokens"],
		[{ ...own, source: undefined }, "source"],
		[{ ...own, href: "javascript:alert(1)" }, "href"],
		[{ ...own, length: 5 }, "length"],
		[{ ...own, threshold: "" }, "threshold"],
	])("refuses %j at %s", async (entry, at) => {
		const { status, body } = await add(entry);
		expect(status).toBe(400);
		expect(body.errors.map((error: { at: string }) => error.at)).toContain(at);
	});

	it("refuses a day to come, and to take out what comes with the product", async () => {
		expect((await add({ ...own, readOn: "2199-01-01" })).body.errors[0].at).toBe("readOn");
		expect((await call("DELETE", "/effective-lengths/ruler-llama-3.1-8b")).status).toBe(409);
		expect((await call("DELETE", "/effective-lengths/nobody")).status).toBe(404);
	});

	it("needs the scope of a catalog where keys are used", async () => {
		const guarded = await testApp({ access: { keysNeeded: true, hosts: [] } });
		const { status, body } = await guarded.call("POST", "/effective-lengths", JSON.stringify(own), json);
		expect([status, body.detail]).toEqual([401, expect.stringContaining("scope admin")]);
		await guarded.close();
	});
});

it("lists page by page without repeating one", async () => {
	const ids: string[] = [];
	let cursor: string | null = "";
	while (cursor !== null) {
		const { body } = await call("GET", `/effective-lengths?limit=10${cursor && `&cursor=${cursor}`}`);
		ids.push(...body.items.map(({ id }: { id: string }) => id));
		cursor = body.nextCursor;
		if (cursor === null) expect(ids).toHaveLength(body.totalCount);
	}
	expect(new Set(ids).size).toBe(ids.length);
});
