import { seedCatalogs } from "@plimsoll/db";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { searchFleet } from "../../api/src/model/index.ts";
import { fleetAsk, fleetQuery } from "../../api/src/routes/fleet-query.ts";
import { checkFleet } from "../../api/src/simulation/fleet.ts";
import { readFleetFacts } from "../../api/src/store/fleet-facts.ts";
import { canonical, testApp } from "../support/api.ts";

const { call, close, deps } = await testApp();
afterAll(close);

const law = (s: number) => 0.02 + 1e-4 * s + 2e-9 * s * s;
const step = (batch: number, context: number) => 0.008 + 1e-4 * batch + 1e-8 * batch * context;
let configuration: string;

beforeAll(async () => {
	await seedCatalogs(deps.database);
	const { body } = await call(
		"POST",
		"/runs",
		canonical({}, [
			...[512, 1024, 2048, 4096, 8192, 16384].map((tokens) => ({
				...{ phase: "prefill", tokens, cached: 0, batch: 1 },
				seconds: [law(tokens)],
			})),
			...[1, 4, 16, 64].flatMap((batch) =>
				[1024, 8192].map((context) => ({ phase: "decode", batch, context, seconds: [step(batch, context)] })),
			),
		]),
	);
	configuration = body.configurations[0].id;
});

const fleet = (query: string) => call("GET", `/fleet?${query}`);
const QUESTION = "context=1200&output=250&rate=20&ttftSlo=1&tpotSlo=0.05";

