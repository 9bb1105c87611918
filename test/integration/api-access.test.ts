import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createKey } from "../../api/src/store/keys.ts";
import { canonical, testApp } from "../support/api.ts";

const open = await testApp();
const guarded = await testApp({ access: { keysNeeded: true, hosts: null } });
afterAll(async () => {
	await open.close();
	await guarded.close();
});

const file = (name: string) =>
	canonical({ engineVersion: name }, [
		{ phase: "prefill", tokens: 512, cached: 0, batch: 1, seconds: [0.05] },
	]);
const json = { "content-type": "application/json" };
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

describe("where keys are needed", () => {
	const secrets: Record<string, string> = {};
	const { call } = guarded;

	beforeAll(async () => {
		for (const scope of ["ingest", "plan", "admin"] as const)
			secrets[scope] = (
				await createKey(guarded.deps.database.sql, { name: `${scope} key`, scopes: [scope] })
			).secret;
	});

	const price = JSON.stringify({ gpuId: "nope", usdPerGpuHourLow: 1, source: "x" });
	// What each key may do: the status where it may is whatever the call itself answers.
	const calls = [
		{ method: "POST", path: "/runs", body: () => file(`matrix ${Math.random()}`), may: ["ingest", "admin"] },
		{
			method: "PATCH",
			path: "/configurations/x/measurements/1",
			body: () => '{"included":true}',
			may: ["ingest", "admin"],
		},
		{ method: "DELETE", path: "/runs/nope", body: () => undefined, may: ["admin"] },
		{ method: "POST", path: "/runs/nope/restore", body: () => undefined, may: ["admin"] },
		{ method: "POST", path: "/prices", body: () => price, may: ["admin"] },
		{ method: "GET", path: "/keys", body: () => undefined, may: ["admin"] },
		{ method: "POST", path: "/nowhere", body: () => "{}", may: ["admin"] },
	];

	it.each(calls)("$method $path needs one of $may", async ({ method, path, body, may }) => {
		const headers = path === "/runs" ? {} : json;
		const without = await call(method, path, body(), headers);
		expect(without.status).toBe(401);
		expect(without.headers.get("www-authenticate")).toBe("Bearer");
		expect(without.body.detail).toContain("npm run key");
		for (const [scope, secret] of Object.entries(secrets)) {
			const { status } = await call(method, path, body(), { ...headers, ...bearer(secret) });
			if (may.includes(scope)) expect([401, 403], scope).not.toContain(status);
			else expect(status, scope).toBe(403);
		}
	});

	it("names in the history whose key decided", async () => {
		const key = { ...json, ...bearer(secrets.ingest ?? "") };
		const { body: run } = await call("POST", "/runs", file("decided"), key);
		const { id } = run.configurations[0];
		const { body: page } = await call("GET", `/runs/${run.id}/measurements`);
		const path = `/configurations/${id}/measurements/${page.items[0].id}`;
		expect((await call("PATCH", path, '{"included":false,"reason":"a test"}', key)).status).toBe(200);
		expect((await call("GET", `/configurations/${id}/decisions`)).body.items).toMatchObject([
			{ from: "in", to: "out", by: "ingest key", reason: "a test" },
		]);
	});

	it("reads without a key, and predicts without one", async () => {
		for (const path of ["/runs", "/configurations", "/models", "/openapi.json", "/access"])
			expect((await call("GET", path)).status, path).toBe(200);
		const asked = JSON.stringify({ configuration: "nope", points: [{ phase: "prefill", tokens: 1 }] });
		expect((await call("POST", "/predict", asked, json)).status).toBe(404);
		expect((await call("POST", "/tools", '[{"name":"now"}]')).status).toBe(200);
		expect((await call("GET", "/access")).body).toEqual({ keysNeeded: true });
	});

	it.each(["Bearer wrong", "Bearer ", "Basic abc", "wrong"])("refuses %j", async (authorization) => {
		expect((await call("POST", "/runs", file("refused"), { authorization })).status).toBe(401);
	});

	it("keeps no secret, names the sender, and ends a key", async () => {
		const admin = bearer(secrets.admin ?? "");
		const made = await call("POST", "/keys", JSON.stringify({ name: "ci", scopes: ["ingest"] }), {
			...json,
			...admin,
		});
		expect(made.status).toBe(201);
		const { id, secret } = made.body;
		const [stored] = await guarded.deps.database.sql`select * from keys where id = ${id}`;
		expect(JSON.stringify(stored)).not.toContain(secret);

		const sent = await call("POST", "/runs", file("named"), bearer(secret));
		expect(sent.body.sentBy).toBe("ci");
		const { body: keys } = await call("GET", "/keys", undefined, admin);
		const listed = keys.items.find((key: { id: string }) => key.id === id);
		expect(listed.lastUsedAt).not.toBeNull();
		expect(listed).not.toHaveProperty("secret");

		expect((await call("DELETE", `/keys/${id}`, undefined, admin)).body.revokedAt).not.toBeNull();
		expect((await call("POST", "/runs", file("too late"), bearer(secret))).status).toBe(401);
	});
});

