import { seedCatalogs } from "@plimsoll/db";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canonical, testApp } from "../support/api.ts";

const { call, close, deps } = await testApp();
afterAll(close);

const json = { "content-type": "application/json" };
const law = (s: number) => 0.02 + 1e-4 * s + 2e-9 * s * s;
const step = (batch: number, context: number) => 0.008 + 1e-4 * batch + 1e-8 * batch * context;
let configuration: string;

beforeAll(async () => {
	await seedCatalogs(deps.database);
	const { body } = await call(
		"POST",
		"/runs",
		canonical({}, [
			...[512, 1024, 2048, 4096, 8192, 16384, 32768].map((tokens) => ({
				...{ phase: "prefill", tokens, cached: 0, batch: 1 },
				seconds: [law(tokens) * 0.998, law(tokens) * 1.002],
			})),
			...[1, 4, 16].flatMap((batch) =>
				[1024, 8192, 16384].map((context) => ({
					phase: "decode",
					batch,
					context,
					seconds: [step(batch, context)],
				})),
			),
			{ phase: "prefill", tokens: 500000, error: "out of memory" },
		]),
	);
	configuration = body.configurations[0].id;
});

describe("POST /predict", () => {
	const predict = (points: unknown, of = configuration) =>
		call("POST", "/predict", JSON.stringify({ configuration: of, points }), json);

	it("answers the points in their order, in seconds", async () => {
		const { status, body } = await predict([
			{ phase: "prefill", tokens: 10000 },
			{ phase: "decode", batch: 8, context: 4096 },
			{ phase: "prefill", tokens: 65536 },
		]);
		expect(status).toBe(200);
		const [inside, decode, outside] = body.predictions;
		expect(inside.seconds / law(10000)).toBeCloseTo(1, 2);
		expect(decode.seconds / step(8, 4096)).toBeCloseTo(1, 2);
		expect(outside.seconds / law(65536)).toBeCloseTo(1, 1);
		expect(inside).toMatchObject({ evidence: "fitted", outsideBy: 1 });
		expect(outside).toMatchObject({ evidence: "extrapolated", outsideBy: 2 });
		expect(inside).not.toHaveProperty("arithmetic");
	});

	it("answers 10,000 points in one call", async () => {
		const points = Array.from({ length: 10_000 }, (_, i) => ({ phase: "prefill", tokens: i + 1 }));
		const { body } = await predict(points);
		expect(body.predictions).toHaveLength(10_000);
		expect(body.predictions.every((p: { seconds: number }) => p.seconds > 0)).toBe(true);
	});

	it("predicts serving from prefill and decode alone, and needs one load", async () => {
		const load = { phase: "serve", input: 1024, output: 128 };
		const { body } = await predict([{ ...load, concurrency: 4 }]);
		expect(body.predictions[0].tpot.mean).toBeGreaterThan(step(1, 1024));
		expect(body.predictions[0].ttft.mean).toBeGreaterThan(law(1024) * 0.9);
		expect((await predict([load])).status).toBe(400);
		expect((await predict([{ ...load, concurrency: 4, rate: 1 }])).status).toBe(400);
	});

	it.each([
		["broken JSON", "{", 400],
		["no points", { points: [] }, 400],
		["negative tokens", { points: [{ phase: "prefill", tokens: -5 }] }, 400],
		["an unknown phase", { points: [{ phase: "x", tokens: 5 }] }, 400],
		["a typo", { points: [{ phase: "prefill", token: 5 }] }, 400],
	])("refuses %s with %s", async (_, body, status) => {
		const text = typeof body === "string" ? body : JSON.stringify({ configuration, ...body });
		const answer = await call("POST", "/predict", text, json);
		expect(answer.status).toBe(status);
		expect(answer.body.detail).toEqual(expect.any(String));
	});

	it("says what is not measured", async () => {
		const body = canonical({ engineVersion: "prefill only" }, [
			{ phase: "prefill", tokens: 512, cached: 0, batch: 1, seconds: [0.07] },
		]);
		const { id } = (await call("POST", "/runs", body)).body.configurations[0];
		const answer = await predict([{ phase: "decode", batch: 1, context: 1 }], id);
		expect(answer.status).toBe(422);
		expect(answer.body.errors[0].at).toBe("points[0]");
		expect((await predict([{ phase: "decode", batch: 1, context: 1 }], "nope")).status).toBe(404);
	});
});

