import { afterAll, expect, test } from "vitest";
import { freshDatabase } from "../../test/support/database.ts";
import { openDatabase, seedCatalogs } from "./index.ts";

const fresh = await freshDatabase();
const database = await openDatabase({ url: fresh.url, dataDir: "" });
const { sql } = database;
afterAll(() => database.close().finally(fresh.drop));

test("the catalogs hold every GPU and model of the facts, and prices with source and day", async () => {
	await seedCatalogs(database);
	const [count] = await sql`
		select (select count(*) from gpus) as gpus, (select count(*) from models) as models,
			(select count(*) from prices) as prices, (select count(*) from claims) as claims,
			(select count(*) from effective_lengths) as lengths`;
	expect(count).toEqual({ gpus: 56, models: 94, prices: 45, claims: 38, lengths: 37 });
	expect(
		await sql`select id from prices where source = '' or read_on !~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'`,
	).toEqual([]);
	expect(
		await sql`select subject from prices where kind <> 'hosted' and subject not in (select id from gpus)`,
	).toEqual([]);
});

test("seeding again touches nothing", async () => {
	await seedCatalogs(database);
	const versions = () =>
		sql`
		select id, xmin::text from gpus union all select id, xmin::text from models
		union all select id, xmin::text from claims union all select id, xmin::text from effective_lengths order by 1`;
	const before = await versions();
	await Promise.all([seedCatalogs(database), seedCatalogs(database)]);
	expect(await versions()).toEqual(before);
	const [prices] = await sql`select count(*) as n from prices`;
	expect(prices?.n).toBe(45);
});

test("a changed seed fact is brought up to date, a user's own row and price are left alone", async () => {
	await sql`update gpus set facts = '{"old": true}' where id in ('rtx-4090', 'h100-sxm-80gb')`;
	await sql`update gpus set origin = 'user' where id = 'h100-sxm-80gb'`;
	await sql`insert into prices (series, version, subject, kind, terms, source, read_on, origin)
		values ('user | agreed | rtx-4090 | our contract', 1, 'rtx-4090', 'agreed',
			'{"kind": "agreed", "perGpuHour": {"low": 1, "high": 1}}', 'our contract', '2026-11-30', 'user')`;
	await seedCatalogs(database);
	expect(
		await sql`select id, facts->>'old' as old from gpus where id in ('rtx-4090', 'h100-sxm-80gb') order by id`,
	).toEqual([
		{ id: "h100-sxm-80gb", old: "true" },
		{ id: "rtx-4090", old: null },
	]);
	expect(await sql`select id from prices where source = 'our contract'`).toHaveLength(1);
});

test("a changed claim is brought up to date, an own one is left alone, a matched model stays matched", async () => {
	await sql`update claims set facts = '{"old": true}' where id = 'rag-1250'`;
	await sql`insert into claims (id, facts, origin) values ('own-1', '{"statement": "ours"}', 'user')`;
	await sql`update effective_lengths set facts = '{"old": true}', model_id = 'my-gpt' where id = 'nolima-gpt-4o'`;
	await seedCatalogs(database);
	const [row] = await sql`
		select (select facts ->> 'kind' from claims where id = 'rag-1250') as kind,
			(select facts ->> 'statement' from claims where id = 'own-1') as own,
			(select facts ->> 'task' from effective_lengths where id = 'nolima-gpt-4o') as task,
			(select model_id from effective_lengths where id = 'nolima-gpt-4o') as model`;
	expect(row).toEqual({ kind: "folklore", own: "ours", task: "NoLiMa", model: "my-gpt" });
});

test("a price that a newer version knows otherwise is added behind the one that answers were made with", async () => {
	const series = "seed | on-demand | t4";
	const versions = () =>
		sql`select version, source, terms from prices where series = ${series} order by version`;
	const [known] = await versions();
	const older = { kind: "on-demand", perGpuHour: { low: 9, high: 9 } };
	await sql`alter table prices disable trigger prices_are_kept`;
	await sql`update prices set terms = ${JSON.stringify(older)}::text::jsonb, read_on = '2020-01-01' where series = ${series}`;
	await sql`alter table prices enable trigger prices_are_kept`;
	await seedCatalogs(database);
	await seedCatalogs(database);
	expect(await versions()).toEqual([
		{ version: 1, source: known?.source, terms: older },
		{ version: 2, source: known?.source, terms: known?.terms },
	]);
});

test("a price cannot be changed or deleted, not even by hand", async () => {
	await expect(sql`update prices set source = 'nicer'`).rejects.toThrow(/added, never changed/);
	await expect(sql`delete from prices`).rejects.toThrow(/added, never changed/);
});
