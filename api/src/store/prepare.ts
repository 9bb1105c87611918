import { type Database, seedCatalogs } from "@plimsoll/db";
import { loadExamplesOnce } from "./examples.ts";
import type { UploadLimits } from "./upload.ts";

/** What a database needs before the first request: the catalogs' facts, and on the very first start the examples. */
export async function prepareData(
	database: Database,
	limits: UploadLimits,
	examples: boolean,
): Promise<void> {
	await seedCatalogs(database);
	if (examples) await loadExamplesOnce(database.sql, limits);
}
