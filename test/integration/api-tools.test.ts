import { seedCatalogs } from "@plimsoll/db";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canonical, testApp } from "../support/api.ts";

const { call, close, deps } = await testApp();
beforeAll(() => seedCatalogs(deps.database));
afterAll(close);

const A = 1e-4;
const B = 2e-9;
let configuration: string;
beforeAll(async () => {
	const run = canonical({}, [
		...[512, 2048, 8192, 32_768, 131_072].map((tokens) => ({
			...{
				phase: "prefill",
				tokens,
				cached: 0,
				batch: 1,
				seconds: [0.02 + A * tokens + B * tokens * tokens],
			},
		})),
		...[1, 8].flatMap((batch) =>
			[1024, 65_536].map((context) => ({
				...{ phase: "decode", batch, context, seconds: [0.008 + 1e-4 * batch + 1e-8 * batch * context] },
			})),
		),
	]);
	configuration = (await call("POST", "/runs", run)).body.configurations[0].id;
});

const weigh = (body: string, query = "") =>
	call("POST", `/tools?configuration=${configuration}&concurrency=1&price=2.5${query}`, body);
const entry = (name: string, description: string, inputSchema: object = { type: "object" }) => ({
	...{ name, description, inputSchema },
});
const list = JSON.stringify({
	jsonrpc: "2.0",
	id: 1,
	result: {
		tools: [
			entry("now", "The time."),
			entry("rows", "Rows of a table, as many as you like.", {
				type: "object",
				properties: { rows: { type: "array", items: { type: "string" }, maxItems: 2000 } },
			}),
			entry("ping", "Answers."),
		],
	},
});
type Tool = { name: string; position: number; cost: { tokens: number }; tokens: { evidence: string } };
const names = (tools: Tool[]) => tools.map(({ name }) => name);

describe("POST /tools", () => {
	it("weighs a tools/list answer, heaviest first, and prices it by a·Δs + b·Δ(s²)", async () => {
		const { status, body } = await weigh(list, "&system=1000&message=0&window=100K");
		expect(status).toBe(200);
		expect(body.form).toBe("MCP tools/list");
		expect(body.tools[0].name).toBe("rows");
		const total = body.tools.reduce((sum: number, { cost }: Tool) => sum + cost.tokens, 0);
		expect(body.all.tokens).toBe(total);
		expect(body.tokens).toMatchObject({ value: total, unit: "tokens", evidence: "estimated" });
		expect(body.all.share.value).toBe(total / 100_000);
		expect(body.all.firstToken.value).toBeCloseTo(A * total + B * ((1000 + total) ** 2 - 1e6), 6);
		expect(body.all.firstToken.evidence).toBe("estimated");
		expect(body.spare.value).toBe(100_000 - 1000 - total - 300);
		expect(body.all.usdPerMonth.value).toBeGreaterThan(0);
		expect(body.tools[0].findings).toMatchObject([{ severity: "fails", at: "properties.rows.maxItems" }]);
		expect(body.assumed.map(({ key }: { key: string }) => key)).toEqual(["answer", "requests"]);
		expect(body.tokenizers.map(({ id }: { id: string }) => id)).toEqual(["o200k", "mistral"]);
		expect(body.languages).toHaveLength(2);
	});

	it("weighs the same with half of the tools forbidden, and less with half of them removed", async () => {
		const { body } = await weigh(list);
		const of = (id: string) => body.compositions.find((one: { id: string }) => one.id === id);
		expect(of("forbidden").cost.tokens).toBe(body.all.tokens);
		expect(of("removed")).toMatchObject({ tools: 2 });
		expect(of("removed").cost.tokens).toBeLessThan(body.all.tokens);
		expect(of("profile")).toBeUndefined();
		expect(of("gateway").addsPerTool).toBe(Math.round(body.all.tokens / 3));
	});

	it("prices a profile: the tools that are left", async () => {
		const { body } = await weigh(list, "&leaveOut=2");
		const profile = body.compositions.find(({ id }: { id: string }) => id === "profile");
		const left = body.tools.filter(({ position }: Tool) => position !== 2);
		expect(profile.tools).toBe(2);
		expect(profile.cost.tokens).toBe(left.reduce((sum: number, { cost }: Tool) => sum + cost.tokens, 0));
	});

	it("takes what the server itself counted, and divides it among the tools", async () => {
		const { body } = await weigh(list, "&measuredWith=1500&measuredWithout=1000");
		expect(body.tokens).toMatchObject({ value: 500, evidence: "measured" });
		expect(body.all.tokens).toBe(500);
		expect(body.tools.reduce((sum: number, { cost }: Tool) => sum + cost.tokens, 0)).toBe(500);
		expect(body.tools.every(({ tokens }: Tool) => tokens.evidence === "estimated")).toBe(true);
		expect(body.scale.value).toBeCloseTo(500 / body.counts.o200k, 12);
	});

	it("counts by another tokenizer where it is asked to", async () => {
		const { body } = await weigh(list, "&tokenizer=mistral");
		expect(body.all.tokens).toBe(body.counts.mistral);
		expect(body.all.tokens).not.toBe(body.counts.o200k);
	});

	it("keeps the tools that can be read, and says where the others are", async () => {
		const { status, body } = await weigh('[{"name":"ok"}, 5, {"name":"cut", ');
		expect(status).toBe(200);
		expect(names(body.tools)).toEqual(["ok"]);
		expect(body.unreadable.map(({ at }: { at: string }) => at)).toEqual([
			...["[2]", '[3] "cut"', "line 1, character 34"],
		]);
	});

	it("says what was wrong with each where not one can be weighed", async () => {
		const endless = { tools: [{ name: "a", description: "a".repeat(1001) }] };
		const { status, body } = await weigh(JSON.stringify(endless));
		expect(status).toBe(400);
		expect(body.errors).toEqual([{ at: 'tools[1] "a"', reason: expect.stringContaining("1,000") }]);
	});

	it.each([
		["", "", "the body"],
		['{"paths": 5}', "", "the body"],
		[list, "&measuredWith=5", "measuredWithout"],
		[list, "&measuredWith=5&measuredWithout=5", "measuredWith"],
		[list, "&tokenizer=llama", "tokenizer"],
		[list, "&leaveOut=a", "leaveOut"],
		[list, "&context=5", "context"],
		[list, "&window=0", "window"],
		[list, "&misspelt=1", "misspelt"],
	])("refuses %.20s with %s by name", async (body, query, at) => {
		const answer = await weigh(body, query);
		expect(answer.status).toBe(400);
		expect(answer.body.errors.map((error: { at: string }) => error.at)).toContain(at);
	});

	it("bounds the body", async () => {
		const { status } = await weigh(" ".repeat(1024 * 1024 + 1));
		expect(status).toBe(413);
	});

	it("has an example that answers", async () => {
		const { body } = await call("GET", "/tools/example");
		const { status, body: weighed } = await weigh(JSON.stringify(body));
		expect(status).toBe(200);
		expect(weighed.tools).toHaveLength(body.result.tools.length);
	});
});

