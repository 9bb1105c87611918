import { type Database, seedCatalogs } from "@plimsoll/db";
import { nameAgain } from "./catalog-changes.ts";
import { loadExamplesOnce } from "./examples.ts";
import { nameApart } from "./naming.ts";
import type { UploadLimits } from "./upload.ts";

/** What a database needs before the first request: the catalogs' facts, and on the very first start the examples. */
export async function prepareData(
	database: Database,
	limits: UploadLimits,
	examples: boolean,
): Promise<void> {
	await seedCatalogs(database);
	// A newer version may know what an older one did not.
	await nameAgain(database.sql);
	await nameApart(database.sql);
	if (examples) await loadExamplesOnce(database.sql, limits);
}
