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
			(select count(*) from prices) as prices`;
	expect(count).toEqual({ gpus: 47, models: 94, prices: 32 });
	expect(
		await sql`select id from prices where source = '' or read_on !~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'`,
	).toEqual([]);
	expect(await sql`select gpu_id from prices where gpu_id not in (select id from gpus)`).toEqual([]);
});

test("seeding again touches nothing", async () => {
	await seedCatalogs(database);
	const versions = () =>
		sql`select id, xmin::text from gpus union all select id, xmin::text from models order by 1`;
	const before = await versions();
	await Promise.all([seedCatalogs(database), seedCatalogs(database)]);
	expect(await versions()).toEqual(before);
	const [prices] = await sql`select count(*) as n from prices`;
	expect(prices?.n).toBe(32);
});

test("a changed seed fact is brought up to date, a user's own row and price are left alone", async () => {
	await sql`update gpus set facts = '{"old": true}' where id in ('rtx-4090', 'h100-sxm-80gb')`;
	await sql`update gpus set origin = 'user' where id = 'h100-sxm-80gb'`;
	await sql`insert into prices (gpu_id, usd_per_gpu_hour_low, usd_per_gpu_hour_high, source, read_on, origin)
		values ('rtx-4090', 1, 1, 'our contract', '2026-11-30', 'user')`;
	await seedCatalogs(database);
	expect(
		await sql`select id, facts->>'old' as old from gpus where id in ('rtx-4090', 'h100-sxm-80gb') order by id`,
	).toEqual([
		{ id: "h100-sxm-80gb", old: "true" },
		{ id: "rtx-4090", old: null },
	]);
	expect(await sql`select id from prices where source = 'our contract'`).toHaveLength(1);
});
