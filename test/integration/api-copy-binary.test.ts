import { openDatabase } from "@plimsoll/db";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { CopyRows } from "../../api/src/store/copy-binary.ts";
import { freshDatabase } from "../support/database.ts";

const fresh = await freshDatabase();
const database = await openDatabase({ url: fresh.url, dataDir: "" });
const { sql } = database;
await sql`create table cells (n int, text text, number float8, whole int, numbers float8[], texts text[],
	truth boolean, json jsonb, id uuid)`;
afterAll(async () => {
	await database.close();
	await fresh.drop();
});

/** What PostgreSQL can hold: no NUL, no half surrogate pair. */
const held = (text: string) => Buffer.from(text.replaceAll("\0", "")).toString();

const text = fc.oneof(
	fc.string({ unit: "binary" }),
	fc.string(),
	fc.string({ unit: "grapheme", maxLength: 300 }),
	fc.constantFrom("\\N", "\\.", "\t", "\r\n", "{}", "NULL", '"', "", "512+0×1", "日本"),
);
const number = fc.double({ noNaN: true, noDefaultInfinity: true });
const cells = fc.record({
	text: fc.option(text),
	number: fc.option(fc.double()),
	whole: fc.option(fc.oneof(fc.integer(), fc.double(), fc.maxSafeInteger())),
	numbers: fc.array(number),
	texts: fc.array(text),
	truth: fc.boolean(),
	json: fc.option(fc.record({ a: text, b: fc.integer(), c: fc.array(text) })),
	id: fc.uuid(),
});

async function store(bytes: Uint8Array[]): Promise<void> {
	await sql`truncate cells`;
	const copy = await sql`copy cells from stdin (format binary)`.writable();
	for (const chunk of bytes) copy.write(chunk);
	copy.end();
	await new Promise((resolve, reject) => copy.once("finish", resolve).once("error", reject));
}

it("every cell is read by PostgreSQL as the value it was written from", async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(cells, { maxLength: 8 }),
			fc.integer({ min: 32, max: 2000 }),
			fc.boolean(),
			async (all, capacity, often) => {
				const rows = new CopyRows(capacity);
				const chunks: Uint8Array[] = [];
				rows.begin();
				for (const [n, { text, number, whole, numbers, texts, truth, json, id }] of all.entries()) {
					rows.row(9);
					rows.integer(n);
					rows.text(text);
					rows.float(number);
					rows.integer(whole);
					rows.floats(numbers);
					rows.texts(texts);
					rows.boolean(truth);
					rows.json(json);
					rows.uuid(id);
					if (often) chunks.push(rows.take());
				}
				rows.end();
				chunks.push(rows.take());
				await store(chunks);
				const stored = await sql`select * from cells order by n`;
				expect(stored).toHaveLength(all.length);
				for (const [n, row] of all.entries()) {
					const { text, number, whole, numbers, texts, truth, json, id } = row;
					expect(stored[n]).toEqual({
						n,
						text: text === null ? null : held(text),
						number: number !== null && Number.isFinite(number) ? number : null,
						// Only what a 32-bit integer holds.
						whole:
							Number.isInteger(whole) && Number(whole) >= -(2 ** 31) && Number(whole) < 2 ** 31
								? Number(whole) + 0
								: null,
						numbers: numbers.length === 0 ? null : numbers,
						texts: texts.length === 0 ? null : texts.map(held),
						truth,
						json: json && { a: held(json.a), b: json.b, c: json.c.map(held) },
						id,
					});
				}
			},
		),
		{ numRuns: 150 },
	);
});

it("a null and a cell of the same row are written apart from what stood in the buffer", async () => {
	const rows = new CopyRows(16);
	rows.begin();
	rows.row(9);
	rows.integer(1);
	for (let cell = 0; cell < 7; cell++) rows.null();
	rows.uuid("00112233-4455-6677-8899-aabbccddeeff");
	rows.end();
	await store([rows.take()]);
	const [row] = await sql`select * from cells`;
	expect(row).toMatchObject({ n: 1, text: null, json: null, id: "00112233-4455-6677-8899-aabbccddeeff" });
});
