import { Worker } from "node:worker_threads";
import { afterAll, describe, expect, it, vi } from "vitest";
import { benchRow } from "../bench/bench-rows.ts";
import { canonical, testApp } from "../support/api.ts";

const { app, call, close, deps } = await testApp();
const { sql } = deps.database;
afterAll(close);

const rows = (count: number, from = 0) =>
	Array.from({ length: count }, (_, i) => benchRow(from + i)).join("\n");
const runs = async () => (await call("GET", "/runs?limit=1")).body.totalCount;

async function post(body: string) {
	const headers = { accept: "application/x-ndjson, application/problem+json" };
	const response = await app.request("/api/v1/runs", { method: "POST", body, headers });
	const text = await response.text();
	const type = response.headers.get("content-type") ?? "";
	const lines = type.includes("ndjson")
		? text
				.trimEnd()
				.split("\n")
				.map((line) => JSON.parse(line))
		: [JSON.parse(text)];
	return { status: response.status, type, lines, last: lines.at(-1) };
}

describe("an upload whose progress is asked for", () => {
	it("tells the rows read, then the outcome that it would have answered with", async () => {
		const file = rows(20_000);
		const { status, type, lines, last } = await post(file);
		expect([status, type]).toEqual([200, "application/x-ndjson"]);
		const reading = lines.filter(({ stage }) => stage === "reading").map((line) => line.rows);
		expect(reading.length).toBeGreaterThan(0);
		expect(reading).toEqual([...reading].sort((a, b) => a - b));
		expect(lines.at(-2)).toEqual({ stage: "fitting" });
		expect(last).toMatchObject({ stage: "done", run: { accepted: 20_000, duplicate: false } });
		const again = await call("POST", "/runs", file);
		expect(again.status).toBe(200);
		expect({ ...again.body, duplicate: false }).toEqual({
			...last.run,
			configurations: again.body.configurations,
		});
	});

	it("tells a small file in a few lines, a repeated one in one with its status", async () => {
		const file = canonical({ engineVersion: "small" }, [
			{ phase: "prefill", tokens: 512, cached: 0, batch: 1, seconds: [0.1] },
		]);
		expect((await post(file)).last).toMatchObject({ stage: "done", run: { accepted: 1 } });
		const again = await post(file);
		expect(again.status).toBe(200);
		expect(again.lines).toMatchObject([{ stage: "done", run: { duplicate: true } }]);
	});

	it("is refused as ever where nothing can be read", async () => {
		const { status, type, last } = await post("hello, this is no benchmark");
		expect([status, type]).toEqual([422, "application/problem+json"]);
		expect(last.title).toBe("Unreadable file");
	});

	it("names what became clear only on the way, and stores nothing", async () => {
		const before = await runs();
		// Rows that are none: recognised by the first, whose time is missing like that of all others.
		const file = rows(8000).replaceAll(/"(?:avg_ns|avg_ts|samples_ns)":(?:[\d.e+]+|\[[^\]]*\]),?/g, "");
		const { status, last } = await post(file);
		expect(status).toBe(200);
		expect(last).toMatchObject({ stage: "failed", problem: { status: 422, title: "No usable measurement" } });
		expect(await runs()).toBe(before);
	});
});

describe("a file that is read in the thread for large ones", () => {
	it("gives what it gives row by row in small ones", async () => {
		const count = 9000;
		const large = await call("POST", "/runs", rows(count, 50_000));
		expect(large.status).toBe(201);
		const whole =
			await sql`select configuration_id, at, phase, status, point, tokens, depth, generated, batch,
			seconds, seconds_mean, seconds_std, repetitions, details, suspicions, included, started_at
			from measurements where run_id = ${large.body.id} order by id`;
		const parts = [];
		for (let from = 0; from < count; from += 1500) {
			const { status, body } = await call("POST", "/runs?label=part", rows(1500, 50_000 + from));
			expect(status).toBe(201);
			parts.push(body.id);
		}
		const small =
			await sql`select configuration_id, at, phase, status, point, tokens, depth, generated, batch,
			seconds, seconds_mean, seconds_std, repetitions, started_at
			from measurements where run_id = any(${parts}::uuid[]) order by id`;
		expect(whole).toHaveLength(count);
		expect(whole.map(({ details, suspicions, included, at, ...row }) => row)).toEqual(
			small.map(({ at, ...row }) => row),
		);
		expect(whole.map(({ at }) => at)).toEqual(Array.from({ length: count }, (_, i) => `line ${i + 1}`));
	});

	it("is refused in the same words", async () => {
		const { status, body } = await call("POST", "/runs", "no benchmark\n".repeat(300_000));
		expect([status, body.title]).toEqual([422, "Unreadable file"]);
	});

	it("shares it with others that come at the same time", async () => {
		const files = [0, 1, 2, 3, 4].map((n) => rows(5000, 200_000 + 5000 * n));
		const answers = await Promise.all(files.map((file) => call("POST", "/runs", file)));
		expect(answers.map(({ status, body }) => [status, body.accepted])).toEqual(files.map(() => [201, 5000]));
	});

	it("leaves nothing where that thread breaks down, and the next file gets a new one", async () => {
		const before = await runs();
		const told = vi.spyOn(Worker.prototype, "postMessage");
		const broken = call("POST", "/runs", rows(30_000, 400_000));
		await vi.waitFor(() => expect(told).toHaveBeenCalled(), { timeout: 10_000 });
		await (told.mock.contexts[0] as Worker).terminate();
		told.mockRestore();
		expect((await broken).status).toBe(500);
		expect(await runs()).toBe(before);
		const [left] = await sql`select count(*) as rows from measurements m
			where not exists (select 1 from runs r where r.id = m.run_id)`;
		expect(left?.rows).toBe(0);
		expect((await call("POST", "/runs", rows(3000, 400_000))).status).toBe(201);
	});
});
