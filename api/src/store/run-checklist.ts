import type { Conditions } from "../ingest/index.ts";
import {
	type ChecklistItem,
	type ConditionFact,
	checklistOf,
	count,
	type NoiseFloor,
	percent,
} from "../model/index.ts";
import { conditionFacts, fact, isRaw, RUN_RECORDS, record, WHERE_SAID } from "./condition-facts.ts";
import { type FittedPhase, readFits } from "./fits.ts";
import type { SenderRecord } from "./sender-record.ts";
import type { Fragment, Queryable } from "./sql.ts";

/** What the checklist reads of a run's row. */
export interface CheckedRun {
	id: string;
	sha256: string;
	format: string;
	conditions: SenderRecord | null;
	configurations: { id: string }[];
}

/** What is known of the six things to record with a run, from its file and from what its sender recorded. */
export async function readChecklist(sql: Queryable, run: CheckedRun): Promise<ChecklistItem[]> {
	const ids = run.configurations.map(({ id }) => id);
	const [conditions, shapes, repeated, runs, fits] = await Promise.all([
		sql<{ conditions: Conditions }[]>`
			select conditions from configurations where id = any(${ids}::text[]) order by id limit ${MOST_CONFIGURATIONS}`,
		readShapes(sql, run.id, ids),
		readRepeated(sql, run.id, ids),
		readRuns(sql, run.id, ids),
		readFits(sql, ids.slice(0, MOST_CONFIGURATIONS)),
	]);
	const records = run.conditions ? [run.conditions] : [];
	const facts = conditionFacts({
		...{ conditions: conditions.map((row) => row.conditions), records, formats: [run.format], shapes },
	});
	const noises = [...fits.values()].flatMap((one) =>
		runs.phases.flatMap((phase) => {
			const noise = one[phase]?.noise;
			return noise ? [{ ...noise, phase }] : [];
		}),
	);
	return checklistOf([
		...facts.filter(({ name, value }) => value !== null || !WHERE_SAID.has(name)),
		fact("model", "Measured on", dayOf(run.conditions?.startedAt) ?? repeated.day, RUN_RECORDS),
		...repetitionFacts(run, repeated.words, runs.words, noises),
	]);
}

/** Configurations of one run whose conditions are told: more of them are a sweep of one setting. */
const MOST_CONFIGURATIONS = 50;

function repetitionFacts(
	run: CheckedRun,
	repetitions: string | null,
	runs: string | null,
	noises: readonly (NoiseFloor & { phase: FittedPhase })[],
): ConditionFact[] {
	const said = run.conditions?.answers;
	const raw = isRaw([run.format]) ? "none: no text is generated" : null;
	const again = "post the same command again: two identical runs first";
	const spreadOf = (wanted: NoiseFloor["from"]) => {
		const words = noises
			.filter(({ from }) => from === wanted)
			.map((one) => `${one.phase} ${percent(one.relative)}`);
		return words.length === 0 ? null : [...new Set(words)].join(", ");
	};
	const inside = spreadOf("repetitions");
	return [
		fact(
			"repetition",
			"Repetitions",
			repetitions,
			"repeat inside the run: llama-bench -r 5, more prompts of a client",
		),
		fact("repetition", "Runs of these conditions", runs, again),
		...(inside === null ? [] : [fact("repetition", "Spread inside runs", inside, again)]),
		fact("repetition", "Spread between runs", spreadOf("repeated runs"), again),
		fact("repetition", "File as it was posted", `SHA-256 ${run.sha256}`, ""),
		fact(
			"repetition",
			"Raw answers",
			typeof said === "string" && said.trim() ? said.trim() : raw,
			record("answers", '"where they are kept"'),
		),
	];
}

const MOST_SHAPES = 6;
/** Rows of a long file that are looked at. */
const FIRST_ROWS = 10_000;

const firstRows = (sql: Queryable, runId: string, ids: readonly string[]): Fragment => sql`
	select * from measurements where configuration_id = any(${[...ids]}::text[]) and run_id = ${runId}
	order by id limit ${FIRST_ROWS}`;

/** Lengths that were measured, in words; null where no row has one. */
async function readShapes(sql: Queryable, runId: string, ids: readonly string[]): Promise<string | null> {
	const rows = await sql<{ tokens: number | null; depth: number | null; generated: number | null }[]>`
		select distinct round(tokens) as tokens, round(depth) as depth, round(generated) as generated
		from (${firstRows(sql, runId, ids)}) m where tokens is not null or depth is not null
		order by 1, 2, 3 limit ${MOST_SHAPES + 1}`;
	const words = rows.slice(0, MOST_SHAPES).map(({ tokens, depth, generated }) => {
		const fresh = tokens === null ? "" : `${count(tokens)} new`;
		const over = depth ? `over ${count(depth)}` : "";
		return [fresh, over, generated ? `${count(generated)} generated` : ""].filter(Boolean).join(", ");
	});
	const some = words.filter(Boolean);
	return some.length === 0 ? null : `${some.join("; ")}${rows.length > MOST_SHAPES ? " …" : ""} (tokens)`;
}

interface Repeated {
	least: number | null;
	most: number | null;
	unsaid: number;
	rows: number;
	started: string | null;
}

/** Repetitions of the rows and the day of the first, as the source says them. */
async function readRepeated(
	sql: Queryable,
	runId: string,
	ids: readonly string[],
): Promise<{ words: string | null; day: string | null }> {
	const [row] = await sql<Repeated[]>`
		select min(repetitions) as least, max(repetitions) as most, min(started_at) as started,
			count(*) filter (where repetitions is null) as unsaid,
			count(*) as rows
		from (${firstRows(sql, runId, ids)}) m where status <> 'failed'`;
	const { least = null, most = null, unsaid = 0, started = null, rows = 0 } = row ?? {};
	if (least === null || most === null) return { words: null, day: dayOf(started) };
	const each = least === most ? `${count(least)} of each row` : `${count(least)} to ${count(most)} of a row`;
	const others = unsaid > 0 ? `, not said of ${count(unsaid)} rows` : "";
	const looked = rows === FIRST_ROWS ? `, in the first ${count(rows)} rows` : "";
	return { words: each + others + looked, day: dayOf(started) };
}

/** How many files measured the same phases of the same conditions as a run, and which phases. */
async function readRuns(
	sql: Queryable,
	runId: string,
	ids: readonly string[],
): Promise<{ words: string | null; phases: FittedPhase[] }> {
	const rows = await sql<{ n: number; phases: FittedPhase[] }[]>`
		select own.phases, (
			select count(*) from run_configurations l join runs r on r.id = l.run_id and r.deleted_at is null
			where l.configuration_id = own.configuration_id and l.phases && own.phases) as n
		from run_configurations own
		where own.run_id = ${runId} and own.configuration_id = any(${[...ids]}::text[]) and own.phases <> '{}'`;
	const phases = [...new Set(rows.flatMap((row) => row.phases))].sort();
	if (rows.length === 0) return { words: null, phases };
	const [least, most] = [Math.min(...rows.map(({ n }) => n)), Math.max(...rows.map(({ n }) => n))];
	return { words: least === most ? count(most) : `${count(least)} to ${count(most)}`, phases };
}

/** The day of an instant that a source gives; null where it gives none. */
const dayOf = (instant: unknown): string | null =>
	typeof instant === "string" ? (/^\d{4}-\d{2}-\d{2}/.exec(instant)?.[0] ?? null) : null;
