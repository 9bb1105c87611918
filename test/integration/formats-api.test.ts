import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { seedCatalogs } from "@plimsoll/db";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, testApp } from "../support/api.ts";
import { readOrRefuse } from "../support/item-check.ts";
import { sharedFolder } from "../support/reading.ts";

const folder = sharedFolder("formats", process.env.PLIMSOLL_FORMATS);
const files = folder === null ? [] : [...filesUnder(folder)].sort();

function* filesUnder(path: string): Generator<string> {
	for (const name of readdirSync(path)) {
		const child = join(path, name);
		if (statSync(child).isDirectory()) yield* filesUnder(child);
		else yield child;
	}
}

const { call, close, deps } = await testApp();
const { sql } = deps.database;
afterAll(close);
beforeAll(() => seedCatalogs(deps.database));

/** Rows of each kind that the parser finds in a file; notes and memory figures are no rows. */
async function rowsFound(bytes: Uint8Array) {
	const { counts = {} } = (await readOrRefuse(bytes)) ?? {};
	const { measurement = 0, failure = 0, rejected = 0, aside = 0, memory = 0 } = counts;
	return { rows: measurement + failure + rejected + aside, memory };
}

const stored = async () =>
	(
		await sql`
			select (select count(*) from runs) as runs, (select count(*) from measurements) as measurements,
				(select count(*) from memory_facts) as memory, (select count(*) from run_bytes) as pieces`
	)[0];

async function expectRefusal({ status, headers, body }: Answer, before: unknown): Promise<void> {
	expect(status).toBe(422);
	expect(headers.get("content-type")).toBe("application/problem+json");
	expect(body.detail.length).toBeGreaterThan(20);
	for (const { at, reason } of body.errors ?? []) expect([at, reason].every(Boolean)).toBe(true);
	expect(await stored()).toEqual(before);
}

async function expectAccount(answer: Answer["body"], bytes: Uint8Array): Promise<void> {
	const found = await rowsFound(bytes);
	const { accepted, failed, rejectedCount, asideCount } = answer;
	expect(accepted + failed + rejectedCount + asideCount).toBe(found.rows);
	expect(answer.memory.length).toBe(Math.min(20, found.memory));

	const { body: run } = await call("GET", `/runs/${answer.id}`);
	expect(run).toMatchObject({ accepted, failed, rejected: rejectedCount, aside: asideCount });
	expect([run.rejections, run.asides]).toEqual([answer.rejected, answer.aside]);
	expect(run.rejections.length).toBe(Math.min(1000, rejectedCount));
	expect(run.asides.length).toBe(Math.min(1000, asideCount));
	for (const { at, reason } of [...run.rejections, ...run.asides]) {
		expect(at).not.toBe("");
		expect(reason.length).toBeGreaterThan(5);
	}
	const { body: page } = await call("GET", `/runs/${answer.id}/measurements?limit=100`);
	expect(page.totalCount).toBe(accepted + failed);
	expect(page.returned).toBe(Math.min(100, accepted + failed));
	const ofRun = await sql`
		select count(*) filter (where status <> 'failed') as accepted, count(*) filter (where status = 'failed') as failed,
			count(*) filter (where status = 'failed' and coalesce(reason, '') = '') as silent,
			count(*) filter (where not included and status <> 'failed' and point is not null and suspicions is null) as mute
		from measurements where run_id = ${answer.id}`;
	expect(ofRun[0]).toEqual({ accepted, failed, silent: 0, mute: 0 });
	// Several configurations in a file are several here.
	const [{ n }] = (await sql`
		select count(*) as n from run_configurations where run_id = ${answer.id}`) as unknown as [{ n: number }];
	expect(answer.configurations.length).toBeLessThanOrEqual(n);
	expect(run.configurations.length).toBe(n);

	const raw = await call("GET", `/runs/${answer.id}/raw`);
	expect(Buffer.compare(raw.body, Buffer.from(bytes))).toBe(0);
}

