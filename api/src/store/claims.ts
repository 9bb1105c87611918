import { createHash } from "node:crypto";
import type { Sql } from "postgres";
import {
	byWeight,
	type Claim,
	type ClaimKind,
	type ClaimSubject,
	factEntries,
	type GpuFacts,
	type LedgerEntry,
	type ModelFacts,
} from "../model/index.ts";
import { notFound, Problem } from "../problem.ts";
import { readAllEffectiveLengths } from "./effective-lengths.ts";
import { filteredList } from "./filter.ts";
import { type Page, type PageRequest, readPage } from "./page.ts";
import { readPriceBook } from "./prices.ts";
import { jsonText, type Queryable } from "./sql.ts";

/** What a person enters. */
export type NewClaim = Omit<Claim, "id">;

interface ClaimRow {
	id: string;
	facts: Claim;
	origin: LedgerEntry["origin"];
	entered_by: string | null;
}

const toEntry = ({ id, facts, origin, entered_by }: ClaimRow): LedgerEntry => ({
	...facts,
	...{ id, subject: "claim", href: null, origin, enteredBy: entered_by },
});

/** The whole ledger in its order: what circulates, and the catalogs, prices and presets that answers rest on. */
export async function readLedger(sql: Queryable): Promise<LedgerEntry[]> {
	const [claims, lengths, prices, gpus, models] = await Promise.all([
		sql<ClaimRow[]>`select * from claims`,
		readAllEffectiveLengths(sql),
		readPriceBook(sql),
		sql<{ facts: GpuFacts; origin: LedgerEntry["origin"] }[]>`select facts, origin from gpus`,
		sql<{ facts: ModelFacts; origin: LedgerEntry["origin"] }[]>`select facts, origin from models`,
	]);
	const owned = <F>({ facts, origin }: { facts: F; origin: LedgerEntry["origin"] }) => ({ ...facts, origin });
	const facts = factEntries({ lengths, prices, gpus: gpus.map(owned), models: models.map(owned) });
	return [...claims.map(toEntry), ...facts].sort(byWeight);
}

export interface ClaimFilter {
	/** Words, each of which has to stand in the statement, the conditions, the source or what is said against it. */
	q?: string | undefined;
	kind?: ClaimKind | undefined;
	about?: ClaimSubject | undefined;
}

/** The ledger page by page. It is put together from several catalogs of a few hundred rows, so it is narrowed here. */
export async function listClaims(
	sql: Queryable,
	{ limit, cursor, ...filter }: PageRequest & ClaimFilter,
): Promise<Page<LedgerEntry>> {
	const entries = (await readLedger(sql)).filter((entry) => isWanted(entry, filter));
	const found = entries.map((entry, at) => ({ entry, at }));
	return readPage(
		{ limit, cursor },
		{
			list: filteredList("claims", { ...filter }),
			count: async () => found.length,
			rows: async (after, most) => {
				const last = after ? found.findIndex(({ entry }) => entry.id === after[1]) : -1;
				// What was taken out since stood at its place.
				const from = after && last === -1 ? Number(after[0]) : last + 1;
				return found.slice(from, from + most);
			},
			place: ({ entry, at }) => [String(at), entry.id],
		},
		(rows) => rows.map(({ entry }) => entry),
	);
}

function isWanted(entry: LedgerEntry, { q = "", kind, about }: ClaimFilter): boolean {
	if (kind !== undefined && entry.kind !== kind) return false;
	if (about !== undefined && entry.subject !== about) return false;
	const { id, statement, conditions, source, against, settledBy } = entry;
	const said = [id, statement, conditions, source?.label, settledBy, ...against.map((one) => one.statement)];
	const text = said.join("\n").toLowerCase();
	const words = q.toLowerCase().split(/\s+/).filter(Boolean);
	return words.every((word) => text.includes(word));
}

/** One entry, whatever it is about. @throws Problem 404 */
export async function readClaim(sql: Queryable, id: string): Promise<LedgerEntry> {
	const entry = (await readLedger(sql)).find((one) => one.id === id);
	if (!entry) throw notFound("Claim", id, "GET /claims lists the ledger; POST /claims adds to it.");
	return entry;
}

/** Adds a claim to the ledger; what stands there already is that one. */
export async function addClaim(sql: Sql, claim: NewClaim, enteredBy: string | null): Promise<LedgerEntry> {
	const text = jsonText(claim);
	const id = `own-${createHash("sha256").update(text).digest("hex").slice(0, 12)}`;
	await sql`
		insert into claims (id, facts, origin, entered_by) values (${id}, ${text}::jsonb, 'user', ${enteredBy})
		on conflict do nothing`;
	const [row] = await sql<ClaimRow[]>`select * from claims where id = ${id}`;
	return toEntry(row as ClaimRow);
}

/**
 * Takes an own claim out.
 * @throws Problem 404; 409 for one that comes with the product
 */
export async function removeClaim(sql: Sql, id: string): Promise<void> {
	const [row] = await sql<{ origin: string }[]>`select origin from claims where id = ${id}`;
	if (!row)
		throw notFound("Claim", id, "GET /claims lists the ledger; its facts are taken out where they stand.");
	if (row.origin !== "user")
		throw new Problem(409, "Comes with Plimsoll", `"${id}" was not entered here and cannot be taken out.`);
	await sql`delete from claims where id = ${id}`;
}
