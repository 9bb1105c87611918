import { afterAll, expect, test } from "vitest";
import { freshDatabase } from "../../test/support/database.ts";
import { databaseSuite } from "../../test/support/database-suite.ts";
import { openDatabase } from "./index.ts";

const database = await freshDatabase();
afterAll(database.drop);

databaseSuite("a server given by its address", () => openDatabase({ url: database.url, dataDir: "" }));

/** The address with something else in it. */
function altered(change: (url: URL) => void): string {
	const url = new URL(database.url);
	change(url);
	return url.href;
}

const opening = (url: string) => openDatabase({ url, dataDir: "" });

test("an address where nothing listens is said in words, without the password", async () => {
	const url = altered((address) => {
		address.port = "1";
		address.password = "secret";
	});
	await expect(opening(url)).rejects.toThrow(
		/DATABASE_URL \(postgres.*:1\/.*\) cannot be used: nothing listens/,
	);
	await expect(opening(url)).rejects.not.toThrow(/secret/);
});

test("a database that does not exist is said in words", async () => {
	const url = altered((address) => {
		address.pathname = "/plimsoll_no_such_database";
	});
	await expect(opening(url)).rejects.toThrow(/there is no such database; create it/);
});

test.each(["localhost:5432/plimsoll", "mysql://a:secret@b/c", "postgres://u:p@ss#word@"])(
	"%s is no address of a PostgreSQL",
	async (url) => {
		await expect(opening(url)).rejects.toThrow(/^DATABASE_URL is not an address like/);
	},
);
