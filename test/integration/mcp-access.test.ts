import { seedCatalogs } from "@plimsoll/db";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createKey } from "../../api/src/store/keys.ts";
import { type Agent, agentOn } from "../support/agent.ts";
import { testApp } from "../support/api.ts";

const guarded = await testApp({ access: { keysNeeded: true, hosts: null } });
const open = await testApp();
afterAll(async () => {
	await guarded.close();
	await open.close();
});

const price = {
	subject: "h100-sxm-80gb",
	terms: { kind: "agreed", perGpuHour: 2 },
	source: "contract",
	readOn: "2026-11-01",
};
const agents: Record<string, Agent> = {};
const secrets: Record<string, string> = {};

beforeAll(async () => {
	await seedCatalogs(guarded.deps.database);
	agents.nobody = await agentOn(guarded);
	for (const scope of ["ingest", "plan", "admin"] as const) {
		const { secret } = await createKey(guarded.deps.database.sql, { name: `${scope} key`, scopes: [scope] });
		secrets[scope] = secret;
		agents[scope] = await agentOn(guarded, { headers: { authorization: `Bearer ${secret}` } });
	}
});

describe("rights at each call", () => {
	const calls = [
		{ operation: "access", arguments: {}, may: ["nobody", "ingest", "plan", "admin"] },
		{ operation: "list_prices", arguments: {}, may: ["nobody", "ingest", "plan", "admin"] },
		{ operation: "post_run", arguments: { body: "{}" }, may: ["ingest", "admin"] },
		{
			operation: "post_scenario",
			arguments: { body: { name: "a", query: "context=nonsense" } },
			may: ["plan", "admin"],
		},
		{ operation: "post_price", arguments: { body: price }, may: ["admin"] },
		{ operation: "list_keys", arguments: {}, may: ["admin"] },
		{ operation: "delete_run", arguments: { id: "nope" }, may: ["admin"] },
	];

	it.each(calls)("$operation is for $may", async ({ may, ...call }) => {
		for (const [who, agent] of Object.entries(agents)) {
			const { body, isError } = await agent.call("plan_execute", call);
			const { status = 200, detail = "" } = body.error ?? {};
			if (may.includes(who)) expect([401, 403], who).not.toContain(status);
			else {
				expect(isError, who).toBe(true);
				expect(status, who).toBe(who === "nobody" ? 401 : 403);
				expect(detail).toContain("npm run key");
			}
		}
	});

	it.each(["?profile=reader", "?mode=catalogue&profile=reader"])(
		"lets nobody change anything by %s, even by the name of what it does not list",
		async (query) => {
			const headers = { authorization: `Bearer ${secrets.admin}` };
			const reader = await agentOn(guarded, { query, headers });
			const run = (operation: string, given: object) =>
				query.includes("catalogue")
					? reader.call(operation, { ...given })
					: reader.call("plan_execute", { operation, arguments: given });
			for (const [operation, given] of [
				["post_price", { body: price }],
				["delete_run", { id: "nope" }],
				["change_run", { id: "nope", body: { tags: [] } }],
			] as const) {
				const { body, isError } = await run(operation, given);
				expect([isError, body.error.status], operation).toEqual([true, 403]);
			}
			expect((await run("list_keys", {})).isError).toBe(true);
			expect((await run("list_prices", { limit: 1 })).isError).toBe(false);
			await reader.close();
		},
	);

	it("holds for links and for the catalogue, whatever the profile shows", async () => {
		const reader = await agentOn(guarded, { query: "?mode=catalogue&profile=admin" });
		expect((await reader.call("list_keys")).body.error.status).toBe(401);
		await expect(reader.client.readResource({ uri: "plimsoll:///api/v1/keys" })).rejects.toThrow(/key/i);
		await reader.close();
	});

	it("keeps a long operation for the key that began it", async () => {
		const { body } = await (agents.admin as Agent).call("plan_execute", {
			operation: "fleet",
			arguments: { model: "llama-3.1-8b", gpu: "l40s", gpus: "1", check: 0 },
			wait: 0,
		});
		const asked = { operationId: body.operationId, wait: 20 };
		expect((await (agents.plan as Agent).call("plan_continue", asked)).body.error.status).toBe(404);
		expect((await (agents.admin as Agent).call("plan_continue", asked)).body.status).toBe(200);
	});

	it("takes over a long operation whose process fell silent", async () => {
		const { sql } = guarded.deps.database;
		const given = JSON.stringify({ model: "llama-3.1-8b", gpu: "l40s", gpus: "1", check: 0 });
		const [row] = await sql`
			insert into operations (operation, arguments, beat_at) values ('fleet', ${given}, now() - interval '1 minute') returning id`;
		const asked = { operationId: row?.id, wait: 20 };
		const answers = await Promise.all(
			[agents.nobody, agents.nobody].map((one) => one?.call("plan_continue", asked)),
		);
		for (const answer of answers) expect(answer?.body).toMatchObject({ operation: "fleet", status: 200 });
	});

	it("says which key acted", async () => {
		await (agents.admin as Agent).call("plan_execute", {
			operation: "post_price",
			arguments: { body: price },
		});
		const { body } = await guarded.call("GET", "/prices?subject=h100-sxm-80gb&kind=agreed");
		expect(body.items[0].enteredBy).toBe("admin key");
	});
});

