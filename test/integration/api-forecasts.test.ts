import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canonical, testApp } from "../support/api.ts";

const { call, close } = await testApp();
afterAll(close);

const law = (tokens: number) => 0.02 + 1e-4 * tokens + 2e-9 * tokens * tokens;
const prefill = (tokens: number, off = 1) => ({
	...{ phase: "prefill", tokens, cached: 0, batch: 1 },
	seconds: [law(tokens) * off],
});
const post = async (gpu: string, measurements: Record<string, unknown>[]) =>
	(await call("POST", "/runs", canonical({ gpu }, measurements))).body;
const ledger = async (query = "") => (await call("GET", `/forecasts${query}`)).body;

let first: string;
let second: string;
let wrongRun: string;

beforeAll(async () => {
	expect((await ledger()).totalCount).toBe(0);
	first = (
		await post(
			"Card A",
			[512, 1024, 2048, 4096, 8192].map((n) => prefill(n)),
		)
	).configurations[0].id;
	// Two that come true, one inside the measured range and one beyond it, and one that is 30 % off.
	await post("Card A", [prefill(3000), prefill(16_384)]);
	wrongRun = (await post("Card A", [prefill(6000, 1.3)])).id;
	second = (
		await post(
			"Card B",
			[512, 1024, 2048].map((n) => prefill(n)),
		)
	).configurations[0].id;
	await post("Card B", [prefill(1500)]);
});

describe("the forecast ledger", () => {
	it("holds a forecast for each point that laws stood for, newest first", async () => {
		const { items, totalCount, truncated } = await ledger();
		expect([totalCount, truncated]).toEqual([4, false]);
		expect(items.map(({ point }: { point: string }) => point)).toEqual([
			"prefill 1500+0×1",
			"prefill 6000+0×1",
			expect.stringMatching(/^prefill (3000|16384)/),
			expect.stringMatching(/^prefill (3000|16384)/),
		]);
		const [, wrong] = items;
		expect(wrong).toMatchObject({ configurationId: first, runId: wrongRun, held: false });
		// Measured over predicted is 1.3 to the precision of an exact law.
		expect(wrong.error).toBeCloseTo(0.3, 2);
		expect(wrong.measuredSeconds / wrong.predictedSeconds).toBeCloseTo(1.3, 2);
	});

	it("adds up to how many held, of all and of the newest forty", async () => {
		const { summary } = await ledger();
		expect(summary.claimed).toBe(0.95);
		expect(summary.all).toMatchObject({ count: 4, intervalHeld: 3 });
		expect(summary.last).toEqual(summary.all);
		expect(summary.all.medianError).toBeLessThan(0.01);
		expect(summary.all.p90Error).toBeGreaterThan(0.1);
		const evidence = Object.fromEntries(
			summary.byEvidence.map((one: { evidence: string; count: number }) => [one.evidence, one.count]),
		);
		expect(evidence).toEqual({ fitted: 3, extrapolated: 1 });
	});

	it("can be asked for one configuration or one origin", async () => {
		const one = await ledger(`?configuration=${second}`);
		expect(one.items).toHaveLength(1);
		expect(one.summary.all).toMatchObject({ count: 1, intervalHeld: 1 });
		expect((await ledger("?origin=own")).totalCount).toBe(4);
		expect((await ledger("?origin=published")).summary.all).toEqual({
			...{ count: 0, medianError: null, p90Error: null, intervalHeld: 0 },
		});
		expect((await call("GET", "/forecasts?origin=nobody")).status).toBe(400);
	});

	it("is read page by page without repeating or losing one", async () => {
		const seen: string[] = [];
		let cursor: string | null = "";
		while (cursor !== null) {
			const page: { items: { id: string }[]; nextCursor: string | null } = await ledger(
				`?limit=3${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
			);
			seen.push(...page.items.map(({ id }) => id));
			cursor = page.nextCursor;
		}
		expect(new Set(seen).size).toBe(4);
		expect(seen).toHaveLength(4);
	});

	it("has a record for each configuration, the last tested first", async () => {
		const { body } = await call("GET", "/forecasts/configurations");
		expect(body.totalCount).toBe(2);
		expect(body.items).toMatchObject([
			{ configurationId: second, count: 1, intervalHeld: 1, origin: "own" },
			{ configurationId: first, count: 3, intervalHeld: 2 },
		]);
	});

	it("leaves out what was deleted, and has it again when it is brought back", async () => {
		await call("DELETE", `/runs/${wrongRun}`);
		expect((await ledger()).summary.all).toMatchObject({ count: 3, intervalHeld: 3 });
		await call("POST", `/runs/${wrongRun}/restore`);
		expect((await ledger()).summary.all).toMatchObject({ count: 4, intervalHeld: 3 });
	});
});
