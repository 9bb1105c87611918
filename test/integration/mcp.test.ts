import { seedCatalogs } from "@plimsoll/db";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Agent, agentOn } from "../support/agent.ts";
import { testApp } from "../support/api.ts";
import { postMeasured } from "../support/measured-setup.ts";

const open = await testApp();
const { call, app, deps } = open;
let agent: Agent;
let setup: { run: string; configuration: string };

beforeAll(async () => {
	await seedCatalogs(deps.database);
	setup = await postMeasured(open, { gpus: 8, tp: 8, model: "llama-3.1-70b", engineVersion: "0.11.0" });
	agent = await agentOn(open);
});
afterAll(async () => {
	await agent.close();
	await open.close();
});

describe("five tasks, done by a script that only knows the three tools", () => {
	const QUESTION = "how many users at 64K on our H100s with fp8 KV, and what per month";

	it.each([
		QUESTION,
		"сколько пользователей на 64 тысячах токенов на наших H100 с KV в fp8 и сколько это в месяц",
	])("%s", async (task) => {
		const { body: routed } = await agent.call("plan_route", { task });
		expect(routed.call).toMatchObject({
			operation: "plan",
			arguments: { configuration: setup.configuration, context: 64000, kv: "fp8" },
		});
		const { body } = await agent.call("plan_execute", routed.call);
		const plan = (await call("GET", `/plan?configuration=${setup.configuration}&context=64000&kv=fp8`)).body;
		expect(body.answer.capacity.users.value).toBe(plan.capacity.users.value);
		expect(body.answer["cost.usdPerMonth"]).toMatchObject(plan.cost.usdPerMonth);
		expect(body.answer["cost.usdPerMonth"].arithmetic).toContain("8 ×");
		expect(body.answer.capacity.users.evidence).toBe(plan.capacity.users.evidence);
	});

	it("reckons the month by hand where the price is said: 8 cards × $2 × 730 hours", async () => {
		const { body } = await agent.ask(
			"what does it cost per month for 2 users at 16K on our H100 at $2 per GPU-hour?",
		);
		expect(body.answer.cost.usdPerMonth.value).toBeCloseTo(8 * 2 * 730, 6);
		expect(body.answer.scenario).toMatchObject({ concurrency: 2, context: 16000, price: 2 });
	});

	it("sizes a fleet, which goes on by its operationId", async () => {
		const { body: routed } = await agent.call("plan_route", {
			task: "How many H100s do I need for 200 users at 8K with llama 3.1 70b, first token within 3 s?",
		});
		expect(routed.call.arguments).toMatchObject({
			users: 200,
			context: 8000,
			ttftSlo: 3,
			model: "llama-3.1-70b",
		});
		const asked = { ...routed.call, arguments: { ...routed.call.arguments, check: 0 } };
		const { body: begun } = await agent.call("plan_execute", { ...asked, wait: 0 });
		expect(begun).toMatchObject({ operation: "fleet", state: "running" });
		const { body, links } = await agent.call("plan_continue", { operationId: begun.operationId, wait: 25 });
		const query = new URLSearchParams(asked.arguments).toString();
		const fleet = (await call("GET", `/fleet?${query}`)).body;
		expect(body.answer.options[0]).toMatchObject({
			gpu: fleet.options[0].gpu,
			gpus: { value: fleet.options[0].gpus.value, evidence: fleet.options[0].gpus.evidence },
		});
		const whole = await agent.client.readResource({ uri: links[0]?.uri ?? "" });
		expect(
			JSON.parse(String(whole.contents[0] && "text" in whole.contents[0] ? whole.contents[0].text : "")),
		).toEqual(fleet);
	});

	it("walks a whole list, page by page", async () => {
		const first = await agent.ask("list the models in the catalog");
		const ids: string[] = [];
		let page = first.body;
		for (let pages = 0; pages < 20; pages++) {
			ids.push(...page.answer.items.map(({ id }: { id: string }) => id));
			if (!page.operationId) break;
			page = (await agent.call("plan_continue", { operationId: page.operationId })).body;
		}
		expect(first.body.answer).toMatchObject({ returned: 20, truncated: true });
		expect(new Set(ids).size).toBe(first.body.answer.totalCount);
	});

	it("posts a benchmark that it is asked for, and finds what it measured", async () => {
		const { body: asked } = await agent.call("plan_route", { task: "upload this benchmark result" });
		expect(asked.question).toContain("body");
		const { body } = await agent.call("plan_execute", {
			operation: "post_run",
			arguments: { ...asked.call.arguments, label: "from an agent", body: asked.example.body },
		});
		expect(body).toMatchObject({ status: 201, answer: { accepted: 1, duplicate: false } });
		const { body: found } = await agent.ask("what have we measured?");
		expect(found.answer.items.map(({ id }: { id: string }) => id)).toContain(
			body.answer.configurations[0].id,
		);
	});

	it("gets the workbook as a link, and reads it", async () => {
		const { body, links } = await agent.ask("the report at 16K on our H100 for Excel");
		expect(body).toMatchObject({ operation: "report_xlsx", type: expect.stringContaining("spreadsheet") });
		const { contents } = await agent.client.readResource({ uri: links[0]?.uri ?? "" });
		const [file] = contents;
		expect(
			Buffer.from(file && "blob" in file ? file.blob : "", "base64")
				.subarray(0, 2)
				.toString(),
		).toBe("PK");
	});
});