describe("the door", () => {
	const post = (app: typeof open.app, url: string, headers: Record<string, string>, body: string) =>
		app.request(url, {
			method: "POST",
			headers: {
				"content-type": "application/json",
				accept: "application/json, text/event-stream",
				...headers,
			},
			body,
		});
	const LIST = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });

	it("refuses an unknown key outright", async () => {
		const answer = await post(guarded.app, "/mcp", { authorization: "Bearer wrong" }, LIST);
		expect(answer.status).toBe(401);
		expect(((await answer.json()) as { detail: string }).detail).toContain("npm run key");
	});

	it("is known only by names of this machine, and to no other site", async () => {
		for (const host of ["localhost:8787", "127.0.0.1", "[::1]:8787"])
			expect((await post(open.app, `http://${host}/mcp`, {}, LIST)).status, host).toBe(200);
		for (const host of ["evil.example", "localhost.evil.example"])
			expect((await post(open.app, `http://${host}/mcp`, {}, LIST)).status, host).toBe(421);
		const foreign: Record<string, string>[] = [
			{ origin: "http://evil.example" },
			{ "sec-fetch-site": "cross-site" },
			{ origin: "null" },
		];
		for (const headers of foreign)
			expect((await post(open.app, "/mcp", headers, LIST)).status, JSON.stringify(headers)).toBe(403);
		expect((await post(open.app, "/mcp", { origin: "http://localhost" }, LIST)).status).toBe(200);
	});

	it("takes a browser's word for a name only where it is listed, on a server for others too", async () => {
		const asked = async (host: string, headers: Record<string, string>) =>
			(await post(guarded.app, `http://${host}/mcp`, headers, LIST)).status;
		expect(await asked("planner:8787", {})).toBe(200);
		expect(await asked("planner:8787", { origin: "http://planner:8787" })).toBe(421);
		expect(await asked("evil.example", { "sec-fetch-site": "same-origin" })).toBe(421);
		for (const host of ["10.0.0.7:8787", "[fd00::7]:8787", "localhost:8787"])
			expect(await asked(host, { origin: `http://${host}` }), host).toBe(200);
		const listed = await testApp({ access: { keysNeeded: true, hosts: ["planner"] } });
		const answer = await post(listed.app, "http://planner:8787/mcp", { origin: "http://planner:8787" }, LIST);
		expect(answer.status).toBe(200);
		await listed.close();
	});

	it("takes no body beyond its limit, announced or not", async () => {
		const long = JSON.stringify({
			jsonrpc: "2.0",
			id: 1,
			method: "tools/list",
			params: { x: "x".repeat(5e6) },
		});
		expect((await post(open.app, "/mcp", { "content-length": String(long.length) }, long)).status).toBe(413);
		const stream = new Blob([long]).stream();
		const init = {
			method: "POST",
			body: stream,
			duplex: "half",
			headers: { "content-type": "application/json" },
		};
		expect((await open.app.request("/mcp", init as RequestInit)).status).toBe(413);
	});

	it("answers what is no message of the protocol with words, never a failure", async () => {
		for (const body of ["", "{", "[]", "null", '"x"', "{}", '{"jsonrpc":"2.0"}', `[${LIST},${LIST}]`]) {
			const { status } = await post(open.app, "/mcp", {}, body);
			expect(status, body).toBeLessThan(500);
		}
		const flood = JSON.stringify(Array.from({ length: 5000 }, () => JSON.parse(LIST)));
		expect((await post(open.app, "/mcp", {}, flood)).status).toBe(400);
		for (const method of ["GET", "DELETE", "PUT", "PATCH"])
			expect((await open.app.request("/mcp", { method })).status, method).toBeLessThan(500);
	});
});

it("never fails, whatever arguments it is given", async () => {
	const agent = await agentOn(open);
	const { contents } = await agent.client.readResource({ uri: "plimsoll:///operations" });
	const listed: { name: string }[] = JSON.parse(
		contents[0] && "text" in contents[0] ? String(contents[0].text) : "[]",
	);
	// Those that simulate or print take seconds, and are asked elsewhere.
	const names = listed
		.map(({ name }) => name)
		.filter((name) => !/report|simulate|economics|examples/.test(name));
	const keys = fc.constantFrom(
		"id",
		"limit",
		"cursor",
		"context",
		"configuration",
		"body",
		"gpu",
		"model",
		"kv",
		"rate",
		"check",
		"measurementId",
		"",
	);
	const value = fc.oneof(
		fc.jsonValue({ maxDepth: 2 }),
		fc.string(),
		fc.constantFrom("64K", -1, 1e308, "\u0000", "\ud800", "../x"),
	);
	const call = fc.record({
		operation: fc.oneof(
			{ weight: 9, arbitrary: fc.constantFrom(...names) },
			{ weight: 1, arbitrary: fc.string() },
		),
		arguments: fc.oneof(
			{ weight: 9, arbitrary: fc.dictionary(keys, value, { maxKeys: 4 }) },
			{ weight: 1, arbitrary: value },
		),
		select: fc.oneof(fc.constant(undefined), value),
		wait: fc.constantFrom(0, 3),
	});
	await fc.assert(
		fc.asyncProperty(call, async (args) => {
			const { body } = await agent.call("plan_execute", JSON.parse(JSON.stringify(args)));
			expect(body.error?.status ?? body.status ?? 200, JSON.stringify(body).slice(0, 500)).toBeLessThan(500);
		}),
		{ numRuns: 150 },
	);
	await fc.assert(
		fc.asyncProperty(
			fc.constantFrom("plan_route", "plan_continue", "plan_execute", "x"),
			fc.string(),
			async (tool, text) => {
				const { body } = await agent.call(tool, { task: text, operationId: text, operation: text });
				expect(body.error?.status ?? 200).toBeLessThan(500);
			},
		),
		{ numRuns: 60 },
	);
	await agent.close();
});
