import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { Problem } from "../problem.ts";
import type { Catalog } from "./catalogs.ts";
import { copyRows, type Progress } from "./copy-rows.ts";
import { checkAgainstOthers } from "./cross-checks.ts";
import { markDuplicates } from "./duplicates.ts";
import type { FileRows } from "./file-rows.ts";
import { lockConfigurations, readFits, refit } from "./fits.ts";
import { recordForecasts } from "./forecasts.ts";
import { addMemoryFacts } from "./memory-facts.ts";
import { nameApart } from "./naming.ts";
import { describeOrigins } from "./origins.ts";
import { isUsable, type Recorded, type RecordedConfiguration, touchedBy } from "./recording.ts";
import { LISTED_ISSUES, setDeleted } from "./runs.ts";
import type { SenderRecord } from "./sender-record.ts";
import { readPieces, type Spool } from "./spool.ts";
import { jsonText, longTransaction, plainText, type Queryable } from "./sql.ts";
import { addSummaries, addSums } from "./summaries.ts";

/** Who sent a file and what was said beside it. */
export interface RunFacts {
	/** Canonical text of the parameters; with the bytes the identity of the run. */
	parameters: string;
	label: string | null;
	fileName: string | null;
	origin: "own" | "example" | "published";
	attribution: string | null;
	sentBy: string | null;
	conditions: SenderRecord | null;
}

export interface RecordedRun {
	id: string;
	duplicate: boolean;
}

/** The run with the same bytes and parameters, deleted ones included. */
export async function findSameRun(sql: Queryable, spool: Spool, facts: RunFacts) {
	const [row] = await sql<{ id: string; deleted: boolean }[]>`
		select id, deleted_at is not null as deleted from runs
		where sha256 = ${spool.sha256} and parameters = ${facts.parameters}`;
	return row ?? null;
}

/**
 * Stores a file with everything it says, or nothing. Of identical files at the same moment the unique index
 * lets one in; the others wait for it and answer as duplicates.
 * @throws Problem 422 where the file holds nothing usable
 */
export async function recordRun(
	sql: Sql,
	spool: Spool,
	file: FileRows,
	facts: RunFacts,
	catalog: Catalog,
	progress: Progress,
): Promise<RecordedRun> {
	const { fresh, ...run } = await longTransaction(sql, async (tx) => {
		const id = await claim(tx, spool, file.format, facts);
		if (id === null) return { id: await answerSame(tx, spool, facts), duplicate: true, fresh: [] };
		const rows = file.rows(id);
		// Meanwhile the first rows are parsed.
		await addPieces(tx, id, spool);
		const recorded = await copyRows(tx, rows, progress);
		if (!isUsable(recorded)) throw nothingUsable(recorded);
		progress({ stage: "fitting" });
		const fresh = await addConfigurations(tx, id, recorded, catalog);
		await markKnown(tx, id, recorded);
		await addIssues(tx, id, recorded);
		await addMemoryFacts(tx, id, recorded.memory);
		await fitRun(tx, id, recorded);
		return { id, duplicate: false, fresh };
	});
	// Only now do other uploads of this moment see these configurations, and these theirs.
	await nameApart(sql, fresh);
	return run;
}

/** Inserts the run's row; null where the same run is there already. */
async function claim(tx: Queryable, spool: Spool, format: string, facts: RunFacts): Promise<string | null> {
	const [row] = await tx<{ id: string }[]>`
		insert into runs (id, sha256, parameters, format, label, file_name, bytes, accepted, rejected, failed,
			aside, origin, attribution, sent_by, conditions)
		values (${randomUUID()}, ${spool.sha256}, ${facts.parameters}, ${format}, ${facts.label},
			${facts.fileName}, ${spool.bytes}, 0, 0, 0, 0, ${facts.origin}, ${facts.attribution}, ${facts.sentBy},
			${facts.conditions && jsonText(facts.conditions)}::jsonb)
		on conflict do nothing returning id`;
	return row?.id ?? null;
}

/** The run that was there before; a deleted one is brought back, as the sender plainly wants it. */
export async function answerSame(tx: Queryable, spool: Spool, facts: RunFacts): Promise<string> {
	const same = await findSameRun(tx, spool, facts);
	if (!same)
		throw new Problem(409, "Conflicting upload", "Another upload of this file was undone; send it again.");
	if (same.deleted) {
		await tx`
			update runs set origin = ${facts.origin}, attribution = ${facts.attribution} where id = ${same.id}`;
		await setDeleted(tx, [same.id], false);
	}
	return same.id;
}

