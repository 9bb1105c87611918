import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { is } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import { afterEach, expect, test } from "vitest";
import { emptyDatabase, type TestDatabase } from "../../test/support/database.ts";
import journal from "../migrations/meta/_journal.json" with { type: "json" };
import { connect } from "./connection.ts";
import { openDatabase, schema } from "./index.ts";
import { migrate } from "./migrate.ts";

const databases: TestDatabase[] = [];
afterEach(async () => {
	for (const database of databases.splice(0)) await database.drop();
});

async function empty(): Promise<string> {
	const database = await emptyDatabase();
	databases.push(database);
	return database.url;
}

async function query<T extends object>(url: string, text: string): Promise<T[]> {
	const sql = connect(url, { connections: 1 });
	try {
		return await sql.unsafe<T[]>(text);
	} finally {
		await sql.end();
	}
}

test("two processes that start at once on an empty database migrate it once", async () => {
	const url = await empty();
	const opened = await Promise.all([1, 2, 3].map(() => openDatabase({ url, dataDir: "" })));
	await Promise.all(opened.map((database) => database.close()));
	const applied = await query(url, "select hash from drizzle.__drizzle_migrations");
	expect(applied).toHaveLength(journal.entries.length);
	const tables = await query(url, "select from information_schema.tables where table_schema = 'public'");
	expect(tables).toHaveLength(Object.values(schema).filter((table) => is(table, PgTable)).length);
});

test("a second start leaves the rows", async () => {
	const url = await empty();
	await migrate(url);
	await query(url, `insert into settings values ('kept', '{"yes": true}')`);
	await migrate(url);
	expect(await query(url, "select value from settings")).toEqual([{ value: { yes: true } }]);
});

test("a database of a newer version is refused in words", async () => {
	const url = await empty();
	await migrate(url);
	const future = Date.UTC(2099, 0, 2);
	await query(url, `insert into drizzle.__drizzle_migrations (hash, created_at) values ('new', ${future})`);
	await expect(migrate(url)).rejects.toThrow(/newer Plimsoll \(2099-01-02\)/);
});

test("a user who may not create tables is told what to grant", async ({ skip }) => {
	const url = await empty();
	const [mine] = await query<{ creates: boolean }>(
		url,
		"select rolsuper or rolcreaterole as creates from pg_roles where rolname = current_user",
	);
	skip(!mine?.creates, "skipped: the role of TEST_DATABASE_URL may not create roles");
	const role = `plain_${new URL(url).pathname.slice(-8)}`;
	await query(url, `create role ${role} login password 'pw'`);
	const asRole = new URL(url);
	asRole.username = role;
	asRole.password = "pw";
	try {
		await expect(migrate(asRole.href)).rejects.toThrow(/GRANT CREATE ON DATABASE/);
	} finally {
		await query(url, `drop role ${role}`);
	}
});

test("decisions that stood among the details of a measurement become rows of the history", async () => {
	const url = await empty();
	const file = (tag: string) => readFileSync(new URL(`../migrations/${tag}.sql`, import.meta.url), "utf8");
	const tags = journal.entries.map(({ tag }) => tag);
	const moved = tags.indexOf("0004_keep_history_of_decisions");
	for (const tag of tags.slice(0, moved)) await query(url, file(tag));
	const run = "00000000-0000-4000-8000-000000000001";
	const said = (included: boolean, reason: string | null, by: string | null, day: string) =>
		JSON.stringify({ included, reason, by, at: `2026-11-${day}T10:00:00.000Z` });
	await query(
		url,
		`insert into run_configurations values ('c', '${run}', 3, 0, 1);
		insert into measurements (configuration_id, run_id, at, phase, status, point, details) values
			('c', '${run}', 'row 1', 'prefill', 'ok', 'p', '{"notes": ["kept"], "decisions": [
				${said(false, "throttled", "ci", "01")}, ${said(true, null, null, "02")}]}'),
			('c', '${run}', 'row 2', 'decode', 'ok', 'd', null), ('c', '${run}', 'row 3', 'mixed', 'ok', null, null)`,
	);
	await query(url, file("0004_keep_history_of_decisions"));
	expect(
		await query(
			url,
			"select included, decided_by, reason, created_at::date::text as day from decisions order by id",
		),
	).toEqual([
		{ included: false, decided_by: "ci", reason: "throttled", day: "2026-11-01" },
		{ included: true, decided_by: "this machine", reason: null, day: "2026-11-02" },
	]);
	expect(await query(url, "select details from measurements where at = 'row 1'")).toEqual([
		{ details: { notes: ["kept"] } },
	]);
	expect(await query(url, "select phases from run_configurations")).toEqual([
		{ phases: ["decode", "prefill"] },
	]);
});

