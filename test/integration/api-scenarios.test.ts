import { seedCatalogs } from "@plimsoll/db";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canonical, testApp } from "../support/api.ts";

const { call, close, deps } = await testApp();
beforeAll(() => seedCatalogs(deps.database));
afterAll(close);

const prefill = (tokens: number, seconds: number) => ({
	...{ phase: "prefill", tokens, cached: 0, batch: 1, seconds: [seconds] },
});
const decode = (batch: number, context: number) => ({
	...{ phase: "decode", batch, context, seconds: [0.008 + 1e-4 * batch + 1e-8 * batch * context] },
});
const upload = (label: string, secondsPerToken: number) =>
	call(
		"POST",
		`/runs?label=${label}`,
		canonical({ engineVersion: "0.11.0" }, [
			...[512, 2048, 8192, 16384].map((tokens) => prefill(tokens, secondsPerToken * tokens)),
			...[1, 8].flatMap((batch) => [1024, 16384].map((context) => decode(batch, context))),
		]),
	);
const keep = (body: Record<string, unknown>) => call("POST", "/scenarios", JSON.stringify(body), JSON_TYPE);
const JSON_TYPE = { "content-type": "application/json" };

let configuration: string;
beforeAll(async () => {
	configuration = (await upload("first", 1e-4)).body.configurations[0].id;
});

describe("a kept scenario", () => {
	const name = "Chat at 8K";
	let id: string;
	let kept: { ttft: { value: number } };

	it("gives the answer of /plan, and stands in the list", async () => {
		const query = `configuration=${configuration}&context=8000&output=256&concurrency=1&price=2.5`;
		const { status, body } = await keep({ name, query });
		expect(status).toBe(201);
		({ id, answer: kept } = body);
		const plan = (await call("GET", `/plan?${query}`)).body;
		expect(body.answer.ttft.value).toBe(plan.ttft.value);
		expect(body.answer.users).toBe(plan.capacity.users.value);
		expect((await call("GET", "/scenarios")).body).toMatchObject({
			totalCount: 1,
			items: [{ id, name, today: "same" }],
		});
	});

	it("says that nothing has changed while nothing has", async () => {
		const { body } = await call("GET", `/scenarios/${id}`);
		expect(body.change).toEqual({ figures: [], because: [], verdictTurned: false });
	});

	it("keeps its answer when a newer run moves the fit, and says by how much and why", async () => {
		await upload("slower", 2e-4);
		const { body } = await call("GET", `/scenarios/${id}`);
		expect(body.answer.ttft.value).toBe(kept.ttft.value);
		const first = body.change.figures.find(
			({ figure }: { figure: string }) => figure === "Time to the first token",
		);
		// Each length was now measured at 1 and at 2 times the time; the geometric mean of these is √2.
		expect(first.relative).toBeCloseTo(Math.SQRT2 - 1, 6);
		expect(first.kept.value).toBe(kept.ttft.value);
		expect(first.today.value).toBe(body.today.ttft.value);
		expect(body.change.because).toEqual(["prefill measurements"]);
		expect((await call("GET", "/scenarios")).body.items).toMatchObject([{ id, today: "other" }]);
		const plan = (await call("GET", `/plan?${body.query}`)).body;
		expect(body.today.ttft.value).toBe(plan.ttft.value);
	});

	it("can be renamed, noted on, taken out and put back", async () => {
		const patch = (change: object) => call("PATCH", `/scenarios/${id}`, JSON.stringify(change), JSON_TYPE);
		expect((await patch({ name: "Chat", note: "for the board" })).body).toMatchObject({
			...{ id, name: "Chat", note: "for the board" },
		});
		expect((await call("DELETE", `/scenarios/${id}`)).status).toBe(204);
		expect((await call("GET", `/scenarios/${id}`)).status).toBe(404);
		expect((await call("GET", "/scenarios")).body.totalCount).toBe(0);
		expect((await patch({ name: "x" })).status).toBe(404);
		expect((await patch({ removed: false })).body).toMatchObject({ id, name: "Chat" });
		expect((await call("GET", `/scenarios/${id}`)).status).toBe(200);
	});
});

describe("a scenario of a pair that nobody measured", () => {
	it("is kept with its estimate, and a newer price is named", async () => {
		const query = "model=llama-3.1-8b&gpu=h100-sxm-80gb&context=4000&concurrency=4";
		const { body } = await keep({ name: "an estimate", query });
		expect(body.answer.ttft.evidence).toBe("estimated");
		expect(body.facts.prices.length).toBeGreaterThan(0);
	});
});

describe("what cannot be kept", () => {
	it.each([
		["a key that is not known", { name: "x", query: "contxt=8000" }, "query.contxt"],
		["a number that is none", { name: "x", query: "context=many" }, "query.context"],
		["a key said twice", { name: "x", query: "context=8k&context=9k" }, "query.context"],
		["no name", { query: "context=8000" }, "name"],
		["a field that is not known", { name: "x", query: "", colour: "red" }, "colour"],
	])("%s is refused with its place", async (_, body, at) => {
		const { status, body: problem } = await keep(body);
		expect(status).toBe(400);
		expect(problem.errors[0].at).toBe(at);
	});

	it("what is no UTF-8 is refused by its place, and nothing is put in its stead", async () => {
		const text = JSON.stringify({ name: "Chat �", query: "context=16000" });
		const good = Buffer.from(text.replace("}", ', "note": "naïve"}'));
		const at = good.indexOf("ï");
		const latin = Buffer.concat([good.subarray(0, at), Buffer.from([0xef]), good.subarray(at + 2)]);
		const refused = await call("POST", "/scenarios", latin, JSON_TYPE);
		expect([refused.status, refused.body.detail]).toEqual([
			400,
			expect.stringContaining(`no UTF-8 from byte ${at} on`),
		]);
		expect(
			(await call("GET", "/scenarios")).body.items.map(({ name }: { name: string }) => name),
		).not.toContain("Chat �");
	});

	it("a configuration that is not known is a 404", async () => {
		expect((await keep({ name: "x", query: "configuration=0123456789abcdef" })).status).toBe(404);
	});
});

it("without measurements there is nothing to keep", async () => {
	const empty = await testApp();
	const { status, body } = await empty.call(
		...(["POST", "/scenarios", JSON.stringify({ name: "x", query: "" }), JSON_TYPE] as const),
	);
	await empty.close();
	expect(status).toBe(422);
	expect(body.detail).toContain("configuration");
});
