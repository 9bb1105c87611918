import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canonical, testApp } from "../support/api.ts";

const { call, close } = await testApp();
afterAll(close);

const law = (tokens: number) => 0.02 + 1e-4 * tokens + 2e-9 * tokens * tokens;
const LENGTHS = [512, 1024, 2048, 4096, 8192];
const prefills = (factor: number) =>
	LENGTHS.map((tokens) => ({
		phase: "prefill",
		tokens,
		cached: 0,
		batch: 1,
		seconds: [factor * law(tokens)],
	}));
async function post(
	fields: Record<string, unknown>,
	rows: unknown[],
	headers = {},
	label = "run",
): Promise<string> {
	const { status, body } = await call("POST", `/runs?label=${label}`, canonical(fields, rows as []), headers);
	expect(status).toBe(201);
	return body.configurations[0].id;
}
/** Two runs, 2 % apart: s = ln(1.02)/√2 = 1.40 % at every length. */
async function measured(fields: Record<string, unknown>, factor: number, headers = {}): Promise<string> {
	await post(fields, prefills(factor / Math.sqrt(1.02)), headers, "first");
	return post(fields, prefills(factor * Math.sqrt(1.02)), headers, "second");
}
const compare = (...ids: string[]) =>
	call("GET", `/compare?${new URLSearchParams(ids.map((id) => ["configuration", id]))}`);
const recorded = (record: unknown) => ({
	"plimsoll-conditions": Buffer.from(JSON.stringify(record)).toString("base64url"),
});
const machine = (driver: string, powerLimitWatts: number) =>
	recorded({
		host: { name: "gpu-7" },
		gpus: { devices: [{ driver }] },
		before: { gpus: [{ powerLimitWatts }] },
	});