test("prices that stood alone become versions of an entry, with the terms they said", async () => {
	const url = await empty();
	const file = (tag: string) => readFileSync(new URL(`../migrations/${tag}.sql`, import.meta.url), "utf8");
	const tags = journal.entries.map(({ tag }) => tag);
	for (const tag of tags.slice(0, tags.indexOf("0007_keep_versions_of_prices"))) await query(url, file(tag));
	const columns = "gpu_id, kind, usd_per_gpu_hour_low, usd_per_gpu_hour_high, source, read_on, origin";
	await query(
		url,
		`insert into prices (${columns}) values
			('t4', 'rental', 0.15, 0.2, 'a list', '2026-09-20', 'seed'),
			('t4', 'entered', 0.5, 0.5, 'our contract', '2026-10-01', 'user'),
			('t4', 'entered', 0.4, 0.4, 'our contract', '2026-02-01', 'user'),
			('t4', 'owned', 0.3, 0.3, 'own rack', '2026-03-01', 'user'),
			('gb200', 'rental', 2.2, 3.3, 'constants (ownership/3-year estimates, not on-demand)', '2026-04-01', 'seed')`,
	);
	const before = await query<{ id: string }>(url, "select id from prices order by id");
	await query(url, file("0007_keep_versions_of_prices"));
	expect(await query(url, "select id from prices order by id")).toEqual(before);
	expect(
		await query(
			url,
			`select series, version, subject, kind, terms, currency, usd_per_unit as rate, read_on as day
			from prices where subject = 't4' order by series, version`,
		),
	).toEqual(
		[
			["seed | on-demand | t4", 1, "on-demand", 0.15, 0.2, "2026-09-20"],
			["user | agreed | t4 | our contract", 1, "agreed", 0.4, 0.4, "2026-02-01"],
			["user | agreed | t4 | our contract", 2, "agreed", 0.5, 0.5, "2026-10-01"],
			["user | agreed | t4 | own rack", 1, "agreed", 0.3, 0.3, "2026-03-01"],
		].map(([series, version, kind, low, high, day]) => ({
			...{ series, version, subject: "t4", kind, terms: { kind, perGpuHour: { low, high } } },
			...{ currency: "USD", rate: 1, day },
		})),
	);
	const upfrontPerGpu = { low: 0, high: 0 };
	expect(await query(url, "select series, terms from prices where subject = 'gb200'")).toEqual([
		{
			series: "seed | reserved | gb200",
			terms: { kind: "reserved", perGpuHour: { low: 2.2, high: 3.3 }, upfrontPerGpu, termMonths: 36 },
		},
	]);
});

test("the migrations bring exactly the tables of schema.ts", () => {
	const here = fileURLToPath(new URL(".", import.meta.url));
	const kit = join(dirname(createRequire(import.meta.url).resolve("drizzle-kit")), "bin.cjs");
	// In a copy, because the tool writes a migration where it finds a difference.
	const cwd = mkdtempSync(join(tmpdir(), "plimsoll-migrations-"));
	try {
		cpSync(join(here, "../migrations"), join(cwd, "migrations"), { recursive: true });
		const given = ["--dialect", "postgresql", "--schema", join(here, "schema.ts"), "--out", "migrations"];
		const said = execFileSync(process.execPath, [kit, "generate", ...given], { cwd, encoding: "utf8" });
		expect(said).toContain("No schema changes");
	} finally {
		rmSync(cwd, { recursive: true });
	}
});
