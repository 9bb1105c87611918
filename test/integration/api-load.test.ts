import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { seedCatalogs } from "@plimsoll/db";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canonical, type TestApp, testApp } from "../support/api.ts";

let api: TestApp;
let configuration: string;

const prefills = [512, 2048, 8192].map((tokens) => ({
	phase: "prefill",
	tokens,
	cached: 0,
	batch: 1,
	seconds: [0.02 + 1e-4 * tokens],
}));
const decodes = [1, 4, 16].flatMap((batch) =>
	[512, 4096].map((context) => ({
		phase: "decode",
		batch,
		context,
		seconds: [0.01 + 1e-4 * batch + 2e-8 * batch * context],
	})),
);

beforeAll(async () => {
	api = await testApp();
	await seedCatalogs(api.deps.database);
	const { body } = await api.call("POST", "/runs", canonical({}, [...prefills, ...decodes]));
	configuration = body.configurations[0].id;
});
afterAll(() => api.close());

const json = { "content-type": "application/json" };
const simulate = (body: object, headers: Record<string, string> = {}) =>
	api.call("POST", "/simulate", JSON.stringify(body), { ...json, ...headers });

const users = (count: number, requests = 20) => ({
	arrivals: { kind: "users", users: count },
	requests,
	prompt: { kind: "fixed", tokens: 2048 },
	output: { kind: "fixed", tokens: 101 },
});

describe("traces", () => {
	it("are the four public ones, each with source and licence", async () => {
		const { body } = await api.call("GET", "/traces");
		expect(
			body.items.map(({ id, requests, licence }: Record<string, unknown>) => [id, requests, licence]),
		).toEqual([
			["azure-2023-code", 3500, "CC-BY 4.0"],
			["azure-2023-conversation", 4000, "CC-BY 4.0"],
			["mooncake-conversation", 4000, "Apache-2.0"],
			["mooncake-synthetic", 2000, "Apache-2.0"],
		]);
		expect(body.items.every((item: { citation: string; href: string }) => item.citation && item.href)).toBe(
			true,
		);
	});

	const shared = fileURLToPath(new URL("../../../shared/data/traces/", import.meta.url));
	const files = {
		"azure-2023-code": "azure_2023_code",
		"azure-2023-conversation": "azure_2023_conv",
		"mooncake-conversation": "mooncake_conversation",
		"mooncake-synthetic": "mooncake_synthetic",
	};
	it.skipIf(!existsSync(shared)).each(Object.entries(files))(
		existsSync(shared) ? "%s holds the figures of the published rows" : "skipped: no shared data",
		async (id, file) => {
			const { body } = await api.call("GET", `/traces/${id}`);
			const rows = readFileSync(`${shared}${file}.csv`, "utf8").trim().split("\n").slice(1);
			const cells = rows.map((row) => row.split(",").map(Number));
			const column = (place: number) => cells.map((row) => row[place]);
			expect(body.columns.arrivalSeconds).toEqual(column(0));
			expect(body.columns.promptTokens).toEqual(column(1));
			expect(body.columns.outputTokens).toEqual(column(2));
			if (cells[0]?.length === 4) expect(body.columns.cachedTokens).toEqual(column(3));
			else expect(body.columns.cachedTokens).toBeUndefined();
		},
	);

	it("of one's own are taken as CSV, listed, read, and taken out", async () => {
		const csv = "timestamp,input_tokens,output_tokens\n10,100,5\n12.5,200,7\n";
		const sent = await api.call("POST", "/traces?name=Chat%2C%20week%2048", csv, {
			"content-type": "text/csv",
		});
		expect(sent.status).toBe(201);
		expect(sent.body).toMatchObject({
			...{ id: "chat-week-48", name: "Chat, week 48", requests: 2, origin: "user", durationSeconds: 2.5 },
			...{ meanPromptTokens: 150, meanOutputTokens: 6, cachedShare: null },
			notes: ["arrivals are counted from the first request on"],
		});
		expect((await api.call("GET", "/traces/chat-week-48")).body.columns).toEqual({
			arrivalSeconds: [0, 2.5],
			promptTokens: [100, 200],
			outputTokens: [5, 7],
		});
		expect((await api.call("GET", "/traces")).body.items.at(-1).id).toBe("chat-week-48");
		expect((await api.call("POST", "/traces?name=Chat%20week%2048", csv)).status).toBe(409);
		expect((await api.call("DELETE", "/traces/chat-week-48")).status).toBe(204);
		expect((await api.call("GET", "/traces/chat-week-48")).status).toBe(404);
	});

	it("with wrong lines are refused, each line named", async () => {
		const { status, body } = await api.call(
			"POST",
			"/traces?name=bad",
			"arrival_s,prompt_tokens,output_tokens\n0,1,1\n1,x,1\n",
		);
		expect(status).toBe(400);
		expect(body.errors).toEqual([
			{ at: "line 3", reason: 'prompt_tokens "x" must be a whole number from 1 to 10000000' },
		]);
	});

	it("with more tokens cached than sent are refused, not stored with a share above 1", async () => {
		const csv = "arrival_s,prompt_tokens,output_tokens,prefix_cached_tokens\n0,10,10,50\n";
		const { status, body } = await api.call("POST", "/traces?name=cached", csv);
		expect(status).toBe(400);
		expect(body.errors).toEqual([
			{ at: "line 2", reason: expect.stringContaining("cannot exceed the prompt_tokens 10") },
		]);
	});

	it("that came with the product stay", async () => {
		expect((await api.call("DELETE", "/traces/azure-2023-code")).status).toBe(409);
	});
});

