import { afterAll, describe, expect, it } from "vitest";
import { canonical, testApp } from "../support/api.ts";

const { call, close, deps } = await testApp();
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

	it.each([
		["sampling", { sampling: "hot" }],
		["sampling.temperature", { sampling: { temperature: "hot" } }],
		["sampling.stop", { sampling: { stop: { deep: 1 } } }],
		["sampling", { sampling: {} }],
		["sampling.stop", { sampling: { stop: ["\ud800"] } }],
		["modelSnapshot", { modelSnapshot: 7 }],
		["code", { code: ["4f2a"] }],
		["answers", { answers: "a\u0000b" }],
		["answers", { answers: "\udc00" }],
		["prompts", { prompts: 12 }],
		["prompts.bytes", { prompts: { bytes: "many" } }],
		["tools", { tools: "x".repeat(501) }],
		["host", { host: "gpu-7" }],
		["gpus.devices", { gpus: { devices: {} } }],
		["", { other: { deep: ["\u0000"] } }],
		["", { "half \ud800": 1 }],
	])("names %s where it holds what no reader expects", async (at, record) => {
		const answer = await call("POST", "/runs", body("wrong"), header(record));
		expect(answer.status).toBe(400);
		expect(answer.body.errors.map((error: { at: string }) => error.at)).toEqual([
			["plimsoll-conditions", at].filter(Boolean).join("."),
		]);
	});

	it("is described", async () => {
		const { parameters } = (await call("GET", "/openapi.json")).body.paths["/runs"].post;
		expect(parameters).toContainEqual(
			expect.objectContaining({ name: "plimsoll-conditions", in: "header", required: false }),
		);
	});
});

describe("PATCH /runs/{id} with conditions", () => {
	const said = { modelSnapshot: "rev 1", sampling: { temperature: 0.7 }, host: { name: "gpu-7" } };
	const post = async (version: string) =>
		(await call("POST", "/runs", body(version), header(said))).body.id as string;
	const patch = (id: string, change: unknown) =>
		call("PATCH", `/runs/${id}`, JSON.stringify(change), { "content-type": "application/json" });
	const read = async (id: string) => (await call("GET", `/runs/${id}`)).body;

	it("merges by field, takes back what is null, and keeps who changed what", async () => {
		const id = await post("corrected");
		const reason = "typed the wrong one";
		const { status } = await patch(id, {
			conditions: { sampling: { seed: 7, temperature: 0 }, tools: "none", modelSnapshot: null },
			reason,
		});
		expect(status).toBe(200);
		const run = await read(id);
		expect(run.conditions).toEqual({
			...{ sampling: { seed: 7, temperature: 0 }, tools: "none", host: { name: "gpu-7" } },
		});
		const by = { by: "this machine", reason };
		expect(run.corrections).toMatchObject([
			{ field: "tools", from: null, to: "none", ...by },
			{ field: "sampling", from: { temperature: 0.7 }, to: { temperature: 0, seed: 7 }, ...by },
			{ field: "modelSnapshot", from: "rev 1", to: null, ...by },
		]);
		const sampler = run.checklist.find((item: { key: string }) => item.key === "sampling").known;
		expect(sampler).toEqual([{ name: "Sampler", value: "seed 7, temperature 0" }]);
	});

	it("keeps nothing of a correction that says what stands already", async () => {
		const id = await post("same");
		await patch(id, { conditions: { sampling: { temperature: 0.7 }, answers: null } });
		expect((await read(id)).corrections).toEqual([]);
	});

	it("can take everything back, and say it of a run that had nothing", async () => {
		const { body: run } = await call("POST", "/runs", body("nothing said"));
		await patch(run.id, { conditions: { code: "4f2a" }, tags: ["mended"] });
		expect(await read(run.id)).toMatchObject({ conditions: { code: "4f2a" }, tags: ["mended"] });
		await patch(run.id, { conditions: { code: null } });
		expect((await read(run.id)).conditions).toBeNull();
	});

	it("refuses a number that nothing can keep, and keeps what stands", async () => {
		const id = await post("endless");
		const endless = '{"conditions": {"sampling": {"temperature": 1e400}}}';
		const answer = await call("PATCH", `/runs/${id}`, endless, { "content-type": "application/json" });
		expect([answer.status, answer.body.errors?.[0].at]).toEqual([400, "conditions.sampling.temperature"]);
		expect((await read(id)).conditions.sampling).toEqual({ temperature: 0.7 });
	});

	it("loses neither of two corrections at once", async () => {
		const id = await post("twice");
		await Promise.all([
			patch(id, { conditions: { code: "a" } }),
			patch(id, { conditions: { answers: "b" } }),
		]);
		expect((await read(id)).conditions).toMatchObject({ code: "a", answers: "b" });
	});

	it.each([
		[{ conditions: { sampling: "hot" } }, "conditions.sampling"],
		[{ conditions: { host: { name: "x" } } }, "conditions.host"],
		[{ conditions: { answers: "x".repeat(2000) } }, "conditions.answers"],
		[{ conditions: { prompts: { note: "\ud800" } } }, "conditions.prompts.note"],
		[{ tags: ["half \ud800"] }, "tags[0]"],
		[{ reason: "only a reason" }, "the body"],
	])("refuses %j by name", async (change, at) => {
		const { status, body: problem } = await patch(await post("refused change"), change);
		expect(status).toBe(400);
		expect(problem.errors.map((error: { at: string }) => error.at)).toEqual([at]);
	});

	it("refuses to correct what came with the examples", async () => {
		const { sql } = deps.database;
		const id = await post("published");
		await sql`update runs set origin = 'published' where id = ${id}`;
		expect((await patch(id, { conditions: { code: "x" } })).status).toBe(422);
		expect((await patch(id, { tags: ["theirs"] })).status).toBe(200);
	});
});