describe("GET /fleet", () => {
	it("answers options of every card, ranked, the first ones checked by the simulator", async () => {
		const { status, body } = await fleet(`${QUESTION}&check=1&limit=60`);
		expect(status).toBe(200);
		expect(body.candidates).toBeGreaterThan(1000);
		expect(body.options.length).toBeGreaterThan(20);
		expect(new Set(body.options.map(({ basis }: { basis: string }) => basis))).toContain("estimated");
		const [first, second] = body.options;
		// On a busy machine the time for simulations may be over before the first one is.
		expect(first.simulated === null).toBe(body.checked.options === 0);
		expect(body.checked.reason === null).toBe(body.checked.options === 1);
		expect(second.simulated).toBeNull();
		expect(body.frontier.length).toBeGreaterThan(2);
		expect(body.assumed.map(({ key }: { key: string }) => key).sort()).toEqual([
			"ceiling",
			"daily",
			"percentile",
			"spare",
		]);
	});

	it("sizes what was measured as it is, and its option opens a plan with the same money", async () => {
		const { body } = await fleet(`${QUESTION}&measured=true&spare=0&price=2&maxSequences=100000&check=0`);
		expect(body.options).toHaveLength(1);
		const [option] = body.options;
		expect(option).toMatchObject({ configuration: { id: configuration }, basis: "fitted", priceId: null });
		expect(option.cost.usdPerMonth.value).toBeCloseTo(option.gpus.value * 2 * 730, 6);
		const { gpus, rate, context, output, ttftSlo, tpotSlo } = option.scenario;
		const query = new URLSearchParams({ configuration, price: "2" });
		for (const [key, value] of Object.entries({ gpus, rate, context, output, ttftSlo, tpotSlo }))
			query.set(key, String(value));
		const { body: plan } = await call("GET", `/plan?${query}`);
		expect(plan.verdict.feasible).toBe(true);
		expect(plan.cost.usdPerMonth.value).toBe(option.cost.usdPerMonth.value);
		expect(plan.ttft.value).toBeLessThanOrEqual(option.ttft.value);
	});

	it("takes the newest price of the book, and names its version", async () => {
		const price = {
			gpuId: "h100-sxm-80gb",
			usdPerGpuHourLow: 1.5,
			source: "our contract",
			readOn: "2026-10-01",
		};
		const { body: version } = await call("POST", "/prices", JSON.stringify(price), {
			"content-type": "application/json",
		});
		const { body } = await fleet(`${QUESTION}&measured=true&check=0`);
		expect(body.options[0].priceId).toBe(version.id);
		expect(body.options[0].cost.usdPerMonth.value).toBeCloseTo(body.options[0].gpus.value * 1.5 * 730, 6);
	});

	it("sizes for people at work, a trace's lengths, a daily curve, and a named model", async () => {
		const { body: people } = await fleet("users=500&think=60&context=1200&output=250&measured=true&check=1");
		expect(people.demand.peakRequestsPerSecond.value).toBeNull();
		// Simulated, or told why not: a busy machine runs out of the time for it.
		if (people.options[0].simulated === null) expect(people.checked.reason).toContain("time");
		else expect(people.options[0].simulated.simulations).toBeGreaterThan(0);
		const { body: traced } = await fleet("trace=azure-2023-code&rate=5&measured=true&check=1");
		// The means of the trace's 3,500 requests.
		expect(traced.demand.promptTokens.value).toBeCloseTo(2011.8, 1);
		const { body: daily } = await fleet(`${QUESTION}&daily=1,1,4,2&measured=true&check=0`);
		expect(daily.demand.peakRequestsPerSecond.value).toBe(40);
		const { body: other } = await fleet(
			"model=llama-3.1-70b&preset=agent&rate=1&gpu=h200-sxm&gpus=2,4&check=0",
		);
		expect(other.demand.peakRequestsPerSecond.value).toBe(4);
		expect(other.options.every(({ gpu }: { gpu: { id: string } }) => gpu.id === "h200-sxm")).toBe(true);
		expect(other.warning).toMatch(/rests on an estimate/);
	});

	it("says what stops the others, and answers none where none can", async () => {
		const { body } = await fleet("model=llama-3.1-405b&gpu=rtx-4090&gpus=1&weights=bf16&check=0");
		expect(body).toMatchObject({
			options: [],
			frontier: [],
			feasible: 0,
			warning: "No candidate holds the limits.",
		});
		expect(body.refused[0].examples[0].reason).toMatch(
			/does not fit: weights and overhead are .* more than a card gives/,
		);
	});

	it.each([
		["rate=5&users=5", "rate"],
		["contxt=5", "contxt"],
		["context=many", "context"],
		["ttftSlo=-1", "ttftSlo"],
		["kv=q99", "kv"],
		["gpus=0", "gpus"],
		["percentile=97", "percentile"],
		["context=4000&contextP95=100", "prompt.p95"],
		["ceiling=0", "ceiling"],
		["ceiling=0.0001", '"at":"ceiling","reason":"must be from 0.01 to 1"'],
		["rate=1e-300", "rate"],
		["weights=fp88", "'fp88' is no weight format"],
		["weights=fp8,nope", "'nope' is no weight format"],
	])("refuses %s", async (query, named) => {
		const { status, body } = await fleet(query);
		expect(status).toBe(400);
		expect(JSON.stringify(body.errors)).toContain(named);
	});

	it("sizes an option anew by the fewest replicas that the simulator saw hold the limits", async () => {
		const facts = await readFleetFacts(deps.database.sql, "llama-3.1-8b");
		const said = {
			ttftSlo: "0.5",
			tpotSlo: "0.05",
			context: "1200",
			output: "250",
			rate: "20",
			measured: "true",
		};
		const { ask } = fleetAsk(fleetQuery.parse({ ...said, percentile: "99", price: "2" }), null);
		const found = searchFleet(ask, facts);
		const { options, checked, frontier } = await checkFleet(
			found,
			ask,
			1,
			60_000,
			new AbortController().signal,
			async () => [],
		);
		expect(checked).toEqual({ options: 1, asked: 1, reason: null });
		const [option] = options;
		if (!option?.simulated) throw new Error("not simulated");
		const { working, holds, ttft, simulations } = option.simulated;
		expect(holds).toBe(true);
		expect(ttft?.value).toBeLessThanOrEqual(0.5);
		expect(ttft?.arithmetic).toContain("seed");
		expect(simulations).toBeGreaterThan(1);
		// Every place tells the time that the simulator saw: the option, and its point of the frontier.
		expect(option.ttft.value).toBe(ttft?.value);
		expect(option.e2e.value).toBe(option.simulated.e2e?.value);
		expect(option.e2e.arithmetic).toMatch(/^simulated: .* In closed form: /);
		const points = frontier.filter((point) => point.option.id === option.id);
		expect(points.map(({ simulated }) => simulated)).toContain(true);
		for (const { simulated, latency, option: at, usdPerMonth } of points)
			if (simulated)
				expect([latency.value, at.working, usdPerMonth.value]).toEqual([
					option.e2e.value,
					working,
					option.cost.usdPerMonth.value,
				]);
			else expect(at.working).toBeGreaterThan(working);
		const latencies = frontier.map(({ latency }) => latency.value ?? 0);
		expect(latencies).toEqual([...latencies].sort((a, b) => b - a));
		// The option is told with as many replicas, one spare, and their money.
		expect([option.working, option.replicas.value]).toEqual([working, working + 1]);
		expect(option.cost.usdPerMonth.value).toBeCloseTo((working + 1) * 2 * 730, 6);
	});

	it("leaves the closed form as it is where the time for simulations is over, and says so", async () => {
		const facts = await readFleetFacts(deps.database.sql, "llama-3.1-8b");
		const { ask } = fleetAsk(fleetQuery.parse({ context: "1200", output: "250", measured: "true" }), null);
		const found = searchFleet(ask, facts);
		const answer = await checkFleet(found, ask, 3, 0, new AbortController().signal, async () => []);
		expect(answer.checked).toEqual({ options: 0, asked: 1, reason: "the time for simulations was over" });
		expect(answer.options).toEqual(found.answer.options.map((option) => ({ ...option, simulated: null })));
	});

	it("describes its lists in the plural, and its bounds", async () => {
		const { paths } = (await call("GET", "/openapi.json")).body;
		const told: { name: string; description?: string; schema: { description?: string } }[] =
			paths["/fleet"].get.parameters;
		const lists = told
			.map(({ description, schema }) => description ?? schema.description ?? "")
			.filter((text) => text.startsWith("List of"));
		expect(lists).toHaveLength(7);
		expect(lists).toContain("List of relative loads of the hours of a day, apart by commas");
		expect(lists).toContain("List of numbers of sequences that a replica is started for, apart by commas");
		expect(told.find(({ name }) => name === "ceiling")?.schema).toMatchObject({ minimum: 0.01, maximum: 1 });
	});

	it("answers 404 for a model or a trace that is not there", async () => {
		expect((await fleet("model=nope")).status).toBe(404);
		expect((await fleet("trace=nope")).status).toBe(404);
	});

	it("takes cards by their ids and as people write them", async () => {
		const said = await fleet("gpu=H100%20SXM,RTX%204090,L40S&check=0&model=llama-3.1-8b");
		expect(said.status).toBe(200);
		const names = new Set(said.body.options.map(({ gpu }: { gpu: { id: string } }) => gpu.id));
		for (const name of names) expect(["h100-sxm-80gb", "rtx-4090", "l40s"]).toContain(name);
		expect((await fleet("gpu=H1000")).status).toBe(404);
	});

	it("answers 404 for a card that is misspelt, by its id as a plan does", async () => {
		const { status, body } = await fleet("gpu=l40s,h100-sxm-80gbb");
		expect(status).toBe(404);
		const plan = await call("GET", "/plan?model=llama-3.1-8b&gpu=h100-sxm-80gbb");
		expect(body).toEqual(plan.body);
		expect(body.detail).toContain("h100-sxm-80gbb");
	});

	it("says that nothing was tried where nothing is measured, not that the limits are too tight", async () => {
		const { body } = await fleet("model=llama-3.1-405b&measured=true&check=0");
		expect(body).toMatchObject({ candidates: 0, warning: expect.stringMatching(/^Nothing was tried/) });
	});

	it("answers numbers at the lowest ceiling", async () => {
		const { status, body } = await fleet(`${QUESTION}&ceiling=0.01&measured=true&check=0&price=2`);
		expect(status).toBe(200);
		expect(JSON.stringify(body)).not.toMatch(/Infinity|NaN/);
		for (const { replicas, cost } of body.options) {
			expect(replicas.value).toBeGreaterThan(1);
			expect(cost.usdPerMonth.value).toBeGreaterThan(0);
		}
	});
});

