import { seedCatalogs } from "@plimsoll/db";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canonical, testApp } from "../support/api.ts";

const { call, close, deps } = await testApp();
afterAll(close);
beforeAll(() => seedCatalogs(deps.database));

interface Row {
	id: string;
	runId: string;
	phase: string;
	tokens: number;
	batch: number;
	included: boolean;
	suspicions: string[];
	details: { notes?: string[] } | null;
}
const post = async (fields: Record<string, unknown>, rows: Record<string, unknown>[], query = "") => {
	const { status, body } = await call("POST", `/runs${query}`, canonical(fields, rows));
	expect(status).toBe(201);
	return body;
};
const rowsOf = async (runId: string): Promise<Row[]> =>
	(await call("GET", `/runs/${runId}/measurements?limit=100`)).body.items;
const outOf = async (runId: string) => (await rowsOf(runId)).filter(({ included }) => !included);
const configurationOf = async (id: string) => (await call("GET", `/configurations/${id}`)).body;

const law = (tokens: number) => 0.02 + 1e-4 * tokens + 2e-9 * tokens * tokens;
const prefill = (tokens: number, seconds = law(tokens), special = {}) => ({
	...{ phase: "prefill", tokens, cached: 0, batch: 1, seconds: [seconds], ...special },
});
const decode = (context: number, seconds: number, special = {}) => ({
	...{ phase: "decode", batch: 1, context, seconds: [seconds], ...special },
});
const LENGTHS = [512, 1024, 2048, 4096, 8192];

describe("a sweep that came in several files", () => {
	const load = (concurrency: number, ttft: number) => ({
		...{
			phase: "serve",
			input: 4096,
			output: 128,
			concurrency,
			ttft: { p50: ttft, mean: ttft },
			tpot: { mean: 0.02 },
		},
	});

	it("leaves out what a prefix cache answered: TTFT fell while more requests were in flight", async () => {
		const version = { engineVersion: "sweep" };
		const calm = await post(version, [load(1, 0.4)], "?label=one%20client");
		const warm = await post(version, [load(16, 0.05)]);
		expect(await outOf(calm.id)).toEqual([]);
		const [out] = await outOf(warm.id);
		expect(out?.suspicions.join()).toMatch(/lower than that of one client, .*a prefix cache answered/);
		expect((await configurationOf(calm.configurations[0].id)).fits.serve.n).toBe(1);
	});

	it("takes out the earlier one where the calmer one came later, and says so in the history", async () => {
		const version = { engineVersion: "sweep backwards" };
		const warm = await post(version, [load(16, 0.05)]);
		const calm = await post(version, [load(1, 0.4)]);
		const { id } = calm.configurations[0];
		expect(await outOf(calm.id)).toEqual([]);
		expect(await outOf(warm.id)).toHaveLength(1);
		const { items } = (await call("GET", `/configurations/${id}/decisions`)).body;
		expect(items).toMatchObject([
			{ from: "in", to: "out", by: "check on arrival", reason: expect.stringContaining("prefix cache") },
		]);
		expect((await configurationOf(id)).counts).toMatchObject({ measurements: 2, excluded: 1 });
	});

	it("leaves out the first one where it holds few requests: it was cold, and its run says what was left out", async () => {
		const version = { engineVersion: "sweep cold" };
		const cold = await post(version, [{ ...load(1, 2.4), completed: 3 }], "?label=one%20client");
		const [four, sixteen] = [await post(version, [load(4, 0.2)]), await post(version, [load(16, 0.3)])];
		expect([await outOf(four.id), await outOf(sixteen.id)]).toEqual([[], []]);
		const [out] = await outOf(cold.id);
		expect(out?.suspicions.join()).toContain("a cold start");
		const { notes } = (await call("GET", `/runs/${cold.id}`)).body;
		expect(notes.join()).toMatch(/^1 of 1 measurements are kept but left out of the fits .*a cold start/);
	});

	it("counts no row as left out that no fit could read, and names a person only where one decided", async () => {
		const mixed = (tokens: number) => ({
			...{ phase: "mixed", tokens, cached: 0, generated: 128, batch: 1, seconds: [4] },
		});
		const run = await post({ engineVersion: "mixed rows" }, [mixed(512), prefill(512), prefill(1024)]);
		const notes = async () => (await call("GET", `/runs/${run.id}`)).body.notes.join();
		expect(await notes()).not.toContain("left out of the fits");
		const first = (await rowsOf(run.id)).find(({ phase }) => phase === "prefill");
		const path = `/configurations/${run.configurations[0].id}/measurements/${first?.id}`;
		const json = { "content-type": "application/json" };
		expect((await call("PATCH", path, JSON.stringify({ included: false }), json)).status).toBe(200);
		expect(await notes()).toMatch(
			/1 of 3 measurements are kept but left out of the fits .*taken out by hand/,
		);
	});

	it("leaves alone what a person decided", async () => {
		const version = { engineVersion: "sweep decided" };
		await post(version, [load(1, 0.4)]);
		const warm = await post(version, [load(16, 0.05)]);
		const [out] = await outOf(warm.id);
		const path = `/configurations/${warm.configurations[0].id}/measurements/${out?.id}`;
		const taken = JSON.stringify({ included: true, reason: "chunked prefill, I checked" });
		expect((await call("PATCH", path, taken, { "content-type": "application/json" })).status).toBe(200);
		await post(version, [load(2, 0.5)]);
		expect(await outOf(warm.id)).toEqual([]);
	});

	it("sees nothing odd in a TTFT that grows with the load", async () => {
		const version = { engineVersion: "sweep well" };
		for (const [clients, ttft] of [
			[32, 2.1],
			[1, 0.3],
			[8, 0.6],
		] as const)
			expect(await outOf((await post(version, [load(clients, ttft)])).id)).toEqual([]);
	});
});