describe("GET /compare", () => {
	let slow: string;
	let fast: string;
	let equal: string;
	beforeAll(async () => {
		fast = await measured({ gpu: "Card A", engineVersion: "0.10.0" }, 1, machine("550.54", 700));
		slow = await measured(
			{ gpu: "Card B", engineVersion: "0.10.0", kv: "fp8" },
			1.25,
			machine("550.54", 500),
		);
		equal = await measured({ gpu: "Card C", engineVersion: "0.10.0", weights: null }, 1.01);
	});

	it("holds the others against the first, in %, and says where the noise is larger", async () => {
		const { status, body } = await compare(fast, slow, equal);
		expect(status).toBe(200);
		expect(body.configurations.map(({ id, name }: { id: string; name: string }) => [name, id])).toEqual([
			...[
				["A", fast],
				["B", slow],
				["C", equal],
			],
		]);
		const [prefill] = body.phases;
		expect(prefill.rows.map(({ at }: { at: number }) => at)).toEqual(LENGTHS);
		const [, b, c] = prefill.rows[0].differences;
		expect(b.relative).toBeCloseTo(0.25, 9);
		// Each was measured twice: 1.96 · √(2 · (ln(1.02)/√2)²/2) = 1.96 · ln(1.02)/√2 = 2.74 %.
		expect(b.floor).toBeCloseTo((1.96 * Math.log(1.02)) / Math.SQRT2, 6);
		expect(b).toMatchObject({ verdict: "slower", words: "25 % more time (floor 2.74 %)" });
		expect(c).toMatchObject({ verdict: "not distinguishable", words: "not distinguishable (floor 2.74 %)" });
		expect(prefill.summaries[1].words).toBe("25 % more time (floor 2.74 %), median of 5 prompts");
	});

	it("lists the conditions that differ, and those that one of them does not say", async () => {
		const { body } = await compare(fast, slow);
		const named = new Map(body.conditions.map((row: { name: string }) => [row.name, row]));
		expect(named.get("GPU")).toMatchObject({ values: ["Card A", "Card B"], state: "differs" });
		expect(named.get("Driver")).toMatchObject({ values: ["550.54", "550.54"], state: "equal" });
		expect(named.get("Power limit")).toMatchObject({ values: ["700 W", "500 W"], state: "differs" });
		expect(named.get("KV cache, K")).toMatchObject({ values: ["bf16", "fp8"], state: "differs" });
		expect(named.get("Highest SM clock")).toMatchObject({ values: [null, null], state: "unknown" });
		const { body: other } = await compare(fast, equal);
		const unsaid = other.conditions.filter(({ state }: { state: string }) => state === "unknown");
		expect(unsaid.map(({ name }: { name: string }) => name)).toEqual(
			expect.arrayContaining(["Driver", "Power limit", "Host", "Weights"]),
		);
	});

	it("has one row for the power limit, whether a sender recorded its watts or the file says it in a word", async () => {
		const capped = await measured(
			{ gpu: "Card A", engineVersion: "0.10.0", flags: { powerLimit: "capped" } },
			1,
		);
		const { conditions } = (await compare(fast, capped)).body;
		const rows = conditions.filter(({ name }: { name: string }) => /power/i.test(name));
		expect(rows).toEqual([{ name: "Power limit", values: ["700 W", "capped"], state: "differs" }]);
	});

	it("assumes a floor where no run was repeated, and decides nothing where nothing was", async () => {
		const twice = prefills(1).map((row) => ({
			...row,
			seconds: [row.seconds[0], 1.001 * (row.seconds[0] ?? 0)],
		}));
		const repetitions = await post({ gpu: "Card D" }, twice);
		const single = await post({ gpu: "Card E" }, prefills(1.04));
		const [inside] = (await compare(fast, repetitions)).body.phases;
		expect(inside.rows[0].differences[1]).toMatchObject({
			verdict: "not distinguishable",
			floorAssumed: true,
		});
		expect(inside.rows[0].differences[1].words).toContain("assumed of B: repeat a run to know");
		const [unknown] = (await compare(fast, single)).body.phases;
		expect(unknown.rows[0].differences[1]).toMatchObject({ floor: null, verdict: "not decided" });
		expect(unknown.rows[0].differences[1].words).toMatch(
			/the noise of B is not known: run the same command again/,
		);
	});

	it("compares our own CPU runs: two arms of one command are one configuration, two models are two", async () => {
		const fixture = (name: string) =>
			call("POST", "/runs", readFileSync(join(import.meta.dirname, "../fixtures/llama-cpp-cpu", name)));
		const gqa = (await fixture("bench-prefill-gqa-f16-armA.jsonl")).body.configurations[0].id;
		expect((await fixture("bench-prefill-gqa-f16-armB.jsonl")).body.configurations[0].id).toBe(gqa);
		const mha = (await fixture("bench-prefill-mha-f16-armA.jsonl")).body.configurations[0].id;
		const { body } = await compare(gqa, mha);
		const differing = body.conditions.filter(({ state }: { state: string }) => state === "differs");
		expect(differing.map(({ name }: { name: string }) => name)).toContain("Model");
		expect(body.phases[0].rows).toHaveLength(8);
	});

	it.each([
		["one", () => [fast]],
		["five", () => [fast, slow, equal, "x", "y"]],
		["one twice", () => [fast, fast]],
		["none", () => []],
	])("refuses %s", async (_, ids) => {
		const { status, body } = await compare(...ids());
		expect(status).toBe(400);
		expect(body.errors[0].at).toMatch(/^configuration/);
	});

	it("does not know an id that nobody has", async () => {
		expect((await compare(fast, "nobody")).status).toBe(404);
	});
});

