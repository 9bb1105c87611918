import { type Conditions, compareConditions } from "../ingest/index.ts";
import {
	type ComparedPhase,
	type ComparedSummary,
	type ConditionRow,
	type ConfigurationFacts,
	compare,
	conditionRows,
	type NoiseFloor,
	type PhaseComparison,
	type PlannedComparison,
	type Quantity,
	repetitionsNeeded,
	versionOrder,
} from "../model/index.ts";
import { notFound } from "../problem.ts";
import { readConditions } from "./compared-conditions.ts";
import { readConfigurationFacts } from "./configurations.ts";
import { readFits } from "./fits.ts";
import { readPoints } from "./points.ts";
import type { Queryable } from "./sql.ts";

export interface Comparison {
	/** In the order they were asked for, with the letter that names each. */
	configurations: (ConfigurationFacts & { name: string })[];
	phases: PhaseComparison[];
	conditions: ConditionRow[];
}

/** How many configurations one comparison holds. */
export const MOST_COMPARED = 4;
const LETTERS = "ABCD";

/**
 * Configurations held against the first of them, with the conditions that differ or are not known.
 * @param ids two to four, distinct
 * @throws Problem 404
 */
export async function readComparison(sql: Queryable, ids: readonly string[]): Promise<Comparison> {
	const facts = await Promise.all(ids.map((id) => readConfigurationFacts(sql, id)));
	const [fits, points, conditions] = await Promise.all([
		readFits(sql, ids),
		readPoints(sql, ids),
		conditionsOf(sql, ids),
	]);
	const compared = ids.map((id, i) => ({
		name: LETTERS[i] ?? id,
		fits: fits.get(id) ?? NO_FITS,
		points: points.get(id) ?? [],
	}));
	const named = await readConditions(
		sql,
		ids.map((id, i) => ({
			id,
			conditions: conditions.get(id) as Conditions,
			points: compared[i]?.points ?? [],
		})),
	);
	return {
		configurations: facts.map((one, i) => ({ ...one, name: LETTERS[i] ?? one.id })),
		phases: compare(compared).filter(({ phase }) => compared.some((one) => one.fits[phase] !== null)),
		conditions: conditionRows(named),
	};
}

const NO_FITS = { prefill: null, decode: null, serve: null };

async function conditionsOf(sql: Queryable, ids: readonly string[]): Promise<Map<string, Conditions>> {
	const rows = await sql<{ id: string; conditions: Conditions }[]>`
		select id, conditions from configurations where id = any(${[...ids]}::text[])`;
	return new Map(rows.map(({ id, conditions }) => [id, conditions]));
}

/** Runs that a planned comparison needs in each arm, phase by phase. */
export interface PlannedRuns extends PlannedComparison {
	phases: {
		phase: ComparedPhase;
		/** Of each arm; null: not known. */
		noise: (NoiseFloor | null)[];
		perArm: Quantity;
	}[];
}

const PHASES = ["prefill", "decode", "serve"] as const;

/**
 * How often each arm has to be run to see an effect above the noise that these configurations were measured with.
 * @param ids one where both arms are of one configuration, else two
 * @throws Problem 404
 */
export async function readPlannedRuns(
	sql: Queryable,
	ids: readonly string[],
	ask: PlannedComparison,
): Promise<PlannedRuns> {
	await Promise.all(ids.map((id) => readConfigurationFacts(sql, id)));
	const fits = await readFits(sql, ids);
	const measured = PHASES.filter((phase) => ids.some((id) => fits.get(id)?.[phase]));
	return {
		...ask,
		phases: measured.map((phase) => {
			const noise = ids.map((id) => fits.get(id)?.[phase]?.noise ?? null);
			const arms = noise.map((one, i) => ({ name: LETTERS[i] ?? "", noise: one }));
			return { phase, noise, perArm: repetitionsNeeded(arms, ask) };
		}),
	};
}

/** A version of the engine on which everything else is the same, and what changed with it. */
export interface EngineVersion {
	id: string;
	label: string;
	engineVersion: string;
	/** Conditions that this or the asked configuration does not say, so that they could not be compared. */
	unknown: string[];
	/** Against the version before it; empty for the first. */
	changes: { phase: ComparedPhase; against: string; summary: ComparedSummary }[];
}