describe("a wrong unit", () => {
	it("shows against the law that stood before", async () => {
		const version = { engineVersion: "units" };
		await post(
			version,
			LENGTHS.map((tokens) => prefill(tokens)),
		);
		const off = await post(version, [prefill(3000, 1000 * law(3000)), prefill(1500)]);
		const out = await outOf(off.id);
		expect(out.map(({ tokens }) => tokens)).toEqual([3000]);
		expect(out[0]?.suspicions.join()).toContain("milliseconds read as seconds?");
		const { fits, forecasts } = await configurationOf(off.configurations[0].id);
		// The law stays, and the ledger does not count a misreading as a miss.
		expect(fits.prefill.coefficients.a).toBeCloseTo(1e-4, 6);
		expect(forecasts.count).toBe(1);
	});

	it("shows between prompts and steps of one file", async () => {
		const run = await post({ engineVersion: "prompts in milliseconds" }, [
			...LENGTHS.map((tokens) => prefill(tokens, 1000 * law(tokens))),
			decode(8192, 0.01),
		]);
		const out = await outOf(run.id);
		expect(new Set(out.map(({ phase }) => phase))).toEqual(new Set(["prefill", "decode"]));
		expect(out[0]?.suspicions.join()).toMatch(/longer than one that is generated alone/);
	});

	it("of a later file of the other phase leaves the earlier file alone", async () => {
		const version = { engineVersion: "steps in milliseconds" };
		const prompts = await post(
			version,
			LENGTHS.map((tokens) => prefill(tokens)),
		);
		const steps = await post(version, [decode(8192, 0.01), decode(2048, 0.009), decode(1024, 9)]);
		expect(await outOf(prompts.id)).toEqual([]);
		expect((await outOf(steps.id)).map(({ suspicions }) => suspicions.join())).toEqual([
			expect.stringMatching(
				/a step over 1,024 tokens takes 9 s, one over .* more work never takes half the time/,
			),
		]);
	});

	it("shows in times that no machine takes", async () => {
		const run = await post({ gpu: "Acme Z9", engineVersion: "beyond" }, [
			prefill(1_000_000, 1e-4),
			decode(100, 1e-6),
		]);
		expect((await outOf(run.id)).map(({ suspicions }) => suspicions.join())).toEqual([
			expect.stringContaining("beyond belief"),
			expect.stringContaining("beyond belief"),
		]);
	});
});

describe("faster than the card", () => {
	it("holds for clients' times too: a step reads the weights at least once", async () => {
		// 8.03e9 parameters of 2 bytes at the H100's 3.35e12 B/s: 4.8 ms at least.
		const loads = [
			[4, 0.0002],
			[8, 0.02],
		].map(([concurrency, tpot]) => ({
			...{ phase: "serve", input: 1024, output: 128, concurrency, tpot: { mean: tpot } },
		}));
		const run = await post({ engineVersion: "too fast" }, loads);
		const out = await outOf(run.id);
		expect(out.map(({ batch }) => batch)).toEqual([4]);
		expect(out[0]?.suspicions.join()).toMatch(/faster than .*H100/);
	});
});