describe("GET /compare/repetitions", () => {
	const plan = (query: string, ...ids: string[]) =>
		call(
			"GET",
			`/compare/repetitions?${new URLSearchParams(ids.map((id) => ["configuration", id]))}${query}`,
		);
	let known: string;
	let single: string;
	beforeAll(async () => {
		known = await measured({ gpu: "Card R" }, 1);
		single = await post({ gpu: "Card S" }, prefills(1));
	});

	it("says how many runs of each arm show an effect above the measured floor", async () => {
		// The floor is ln(1.02)/√2 = 1.400 %; an effect of as much is one standard deviation: 17, of half of it 64.
		const floor = Math.expm1(Math.log(1.02) / Math.SQRT2);
		const { status, body } = await plan(`&effect=${floor}`, known);
		expect(status).toBe(200);
		expect(body.phases.map(({ phase }: { phase: string }) => phase)).toEqual(["prefill"]);
		expect(body.phases[0].perArm).toMatchObject({ value: 17, unit: "runs", evidence: "measured" });
		const half = Math.expm1(Math.log(1.02) / Math.SQRT2 / 2);
		expect((await plan(`&effect=${half}`, known)).body.phases[0].perArm.value).toBe(64);
		const percent = (await plan("&effect=5%25&power=90%25", known)).body;
		expect(percent).toMatchObject({ effect: 0.05, power: 0.9, alpha: 0.05 });
	});

	it("asks for two identical arms first where nothing was repeated", async () => {
		const { body } = await plan("", known, single);
		expect(body.phases[0].noise[1]).toBeNull();
		expect(body.phases[0].perArm.value).toBeNull();
		expect(body.phases[0].perArm.arithmetic).toMatch(
			/between runs of B was not measured.*Two identical arms first/,
		);
	});

	it.each([
		["effect=0", "effect"],
		["effect=-1", "effect"],
		["effect=five", "effect"],
		["effect=5", "effect"],
		["power=1", "power"],
		["alpha=0", "alpha"],
		["misspelt=1", "misspelt"],
	])("refuses %s by name", async (query, at) => {
		const { status, body } = await plan(`&${query}`, known);
		expect([status, body.errors[0].at]).toEqual([400, at]);
	});

	it("does not know an id that nobody has, nor three arms", async () => {
		expect((await plan("", "nobody")).status).toBe(404);
		expect((await plan("", known, single, "x")).status).toBe(400);
	});
});

describe("GET /configurations/{id}/versions", () => {
	it("puts versions of the engine in their order and judges each against the one before", async () => {
		const at = (engineVersion: string, factor: number) => measured({ gpu: "Card V", engineVersion }, factor);
		const newest = await at("0.10.0", 0.9);
		const oldest = await at("0.6.3", 1.2);
		const middle = await at("0.9.2", 1.21);
		// Another cache type is another configuration, and so is another model.
		await measured({ gpu: "Card V", engineVersion: "0.8.0", kv: "fp8" }, 1);
		await measured({ gpu: "Card V", engineVersion: "0.8.0", model: "llama-3.1-70b" }, 1);
		const { status, body } = await call("GET", `/configurations/${middle}/versions`);
		expect(status).toBe(200);
		expect(body.id).toBe(middle);
		expect(
			body.versions.map(({ id, engineVersion }: { id: string; engineVersion: string }) => [
				engineVersion,
				id,
			]),
		).toEqual([
			...[
				["0.6.3", oldest],
				["0.9.2", middle],
				["0.10.0", newest],
			],
		]);
		const changes = body.versions.map(({ changes }: { changes: { summary: { words: string } }[] }) =>
			changes.map(({ summary }) => summary.words),
		);
		// 1.21/1.2 is inside the floor of 2.74 %; 0.9/1.21 = 0.744.
		expect(changes).toEqual([
			[],
			["not distinguishable (floor 2.74 %), median of 5 prompts"],
			["25.6 % less time (floor 2.74 %), median of 5 prompts"],
		]);
		expect(body.versions[2].changes[0].against).toBe("0.9.2");
	});

	it("allows what one of them does not say, and names it", async () => {
		const said = await measured({ gpu: "Card W", engineVersion: "1.0", tp: 1 }, 1);
		await measured({ gpu: "Card W", engineVersion: "1.1", tp: null }, 1.5);
		const { body } = await call("GET", `/configurations/${said}/versions`);
		expect(body.versions.map(({ unknown }: { unknown: string[] }) => unknown)).toEqual([
			[],
			["tensor parallel"],
		]);
	});

	it("knows only itself where GPU or model are not said", async () => {
		const nameless = await measured({ gpu: null, engineVersion: "2.0" }, 1);
		await measured({ gpu: null, engineVersion: "2.1" }, 1);
		const { body } = await call("GET", `/configurations/${nameless}/versions`);
		expect(body.versions).toHaveLength(1);
		expect((await call("GET", "/configurations/nobody/versions")).status).toBe(404);
	});
});