function nothingUsable(recorded: Recorded): Problem {
	const { issues, rejected, aside } = recorded;
	const detail =
		rejected + aside === 0
			? "The file was recognised but holds no measurement. "
			: `The file holds no usable measurement: ${rejected} rejected, ${aside} set aside. `;
	const first = issues[0] ? `First: ${issues[0].at}: ${issues[0].reason}.` : "Nothing was stored.";
	return new Problem(
		422,
		"No usable measurement",
		detail + first,
		issues.slice(0, LISTED_ISSUES).map(({ at, reason }) => ({ at, reason })),
	);
}

async function addPieces(tx: Queryable, runId: string, spool: Spool): Promise<void> {
	let piece = 0;
	for await (const gzip of readPieces(spool.pieces))
		await tx`insert into run_bytes (run_id, piece, gzip) values (${runId}, ${piece++}, ${gzip})`;
}

async function addIssues(tx: Queryable, runId: string, recorded: Recorded): Promise<void> {
	const { issues, notes, accepted, rejected, failed, aside } = recorded;
	const left = rejected + aside - issues.length;
	if (left > 0) notes.push(`${left} more rejected or set aside than the ${issues.length} that are listed`);
	await tx`
		update runs set accepted = ${accepted}, rejected = ${rejected}, failed = ${failed}, aside = ${aside},
			notes = ${jsonText(notes)}::jsonb
		where id = ${runId}`;
	if (issues.length === 0) return;
	await tx`
		insert into run_issues (run_id, position, kind, at, reason)
		select ${runId}, position, kind, at, reason
		from unnest(${issues.map((issue) => issue.kind)}::text[], ${issues.map((issue) => plainText(issue.at))}::text[],
			${issues.map((issue) => plainText(issue.reason))}::text[]) with ordinality as v (kind, at, reason, position)`;
}

/** Adds what the run brought to each configuration. @returns ids of those that were not there before */
async function addConfigurations(
	tx: Queryable,
	runId: string,
	recorded: Recorded,
	catalog: Catalog,
): Promise<string[]> {
	// In the order of ids, like every lock on them, so that two uploads never wait in a circle.
	const all = [...recorded.configurations.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
	const column = <T>(cell: (configuration: RecordedConfiguration) => T) => all.map(cell);
	const fresh = await tx<{ id: string }[]>`
		insert into configurations (id, key, label, conditions, gpu_id, model_id)
		select id, key, label, conditions::jsonb, gpu_id, model_id
		from unnest(${column((c) => c.id)}::text[], ${column((c) => plainText(c.key))}::text[],
			${column((c) => plainText(c.label))}::text[], ${column((c) => jsonText(c.conditions))}::text[],
			${column((c) => catalog.gpuOf(c.conditions)?.id ?? null)}::text[],
			${column((c) => catalog.modelOf(c.conditions)?.id ?? null)}::text[])
			as v (id, key, label, conditions, gpu_id, model_id)
		on conflict (id) do nothing returning id`;
	await lockConfigurations(tx, recorded.configurations.keys());
	await tx`
		insert into run_configurations (configuration_id, run_id, measurements, failures, excluded, phases,
			started_from, started_to)
		select id, ${runId}, measurements, failures, excluded, string_to_array(phases, ' '), started_from, started_to
		from unnest(${column((c) => c.id)}::text[], ${column((c) => c.measurements)}::int[],
			${column((c) => c.failures)}::int[], ${column((c) => c.excluded)}::int[],
			${column((c) => [...c.phases].join(" "))}::text[], ${column((c) => c.startedFrom)}::text[],
			${column((c) => c.startedTo)}::text[])
			as v (id, measurements, failures, excluded, phases, started_from, started_to)`;
	await describeOrigins(tx, [...recorded.configurations.keys()]);
	return fresh.map(({ id }) => id);
}

/**
 * The forecast is made from the fits that stood before; then come the sums, then the fits: a run never judges a
 * prediction that already knew it. What turns out doubtful beside the others is neither forecast nor fitted.
 */
async function fitRun(tx: Queryable, runId: string, recorded: Recorded): Promise<void> {
	const touched = touchedBy(recorded);
	const before = await readFits(tx, [...recorded.configurations.keys()]);
	if (recorded.sums) await addSums(tx, recorded.sums);
	else await sumRows(tx, runId);
	const points = await checkAgainstOthers(tx, runId, touched, before);
	await recordForecasts(tx, runId, before);
	await refit(tx, touched, points);
}

/** Until the table's statistics are read anew, its queries would be planned for a table without these many rows. */
async function sumRows(tx: Queryable, runId: string): Promise<void> {
	await tx`analyze measurements`;
	await addSummaries(tx, runId);
}

/** Measurements that came before in another file are no part of the sums: those are then made from the rows. */
async function markKnown(tx: Queryable, runId: string, recorded: Recorded): Promise<void> {
	const marked = await markDuplicates(tx, runId);
	if (marked === 0) return;
	recorded.sums = null;
	recorded.notes.push(
		`${marked} of ${recorded.accepted} measurements came before in another file: they count once`,
	);
}