describe("GET /fleet/economics", () => {
	const economics = (query: string) => {
		const asked = new URLSearchParams(`${QUESTION}&measured=true`);
		for (const [key, value] of new URLSearchParams(query)) asked.set(key, value);
		return call("GET", `/fleet/economics?${asked}`);
	};
	const enter = async (price: object) =>
		(await call("POST", "/prices", JSON.stringify(price), { "content-type": "application/json" })).body;
	const owned = {
		...{ kind: "owned", capexPerGpu: 25_000, lifetimeMonths: 48, residualShare: 0.1, watts: 1000, pue: 1.3 },
		...{ perKwh: 0.1, staffPerGpuMonth: 73, hostingPerGpuMonth: 146 },
	};
	const hosted = {
		...{
			kind: "hosted",
			inputPerMillion: 3,
			outputPerMillion: 15,
			minimumPrefixTokens: 1000,
			lifetimeSeconds: 300,
		},
		cache: { scheme: "paid write", write: 1.25, read: 0.1 },
	};

	it("takes of the lists that came with it one of the same model alone, and says where there is none", async () => {
		const ask = (model: string) =>
			call("GET", `/fleet/economics?model=${model}&gpu=h100-sxm-80gb&rate=1&context=1000&output=100`);
		const reasonOf = ({ body }: Awaited<ReturnType<typeof ask>>) =>
			body.assumed.find(({ key }: { key: string }) => key === "hosted")?.reason;
		const same = await ask("llama-3.3-70b");
		// 1,000 × $0.60 / 10⁶ + 100 × $1.20 / 10⁶
		expect(same.body.economics.hostedUsdPerRequest).toMatchObject({ evidence: "vendor" });
		expect(same.body.economics.hostedUsdPerRequest.value).toBeCloseTo(0.00072, 12);
		expect(reasonOf(same)).toContain("a hosted price list of the same model: llama-3.3-70b");
		const other = await ask("llama-3.1-8b");
		expect(other.body.priceIds).toMatchObject({ hosted: null, own: expect.any(String) });
		expect(reasonOf(other)).toContain("none of this model is in the price book");
	});

	it("compares renting with buying and a hosted list, names the versions, and looks 36 months ahead", async () => {
		const rack = await enter({
			subject: "h100-sxm-80gb",
			terms: owned,
			source: "quote",
			readOn: "2026-10-01",
		});
		const list = await enter({
			subject: "a-hosted-model",
			terms: hosted,
			source: "list",
			readOn: "2026-10-01",
		});
		const refused = await Promise.all(["hit=0.5", "prefix=1000&hit=0.5&cached=0.2"].map(economics));
		expect(refused.map((answer) => [answer.status, answer.body.errors?.[0]?.at])).toEqual([
			[400, "prefix"],
			[400, "cached"],
		]);
		const { status, body } = await economics(`hosted=${list.id}&prefix=1000&hit=0.5`);
		expect(status).toBe(200);
		expect(body.priceIds).toMatchObject({ own: rack.id, hosted: list.id });
		// (200 + 1,000 × (0.5 × 1.25 + 0.5 × 0.1)) × 3/10⁶ + 250 × 15/10⁶ = 875 × 3/10⁶ + 0.00375
		expect(body.economics.hostedUsdPerRequest.value).toBeCloseTo(0.006375, 12);
		expect(body.economics.outlay.middle).toHaveLength(36);
		// 20 requests/s × 730 h × 3,600 × $0.006375
		expect(body.economics.outlay.middle[0].api).toBeCloseTo(52_560_000 * 0.006375, 3);
		expect(body.economics.rentAgainstApi.first.value).toBeGreaterThan(0);
		expect(body.economics.sensitivity.bars.length).toBe(5);
		expect(body.economics.prefixCache.gpus.value).toBeGreaterThan(0);
	});

	it("takes growth as a share or in per cent, and doubles every month at most", async () => {
		const [share, percent, most] = await Promise.all(
			["0.05", "5%25", "1"].map((growth) => economics(`growth=${growth}&months=120`)),
		);
		expect([share, percent, most].map((answer) => answer?.status)).toEqual([200, 200, 200]);
		expect(percent?.body).toEqual(share?.body);
		const month = most?.body.economics.outlay.middle[119];
		expect(month.requests / (52_560_000 * 2 ** 119)).toBeCloseTo(1, 9);
		expect(month.own).toBeGreaterThan(0);
		const refused = async (growth: string) => {
			const { status, body } = await economics(`growth=${growth}`);
			return [status, body.errors[0].at, body.errors[0].reason];
		};
		expect(await refused("5")).toEqual([
			400,
			"growth",
			"must be at most 1, which is 100 % a month: 5 would be 500 % a month; for 5 % a month write 0.05 or 5%",
		]);
		expect(await refused("120%25")).toEqual([
			400,
			"growth",
			expect.stringMatching(/1.2 would be 120 % a month$/),
		]);
		expect(await refused("much")).toEqual([400, "growth", expect.stringContaining("0.05 and 5%")]);
	});

	it("compares with the list entered here that was read last where none is named, says so, and with none where that is asked", async () => {
		const { body: all } = await call("GET", "/prices?kind=hosted&limit=100");
		const last = all.items.find(({ origin }: { origin: string }) => origin === "user");
		const [left, named, none] = await Promise.all(["", `hosted=${last.id}`, "hosted=none"].map(economics));
		expect(left?.body.priceIds.hosted).toBe(last.id);
		expect(left?.body.economics).toEqual(named?.body.economics);
		const keys = (answer: typeof left) => answer?.body.assumed.map(({ key }: { key: string }) => key);
		expect(keys(left)).toEqual(expect.arrayContaining(["own", "hosted"]));
		expect(keys(named)).not.toContain("hosted");
		expect(none?.body.priceIds.hosted).toBeNull();
		expect(none?.body.economics).toMatchObject({
			rentAgainstApi: null,
			hostedUsdPerRequest: { value: null },
		});
	});

	it("serves hits from the fleet's own prefix cache too, in closed form", async () => {
		const [bare, hits] = await Promise.all(
			["", "prefix=1000&hit=0.8"].map((more) => economics(`rate=200&${more}`)),
		);
		expect(hits?.body.option.scenario.cached).toBeCloseTo((0.8 * 1000) / 1200, 9);
		const saved = bare?.body.option.gpus.value - hits?.body.option.gpus.value;
		expect(saved).toBeGreaterThan(0);
		expect(hits?.body.economics.prefixCache.gpus.value).toBe(saved);
		const { body } = await fleet(`${QUESTION}&measured=true&prefix=1000&hit=0.8&check=1`);
		expect(body.checked).toMatchObject({ options: 0, reason: expect.stringContaining("closed form") });
	});

	it("refuses a price of another kind and an option that is not there", async () => {
		const { body } = await call("GET", "/prices?subject=h100-sxm-80gb&kind=on-demand");
		expect((await economics(`hosted=${body.items[0].id}`)).body.errors[0]).toMatchObject({ at: "hosted" });
		expect((await economics("option=nope")).status).toBe(404);
		expect((await economics("hosted=nope")).status).toBe(404);
	});
});
