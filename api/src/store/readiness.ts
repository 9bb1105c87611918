import { setTimeout as sleep } from "node:timers/promises";
import type { Queryable } from "./sql.ts";

/** How long a database may take to answer and still count as ready. */
const PATIENCE_MS = 3000;

/** Whether the database answers and has the tables of this version's newest migration. */
export async function isReady(sql: Queryable): Promise<boolean> {
	const looked = sql`select count(*) as n from run_configurations where false`.then(
		() => true,
		() => false,
	);
	return Promise.race([looked, sleep(PATIENCE_MS, false, { ref: false })]);
}