describe("plan_route", () => {
	it("asks back with choices where two measured configurations are called so", async () => {
		await postMeasured(open, { gpus: 4, tp: 4, model: "llama-3.1-70b" });
		const { body } = await agent.call("plan_route", { task: "how many users at 64K on our llama 70b H100s" });
		expect(body.question).toContain("2 measured configurations");
		expect(body.choices.map((choice: { arguments: object }) => choice.arguments)).toContainEqual({
			configuration: setup.configuration,
		});
		const four = await agent.ask("how many users at 64K on our 4 H100s with llama 70b");
		expect(four.body.answer.scenario.gpus).toBe(4);
	});

	it("asks for the rate of a currency that a report is wanted in, and says where money is told in dollars", async () => {
		const { body: report } = await agent.call("plan_route", { task: "CSV report at 16K in EUR for finance" });
		expect(report.call).toMatchObject({ operation: "report_csv", arguments: { currency: "EUR" } });
		expect(report.question).toMatch(/usdPerUnit .*rateSource .*rateReadOn /);
		const { body: plan } = await agent.call("plan_route", {
			task: "what does a month cost at 16K for 8 users on our H100, in euros",
		});
		expect(plan.operation).toBe("plan");
		expect(plan.notes).toContainEqual(expect.stringContaining("US dollars"));
	});

	it("falls back to the catalogs where nothing was measured, and asks what they do not tell", async () => {
		const { body } = await agent.call("plan_route", {
			task: "how many users at 32K with qwen3-32b on two L40S",
		});
		expect(body.call.arguments).toEqual({ context: 32000, model: "qwen3-32b", gpu: "l40s", gpus: 2 });
		const noModel = await agent.call("plan_route", { task: "how many users at 32K on an L40S" });
		expect(noModel.body.question).toContain("Which model");
		const a100 = await agent.call("plan_route", { task: "how many users at 32K with qwen3-32b on an A100" });
		expect(a100.body.choices.length).toBeGreaterThan(1);
	});

	it.each([
		"how many users at 64K on our H100s with llama 70b",
		"how many users at 32K on an L40S",
		"how many users at 32K with qwen3-32b on an A100",
		"simulate 5 requests per second on our H100s with llama 70b, 1000 prompt tokens, 200 output tokens",
	])("gives no call that would run before its question is answered: %s", async (task) => {
		const { body } = await agent.call("plan_route", { task });
		expect(body.question).toBeDefined();
		const run = await agent.call("plan_execute", body.call);
		expect(run.isError).toBe(true);
		expect(run.body.error.detail).toContain("CHOOSE");
	});

	it("offers filled calls where a task names a load and no word says what is asked", async () => {
		const { body } = await agent.call("plan_route", { task: "qwen3-32b, two L40S, 32K" });
		expect(body.choices.map(({ operation }: { operation: string }) => operation)).toEqual(
			expect.arrayContaining(["plan", "memory"]),
		);
		const plan = body.choices.find((choice: { operation: string }) => choice.operation === "plan");
		expect(plan.arguments).toEqual({ context: 32000, model: "qwen3-32b", gpu: "l40s", gpus: 2 });
	});

	it("asks whether a change is meant at all where a task asks about one or forbids it", async () => {
		const { body } = await agent.call("plan_route", { task: `who may delete run ${setup.run}?` });
		expect(body.question).toContain("“who”: is one of these meant at all?");
		expect(body.choices[0]).toMatchObject({ operation: "delete_run", arguments: { id: setup.run } });
		expect(body.call).toBeUndefined();
	});

	it("executes nothing", async () => {
		const counted = async () => (await call("GET", "/runs")).body.totalCount;
		const before = await counted();
		for (const task of [`delete run ${setup.run}`, "post a benchmark", "delete_run"])
			await agent.call("plan_route", { task });
		expect(await counted()).toBe(before);
	});

	it.each(["remove the price of the H100", "remove all prices of the L4", "удали цену H100"])(
		"says that nothing does what “%s” asks",
		async (task) => {
			const { body: said } = await agent.call("plan_route", { task });
			expect(said).toMatchObject({ operation: "list_prices" });
			expect(JSON.stringify(said)).toMatch(/asks for a change; list_prices only reads/);
		},
	);

	it("enters a price that is to be set", async () => {
		const set = await agent.call("plan_route", { task: "set the price of the H100 to 2.5" });
		expect(set.body).toMatchObject({ operation: "post_price" });
		const asked = await agent.call("plan_route", { task: "what is the price of an H100" });
		expect(JSON.stringify(asked.body)).not.toContain("asks for a change");
	});

	it("describes an operation by its name, with schema and example", async () => {
		const { body } = await agent.call("plan_route", { task: "simulate" });
		expect(body.schema.properties.body.properties.workload.properties.arrivals).toBeDefined();
		expect(body.example.body.workload.requests).toBe(100);
	});
});