describe.skipIf(folder === null)(
	folder === null ? "every file through the API (skipped: no shared data)" : "every file through the API",
	() => {
		it.each(files.map((path) => [relative(folder ?? "", path), path]))("%s", async (_, path) => {
			const bytes = readFileSync(path);
			const before = await stored();
			const answer = await call("POST", `/runs?fileName=${encodeURIComponent(basename(path))}`, bytes);
			if (answer.status === 422) return expectRefusal(answer, before);
			expect([200, 201]).toContain(answer.status);
			// Two files of the folder may hold the same bytes.
			expect(answer.body.duplicate).toBe(answer.status === 200);
			await expectAccount(answer.body, bytes);
		});

		it("leaves numbers that are finite, above zero and plausible", async () => {
			const wrong = await sql`
				select m.phase, m.at, m.seconds_mean, m.tokens, m.depth, m.generated, m.batch, m.rate, m.suspicions
				from measurements m
				where m.status <> 'failed' and not (
					m.seconds_mean > 0 and m.seconds_mean < 'infinity'
					and (m.phase = 'decode' or (m.tokens > 0 and m.tokens < 1e8))
					and (m.phase = 'serve' or (m.batch > 0 and m.batch < 1e6))
					and coalesce(m.depth, 0) >= 0 and coalesce(m.depth, 0) < 1e8
					and coalesce(m.generated, 1) > 0 and coalesce(m.generated, 1) < 1e7
					and coalesce(m.batch, 1) > 0 and coalesce(m.rate, 1) > 0 and coalesce(m.rate, 1) < 1e6
					and coalesce(m.seconds_std, 0) >= 0 and coalesce(m.seconds_std, 0) < 'infinity'
					and coalesce(m.repetitions, 1) > 0 and not (0 >= any(coalesce(m.seconds, '{}')))
				) limit 5`;
			expect(wrong).toEqual([]);
			const unbelieved = await sql`
				select m.phase, m.at, m.seconds_mean, m.tokens, r.file_name from measurements m join runs r on r.id = m.run_id
				where m.included and (
					m.seconds_mean not between 1e-6 and 86400
					or (m.phase = 'prefill' and m.seconds_mean / (m.tokens * m.batch) not between 1e-7 and 60)
					or (m.phase = 'decode' and m.seconds_mean not between 1e-5 and 600)
				) limit 5`;
			expect(unbelieved).toEqual([]);
		});

		it("leaves configurations that all answer, and none of whose answers holds what is no number", async () => {
			const ids = await sql<{ id: string }[]>`
				select distinct configuration_id as id from run_configurations l join runs r on r.id = l.run_id
				where r.deleted_at is null`;
			expect(ids.length).toBeGreaterThan(100);
			const failures: string[] = [];
			for (const { id } of ids) {
				for (const path of [`/configurations/${id}`, `/plan?configuration=${id}`]) {
					const { status, body } = await call("GET", path);
					if (status !== 200) failures.push(`${path}: ${status} ${JSON.stringify(body)}`);
				}
			}
			expect(failures).toEqual([]);
			const [broken] =
				await sql`select count(*) as n from fits where current and fit::text ~ '(NaN|Infinity)|"loo": ?"'`;
			expect(broken?.n).toBe(0);
		});
	},
);

it("a file that holds several configurations gives several, each with its own rows", async () => {
	const name = "bench-multiconfig.jsonl";
	const bytes = readFileSync(join(import.meta.dirname, "../fixtures/llama-cpp-cpu", name));
	const rows = bytes
		.toString()
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line));
	const settings = new Map<string, number>();
	for (const { flash_attn, n_ubatch, type_k, type_v } of rows) {
		const setting = [flash_attn, n_ubatch, type_k, type_v].join();
		settings.set(setting, (settings.get(setting) ?? 0) + 1);
	}
	expect(settings.size).toBeGreaterThan(1);
	const { body } = await call("POST", `/runs?fileName=${name}&label=several`, bytes);
	expect(body.accepted).toBe(rows.length);
	expect(body.configurations).toHaveLength(settings.size);
	const counts = body.configurations.map(
		({ counts }: { counts: { measurements: number } }) => counts.measurements,
	);
	expect(counts.sort()).toEqual([...settings.values()].sort());
});