describe("repetitions", () => {
	it("of a machine that slows down, or of two speeds, are kept out of the fit", async () => {
		const times = (factors: number[]) => factors.map((factor) => factor * law(2048));
		const run = await post({ engineVersion: "repetitions" }, [
			{ ...prefill(2048), seconds: times([1, 1.03, 1.08, 1.12, 1.2]) },
			{ ...prefill(2048), seconds: times([2.5, 2.6, 1.01, 1]) },
			{ ...prefill(2048), seconds: times([1, 1.01, 0.99, 1, 1.01]) },
		]);
		expect((await rowsOf(run.id)).map(({ included }) => included)).toEqual([false, false, true]);
		expect((await outOf(run.id)).map(({ suspicions }) => suspicions.join())).toEqual([
			expect.stringContaining("slowed down"),
			expect.stringContaining("repetitions 1 and 2 of 4 were slow"),
		]);
	});

	it("of which one was slow leave a sound point: its median counts, and the noise floor is that of the others", async () => {
		const seconds = [2.5, 1, 1.01, 1.02].map((factor) => factor * law(2048));
		const run = await post({ engineVersion: "one was slow" }, [{ ...prefill(2048), seconds }]);
		const [row] = await rowsOf(run.id);
		expect(row).toMatchObject({
			included: true,
			suspicions: [],
			secondsMean: expect.closeTo(1.015 * law(2048), 9),
		});
		expect(row?.details?.notes).toEqual([
			expect.stringContaining("repetition 1 of 4 was slow, 2.5 times the others"),
		]);
	});
});

describe("the same rows in another file", () => {
	const at = (startedAt: string, tokens: number, factor = 1) =>
		prefill(tokens, factor * law(tokens), { startedAt });
	const MONDAY = LENGTHS.map((tokens) => at("2026-11-23T10:00:00Z", tokens));
	const TUESDAY = LENGTHS.map((tokens) => at("2026-11-24T10:00:00Z", tokens, 1.04));

	it("count once, also when a job posts its growing result each time", async () => {
		const version = { engineVersion: "growing" };
		const monday = await post(version, MONDAY, "?fileName=monday.json");
		const both = await post(version, [...MONDAY, ...TUESDAY], "?fileName=both.json");
		expect(both).toMatchObject({ accepted: 10, rejectedCount: 0 });
		expect(both.notes.join()).toMatch(/5 of 10 measurements came before/);
		const out = await outOf(both.id);
		expect(out).toHaveLength(5);
		expect(out[0]?.suspicions.join()).toMatch(/the same measurement as in monday.json/);
		const { points, fits, counts } = await configurationOf(monday.configurations[0].id);
		expect(points.map(({ n }: { n: number }) => n)).toEqual([2, 2, 2, 2, 2]);
		expect(counts).toMatchObject({ measurements: 15, excluded: 5 });
		// Two runs that differ by 4 %: s = ln 1.04 / √2 at each point.
		expect(fits.prefill.noise).toMatchObject({ from: "repeated runs" });
		expect(fits.prefill.noise.relative).toBeCloseTo(Math.log(1.04) / Math.SQRT2, 6);
	});

	it("count again when the file they came with first is deleted, and once when it is back", async () => {
		const version = { engineVersion: "growing, then deleted" };
		const monday = await post(version, MONDAY);
		const { id } = monday.configurations[0];
		const both = await post(version, [...MONDAY, ...TUESDAY]);
		const all = await post(version, [...MONDAY, ...TUESDAY, at("2026-11-25T10:00:00Z", 16_384)]);
		const counted = async () => {
			const { points, counts } = await configurationOf(id);
			return [points.map(({ n }: { n: number }) => n), counts.measurements - counts.excluded];
		};
		expect(await counted()).toEqual([[2, 2, 2, 2, 2, 1], 11]);
		await call("DELETE", `/runs/${monday.id}`);
		expect(await counted()).toEqual([[2, 2, 2, 2, 2, 1], 11]);
		expect(await outOf(both.id)).toEqual([]);
		expect(await outOf(all.id)).toHaveLength(10);
		await call("POST", `/runs/${monday.id}/restore`);
		expect(await counted()).toEqual([[2, 2, 2, 2, 2, 1], 11]);
		await call("DELETE", `/runs/${both.id}`);
		await call("DELETE", `/runs/${monday.id}`);
		expect(await counted()).toEqual([[2, 2, 2, 2, 2, 1], 11]);
		expect(await outOf(all.id)).toEqual([]);
	});

	it("are never assumed without a start time: two runs may take equally long", async () => {
		const version = { engineVersion: "no times" };
		const rows = LENGTHS.map((tokens) => prefill(tokens));
		await post(version, rows, "?label=first");
		const second = await post(version, rows, "?label=second");
		expect(await outOf(second.id)).toEqual([]);
		expect((await configurationOf(second.configurations[0].id)).points[0].n).toBe(2);
	});
});
