import { afterAll, expect, it } from "vitest";
import { attributionOf } from "../../api/src/attribution.ts";
import { createKey } from "../../api/src/store/keys.ts";
import { createResultLog, MOST_KEPT, readUsage } from "../../api/src/store/results.ts";
import { agentOn } from "../support/agent.ts";
import { testApp } from "../support/api.ts";

const open = await testApp();
const { call, app, deps } = open;
const { sql } = deps.database;
afterAll(open.close);

it("names who sent a request by what it says of itself", () => {
	const of = (headers: Record<string, string>) => attributionOf(new Headers(headers));
	expect(of({ "user-agent": "curl/8.5.0" })).toEqual({ transport: "http", client: "curl", version: "8.5.0" });
	expect(of({ "user-agent": "Mozilla/5.0 (X11)" }).transport).toBe("browser");
	expect(of({ "user-agent": "x/1", "plimsoll-client": "my agent/2.0" })).toEqual({
		...{ transport: "http", client: "my agent", version: "2.0" },
	});
	expect(of({})).toEqual({ transport: "http", client: "unknown", version: null });
	expect(of({ "user-agent": `<b>${"x".repeat(500)}` }).client).toMatch(/^bx{39}$/);
});

it("tells the bytes of every answer as they left, by operation and caller", async () => {
	const { secret } = await createKey(sql, { name: "ci", scopes: ["ingest"] });
	const sent = { "user-agent": "curl/8.5.0", authorization: `Bearer ${secret}` };
	const text = await (await app.request("/api/v1/access", { headers: sent })).text();
	await call("GET", "/runs?limit=0");
	const agent = await agentOn(open, { name: "an agent" });
	const answer = await agent.call("plan_execute", { operation: "access" });
	const route = await agent.call("plan_route", { task: "access" });
	await agent.close();
	const { body } = await call("GET", "/usage?hours=1");
	const of = (name: string) =>
		body.operations.find(({ operation }: { operation: string }) => operation === name);
	const access = of("access");
	expect(access.results).toBe(2);
	expect(access.bytes).toMatchObject({ p50: text.length, p95: answer.text.length, max: answer.text.length });
	expect(access.tokens.max).toBe(Math.ceil(answer.text.length / 2.9));
	expect(access.outliers).toMatchObject([
		{
			caller: null,
			client: "an agent",
			version: "1.2.3",
			transport: "mcp",
			results: 1,
			largestBytes: answer.text.length,
		},
	]);
	expect(of("plan_route").bytes.max).toBe(Buffer.byteLength(route.text));
	expect(of("list_runs")).toMatchObject({ results: 1, failed: 1 });
	expect(body.transports).toMatchObject({ http: 2 });
	const [kept] = await sql`select caller, client, version from results where client = 'curl'`;
	expect(kept).toEqual({ caller: "ci", client: "curl", version: "8.5.0" });
	const metrics = await (await app.request("/metrics")).text();
	expect(metrics).toMatch(/plimsoll_result_bytes_count\{operation="access",transport="mcp"\} 1/);
	expect(metrics).not.toContain("an agent");
});

it("gives no name of a client or a path a series of its own", async () => {
	for (let at = 0; at < 20; at++)
		await (await app.request(`/api/v1/nowhere/${at}`, { headers: { "user-agent": `bot-${at}/1` } })).text();
	const metrics = await (await app.request("/metrics")).text();
	expect(metrics).not.toMatch(/bot-|nowhere\/\d/);
	expect(metrics).toMatch(/plimsoll_result_bytes_count\{operation="unknown",transport="http"\} 20/);
});

it("keeps percentiles by nearest rank, of what two processes wrote, and drops what comes too fast", async () => {
	await sql`delete from results`;
	const [one, other] = [createResultLog(sql), createResultLog(sql)];
	const told = {
		operation: "plan",
		transport: "http" as const,
		client: "x",
		version: null,
		caller: null,
		status: 200,
	};
	for (let at = 1; at <= 100; at++) (at % 2 === 0 ? one : other).add({ ...told, bytes: at * 10, tokens: at });
	await Promise.all([one.flush(), other.flush()]);
	const { operations } = await readUsage(sql, 1);
	expect(operations[0]?.bytes).toEqual({ p50: 500, p95: 950, p99: 990, max: 1000 });
	for (let at = 0; at < 1010; at++) one.add({ ...told, bytes: 1, tokens: null });
	expect(one.left).toBe(10);
	await one.flush();
});

it("keeps the newest rows only", async () => {
	await sql`update results set id = id + ${MOST_KEPT}::bigint where id = (select max(id) from results)`;
	const log = createResultLog(sql);
	log.add({
		...{ operation: "plan", transport: "http", client: "x", version: null, caller: null, status: 200 },
		...{ bytes: 5, tokens: 1 },
	});
	await log.flush();
	expect(Number((await sql`select count(*) as n from results`)[0]?.n)).toBeLessThanOrEqual(2);
});