describe("GET /memory", () => {
	const memory = async (query: Record<string, string>) =>
		(await call("GET", `/memory?${new URLSearchParams(query)}`)).body;

	it("takes a model of the catalog or plain figures and answers the same bytes", async () => {
		// 2 · 80 layers · 8 heads · 128 · 2 bytes
		const named = await memory({ model: "llama-3.1-70b", kv: "bf16", context: "1000" });
		const plain = await memory({ layers: "80", kvHeads: "8", headDim: "128", kv: "bf16", context: "1000" });
		expect(named.kvBytesPerToken.value).toBe(327_680);
		expect(plain.kvBytesPerToken.value).toBe(327_680);
	});

	it("refuses what it does not know and what makes no sense", async () => {
		for (const query of [
			"modell=x",
			"kv=q9",
			"gpus=0",
			"context=-1",
			"utilisation=2",
			"tp=1.5",
			"kv=constructor",
			"batch=",
		]) {
			const { status, body } = await call("GET", `/memory?${query}`);
			expect(status, query).toBe(400);
			expect(body.errors.length, query).toBeGreaterThan(0);
		}
	});
});

describe("GET /plan", () => {
	const plan = async (query: string) => (await call("GET", `/plan?${query}`)).body;

	it("answers for a measured configuration with quantities", async () => {
		const a = await plan(`configuration=${configuration}&context=16000&output=500&concurrency=8&price=2.5`);
		expect(a.scenario).toMatchObject({
			configuration,
			context: 16000,
			output: 500,
			concurrency: 8,
			price: 2.5,
		});
		for (const quantity of [a.ttft, a.tpot, a.memory.maxSequences, a.cost.usdPerMillionOutputTokens])
			expect(quantity).toMatchObject({
				value: expect.any(Number),
				evidence: expect.any(String),
				arithmetic: expect.any(String),
			});
		expect(a.ttft.value).toBeGreaterThan(law(16000) * 0.95);
	});

	it("answers the facts that the page computes from, and the same answer follows from them", async () => {
		const { body: facts } = await call("GET", `/configurations/${configuration}/facts`);
		const { plan: answer, capacity, lengthWarnings } = await import("../../api/src/model/index.ts");
		const { scenarioFromQuery } = await import("../../api/src/scenario.ts");
		const query = `configuration=${configuration}&context=8000&output=100&concurrency=4&price=2`;
		const { scenario } = scenarioFromQuery(new URLSearchParams(query));
		const worked = {
			...answer(scenario, facts),
			capacity: capacity(scenario, facts),
			warnings: lengthWarnings(scenario.context, facts.effectiveLengths ?? []),
		};
		expect(JSON.parse(JSON.stringify(worked))).toEqual(await plan(query));
	});

	it("asks what the model takes where no length is said, and says what it took", async () => {
		const a = await plan("model=llama-2-70b&gpu=h100-sxm-80gb&gpus=8&tp=8");
		// 4,096 positions less an answer of 256.
		expect(a.scenario).toMatchObject({ context: 3840, output: 256, concurrency: 8 });
		expect(a.assumed.map(({ key }: { key: string }) => key)).toEqual(
			expect.arrayContaining(["context", "output", "concurrency"]),
		);
		const b = await plan("model=llama-2-70b&gpu=h100-sxm-80gb&gpus=8&tp=8&context=1000&output=50&rate=1");
		expect(b.assumed.map(({ key }: { key: string }) => key)).not.toContain("context");
	});

	it("asks the same where no length is said in every call that takes the question", async () => {
		const query = "model=llama-2-70b&gpu=h100-sxm-80gb&gpus=8&tp=8&concurrency=2";
		const json = { "content-type": "application/json" };
		const [here, report, kept, advice, bill] = await Promise.all([
			plan(query),
			call("GET", `/reports/cost-latency.json?${query}`),
			call("POST", "/scenarios", JSON.stringify({ name: "short window", query }), json),
			call("GET", `/advice?${query}`),
			call(
				"POST",
				`/reports/reconciliation?${query}`,
				"month,gpu_hours,usd,prompt_tokens,output_tokens\n2026-10,720,3000,1000000000,100000000\n",
				{ "content-type": "text/csv" },
			),
		]);
		expect(here.scenario.context).toBe(3840);
		const asked = report.body.subjects[0].loads.find((load: { asked: boolean }) => load.asked);
		expect(asked.ttft.value).toBe(here.ttft.value);
		expect(kept.body.answer.ttft.value).toBe(here.ttft.value);
		expect(kept.body.query).toContain("context=3840");
		expect([advice, bill].map(({ body }) => body.scenario.context)).toEqual([3840, 3840]);
	});

	it("tries each single change: what it promises is what the plan with it says", async () => {
		const query = "context=16000&output=500&concurrency=20&ttftSlo=60&tpotSlo=1";
		const { status, body } = await call("GET", `/lifts?configuration=${configuration}&${query}`);
		expect(status).toBe(200);
		expect(body.changes.length).toBeGreaterThan(2);
		for (const { change, patch, users, carries } of body.changes) {
			const changed = new URLSearchParams({
				configuration,
				...Object.fromEntries(new URLSearchParams(query)),
			});
			for (const [key, value] of Object.entries(patch)) changed.set(key, String(value));
			const { capacity, verdict } = await plan(changed.toString());
			expect(capacity.users.value, change).toBe(users.value);
			expect(verdict.feasible && verdict.decided, change).toBe(carries);
		}
		const { value } = body.longestContext;
		const longest = new URLSearchParams(query);
		longest.set("context", String(value));
		expect((await plan(`configuration=${configuration}&${longest}`)).verdict.feasible).toBe(true);
	});

	it("solves for one variable: what is taken is carried, and a price gives the cost that was asked for", async () => {
		const query = `configuration=${configuration}&context=4000&output=200&concurrency=4&ttftSlo=60&tpotSlo=1`;
		for (const solveFor of ["users", "context", "gpus"]) {
			const { status, body } = await call("GET", `/solve?for=${solveFor}&${query}`);
			expect(status, solveFor).toBe(200);
			expect(body.answer.value, solveFor).toBeGreaterThan(0);
			expect(body.answer.arithmetic, solveFor).toMatch(/\d/);
			const taken = new URLSearchParams(query);
			for (const [key, value] of Object.entries(body.patch))
				if (value === null) taken.delete(key);
				else taken.set(key, String(value));
			expect((await plan(taken.toString())).verdict.feasible, solveFor).toBe(true);
		}
		const { body } = await call("GET", `/solve?for=price&goal=0.02&per=request&${query}`);
		const { cost } = await plan(`${query}&price=${body.answer.value}`);
		expect(cost.usdPerRequest.value).toBeCloseTo(0.02, 9);
		for (const goal of ["-1", "0", "1e12", "1e-300", "much"]) {
			const { status, body } = await call("GET", `/solve?for=price&goal=${goal}&${query}`);
			expect(status, goal).toBe(400);
			expect(JSON.stringify(body), goal).toMatch(
				/goal: must be .*1e-9|goal: must be .*1000000000|goal: must be .*1,000,000,000/,
			);
		}
		for (const wrong of ["for=price", "for=price&goal=0", "for=colour", "for=users&sprace=1"])
			expect((await call("GET", `/solve?${wrong}&${query}`)).status, wrong).toBe(400);
	});

	it("answers where nothing is measured, and says that it is estimated", async () => {
		const a = await plan(
			"model=llama-3.1-70b&gpu=h100-sxm-80gb&gpus=8&tp=8&context=8000&output=200&concurrency=4",
		);
		expect(a.ttft.value).toBeGreaterThan(0);
		expect(a.ttft.evidence).toBe("estimated");
	});

	it("answers a worked default when nothing is asked", async () => {
		const a = await plan("");
		expect(a.scenario.configuration).toBe(configuration);
		expect(a.ttft.value).toBeGreaterThan(0);
	});

	it("prefers of one's own the newest whose GPU and model the catalog knows, and names none that lacks one", async () => {
		const curve = [512, 2048, 8192].map((tokens) => ({
			...{ phase: "prefill", tokens, cached: 0, batch: 1 },
			seconds: [law(tokens)],
		}));
		const whole = [...curve, { phase: "decode", batch: 1, context: 1024, seconds: [step(1, 1024)] }];
		const unknownGpu = canonical({ gpu: "Nobody's Card 9", engineVersion: "later" }, whole);
		const prefillOnly = canonical({ engineVersion: "later still" }, curve);
		for (const body of [unknownGpu, prefillOnly])
			expect((await call("POST", "/runs", body)).status).toBe(201);
		expect((await plan("")).scenario.configuration).toBe(configuration);
		const { body: facts } = await call("GET", "/facts");
		expect(facts.configuration.id).toBe(configuration);

		const loads = [1, 8].map((concurrency) => ({
			...{ phase: "serve", input: 1024, output: 128, concurrency, tpot: { mean: step(concurrency, 1088) } },
		}));
		const served = await call("POST", "/runs", canonical({ engineVersion: "clients" }, loads));
		expect((await plan("")).scenario.configuration).toBe(served.body.configurations[0].id);
		await call("DELETE", `/runs/${served.body.id}`);
		expect((await plan("")).scenario.configuration).toBe(configuration);
	});

	it("names every wrong key", async () => {
		const { status, body } = await call("GET", "/plan?context=abc&concurrency=-1");
		expect(status).toBe(400);
		expect(body.errors.map((error: { at: string }) => error.at).sort()).toEqual(["concurrency", "context"]);
	});
});