describe("errors that an agent can act on", () => {
	it.each([
		[{ operation: "plan", arguments: { context: "lots" } }, "context", "128K"],
		[{ operation: "plan", arguments: { contxt: 1 } }, "contxt", "known: configuration"],
		[{ operation: "list_runs", arguments: { limit: 1000 } }, "limit", "100"],
		[{ operation: "get_run", arguments: {} }, "id", "needed"],
		[
			{ operation: "simulate", arguments: { body: { workload: { arrivals: { kind: "rate" } } } } },
			"workload",
			"must",
		],
	])("%j", async (args, at, words) => {
		const { isError, body } = await agent.call("plan_execute", { ...args, wait: 20 });
		expect(isError).toBe(true);
		expect(body.error.status).toBe(400);
		expect(JSON.stringify(body.error.errors)).toContain(at);
		expect(JSON.stringify(body.error)).toContain(words);
		expect(body.example).toBeDefined();
	});

	it("refuses an argument beside its place, which would ask something else", async () => {
		const { isError, body } = await agent.call("plan_execute", { operation: "plan", context: "64K" });
		expect(isError).toBe(true);
		expect(body.error.errors).toEqual([
			{ at: "context", reason: expect.stringContaining("stands in arguments") },
		]);
	});

	it("names operations near an unknown one, and ids that lead nowhere", async () => {
		const { body } = await agent.call("plan_execute", { operation: "list_run" });
		expect(body.error.detail).toContain("list_runs");
		const gone = await agent.call("plan_continue", { operationId: "6b1f2f3e-0000-4000-8000-000000000000" });
		expect(gone.body.error).toMatchObject({ status: 404 });
		const forged = Buffer.from(JSON.stringify(["delete_run", { id: setup.run }])).toString("base64url");
		expect((await agent.call("plan_continue", { operationId: `page.${forged}` })).body.error.status).toBe(
			400,
		);
		expect((await call("GET", `/runs/${setup.run}`)).status).toBe(200);
	});

	it("cannot be led out of the API by an id", async () => {
		for (const id of ["../keys", "..", "a/../../keys", "%2e%2e", "a?b"]) {
			const { isError, body } = await agent.call("plan_execute", { operation: "get_run", arguments: { id } });
			expect([isError, body.error.status], id).toEqual([true, 400]);
		}
	});
});

