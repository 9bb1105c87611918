import { openDatabase } from "@plimsoll/db";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import {
	booleanCell,
	jsonCell,
	numberCell,
	numbersCell,
	textCell,
	textsCell,
} from "../../api/src/store/copy-text.ts";
import { freshDatabase } from "../support/database.ts";

const fresh = await freshDatabase();
const database = await openDatabase({ url: fresh.url, dataDir: "" });
afterAll(async () => {
	await database.close();
	await fresh.drop();
});

/** What PostgreSQL can hold: no NUL, no half surrogate pair. */
const held = (text: string) => Buffer.from(text.replaceAll("\0", "")).toString();

it("every cell is read by PostgreSQL as the value it was written from", async () => {
	const { sql } = database;
	await sql`create table cells (text text, number float8, numbers float8[], texts text[], truth boolean, json jsonb)`;
	const text = fc.oneof(
		fc.string({ unit: "binary" }),
		fc.string(),
		fc.constantFrom("\\N", "\\.", "\t", "\r\n", "{}", "NULL", '"'),
	);
	await fc.assert(
		fc.asyncProperty(
			fc.record({
				text: fc.option(text),
				number: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
				numbers: fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }),
				texts: fc.array(text, { minLength: 1 }),
				truth: fc.boolean(),
				json: fc.record({ a: text, b: fc.integer(), c: fc.array(text) }),
			}),
			async ({ text, number, numbers, texts, truth, json }) => {
				const line = [
					textCell(text),
					numberCell(number),
					numbersCell(numbers),
					textsCell(texts),
					booleanCell(truth),
					jsonCell(json),
				];
				await sql`truncate cells`;
				const copy = await sql`copy cells from stdin`.writable();
				copy.end(`${line.join("\t")}\n`);
				await new Promise((resolve, reject) => copy.once("finish", resolve).once("error", reject));
				const [row] = await sql`select * from cells`;
				expect(row?.text).toBe(text === null ? null : held(text));
				expect(row?.number).toBe(number === null ? null : number + 0);
				expect(row?.numbers).toEqual(numbers.map((value) => value + 0));
				expect(row?.texts).toEqual(texts.map(held));
				expect(row?.truth).toBe(truth);
				expect(row?.json).toEqual(
					JSON.parse(JSON.stringify(json), (_, value) => (typeof value === "string" ? held(value) : value)),
				);
			},
		),
		{ numRuns: 200 },
	);
});
