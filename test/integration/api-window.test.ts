import { seedCatalogs } from "@plimsoll/db";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canonical, testApp } from "../support/api.ts";

const { call, close, deps } = await testApp();
beforeAll(() => seedCatalogs(deps.database));
afterAll(close);

const law = (tokens: number) => 0.02 + 1e-4 * tokens + 2e-9 * tokens * tokens;
let configuration: string;
beforeAll(async () => {
	const run = canonical({}, [
		...[512, 2048, 8192, 32_768, 131_072].map((tokens) => ({
			...{ phase: "prefill", tokens, cached: 0, batch: 1, seconds: [law(tokens)] },
		})),
		...[1, 8].flatMap((batch) =>
			[1024, 65_536].map((context) => ({
				...{ phase: "decode", batch, context, seconds: [0.008 + 1e-4 * batch + 1e-8 * batch * context] },
			})),
		),
	]);
	configuration = (await call("POST", "/runs", run)).body.configurations[0].id;
});

const ask = (query: string) => call("GET", `/window?configuration=${configuration}&${query}`);

describe("GET /window", () => {
	const usual =
		"window=200K&system=12K&tools=15&toolTokens=400&message=0&result=3000&answer=0&turns=100&concurrency=1&price=2.5";

	it("fills 200,000 tokens at turn 61 and prices each request as /plan does", async () => {
		const { status, body } = await ask(usual);
		expect(status).toBe(200);
		expect(body.budget).toMatchObject({ constantTokens: 18_000, turnTokens: 3000, fullAtTurn: 61 });
		expect(body.session.turns).toHaveLength(60);
		const turn = body.session.turns[29];
		expect(turn).toMatchObject({ promptTokens: 108_000, sharedTokens: 105_000 });
		const plan = await call(
			"GET",
			`/plan?configuration=${configuration}&context=108000&output=1&concurrency=1&price=2.5`,
		);
		expect(turn.ttftUncached.value).toBe(plan.body.ttft.value);
		expect(turn.usdUncached.value).toBe(plan.body.cost.usdPerRequest.value);
		expect(turn.ttft.value).toBeLessThan(turn.ttftUncached.value);
		expect(turn.ttft).toMatchObject({
			evidence: "fitted",
			arithmetic: expect.stringContaining("105,000 cached"),
		});
		for (const figure of [body.session.usdPerMonth, body.session.waiting, body.session.displaced])
			expect(figure).toMatchObject({ value: expect.any(Number), arithmetic: expect.any(String) });
	});

	it("sums the history up by a request of its own, and takes images", async () => {
		const { body } = await ask(
			"window=40K&relief=compact&reliefAt=0.7&summary=1000&turns=20&images=1&imageWidth=1092&imageHeight=1092",
		);
		expect(body.budget.fullAtTurn).toBeNull();
		expect(body.session.turns.some(({ kind }: { kind: string }) => kind === "compaction")).toBe(true);
		expect(body.question.tokensPerImage).toBe(39 * 39);
	});

	it("takes the model's window where none is said, and says what it took", async () => {
		const { body } = await ask("");
		expect(body.question.windowTokens).toBe(131_072);
		expect(body.assumed.map(({ key }: { key: string }) => key)).toEqual(
			expect.arrayContaining(["window", "system", "tools", "sessions", "concurrency"]),
		);
	});

	it.each([
		["turns=0", "turns"],
		["turns=2001", "turns"],
		["tools=-1", "tools"],
		["window=x", "window"],
		["reliefAt=2", "reliefAt"],
		["relief=compact&reliefAt=0", "reliefAt"],
		["context=5", "context"],
		["misspelt=5", "misspelt"],
		["relief=magic", "relief"],
	])("refuses %s by name", async (query, at) => {
		const { status, body } = await ask(query);
		expect(status).toBe(400);
		expect(body.errors.map((error: { at: string }) => error.at)).toContain(at);
	});
});