describe("simulate", () => {
	it("gives one user the laws' own times", async () => {
		const { status, body } = await simulate({ configuration, workload: users(1) });
		expect(status).toBe(200);
		// 0.02 + 1e-4 × 2048; 0.0101 + 2e-8 × (2048 … 2147, mean 2097.5)
		expect(body.result.times.ttft.p50.value).toBeCloseTo(0.2248, 4);
		expect(body.result.times.tpot.p50.value).toBeCloseTo(0.0101 + 2e-8 * 2097.5, 6);
		expect(body.result.completed).toBe(20);
		expect(body.result.times.ttft.p50).toMatchObject({ unit: "seconds", evidence: "estimated" });
		expect(body.result.times.ttft.p50.sources[0].href).toBe(`/configurations/${configuration}`);
	});

	it("the same seed gives the same answer, another one another", async () => {
		const workload = {
			...users(1, 400),
			arrivals: { kind: "rate", requestsPerSecond: 2 },
			prompt: { kind: "lognormal", median: 800, p95: 4000 },
		};
		const [first, again, other] = await Promise.all(
			[7, 7, 8].map((seed) => simulate({ configuration, workload, seed })),
		);
		expect(again?.body).toEqual(first?.body);
		expect(other?.body.result.times.ttft.p99.value).not.toBe(first?.body.result.times.ttft.p99.value);
	});

	it("limits what the engine holds", async () => {
		const { body } = await simulate({
			...{ configuration, workload: users(8, 40), maxSequences: 2, chunkTokens: 512, kvTokens: 100_000 },
			...{ ttftSlo: 0.5, tpotSlo: 0.02 },
		});
		expect(body.result.running.value).toBeLessThanOrEqual(2);
		expect(body.result.times.queue.p50.value).toBeGreaterThan(0);
		expect(body.engine.kvTokens).toMatchObject({ value: 100_000, evidence: "assumed" });
		expect(body.result.goodShare.arithmetic).toContain(
			"within 500 ms to the first token and 20 ms per token",
		);
	});

	it("runs a trace, and a sweep of loads", async () => {
		const workload = { arrivals: { kind: "trace" }, requests: 500, trace: "azure-2023-conversation" };
		const { body } = await simulate({ configuration, workload, sweep: true });
		expect(body.result.completed).toBe(500);
		expect(body.sweep.of).toBe("rate");
		const offered = body.sweep.points.map(({ load }: { load: number }) => load);
		expect([...offered].sort((a, b) => a - b)).toEqual(offered);
		expect(body.sweep.saturation).toBeGreaterThan(0);
	});

	it("tells progress line by line, the answer last, when asked to", async () => {
		const { body, headers } = await simulate(
			{ configuration, workload: users(4, 20_000), sweep: true },
			{ accept: "application/x-ndjson" },
		);
		expect(headers.get("content-type")).toContain("application/x-ndjson");
		const lines = String(body)
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line));
		const shares = lines.slice(0, -1).map(({ progress }) => progress);
		expect(shares[0]).toBe(0);
		expect([...shares].sort((a, b) => a - b)).toEqual(shares);
		expect(lines.at(-1).answer.result.completed).toBe(20_000);
	});

	it("ends when its caller goes away", async () => {
		const gone = new AbortController();
		const asked = api.app.request("/api/v1/simulate", {
			method: "POST",
			signal: gone.signal,
			headers: json,
			body: JSON.stringify({ configuration, workload: users(64, 200_000), sweep: true }),
		});
		gone.abort();
		expect((await asked).status).toBe(503);
		// The place is free again: the next one is served.
		expect((await simulate({ configuration, workload: users(1) })).status).toBe(200);
	});

	it("answers where nothing is measured, by the roofline", async () => {
		const { body } = await simulate({ model: "llama-3.1-8b", gpu: "h100-sxm-80gb", workload: users(2) });
		expect(body.result.times.tpot.p50.evidence).toBe("estimated");
		expect(body.laws.decode).toMatch(/no measured point/);
	});

	it("names what is wrong", async () => {
		const wrong = async (body: object) => {
			const answer = await simulate({ configuration, workload: users(1), ...body });
			return [answer.status, answer.body.errors?.[0]?.at];
		};
		expect(await wrong({ workload: { arrivals: { kind: "trace" } } })).toEqual([400, "workload.trace"]);
		expect(await wrong({ workload: { ...users(1), requests: 0 } })).toEqual([400, "workload.requests"]);
		expect(await wrong({ workload: { ...users(1), prompt: { kind: "uniform", from: 9, to: 5 } } })).toEqual([
			400,
			"workload",
		]);
		expect(await wrong({ maxSequences: 0 })).toEqual([400, "maxSequences"]);
		expect(await wrong({ colour: "red" })).toEqual([400, "colour"]);
		expect(await wrong({ configuration: "nope" })).toEqual([404, undefined]);
		expect(
			(
				await simulate({
					configuration,
					workload: { ...users(1), arrivals: { kind: "trace" }, trace: "nope" },
				})
			).status,
		).toBe(404);
	});
});
