import { jsonText, type Queryable } from "./sql.ts";

/** A fact of the installation; undefined where it was never set. */
export async function readSetting(sql: Queryable, key: string): Promise<unknown> {
	const [row] = await sql`select value from settings where key = ${key}`;
	return row?.value;
}

export async function writeSetting(sql: Queryable, key: string, value: unknown): Promise<void> {
	await sql`
		insert into settings (key, value) values (${key}, ${jsonText(value)}::jsonb)
		on conflict (key) do update set value = excluded.value`;
}
