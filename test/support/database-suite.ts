import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { afterAll, describe, expect, test } from "vitest";
import { type Database, schema } from "../../db/src/index.ts";

/** A run as it is stored, with only what a test says made special. */
const run = (special: Partial<typeof schema.runs.$inferInsert> = {}): typeof schema.runs.$inferInsert => ({
	id: randomUUID(),
	sha256: "0".repeat(64),
	parameters: "",
	format: "canonical json",
	bytes: 2,
	accepted: 1,
	rejected: 0,
	failed: 0,
	aside: 0,
	...special,
});

/** What the product relies on in every PostgreSQL, whichever server it is. */
export function databaseSuite(name: string, open: () => Promise<Database>): void {
	describe(name, async () => {
		const database = await open();
		const { orm, sql } = database;
		afterAll(() => database.close());

		test("the address names user, host and database and never the password", () => {
			expect(database.address).toMatch(/^postgres(ql)?:\/\/[^:@/]+@[^:@/]+(:\d+)?\/\w+$/);
		});

		test("64-bit integers are numbers where exact, bigints beyond, never text", async () => {
			const [row] =
				await sql`select 42::int8 as small, 9007199254740993::int8 as large, count(*) as n from runs`;
			expect(row).toEqual({ small: 42, large: 9007199254740993n, n: 0 });
		});

		test("instants are read as UTC text", async () => {
			const [row] = await sql`select '2026-11-30T12:00:00+03:00'::timestamptz as at`;
			expect(row?.at).toBe("2026-11-30 09:00:00+00");
		});

		test("identical uploads at the same moment are one run", async () => {
			const twins = Array.from({ length: 8 }, () => run({ sha256: "a".repeat(64), parameters: "gpus=8" }));
			const inserted = await Promise.all(
				twins.map((twin) => orm.insert(schema.runs).values(twin).onConflictDoNothing().returning()),
			);
			expect(inserted.flat()).toHaveLength(1);
			const other = run({ sha256: "a".repeat(64), parameters: "gpus=4" });
			expect(await orm.insert(schema.runs).values(other).onConflictDoNothing().returning()).toHaveLength(1);
		});

		test("parameters and keys longer than an index row are held apart as well", async () => {
			// Random text, because an index row is compressed before its length is counted.
			const long = Array.from({ length: 300 }, () => randomUUID()).join("");
			const insert = () =>
				orm
					.insert(schema.runs)
					.values(run({ parameters: long }))
					.onConflictDoNothing()
					.returning();
			expect(await insert()).toHaveLength(1);
			expect(await insert()).toHaveLength(0);
			await orm.insert(schema.configurations).values({ id: "c1", key: long, label: "long", conditions: {} });
		});

		test("uploaded bytes come back exactly", async () => {
			const gzip = Uint8Array.from({ length: 256 }, (_, byte) => byte);
			const runId = randomUUID();
			await orm.insert(schema.runBytes).values({ runId, piece: 0, gzip });
			const piece = await orm.query.runBytes.findFirst({ where: (row, { eq }) => eq(row.runId, runId) });
			expect(Uint8Array.from(piece?.gzip ?? [])).toEqual(gzip);
		});

		test("COPY brings rows in", async () => {
			const lines = Array.from({ length: 1000 }, (_, i) => `copied${i}\t{"n": ${i}}\n`);
			await pipeline(Readable.from(lines), await sql`copy settings (key, value) from stdin`.writable());
			const [row] = await sql`select count(*) as n from settings where key like 'copied%'`;
			expect(row?.n).toBe(1000);
		});

		test("every connection has its deadlines and its name", async () => {
			const [row] = await sql`
				select current_setting('statement_timeout') as statement,
					current_setting('idle_in_transaction_session_timeout') as idle,
					current_setting('application_name') as name`;
			expect(row).toEqual({ statement: "1min", idle: "1min", name: "plimsoll" });
		});

		test("a statement over its deadline is cancelled and the connection lives on", async () => {
			const slow = sql.begin(async (tx) => {
				await tx`set local statement_timeout = 50`;
				await tx`select pg_sleep(30)`;
			});
			await expect(slow).rejects.toMatchObject({ code: "57014" });
			expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
		});
	});
}
