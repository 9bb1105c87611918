import { seedCatalogs } from "@plimsoll/db";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canonical, testApp } from "../support/api.ts";

const { call, close, deps } = await testApp();
afterAll(close);

const prefill = (tokens: number) => ({
	...{ phase: "prefill", tokens, cached: 0, batch: 1, seconds: [tokens / 1e4] },
});
const decode = (context: number) => ({ phase: "decode", batch: 1, context, seconds: [0.02 + context / 1e6] });

interface Item {
	id: string;
	label: string | null;
	fileName: string | null;
}
const ids: Record<string, string> = {};

/** A run of one configuration, known by its file name. */
async function post(name: string, label: string, fields: Record<string, unknown>, rows = [prefill(512)]) {
	const path = `/runs?fileName=${name}&label=${encodeURIComponent(label)}`;
	const { status, body } = await call("POST", path, canonical(fields, rows));
	expect(status).toBe(201);
	ids[name] = body.configurations[0].id;
	return body;
}

beforeAll(async () => {
	await seedCatalogs(deps.database);
	await post("h100.json", "Nightly Büro", { engineVersion: "0.9" });
	await post("4090.json", "100% sure", { gpu: "NVIDIA GeForce RTX 4090", engine: "llama.cpp" });
	await post("steps.json", "under_score", { gpu: "Homebrew 9000", model: "own-model" }, [
		decode(1024),
		decode(8192),
	] as never);
	// As the examples are marked.
	const seen = await post("seen.json", "from a paper", { gpu: "A100 SXM 80GB", model: "llama-2-70b" });
	const { sql } = deps.database;
	await sql`update runs set origin = 'published', attribution = 'published by Somebody' where id = ${seen.id}`;
	await sql`update configurations set origin = 'published', attribution = 'published by Somebody'
		where id = ${ids["seen.json"] ?? ""}`;
	for (let i = 0; i < 30; i++)
		await post(`many-${i}.json`, "sweep", { gpu: "Homebrew 9000", engineVersion: `v${i}` });
});

const found = async (path: string) => {
	const { status, body } = await call("GET", `${path}${path.includes("?") ? "&" : "?"}limit=100`);
	expect(status).toBe(200);
	expect(body.totalCount).toBe(body.items.length);
	return body.items as Item[];
};
const files = async (query: string) => (await found(`/runs?${query}`)).map(({ fileName }) => fileName).sort();
const configurations = async (query: string) =>
	(await found(`/configurations?${query}`)).map(({ id }) => id).sort();
const idsOf = (...names: string[]) => names.map((name) => ids[name]).sort();

describe("GET /runs", () => {
	it.each([
		["q=nightly", ["h100.json"]],
		["q=NIGHTLY+bÜro", ["h100.json"]],
		["q=4090.json", ["4090.json"]],
		// One word in the run's label, the other in its configuration.
		["q=sure+llama.cpp", ["4090.json"]],
		["q=geforce", ["4090.json"]],
		["q=rtx-4090", ["4090.json"]],
		["q=somebody", ["seen.json"]],
		["q=nightly+geforce", []],
		// No wildcards.
		["q=100%25", ["4090.json"]],
		["q=r_s", ["steps.json"]],
		["q=%25%25", []],
		["q=%5C", []],
		["origin=published", ["seen.json"]],
		["origin=example", []],
		["origin=own&q=llama-2-70b", []],
		["format=nothing+of+the+kind", []],
	])("%s finds %j", async (query, expected) => {
		expect(await files(query)).toEqual(expected);
	});

	it("finds those of one format", async () => {
		const bench = '[{"build_commit":"b1","n_prompt":256,"n_gen":0,"avg_ns":1000000,"samples_ns":[1000000]}]';
		const { status, body } = await call("POST", "/runs?fileName=bench.json&gpu=H20&model=m", bench);
		expect(status).toBe(201);
		expect(await files(`format=${encodeURIComponent(body.format)}`)).toEqual(["bench.json"]);
	});

	it("finds the runs of one configuration", async () => {
		await post("again.json", "once more", { engineVersion: "0.9" }, [prefill(1024)]);
		expect(await files(`configuration=${ids["h100.json"]}`)).toEqual(["again.json", "h100.json"]);
		expect(await files(`configuration=${ids["h100.json"]}&q=more`)).toEqual(["again.json"]);
		expect(await files("configuration=nobody")).toEqual([]);
	});

	it("does not find what was deleted", async () => {
		const gone = await post("gone.json", "to be deleted", { engineVersion: "gone" });
		expect(await files("q=deleted")).toEqual(["gone.json"]);
		await call("DELETE", `/runs/${gone.id}`);
		expect(await files("q=deleted")).toEqual([]);
		expect(await configurations("q=gone")).toEqual([]);
	});
});

