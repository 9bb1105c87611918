import { afterAll, beforeAll, expect, it } from "vitest";
import { testApp } from "../support/api.ts";

const { app, call, close } = await testApp();
afterAll(close);

interface Operation {
	summary?: string;
	responses: Record<string, { description: string; content?: Record<string, unknown> }>;
}
let paths: Record<string, Record<string, Operation>>;

beforeAll(async () => {
	paths = (await call("GET", "/openapi.json")).body.paths;
});

it("describes every call that the app answers, and no other", () => {
	const answered = app.routes
		.filter(
			({ path, method }) =>
				path.startsWith("/api/v1/") && method !== "ALL" && !path.endsWith("/openapi.json"),
		)
		.map(({ path, method }) => `${method} ${path.slice("/api/v1".length).replaceAll(/:(\w+)/g, "{$1}")}`);
	const described = Object.entries(paths).flatMap(([path, operations]) =>
		Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
	);
	expect([...new Set(described)].sort()).toEqual([...new Set(answered)].sort());
});

it("gives every call a summary, an answer and problems for its input", () => {
	for (const [path, operations] of Object.entries(paths))
		for (const [method, { summary, responses }] of Object.entries(operations)) {
			expect(summary, `${method} ${path}`).toBeTruthy();
			expect(
				Object.keys(responses).some((status) => status.startsWith("2")),
				`${method} ${path}`,
			).toBe(true);
			for (const [status, { content }] of Object.entries(responses))
				if (status >= "400")
					expect(Object.keys(content ?? {}), `${path} ${status}`).toEqual(["application/problem+json"]);
		}
});

it("refers only to parts that it has", async () => {
	const { body } = await call("GET", "/openapi.json");
	const references = JSON.stringify(body).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g);
	for (const [, kind = "", name = ""] of references) expect(body.components[kind], name).toHaveProperty(name);
});

it("answers health, readiness and metrics on the root", async () => {
	expect((await app.request("/healthz")).status).toBe(200);
	expect((await app.request("/readyz")).status).toBe(200);
	await call("GET", "/runs");
	const metrics = await (await app.request("/metrics")).text();
	expect(metrics).toMatch(
		/plimsoll_http_request_seconds_count\{method="GET",route="\/api\/v1\/runs",status="200"\} 1/,
	);
	expect(metrics).toMatch(/plimsoll_database_connections\{state="\w+"\} \d/);
});
