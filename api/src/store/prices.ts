import { SEEDED_SERIES } from "@plimsoll/db";
import type { Sql } from "postgres";
import {
	byPreference,
	type Currency,
	type GpuPrice,
	type GpuTerms,
	type PriceAge,
	type PriceEntry,
	type PriceTerms,
	priceAge,
	US_DOLLAR,
	usdPerGpuHour,
} from "../model/index.ts";
import { notFound, Problem } from "../problem.ts";
import { type Page, type PageRequest, readPage } from "./page.ts";
import { jsonText, plainText, type Queryable } from "./sql.ts";

/** A version of an entry as a list shows it. */
export interface PriceItem extends PriceEntry {
	/** USD per GPU-hour by its terms; null for a hosted API. */
	usdPerGpuHour: { low: number; high: number } | null;
	/** Ids of the versions before and after it; null: none. */
	supersedes: string | null;
	supersededBy: string | null;
	age: PriceAge;
	enteredBy: string | null;
	createdAt: string;
}

/** One version with all versions of its series, newest first. */
export interface PriceDetail extends PriceItem {
	versions: PriceItem[];
}

/** What a person enters. */
export interface NewPrice {
	subject: string;
	terms: PriceTerms;
	seller: string | null;
	currency: Currency;
	source: string;
	readOn: string;
	enteredBy: string | null;
	/** Version that it takes the place of; null: the newest of the same kind, subject and seller, where there is one. */
	supersedes: string | null;
}

interface PriceRow {
	id: string;
	series: string;
	version: number;
	subject: string;
	seller: string | null;
	terms: PriceTerms;
	currency: string;
	usd_per_unit: number;
	rate_source: string | null;
	rate_read_on: string | null;
	source: string;
	read_on: string;
	origin: PriceEntry["origin"];
	entered_by: string | null;
	created_at: string;
	before: string | null;
	after: string | null;
}

const toEntry = (row: PriceRow): PriceEntry => ({
	id: row.id,
	series: row.series,
	version: row.version,
	subject: row.subject,
	seller: row.seller,
	terms: row.terms,
	currency: {
		code: row.currency,
		usdPerUnit: row.usd_per_unit,
		rateSource: row.rate_source,
		rateReadOn: row.rate_read_on,
	},
	source: row.source,
	readOn: row.read_on,
	origin: row.origin,
});

const today = () => new Date().toISOString().slice(0, 10);

function toItem(row: PriceRow): PriceItem {
	const entry = toEntry(row);
	return {
		...entry,
		usdPerGpuHour: entry.terms.kind === "hosted" ? null : usdPerGpuHour(entry.terms, entry.currency),
		supersedes: row.before,
		supersededBy: row.after,
		age: priceAge(entry.terms.kind, entry.readOn, today()),
		enteredBy: row.entered_by,
		createdAt: row.created_at,
	};
}

/** Every version, with its neighbours. */
const rows = (sql: Queryable) => sql`
	select p.*,
		(select o.id from prices o where o.series = p.series and o.version = p.version - 1) as before,
		(select o.id from prices o where o.series = p.series and o.version = p.version + 1) as after
	from prices p`;

/** Not a price that came with an earlier version and was withdrawn: it is kept for the answers made with it. */
const inForce = (sql: Queryable) => sql`(p.origin = 'user' or p.series = any(${[...SEEDED_SERIES]}::text[]))`;

/** The newest version of every series, of all subjects or of some. */
export async function readPriceBook(
	sql: Queryable,
	subjects: readonly string[] | null = null,
): Promise<PriceEntry[]> {
	const chosen = subjects === null ? sql`true` : sql`subject = any(${[...subjects]}::text[])`;
	const found = await sql<PriceRow[]>`
		select p.* from (
			select distinct on (series) * from prices where ${chosen} order by series, version desc
		) p where ${inForce(sql)}`;
	return found.map(toEntry);
}

/** USD per GPU-hour of the GPUs among some entries, by GPU, the one to use first. */
export function gpuPricesOf(entries: readonly PriceEntry[]): Map<string, GpuPrice[]> {
	const prices = new Map<string, GpuPrice[]>();
	for (const entry of entries) {
		if (entry.terms.kind === "hosted") continue;
		prices.set(entry.subject, [...(prices.get(entry.subject) ?? []), gpuPriceOf(entry, entry.terms)]);
	}
	return new Map([...prices].map(([gpu, book]) => [gpu, byPreference(book)]));
}

function gpuPriceOf({ id, subject, currency, source, readOn }: PriceEntry, terms: GpuTerms): GpuPrice {
	const { low, high } = usdPerGpuHour(terms, currency);
	const { kind } = terms;
	return {
		...{ id, gpuId: subject, kind, usdPerGpuHourLow: low, usdPerGpuHourHigh: high, source, readOn },
		...(currency.code !== US_DOLLAR.code && { currency }),
	};
}

/** Current prices of one GPU, the one to use first. */
export async function readPrices(sql: Queryable, gpuId: string): Promise<GpuPrice[]> {
	return gpuPricesOf(await readPriceBook(sql, [gpuId])).get(gpuId) ?? [];
}

export interface PriceFilter {
	/** Catalog id of a GPU, or the name of a hosted model. */
	subject?: string | undefined;
	kind?: PriceTerms["kind"] | undefined;
	/** Superseded versions too. */
	history?: boolean;
}

