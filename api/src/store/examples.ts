import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Sql } from "postgres";
import type { Said } from "../ingest/index.ts";
import { setDeleted } from "./runs.ts";
import { readSetting, writeSetting } from "./settings.ts";
import type { Queryable } from "./sql.ts";
import { acceptUpload, type UploadLimits } from "./upload.ts";

/** Setting that says what became of the examples here: "loaded" or "removed". */
const SETTING = "examples";

const FOLDER = resolve(import.meta.dirname, "../../../db/examples");

/** An example file beside the list that describes it. */
interface Example {
	file: string;
	origin: "example" | "published";
	/** "published by …, not measured by you". */
	attribution: string;
	said?: Said;
}

function exampleFiles(): Example[] {
	const list = resolve(FOLDER, "index.json");
	return existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : [];
}

/** Example runs that are in. */
export async function countExamples(sql: Queryable): Promise<number> {
	const [row] = await sql`select count(*) as n from runs where origin <> 'own' and deleted_at is null`;
	return row?.n ?? 0;
}

/** Loads the examples into an installation that has never had them. */
export async function loadExamplesOnce(sql: Sql, limits: UploadLimits): Promise<void> {
	if ((await readSetting(sql, SETTING)) === undefined) await restoreExamples(sql, limits);
}

/** Puts the examples in; those that are there already stay as they are. */
export async function restoreExamples(sql: Sql, limits: UploadLimits): Promise<void> {
	for (const { file, said = {}, origin, attribution } of exampleFiles()) {
		const body = oneChunk(readFileSync(resolve(FOLDER, file)));
		await acceptUpload(sql, { body, said, fileName: file, origin, attribution }, limits);
	}
	await writeSetting(sql, SETTING, "loaded");
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
	yield bytes;
}

/** Takes the examples out; restoring brings them back. */
export async function removeExamples(sql: Sql): Promise<void> {
	await sql.begin(async (tx) => {
		const runs = await tx<{ id: string }[]>`select id from runs where origin <> 'own' and deleted_at is null`;
		await setDeleted(
			tx,
			runs.map(({ id }) => id),
			true,
		);
		await writeSetting(tx, SETTING, "removed");
	});
}