describe("catalogs", () => {
	it("lists seeds by pages and finds one by id", async () => {
		const { body } = await call("GET", "/models?limit=100");
		expect(body.totalCount).toBeGreaterThan(50);
		expect((await call("GET", "/models/llama-3.1-70b")).body).toMatchObject({
			layers: 80,
			kvHeads: 8,
			headDimK: 128,
		});
		expect((await call("GET", "/gpus/h100-sxm-80gb")).body.name).toContain("H100");
		const { body: prices } = await call("GET", "/prices?gpu=h100-sxm-80gb");
		expect(prices.items.length).toBeGreaterThan(0);
		expect(prices.items.every(({ subject }: { subject: string }) => subject === "h100-sxm-80gb")).toBe(true);
	});

	it("takes a model and a GPU in, and names the configurations that waited for them", async () => {
		const body = canonical({ gpu: "Acme Z1", model: "acme-lm-1b" }, [
			{ phase: "prefill", tokens: 512, cached: 0, batch: 1, seconds: [0.07] },
		]);
		const { id, gpuId } = (await call("POST", "/runs", body)).body.configurations[0];
		expect(gpuId).toBeNull();
		const model = { name: "Acme-LM-1B", layers: 16, heads: 16, kvHeads: 4, headDimK: 64 };
		const added = await call("POST", "/models", JSON.stringify(model), json);
		expect(added.status).toBe(201);
		expect(added.body).toMatchObject({ id: "acme-lm-1b", fullLayers: 16, headDimV: 64, paramsTotal: null });
		const gpu = { name: "Acme Z1", totalBytes: 48e9 };
		expect((await call("POST", "/gpus", JSON.stringify(gpu), json)).status).toBe(201);
		expect((await call("GET", `/configurations/${id}`)).body).toMatchObject({
			gpuId: "acme-z1",
			modelId: "acme-lm-1b",
		});
		// 2 · 16 layers · 4 heads · 64 · 2 bytes
		expect((await call("GET", "/memory?model=acme-lm-1b&kv=bf16")).body.kvBytesPerToken.value).toBe(16384);
	});

	it("adds a price once, and needs its GPU", async () => {
		const price = { gpuId: "rtx-4090", usdPerGpuHourLow: 0.5, source: "our contract", readOn: "2026-10-01" };
		const one = await call("POST", "/prices", JSON.stringify(price), json);
		const two = await call("POST", "/prices", JSON.stringify(price), json);
		expect([one.status, two.status, two.body.id]).toEqual([201, 201, one.body.id]);
		expect((await call("POST", "/prices", JSON.stringify({ ...price, gpuId: "nope" }), json)).status).toBe(
			422,
		);
		expect(
			(await call("POST", "/prices", JSON.stringify({ ...price, usdPerGpuHourHigh: 0.1 }), json)).status,
		).toBe(400);
	});
});