describe("what is selected", () => {
	it("comes alone, and a path that leads nowhere is named", async () => {
		const { body } = await agent.call("plan_execute", {
			operation: "plan",
			arguments: { configuration: setup.configuration, context: "16K" },
			select: ["ttft", "cost.usdPerYear"],
		});
		expect(Object.keys(body.answer)).toEqual(["ttft"]);
		expect(body.answer.ttft.arithmetic).toBeTruthy();
		expect(body.notInAnswer).toEqual(["cost.usdPerYear"]);
	});
});

it("still speaks last year's form of the protocol", async () => {
	const old = await agentOn(open, { form: "legacy" });
	expect(old.client.getNegotiatedProtocolVersion()).toBe("2025-11-25");
	expect(agent.client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
	expect((await old.client.listTools()).tools).toHaveLength(3);
	expect((await old.call("plan_execute", { operation: "access" })).body.answer).toEqual({
		keysNeeded: false,
	});
	await old.close();
});

it("shows each profile its own catalogue, and the whole one to those who ask for it", async () => {
	const names = async (query: string) => {
		const one = await agentOn(open, { query });
		const { tools } = await one.client.listTools();
		await one.close();
		return tools.map(({ name }) => name);
	};
	const [all, reader, finance, benchmark] = await Promise.all(
		["", "&profile=reader", "&profile=finance", "&profile=benchmark"].map((profile) =>
			names(`?mode=catalogue${profile}`),
		),
	);
	expect(all?.length).toBeGreaterThan(55);
	expect(reader).toContain("plan");
	expect(reader).not.toContain("post_run");
	expect(finance).toContain("report_xlsx");
	expect(finance).not.toContain("list_runs");
	expect(benchmark).toContain("post_run");
	expect(benchmark).not.toContain("post_price");
	const one = await agentOn(open, { query: "?mode=catalogue" });
	const { body } = await one.call("memory", {
		model: "llama-3.1-70b",
		gpu: "h100-sxm-80gb",
		gpus: 8,
		tp: 8,
		kv: "fp8",
	});
	// 80 layers × 1 KV head on each of 8 ranks × 128 × (K, V) × 1 byte.
	expect(body.answer.kvBytesPerToken.value).toBe(80 * 1 * 128 * 2);
	expect((await one.call("plan", { context: "?" })).isError).toBe(true);
	await one.close();
	expect((await app.request("/mcp?profile=boss", { method: "POST", body: "{}" })).status).toBe(400);
});

it("answers fifty clients at once, each with its own", async () => {
	const clients = await Promise.all(
		Array.from({ length: 50 }, (_, at) =>
			agentOn(open, { name: `client ${at}`, form: at % 2 === 0 ? "auto" : "legacy" }),
		),
	);
	const answers = await Promise.all(
		clients.map((one, at) =>
			one.call("plan_execute", {
				operation: "plan",
				arguments: { configuration: setup.configuration, context: 1000 + at },
				select: ["scenario.context", "ttft"],
			}),
		),
	);
	expect(answers.map(({ body }) => body.answer["scenario.context"])).toEqual(
		clients.map((_, at) => 1000 + at),
	);
	const { value } = answers[49]?.body.answer.ttft ?? {};
	const plan = await call("GET", `/plan?configuration=${setup.configuration}&context=1049`);
	expect(value).toBe(plan.body.ttft.value);
	await Promise.all(clients.map((one) => one.close()));
});