describe("where no key is needed", () => {
	const { call, app } = open;
	const write = (headers: Record<string, string>) =>
		call("POST", "/runs", file(`site ${Math.random()}`), headers);

	it("takes writes of programs and of its own pages", async () => {
		expect((await write({})).status).toBe(201);
		expect((await write({ "sec-fetch-site": "same-origin", origin: "http://localhost" })).status).toBe(201);
		expect((await write({ "sec-fetch-site": "none" })).status).toBe(201);
		expect((await write({ origin: "http://localhost" })).status).toBe(201);
	});

	it.each([
		{ "sec-fetch-site": "cross-site" },
		{ "sec-fetch-site": "same-site" },
		{ origin: "http://evil.example" },
		{ origin: "http://localhost:1234" },
		{ origin: "null" },
	])("refuses a browser's write with %j", async (headers) => {
		const answer = await write(headers as unknown as Record<string, string>);
		expect(answer.status).toBe(403);
		expect(answer.body.title).toBe("Cross-site request");
	});

	it("answers only to names of this machine", async () => {
		const at = (host: string) => app.request(`http://${host}/api/v1/runs`);
		for (const host of ["localhost:8787", "127.0.0.1:8787", "127.1.2.3", "[::1]:8787"])
			expect((await at(host)).status, host).toBe(200);
		for (const host of ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example"])
			expect((await at(host)).status, host).toBe(421);
	});
});

describe("every answer", () => {
	it("carries an id and headers that browsers obey", async () => {
		for (const path of ["/runs", "/nowhere", "/runs?limit=101"]) {
			const { headers } = await open.call("GET", path);
			expect(headers.get("x-request-id"), path).toMatch(/^[\w-]{8,}$/);
			expect(headers.get("x-content-type-options"), path).toBe("nosniff");
			expect(headers.get("content-security-policy"), path).toContain("default-src 'none'");
			expect(headers.get("cache-control"), path).toBe("no-store");
			expect(headers.get("access-control-allow-origin"), path).toBeNull();
		}
	});

	it("says nothing of what failed inside", async () => {
		const { sql } = open.deps.database;
		await sql`alter table runs rename to runs_away`;
		const answer = await open.call("GET", "/runs");
		await sql`alter table runs_away rename to runs`;
		expect(answer.status).toBe(500);
		expect(answer.body.detail).toContain(answer.headers.get("x-request-id"));
		expect(JSON.stringify(answer.body)).not.toMatch(/relation|select|runs/i);
	});

	it("limits bodies of JSON, with and without a length", async () => {
		const big = `"${"x".repeat(1.5 * 1024 * 1024)}"`;
		const stream = new ReadableStream({
			start(controller) {
				controller.enqueue(Buffer.from(big));
				controller.close();
			},
		});
		expect(
			(await open.call("POST", "/gpus", big, { ...json, "content-length": String(big.length) })).status,
		).toBe(413);
		const request = { method: "POST", body: stream, headers: json, duplex: "half" } as RequestInit;
		expect((await open.app.request("/api/v1/gpus", request)).status).toBe(413);
	});

	it("reads JSON that comes without a length", async () => {
		const stream = new Blob([
			JSON.stringify({ configuration: "nope", points: [{ phase: "prefill", tokens: 1 }] }),
		]).stream();
		const request = { method: "POST", body: stream, headers: json, duplex: "half" } as RequestInit;
		expect((await open.app.request("/api/v1/predict", request)).status).toBe(404);
	});
});
