import { afterAll, describe, expect, it } from "vitest";
import { canonical, testApp } from "../support/api.ts";

const { call, close } = await testApp();
afterAll(close);

const body = (engineVersion: string) =>
	canonical({ engineVersion }, [{ phase: "prefill", tokens: 512, cached: 0, batch: 1, seconds: [0.05] }]);
const header = (value: unknown) => ({
	"plimsoll-conditions": Buffer.from(JSON.stringify(value)).toString("base64url"),
});

describe("the header plimsoll-conditions", () => {
	const record = {
		host: { name: "gpu-7", cpu: "naïve ™" },
		command: ["llama-bench", "-p", "512"],
		exitCode: 0,
	};

	it("is kept with the run, letter for letter, and is no part of its identity", async () => {
		const first = await call("POST", "/runs", body("kept"), header(record));
		expect([first.status, first.body.conditions]).toEqual([201, record]);
		const again = await call("POST", "/runs", body("kept"), header({ host: { name: "gpu-8" } }));
		expect([again.status, again.body.id]).toEqual([200, first.body.id]);
		expect((await call("GET", `/runs/${first.body.id}`)).body.conditions).toEqual(record);
	});

	it("may be left out", async () => {
		const { body: run } = await call("POST", "/runs", body("bare"));
		expect((await call("GET", `/runs/${run.id}`)).body.conditions).toBeNull();
	});

	it("keeps what PostgreSQL can hold of odd text", async () => {
		const odd = await call("POST", "/runs", body("odd"), header({ "a\u0000b": "\u0000x" }));
		expect([odd.status, odd.body.conditions]).toEqual([201, { ab: "x" }]);
	});

	it.each([
		["not base64url", { "plimsoll-conditions": "{}" }],
		["no JSON", { "plimsoll-conditions": "AAAA" }],
		["a list", header([1])],
		["null", header(null)],
		["nested without end", header(JSON.parse(`${'{"a":['.repeat(500)}${"]}".repeat(500)}`))],
		["more than 8 KiB", header({ text: "x".repeat(6200) })],
	])("is refused when it is %s, by name", async (_, headers) => {
		const answer = await call("POST", "/runs", body("refused"), headers);
		expect(answer.status).toBe(400);
		expect(answer.body.errors[0].at).toBe("plimsoll-conditions");
	});

	it("is described", async () => {
		const { parameters } = (await call("GET", "/openapi.json")).body.paths["/runs"].post;
		expect(parameters).toContainEqual(
			expect.objectContaining({ name: "plimsoll-conditions", in: "header", required: false }),
		);
	});
});
