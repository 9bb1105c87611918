import { exampleFiles } from "@plimsoll/db";
import type { Sql } from "postgres";
import { setDeleted } from "./runs.ts";
import { readSetting, writeSetting } from "./settings.ts";
import type { Queryable } from "./sql.ts";
import { acceptUpload, type UploadLimits } from "./upload.ts";

/** Setting that says what became of the examples here: "loaded" or "removed". */
const SETTING = "examples";

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
	for (const { bytes, ...example } of exampleFiles())
		await acceptUpload(sql, { body: oneChunk(bytes), ...example }, limits);
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