describe("GET /configurations", () => {
	it.each([
		["q=homebrew+own-model", ["steps.json"]],
		["q=4090+LLAMA.CPP", ["4090.json"]],
		["origin=published", ["seen.json"]],
		["gpu=rtx-4090", ["4090.json"]],
		["gpu=nobody-has-this", []],
		["model=llama-2-70b", ["seen.json"]],
		["model=llama-3.1-8b&gpu=rtx-4090", ["4090.json"]],
		["model=llama-2-70b&gpu=rtx-4090", []],
		["fitted=decode", ["steps.json"]],
		["fitted=serve", []],
		["q=homebrew&fitted=decode&origin=own", ["steps.json"]],
	])("%s finds %j", async (query, expected) => {
		expect(await configurations(query)).toEqual(idsOf(...expected));
	});
});

describe.each([
	["/runs", "q=homebrew", 31],
	["/configurations", "q=homebrew&origin=own", 31],
])("%s by pages", (path, query, count) => {
	it("gives everything that matches once, and nothing else", async () => {
		const seen: string[] = [];
		for (let cursor: string | null = ""; cursor !== null; ) {
			const { body } = await call("GET", `${path}?${query}&limit=7${cursor && `&cursor=${cursor}`}`);
			expect(body.totalCount).toBe(count);
			expect(body.offset).toBe(seen.length);
			seen.push(...body.items.map(({ id }: Item) => id));
			cursor = body.nextCursor;
		}
		expect(new Set(seen).size).toBe(count);
		expect(seen).toHaveLength(count);
	});

	it("refuses a cursor of another filter, or of none", async () => {
		const { nextCursor } = (await call("GET", `${path}?${query}&limit=2`)).body;
		const whole = (await call("GET", `${path}?limit=2`)).body.nextCursor;
		for (const wrong of [
			`limit=2&cursor=${nextCursor}`,
			`q=9000&cursor=${nextCursor}`,
			`${query}&cursor=${whole}`,
		]) {
			const { status, body } = await call("GET", `${path}?${wrong}`);
			expect([status, body.errors?.[0].at], wrong).toEqual([400, "cursor"]);
		}
	});

	it("hands out a cursor that can be sent, however long the words are", async () => {
		const long = encodeURIComponent(
			[
				"homebrew",
				..."ö"
					.repeat(90)
					.split("")
					.map(() => "9000"),
			].join(" "),
		);
		const { body } = await call("GET", `${path}?q=${long.slice(0, 180)}&limit=2`);
		expect(body.nextCursor.length).toBeLessThan(500);
	});

	it.each([
		["origin=mine", "origin"],
		["q=", "q"],
		["q=%00", "q"],
		[`q=${"x".repeat(201)}`, "q"],
		["gpuu=h100", "gpuu"],
		["label=night", "label"],
		["limit=5&offset=10", "offset"],
	])("refuses %s by the key's name", async (wrong, key) => {
		const { status, headers, body } = await call("GET", `${path}?${wrong}`);
		expect(status).toBe(400);
		expect(headers.get("content-type")).toBe("application/problem+json");
		expect(body.errors.map(({ at }: { at: string }) => at)).toEqual([key]);
	});
});

it.each([
	["/configurations?fitted=mixed", "fitted"],
	["/configurations?gpu=H100%20SXM", "gpu"],
	["/configurations?format=csv", "format"],
	["/runs?fitted=decode", "fitted"],
	["/runs?configuration=%00", "configuration"],
	["/models?origin=own", "origin"],
	["/prices?q=llama", "q"],
])("refuses %s by the key's name", async (path, key) => {
	const { status, body } = await call("GET", path);
	expect([status, body.errors[0].at]).toEqual([400, key]);
});

it.each([
	["/models?q=LLAMA+70b", ["llama-2-70b", "llama-3.1-70b"]],
	["/models?q=meta-llama+405b", ["llama-3.1-405b"]],
	["/gpus?q=nvidia+h200", ["h200-sxm"]],
	["/gpus?origin=user", []],
])("%s finds %j in the catalog", async (path, expected) => {
	expect((await found(path)).map(({ id }) => id)).toEqual(expect.arrayContaining(expected));
	expect(expected.length > 0 || (await found(path)).length === 0).toBe(true);
	expect((await found(path)).length).toBeLessThan(20);
});

it("describes every filter", async () => {
	const { paths } = (await call("GET", "/openapi.json")).body;
	const keys = (path: string) => paths[path].get.parameters.map(({ name }: { name: string }) => name).sort();
	expect(keys("/runs")).toEqual(["configuration", "cursor", "format", "limit", "origin", "q", "sort", "tag"]);
	expect(keys("/configurations")).toEqual(["cursor", "fitted", "gpu", "limit", "model", "origin", "q"]);
});
