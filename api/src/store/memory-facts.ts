import type { PinnedMemory } from "../model/index.ts";
import { instant, jsonText, type Queryable } from "./sql.ts";

type MemoryFigures = Omit<PinnedMemory, "sources">;

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

interface MemoryRow {
	memory: MemoryFigures;
	run_id: string;
	name: string;
	created_at: string;
}

/** The engine's own memory figures of a configuration: each from the newest run that printed it; null: none did. */
export async function readPinned(sql: Queryable, configurationId: string): Promise<PinnedMemory | null> {
	const rows = await sql<MemoryRow[]>`
		select f.memory, f.run_id, coalesce(r.label, r.file_name, r.format) as name, r.created_at
		from memory_facts f join runs r on r.id = f.run_id and r.deleted_at is null
		where f.configuration_id = ${configurationId}
		order by r.created_at desc, f.created_at desc, f.id limit 50`;
	if (rows.length === 0) return null;
	const pinned: PinnedMemory = {
		...{ weightsBytes: null, kvPoolBytes: null, kvTokens: null, activationBytes: null, graphBytes: null },
		...{ otherBytes: null, maxModelLen: null, windowsHonoured: null, sources: [] },
	};
	for (const row of rows) if (fillIn(pinned, row.memory)) addSource(pinned, row);
	return pinned;
}

/** Takes over what is still unknown; tells whether anything was. */
function fillIn(pinned: PinnedMemory, memory: MemoryFigures): boolean {
	const news = Object.entries(memory).filter(
		([key, value]) => value !== null && pinned[key as keyof MemoryFigures] === null,
	);
	Object.assign(pinned, Object.fromEntries(news));
	return news.length > 0;
}

function addSource(pinned: PinnedMemory, { run_id, name, created_at }: MemoryRow): void {
	const href = `/measurements/${run_id}`;
	if (pinned.sources.some((source) => source.href === href)) return;
	pinned.sources.push({ label: name, href, date: instant(created_at).slice(0, 10) });
}