export interface EngineVersions {
	/** The configuration that was asked about. */
	id: string;
	/** Oldest first, the asked one among them; at most 50, the newest. */
	versions: EngineVersion[];
}

const MOST_VERSIONS = 50;
const MOST_CANDIDATES = 1000;

/**
 * Configurations that are equal but for the version of their engine, oldest first, each judged against the one before.
 * @throws Problem 404
 */
export async function readVersions(sql: Queryable, id: string): Promise<EngineVersions> {
	const [asked] = await sql<Candidate[]>`select id, label, conditions from configurations where id = ${id}`;
	if (!asked) throw notFound("Configuration", id, "GET /configurations lists those that have measurements.");
	const alike = (await candidates(sql, asked)).flatMap((one) => sameButVersion(asked, one));
	const versions = alike
		.sort((a, b) => versionOrder(a.engineVersion, b.engineVersion) || (a.id < b.id ? -1 : 1))
		.slice(-MOST_VERSIONS);
	const ids = versions.map((one) => one.id);
	const [fits, points] = await Promise.all([readFits(sql, ids), readPoints(sql, ids)]);
	const compared = versions.map(({ id, engineVersion }) => ({
		...{ name: engineVersion, fits: fits.get(id) ?? NO_FITS, points: points.get(id) ?? [] },
	}));
	return {
		id,
		versions: versions.map((version, i) => ({
			...version,
			changes: changesOf(compared[i - 1], compared[i]),
		})),
	};
}

type Compared = Parameters<typeof compare>[0][number];

function changesOf(before: Compared | undefined, now: Compared | undefined): EngineVersion["changes"] {
	if (!before || !now) return [];
	return compare([before, now]).flatMap(({ phase, summaries }) => {
		const summary = summaries[1];
		return summary?.difference ? [{ phase, against: before.name, summary }] : [];
	});
}

interface Candidate {
	id: string;
	label: string;
	conditions: Conditions;
}

/** Measured configurations of the same engine. */
function candidates(sql: Queryable, { id, conditions }: Candidate) {
	return sql<Candidate[]>`
		select c.id, c.label, c.conditions from configurations c
		where lower(c.conditions ->> 'engine') = lower(${conditions.engine}::text)
			and (c.id = ${id} or exists (
				select 1 from run_configurations l join runs r on r.id = l.run_id and r.deleted_at is null
				where l.configuration_id = c.id and l.measurements > l.excluded))
		order by c.id = ${id} desc, c.created_at desc limit ${MOST_CANDIDATES}`;
}

/** What must be known of both: other setups hide behind what is not said. */
const ESSENTIAL = ["gpu", "model", "engine"] as const;

function sameButVersion(asked: Candidate, one: Candidate): Omit<EngineVersion, "changes">[] {
	const { engineVersion } = one.conditions;
	const nameless = [asked, one].some(({ conditions }) => ESSENTIAL.some((name) => conditions[name] === null));
	if (engineVersion === null || (nameless && one.id !== asked.id)) return [];
	const { differing, unknown } = compareConditions(asked.conditions, one.conditions);
	const other = differing.filter((name) => name !== "engineVersion");
	if (other.length > 0) return [];
	const unsaid = unknown.filter((name) => name !== "engineVersion").map((name) => NAMES[name] ?? name);
	return [{ id: one.id, label: one.label, engineVersion, unknown: [...new Set(unsaid.map(withoutPrefix))] }];
}

const withoutPrefix = (name: string) => name.replace(/^flags\./, "");
/** Conditions as a reader calls them; the rest goes by the name that the engine gives it. */
const NAMES: Record<string, string> = {
	...{
		gpus: "GPUs used",
		backend: "back end",
		weights: "weight format",
		kvK: "cache type",
		kvV: "cache type",
	},
	...{ modelParams: "parameters", modelBytes: "bytes of the weights", tp: "tensor parallel" },
	...{ pp: "pipeline parallel", dp: "data parallel", ep: "expert parallel" },
};
