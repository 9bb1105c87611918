import type { Conditions } from "../ingest/index.ts";
import type { PinnedMemory, Source } from "../model/index.ts";
import { type MemorySetup, matchMemory, memoryDifferences } from "./memory-match.ts";
import { type Asked, type KnownStart, type MemoryFigures, mergeStarts } from "./pinned-memory.ts";
import { instant, jsonText, type Queryable } from "./sql.ts";

export interface MemoryFact {
	configurationId: string;
	/** Place in the file. */
	at: string;
	memory: MemoryFigures;
}

export async function addMemoryFacts(sql: Queryable, runId: string, facts: MemoryFact[]): Promise<void> {
	if (facts.length === 0) return;
	await sql`
		insert into memory_facts (configuration_id, run_id, at, memory)
		select v.configuration_id, ${runId}, v.at, v.memory::jsonb
		from unnest(${facts.map((fact) => fact.configurationId)}::text[], ${facts.map((fact) => fact.at)}::text[],
			${facts.map((fact) => jsonText(fact.memory))}::text[]) as v (configuration_id, at, memory)`;
}

interface SetupRow {
	configuration_id: string;
	conditions: Conditions;
	gpu_id: string | null;
	model_id: string | null;
}

interface StartRow extends SetupRow {
	memory: MemoryFigures;
	run_id: string;
	name: string;
	created_at: string;
}

/** Starts looked at for one configuration, newest first. */
const MOST_STARTS = 200;

/**
 * The engine's own memory figures for a configuration: of its own starts, and of others that nothing known tells apart
 * where memory is concerned. null: no start speaks of it.
 */
export async function readPinned(sql: Queryable, configurationId: string): Promise<PinnedMemory | null> {
	const [row] = await sql<(SetupRow & { card_bytes: number | null })[]>`
		select c.id as configuration_id, c.conditions, c.gpu_id, c.model_id, (g.facts ->> 'totalBytes')::float8 as card_bytes
		from configurations c left join gpus g on g.id = c.gpu_id where c.id = ${configurationId}`;
	if (!row) return null;
	const asked: Asked = { kvK: row.conditions.kvK, cardBytes: row.card_bytes };
	const starts = await startsOfEngine(sql, row);
	return mergeStarts(
		asked,
		starts.flatMap((start) => knownStart(start, row)),
	);
}

/** Starts of the same engine and, as far as catalog ids tell, the same model. */
function startsOfEngine(sql: Queryable, { conditions, model_id, configuration_id }: SetupRow) {
	return sql<StartRow[]>`
		select c.id as configuration_id, c.conditions, c.gpu_id, c.model_id, f.memory, f.run_id, r.created_at,
			coalesce(r.label, r.file_name, r.format) as name
		from memory_facts f join runs r on r.id = f.run_id and r.deleted_at is null
		join configurations c on c.id = f.configuration_id
		where c.id = ${configuration_id} or (
			lower(c.conditions ->> 'engine') = lower(${conditions.engine}::text)
			and (c.model_id = ${model_id}::text or c.model_id is null or ${model_id}::text is null)
		)
		order by c.id = ${configuration_id} desc, r.created_at desc, f.created_at desc, f.id limit ${MOST_STARTS}`;
}

const setupOf = ({ conditions, gpu_id, model_id }: SetupRow): MemorySetup => ({
	...{ conditions, gpuId: gpu_id, modelId: model_id },
});

function knownStart(start: StartRow, asked: SetupRow): KnownStart[] {
	const own = start.configuration_id === asked.configuration_id;
	const match = own ? { unknown: [] } : matchMemory(setupOf(start), setupOf(asked));
	if (match === null) return [];
	const { memory: figures, conditions } = start;
	return [{ figures, conditions, unknown: match.unknown, source: sourceOf(start) }];
}

function sourceOf({ run_id, name, created_at }: StartRow): Source {
	return { label: name, href: `/measurements/${run_id}`, date: instant(created_at).slice(0, 10) };
}

/** Memory figures of one file, and the measured configurations that they speak of. */
export interface RunMemory {
	/** Place in the file. */
	at: string;
	configurationId: string;
	figures: MemoryFigures;
	/** Measured configurations that the figures count for, at most 20 of them. */
	countsFor: { id: string; label: string; unknown: string[] }[];
}

