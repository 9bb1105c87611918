import type { Queryable } from "./sql.ts";

/**
 * Marks configurations by the runs they have: "own" as soon as one was posted by the user, else "example" or
 * "published" with the words of the newest such run. Without any run they keep their mark.
 */
export async function describeOrigins(sql: Queryable, configurationIds: readonly string[]): Promise<void> {
	await sql`
		update configurations c set origin = o.origin, attribution = o.attribution
		from (
			select distinct on (l.configuration_id) l.configuration_id, r.origin, r.attribution
			from run_configurations l join runs r on r.id = l.run_id and r.deleted_at is null
			where l.configuration_id = any(${[...configurationIds]}::text[])
			order by l.configuration_id, r.origin = 'own' desc, r.origin = 'example' desc, r.created_at desc
		) o
		where c.id = o.configuration_id
			and (c.origin, c.attribution) is distinct from (o.origin, o.attribution)`;
}
