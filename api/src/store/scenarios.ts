import {
	type ChangeSince,
	capacity,
	changeSince,
	type Plan,
	type PlanFacts,
	plan,
	type Scenario,
} from "../model/index.ts";
import { notFound, Problem } from "../problem.ts";
import { scenarioFromQuery, scenarioToQuery } from "../scenario.ts";
import { readFactsOfScenario } from "./facts.ts";
import { type Page, type PageRequest, readPage } from "./page.ts";
import { instant, jsonText, plainText, type Queryable } from "./sql.ts";

/** A kept scenario as a list shows it. */
export interface ScenarioItem {
	id: string;
	name: string;
	note: string | null;
	/** Query string: the dashboard's address and /plan take it. */
	query: string;
	keptBy: string | null;
	createdAt: string;
	/** Headline figures of the answer that was kept. */
	answer: KeptAnswer;
}

/** A kept scenario in the list, with whether today's facts give another answer. */
export interface ListedScenario extends ScenarioItem {
	/** same, other: a figure moved; turned: so did the verdict; gone: what it is about was taken out. */
	today: "same" | "other" | "turned" | "gone";
}

/** An answer with the most users its configuration carries. */
export type KeptAnswer = Plan & { users: number | null };

/** A kept scenario beside what is known today. */
export interface ScenarioDetail extends ScenarioItem {
	/** The facts that the kept answer was made from: fits, prices, catalog entries. */
	facts: PlanFacts;
	/** The answer to the same question from today's facts; null where its configuration is no longer there. */
	today: KeptAnswer | null;
	/** What newer facts change; null where there is no answer of today. */
	change: ChangeSince | null;
}

interface ScenarioRow {
	id: string;
	name: string;
	note: string | null;
	query: string;
	kept_by: string | null;
	created_at: string;
	answer: KeptAnswer;
}

const COLUMNS = ["id", "name", "note", "query", "kept_by", "created_at", "answer"];

const toItem = ({ kept_by, created_at, ...row }: ScenarioRow): ScenarioItem => ({
	...row,
	keptBy: kept_by,
	createdAt: instant(created_at),
});

/** Kept scenarios, newest first. */
export function listScenarios(sql: Queryable, request: PageRequest): Promise<Page<ListedScenario>> {
	return readPage(
		request,
		{
			list: "scenarios",
			count: async () => (await sql`select count(*) as n from scenarios where removed_at is null`)[0]?.n,
			rows: (after, limit) => sql<(ScenarioRow & { facts: PlanFacts; place: string })[]>`
				select ${sql(COLUMNS)}, facts, created_at::text as place from scenarios
				where removed_at is null
					and ${after ? sql`(created_at, id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : sql`true`}
				order by created_at desc, id desc limit ${limit}`,
			place: (row) => [row.place, row.id],
		},
		(rows) =>
			Promise.all(
				rows.map(async ({ place: _, facts, ...row }): Promise<ListedScenario> => {
					const change = (await besideToday(sql, { ...row, facts })).change;
					return { ...toItem(row), today: change === null ? "gone" : turnOf(change) };
				}),
			),
	);
}

/**
 * Keeps a scenario with the facts and the answer of today.
 * @throws Problem 422 where there is nothing to answer from
 */
export async function keepScenario(
	sql: Queryable,
	asked: { name: string; note: string | null; scenario: Scenario; facts: PlanFacts; keptBy: string | null },
): Promise<ScenarioDetail> {
	const { scenario, facts } = asked;
	const { configuration, model, gpu } = facts;
	if (!configuration && !model && !gpu)
		throw new Problem(422, "Nothing to answer from", "Name a configuration, or a model and a GPU.");
	const answer = answerOf(scenario, facts);
	const [row] = await sql<ScenarioRow[]>`
		insert into scenarios (name, note, query, facts, answer, kept_by)
		values (${plainText(asked.name)}, ${asked.note && plainText(asked.note)}, ${scenarioToQuery(scenario).toString()},
			${jsonText(facts)}::jsonb, ${jsonText(answer)}::jsonb, ${asked.keptBy})
		returning ${sql(COLUMNS)}`;
	return {
		...toItem(row as ScenarioRow),
		facts,
		today: answer,
		change: changeSince({ plan: answer, facts }, { plan: answer, facts }),
	};
}

const answerOf = (scenario: Scenario, facts: PlanFacts): KeptAnswer => ({
	...plan(scenario, facts),
	users: capacity(scenario, facts, { arithmetic: false }).users.value,
});

/** One kept scenario beside today's answer. @throws Problem 404 */
export async function readScenario(sql: Queryable, id: string): Promise<ScenarioDetail> {
	const [row] = await sql<(ScenarioRow & { facts: PlanFacts })[]>`
		select ${sql(COLUMNS)}, facts from scenarios where id::text = ${id} and removed_at is null`;
	if (!row) throw unknownScenario(id);
	const { facts, ...item } = row;
	return { ...toItem(item), facts, ...(await besideToday(sql, row)) };
}

async function besideToday(
	sql: Queryable,
	{ query, answer, facts }: ScenarioRow & { facts: PlanFacts },
): Promise<Pick<ScenarioDetail, "today" | "change">> {
	const { scenario } = scenarioFromQuery(new URLSearchParams(query));
	const known = await factsOfToday(sql, scenario);
	const today = known && answerOf(scenario, known);
	const change = known && today && changeSince({ plan: answer, facts }, { plan: today, facts: known });
	return { today, change };
}

const turnOf = ({ figures, verdictTurned }: ChangeSince): ListedScenario["today"] =>
	verdictTurned ? "turned" : figures.length > 0 ? "other" : "same";

/** null where what the scenario is about was taken out. */
async function factsOfToday(sql: Queryable, scenario: Scenario): Promise<PlanFacts | null> {
	try {
		return await readFactsOfScenario(sql, scenario);
	} catch (error) {
		if (error instanceof Problem && error.status === 404) return null;
		throw error;
	}
}

/** Renames a scenario, notes something on it, or puts back one that was taken out. @throws Problem 404 */
export async function changeScenario(
	sql: Queryable,
	id: string,
	{
		name,
		note,
		removed,
	}: { name?: string | undefined; note?: string | null | undefined; removed?: false | undefined },
): Promise<ScenarioItem> {
	const [row] = await sql<ScenarioRow[]>`
		update scenarios set
			name = ${name === undefined ? sql`name` : plainText(name)},
			note = ${note === undefined ? sql`note` : note && plainText(note)},
			removed_at = ${removed === false ? null : sql`removed_at`}
		where id::text = ${id} and ${removed === false ? sql`true` : sql`removed_at is null`}
		returning ${sql(COLUMNS)}`;
	if (!row) throw unknownScenario(id);
	return toItem(row);
}

/** Takes a scenario out of the list; it can be put back. @throws Problem 404 */
export async function removeScenario(sql: Queryable, id: string): Promise<void> {
	const gone = await sql`
		update scenarios set removed_at = now() where id::text = ${id} and removed_at is null returning id`;
	if (gone.length === 0) throw unknownScenario(id);
}

const unknownScenario = (id: string) =>
	notFound("Scenario", id, "GET /scenarios lists those that are kept; POST /scenarios keeps one.");
