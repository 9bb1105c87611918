import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { renewSummariesOfRun } from "../../api/src/store/summaries.ts";
import { benchRow } from "../bench/bench-rows.ts";
import { SERVE_SAMPLES } from "../fixtures/serve-samples.ts";
import { canonical, testApp } from "../support/api.ts";

const { call, close, deps } = await testApp();
const { sql } = deps.database;
afterAll(close);

const read = (name: string) =>
	readFileSync(join(import.meta.dirname, "../fixtures/llama-cpp-cpu", name), "utf8");
const serve = (ttft: number, tpot: number | null, extra = {}) => ({
	...{ phase: "serve", input: 1000.4, output: 100, concurrency: 8, ttft: { mean: ttft, p99: 3 * ttft } },
	...(tpot === null ? { e2e: { mean: 3 } } : { tpot: { mean: tpot, p50: tpot } }),
	...extra,
});
const prefill = (seconds: number[]) => ({ phase: "prefill", tokens: 512, cached: 0, batch: 1, seconds });

const FILES: [string, string][] = [
	["a sweep, one row a line", read("formats/short.jsonl")],
	[
		"many rows, read in the thread for large files",
		Array.from({ length: 2000 }, (_, i) => benchRow(i)).join("\n"),
	],
	["a table", read("formats/short.md")],
	["a serve result", SERVE_SAMPLES["vllm-serve json"] ?? ""],
	[
		"loads of one shape with and without some statistics, at a rate too",
		canonical({ engineVersion: "sums" }, [
			...[
				serve(0.2, 0.02),
				serve(0.3, 0.03),
				serve(0.25, null),
				serve(0.2, 0.02, { rate: 2.5, concurrency: null }),
			],
		]),
	],
	[
		"repetitions, single ones and one that is left out",
		canonical({ engineVersion: "repeats" }, [prefill([0.1, 0.12, 0.11]), prefill([0.105]), prefill([1e-9])]),
	],
];

/** Sums of all points, in one order. */
const pointsOf = () => sql`select * from points order by configuration_id collate "C", point collate "C"`;

describe("what is summed while a file is read", () => {
	it.each(FILES)("is what the database sums from the rows: %s", async (_, file) => {
		const { status, body } = await call("POST", "/runs", file);
		expect(status).toBe(201);
		const summed = await pointsOf();
		await renewSummariesOfRun(sql, body.id);
		const renewed = await pointsOf();
		expect(summed.length).toBeGreaterThan(0);
		expect(summed.map(({ configuration_id, point }) => [configuration_id, point])).toEqual(
			renewed.map(({ configuration_id, point }) => [configuration_id, point]),
		);
		for (const [at, row] of renewed.entries()) {
			for (const [name, value] of Object.entries(row)) {
				const seen = summed[at]?.[name];
				if (typeof value === "number") expect(seen, name).toBeCloseTo(value, 9);
				else if (name !== "statistics") expect(seen, name).toEqual(value);
			}
			const statistics = row.statistics ?? {};
			expect(Object.keys(summed[at]?.statistics ?? {}).sort()).toEqual(Object.keys(statistics).sort());
			for (const [key, { n, sumLog }] of Object.entries(
				statistics as Record<string, { n: number; sumLog: number }>,
			)) {
				expect(summed[at]?.statistics[key].n).toBe(n);
				expect(summed[at]?.statistics[key].sumLog).toBeCloseTo(sumLog, 9);
			}
		}
	});

	it("adds up over files, as the rows do", async () => {
		for (const seconds of [0.2, 0.21, 0.22]) {
			const file = canonical({ engineVersion: "over files" }, [
				prefill([seconds]),
				serve(seconds, seconds / 10),
			]);
			expect((await call("POST", "/runs", file)).status).toBe(201);
		}
		const [{ id } = { id: "" }] = await sql`select id from configurations where key like '%over files%'`;
		const [sum] = await sql`select * from points where configuration_id = ${id} and phase = 'prefill'`;
		const [load] = await sql`select * from points where configuration_id = ${id} and phase = 'serve'`;
		// By hand: ln 0.2 + ln 0.21 + ln 0.22.
		expect(sum).toMatchObject({ n: 3, tokens: 512, depth: 0 });
		expect(sum?.sum_log).toBeCloseTo(Math.log(0.2 * 0.21 * 0.22), 12);
		expect(load?.statistics.ttft).toMatchObject({ n: 3 });
		expect(load?.statistics.tpot.sumLog).toBeCloseTo(Math.log(0.02 * 0.021 * 0.022), 12);
	});
});
