import { type SQL, sql } from "drizzle-orm";
import claimSeeds from "../seed/claims.json" with { type: "json" };
import lengthSeeds from "../seed/effective-lengths.json" with { type: "json" };
import gpuSeeds from "../seed/gpus.json" with { type: "json" };
import modelSeeds from "../seed/models.json" with { type: "json" };
import priceSeeds from "../seed/prices.json" with { type: "json" };
import type { Database } from "./database.ts";
import { claims, effectiveLengths, gpus, models, prices, traces } from "./schema.ts";
import { traceSeeds } from "./traces.ts";

interface Seed {
	aliases: string[];
	facts: { id: string; name: string };
}

const rowOf = ({ aliases, facts }: Seed) => ({ id: facts.id, name: facts.name, aliases, facts });

const REPLACED = { name: sql`excluded.name`, aliases: sql`excluded.aliases`, facts: sql`excluded.facts` };

/** Rows that came from a seed and differ from the new one; a row that a user entered is never among them. */
function outdated({ name, aliases, facts, origin }: typeof gpus | typeof models): SQL {
	return sql`${origin} = 'seed' and (${name}, ${aliases}, ${facts})
		is distinct from (excluded.name, excluded.aliases, excluded.facts)`;
}

interface PriceSeed {
	subject: string;
	kind: string;
	/** Left out: not said. Of a hosted model it tells whose list it is. */
	seller?: string;
	terms: object;
	/** Left out: US dollars. */
	currency?: { code: string; usdPerUnit: number; rateSource: string | null; rateReadOn: string | null };
	source: string;
	readOn: string;
}

const US_DOLLAR = { code: "USD", usdPerUnit: 1, rateSource: null, rateReadOn: null };

const seedSeries = (priceSeeds as PriceSeed[]).map(({ currency = US_DOLLAR, seller = null, ...seed }) => ({
	...{ ...seed, seller, ...currency },
	series: ["seed", seed.kind, seed.subject, seller].filter(Boolean).join(" | "),
}));

/** Series of the prices that come with this version; a price is never deleted, so a database may hold withdrawn ones. */
export const SEEDED_SERIES: readonly string[] = seedSeries.map(({ series }) => series);

/** Seed prices that say something else than the newest version of their series, added as the next one. */
function addedPrices(): SQL {
	return sql`
		insert into ${prices} (series, version, subject, kind, seller, terms, currency, usd_per_unit, rate_source,
			rate_read_on, source, read_on)
		select s.series, coalesce(newest.version, 0) + 1, s.subject, s.kind, s.seller, s.terms, s.code, s."usdPerUnit",
			s."rateSource", s."rateReadOn", s.source, s."readOn"
		from jsonb_to_recordset(${JSON.stringify(seedSeries)}::text::jsonb)
			s (series text, subject text, kind text, seller text, terms jsonb, code text, "usdPerUnit" float8,
				"rateSource" text, "rateReadOn" text, source text, "readOn" text)
		left join lateral (
			select p.* from prices p where p.series = s.series order by p.version desc limit 1
		) newest on true
		where newest.version is null or (newest.read_on <= s."readOn"
			and (newest.terms, newest.currency, newest.usd_per_unit, newest.source, newest.read_on)
				is distinct from (s.terms, s.code, s."usdPerUnit", s.source, s."readOn"))
		on conflict do nothing`;
}

/**
 * Puts the catalogs' seed facts into the database; run again, it changes only seed rows whose facts changed.
 * A changed price becomes a new version: an old answer keeps the price that it was made with. Traces are published once
 * and do not change.
 */
export async function seedCatalogs({ orm }: Database): Promise<void> {
	await orm.transaction(async (tx) => {
		for (const [table, seeds] of [
			[gpus, gpuSeeds],
			[models, modelSeeds],
		] as const) {
			await tx
				.insert(table)
				.values(seeds.map(rowOf))
				.onConflictDoUpdate({ target: table.id, set: REPLACED, setWhere: outdated(table) });
		}
		await tx.execute(addedPrices());
		await tx
			.insert(claims)
			.values(claimSeeds.map((facts) => ({ id: facts.id, facts })))
			.onConflictDoUpdate({
				target: claims.id,
				set: { facts: sql`excluded.facts` },
				setWhere: sql`${claims.origin} = 'seed' and ${claims.facts} is distinct from excluded.facts`,
			});
		await tx
			.insert(effectiveLengths)
			.values(lengthSeeds.map(({ modelId, facts }) => ({ id: facts.id, modelId, facts })))
			.onConflictDoUpdate({
				target: effectiveLengths.id,
				// A model that was added here since, and matched, stays matched.
				set: {
					modelId: sql`coalesce(excluded.model_id, ${effectiveLengths.modelId})`,
					facts: sql`excluded.facts`,
				},
				setWhere: sql`${effectiveLengths.origin} = 'seed'
					and (${effectiveLengths.facts}, ${effectiveLengths.modelId})
						is distinct from (excluded.facts, coalesce(excluded.model_id, ${effectiveLengths.modelId}))`,
			});
		await tx.insert(traces).values(traceSeeds()).onConflictDoNothing();
	});
}