const MOST_CONFIGURATIONS = 500;
const LISTED_CONFIGURATIONS = 20;

/** What a run says of memory, in the order of its file, and why some of it counts for nothing yet. */
export async function readRunMemory(
	sql: Queryable,
	runId: string,
): Promise<{ memory: RunMemory[]; notes: string[] }> {
	const starts = await sql<(SetupRow & { memory: MemoryFigures; at: string })[]>`
		select c.id as configuration_id, c.conditions, c.gpu_id, c.model_id, f.memory, f.at
		from memory_facts f join configurations c on c.id = f.configuration_id
		where f.run_id = ${runId} order by f.created_at, f.at, f.id limit ${LISTED_CONFIGURATIONS}`;
	const read = await Promise.all(
		starts.map(async (start) => {
			const measured = await measuredOfEngine(sql, start);
			const countsFor = configurationsOf(start, measured);
			const memory = {
				at: start.at,
				configurationId: start.configuration_id,
				figures: start.memory,
				countsFor,
			};
			return { memory, notes: countsFor.length === 0 ? [countsForNothing(start, measured)] : [] };
		}),
	);
	return {
		memory: read.map(({ memory }) => memory),
		notes: [...new Set(read.flatMap(({ notes }) => notes))],
	};
}

type MeasuredRow = SetupRow & { label: string };

/** Measured configurations of the same engine and, as far as catalog ids tell, the same model, newest first. */
function measuredOfEngine(sql: Queryable, start: SetupRow) {
	return sql<MeasuredRow[]>`
		select c.id as configuration_id, c.conditions, c.gpu_id, c.model_id, c.label from configurations c
		where lower(c.conditions ->> 'engine') = lower(${start.conditions.engine}::text)
			and (c.model_id = ${start.model_id}::text or c.model_id is null or ${start.model_id}::text is null)
			and exists (
				select 1 from run_configurations l join runs r on r.id = l.run_id and r.deleted_at is null
				where l.configuration_id = c.id and l.measurements > 0
			)
		order by c.created_at desc, c.id limit ${MOST_CONFIGURATIONS}`;
}

function configurationsOf(start: SetupRow, measured: readonly MeasuredRow[]): RunMemory["countsFor"] {
	return measured
		.flatMap((row) => {
			const own = row.configuration_id === start.configuration_id;
			const match = own ? { unknown: [] } : matchMemory(setupOf(start), setupOf(row));
			return match ? [{ id: row.configuration_id, label: row.label, unknown: match.unknown }] : [];
		})
		.slice(0, LISTED_CONFIGURATIONS);
}

/** For which measurements the figures of a start would count, and what it does not say itself. */
function countsForNothing(start: SetupRow, measured: readonly MeasuredRow[]): string {
	const { gpu, gpus, model, engine } = start.conditions;
	const silent = [
		gpu === null && gpus !== 0 ? ["GPU", "gpu=NAME"] : [],
		model === null ? ["model", "model=NAME"] : [],
		engine === null ? ["engine", "engine=NAME"] : [],
	].filter((one) => one.length > 0);
	const asks = silent
		.map(([what, how]) => `; the file does not name the ${what}: send it with ${how}`)
		.join("");
	const wanted = `${model ?? "its model"}${gpu === null ? "" : ` on ${gpu}`} with ${engine ?? "its engine"}`;
	return `The memory figures count for no measured configuration yet: ${nearest(start, measured) ?? `no measurement of ${wanted} is here`}${asks}`;
}

/** The measured configuration of the same model and engine that differs in the least; null: there is none of these. */
function nearest(start: SetupRow, measured: readonly MeasuredRow[]): string | null {
	const [first] = measured
		.flatMap(({ label, ...row }) => {
			const differing = memoryDifferences(setupOf(start), setupOf(row));
			return differing === null ? [] : [{ label, differing }];
		})
		.sort((a, b) => a.differing.length - b.differing.length);
	return first ? `the nearest, ${first.label}, differs in ${first.differing.join(", ")}` : null;
}