/** The price book, newest reading first: what is current, or with its history. */
export function listPrices(
	sql: Queryable,
	{ subject, kind, history = false, ...request }: PageRequest & PriceFilter,
): Promise<Page<PriceItem>> {
	const chosen = sql`
		${subject === undefined ? sql`true` : sql`p.subject = ${subject}`}
		and ${kind === undefined ? sql`true` : sql`p.kind = ${kind}`}
		and ${history ? sql`true` : sql`${inForce(sql)} and not exists (select from prices n where n.series = p.series and n.version > p.version)`}`;
	return readPage(
		request,
		{
			list: `prices ${subject ?? ""} ${kind ?? ""} ${history}`,
			count: async () => (await sql`select count(*) as n from prices p where ${chosen}`)[0]?.n,
			rows: (after, limit) => sql<PriceRow[]>`
				${rows(sql)}
				where ${chosen} and ${after ? sql`(p.read_on, p.id) < (${after[0]}, ${after[1]}::text::uuid)` : sql`true`}
				order by p.read_on desc, p.id desc limit ${limit}`,
			place: (row) => [row.read_on, row.id],
		},
		(found) => found.map(toItem),
	);
}

/** One version, superseded or not, with the history of its entry. @throws Problem 404 */
export async function readPrice(sql: Queryable, id: string): Promise<PriceDetail> {
	const found = await sql<PriceRow[]>`
		${rows(sql)} where p.series = (select series from prices where id::text = ${id}) order by p.version desc`;
	const versions = found.map(toItem);
	const version = versions.find((item) => item.id === id);
	if (!version) throw notFound("Price", id, "GET /prices lists them; POST /prices adds one.");
	return { ...version, versions };
}

/**
 * Adds a version to the price book; what the newest one says already is that one.
 * @throws Problem 422 for a GPU that the catalog does not have, or a version that is not there to be superseded
 */
export async function addPrice(sql: Sql, price: NewPrice): Promise<PriceItem> {
	const { versions: _, ...item } = await readPrice(sql, await sql.begin((tx) => addVersion(tx, price)));
	return item;
}

async function addVersion(sql: Queryable, price: NewPrice): Promise<string> {
	if (price.terms.kind !== "hosted") await requireGpu(sql, price.subject);
	const series = price.supersedes === null ? seriesOf(price) : await seriesToFollow(sql, price);
	const terms = jsonText(price.terms);
	const { code, usdPerUnit, rateSource, rateReadOn } = price.currency;
	// Versions are counted by one writer at a time.
	await sql`select pg_advisory_xact_lock(hashtextextended(${series}, 0))`;
	if (price.supersedes !== null) await requireNewest(sql, price.supersedes);
	const [newest] = await sql<{ id: string; version: number; same: boolean }[]>`
		select id, version, (terms, currency, usd_per_unit, rate_source, rate_read_on, source, read_on)
			is not distinct from (${terms}::jsonb, ${code}::text, ${usdPerUnit}::float8, ${rateSource}::text,
				${rateReadOn}::text, ${plainText(price.source)}::text, ${price.readOn}::text) as same
		from prices where series = ${series} order by version desc limit 1`;
	if (newest?.same) return newest.id;
	const [row] = await sql<{ id: string }[]>`
		insert into prices (series, version, subject, kind, seller, terms, currency, usd_per_unit, rate_source,
			rate_read_on, source, read_on, origin, entered_by)
		values (${series}, ${(newest?.version ?? 0) + 1}, ${price.subject}, ${price.terms.kind}, ${price.seller},
			${terms}::jsonb, ${code}, ${usdPerUnit}, ${rateSource}, ${rateReadOn}, ${plainText(price.source)},
			${price.readOn}, 'user', ${price.enteredBy})
		returning id`;
	return row?.id ?? "";
}

/** One seller's price of one thing for one term is one entry, whatever it costs when. */
function seriesOf({ subject, terms, seller, source }: NewPrice): string {
	const term = terms.kind === "reserved" ? `${terms.termMonths} months` : "";
	const parts = ["user", terms.kind, subject, term, plainText(seller ?? source)];
	return parts.filter(Boolean).join(" | ");
}

const notToFollow = (id: string | null, reason: string) =>
	new Problem(422, "Not to be superseded", `${id} ${reason}.`, [{ at: "supersedes", reason }]);

async function seriesToFollow(sql: Queryable, { supersedes, subject, terms }: NewPrice): Promise<string> {
	const [row] = await sql<{ series: string; subject: string; kind: string }[]>`
		select series, subject, kind from prices where id::text = ${supersedes}`;
	if (!row) throw notToFollow(supersedes, "is not in the price book");
	if (row.subject !== subject || row.kind !== terms.kind)
		throw notToFollow(supersedes, `is a price of another kind or subject: ${row.kind}, ${row.subject}`);
	return row.series;
}

/** Read under the lock of the series: of several that name the same version one follows it. */
async function requireNewest(sql: Queryable, id: string): Promise<void> {
	const [row] = await sql<{ after: string | null }[]>`${rows(sql)} where p.id::text = ${id}`;
	if (row && row.after !== null) throw notToFollow(id, `was superseded before, by ${row.after}`);
}

async function requireGpu(sql: Queryable, id: string): Promise<void> {
	const [gpu] = await sql`select 1 from gpus where id = ${id}`;
	if (gpu) return;
	const reason = "not in the catalog; GET /gpus lists it, POST /gpus adds to it";
	throw new Problem(422, "Unknown GPU", `subject "${id}" is ${reason}.`, [{ at: "subject", reason }]);
}