describe("GET /tools/series", () => {
	it("has nothing before anything was measured", async () => {
		const { status, body } = await call("GET", "/tools/series");
		expect(status).toBe(200);
		expect(body).toEqual({ configurations: [], shown: null, points: [] });
	});

	it("takes series in as measurements and failures of their own kind, which no fit and no limit reads", async () => {
		const series = [
			...[1, 2, 9].map((seconds) => ({
				n_tools: 27,
				status: 200,
				t_first_byte_s: seconds,
				tool_choice: "auto",
			})),
			{ n_tools: 27, status: 200, t_first_byte_s: 0.5, tool_choice: "none" },
			{ n_tools: 83, status: 400, t_total_s: 123.84, error: "failed to parse grammar" },
			{
				n_tools: 9,
				status: 200,
				t_first_byte_s: 0.2,
				usage: { prompt_tokens: 100 },
				timings: { cache_n: 99, prompt_n: 1 },
			},
		];
		const posted = await call(
			"POST",
			"/runs?gpu=RTX%204090&model=gpt-oss-20b&engine=llama.cpp",
			series.map((row) => JSON.stringify(row)).join("\n"),
		);
		expect(posted.body).toMatchObject({ format: "tool series jsonl", accepted: 5, failed: 1, rejected: [] });
		const [{ id }] = posted.body.configurations;
		const { body } = await call("GET", "/tools/series");
		expect(body.configurations).toMatchObject([{ id, measurements: 5, failures: 1 }]);
		expect(body.shown).toBe(id);
		expect(body.points).toMatchObject([
			{ tools: 9, cached: true, callable: true, n: 1, seconds: 0.2, tokens: 100 },
			{ tools: 27, cached: false, callable: false, n: 1, seconds: 0.5 },
			{ tools: 27, cached: false, callable: true, n: 3, seconds: 2, low: 1, high: 9 },
			{ tools: 83, failed: true, n: 1, seconds: 123.84, reason: "400 failed to parse grammar" },
		]);
		const { body: detail } = await call("GET", `/configurations/${id}`);
		expect(detail).toMatchObject({
			failures: [],
			points: [],
			fits: { prefill: null, decode: null, serve: null },
		});
		const { body: rows } = await call("GET", `/configurations/${id}/measurements`);
		expect(rows.items.every(({ included }: { included: boolean }) => !included)).toBe(true);
		expect(rows.items.find(({ status }: { status: string }) => status === "failed")).toMatchObject({
			...{ phase: "tools", batch: 83, secondsMean: 123.84 },
		});
	});

	it("takes the same in the canonical form, and says nothing of a configuration without", async () => {
		const run = canonical({ model: "qwen3-30b-a3b" }, [
			{ phase: "tools", tools: 9, tokens: 1113, cached: 0, seconds: [0.98], schema: "mcp" },
			{ phase: "tools", tools: 96, error: "failed to parse grammar", seconds: 142.94 },
			{ phase: "tools", tools: 1.5, seconds: 1 },
		]);
		const { body: posted } = await call("POST", "/runs", run);
		expect(posted).toMatchObject({ accepted: 1, failed: 1, rejected: [{ at: "measurements[2].tools" }] });
		const [{ id }] = posted.configurations;
		const { body } = await call("GET", `/tools/series?configuration=${id}`);
		expect(body.configurations).toHaveLength(2);
		expect(body.points).toMatchObject([
			{ tools: 96, failed: true, seconds: 142.94 },
			{ tools: 9, failed: false, seconds: 0.98, tokens: 1113, schema: "mcp" },
		]);
		const { body: none } = await call("GET", `/tools/series?configuration=${configuration}`);
		expect(none.points).toEqual([]);
	});
});
