import type { Conditions } from "../ingest/index.ts";
import type { NamedConditions, Point, ServePoint } from "../model/index.ts";
import type { SenderRecord } from "./runs.ts";
import type { Queryable } from "./sql.ts";

/** A configuration as far as its conditions go. */
export interface Described {
	id: string;
	conditions: Conditions;
	points: readonly Point[];
}

/** What is worth a line only where somebody says it. */
const WHERE_SAID = new Set(["Back end", "Bytes of the weights", "Data set"]);

/** Everything that must be equal for two configurations to be comparable, by the name that a reader sees. */
export async function readConditions(sql: Queryable, all: readonly Described[]): Promise<NamedConditions[]> {
	const records = await recordsOf(
		sql,
		all.map(({ id }) => id),
	);
	const served = all.some(({ points }) => points.some(isServe));
	const named = all.map(({ id, conditions, points }) => [
		...engineOf(conditions),
		...machineOf(records.get(id) ?? [], conditions),
		...modelOf(conditions),
		...(served ? clientOf(conditions, points) : []),
	]);
	const said = new Set(
		named.flatMap((one) => one.flatMap(([name, value]) => (value === null ? [] : [name]))),
	);
	return named.map((one) => new Map(one.filter(([name]) => said.has(name) || !WHERE_SAID.has(name))));
}

type Named = [name: string, value: string | null];
const written = (value: unknown): string | null =>
	value === null || value === undefined ? null : String(value);

function engineOf(c: Conditions): Named[] {
	return [
		["GPU", c.gpu],
		["GPUs used", written(c.gpus)],
		["Engine", c.engine],
		["Engine build", c.engineVersion],
		["Back end", c.backend],
	];
}

function modelOf(c: Conditions): Named[] {
	const parallel: Named[] = [
		["Tensor parallel", written(c.tp)],
		["Pipeline parallel", written(c.pp)],
		["Data parallel", written(c.dp)],
		["Expert parallel", written(c.ep)],
	];
	const flags = Object.entries(c.flags).filter(([name]) => !CLIENT_FLAGS.test(name) && name !== POWER_LIMIT);
	return [
		["Model", c.model],
		["Weights", c.weights],
		["Bytes of the weights", written(c.modelBytes)],
		["KV cache, K", c.kvK],
		["KV cache, V", c.kvV],
		...parallel.filter(([, value]) => value !== null),
		...flags.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]): Named => [name, written(value)]),
	];
}

/** Said of the machine, where its watts are not known: "capped". */
const POWER_LIMIT = "powerLimit";
const CLIENT_FLAGS = /^(dataset|temperature|top_[kp]|min_p|ignore_eos|sampl|seed)/;
const SAMPLER = /^(temperature|top_[kp]|min_p|sampl)/;
const isServe = (point: Point): point is ServePoint => point.phase === "serve";
const MOST_SHAPES = 6;

/** What clients sent: lengths, data set, sampler. */
function clientOf({ flags }: Conditions, points: readonly Point[]): Named[] {
	const lengths = points
		.filter(isServe)
		.map(({ input, output }) => `${Math.round(input)} → ${Math.round(output)}`);
	const distinct = [...new Set(lengths)];
	const more = distinct.length > MOST_SHAPES ? " …" : "";
	const shapes = distinct.length === 0 ? null : `${distinct.slice(0, MOST_SHAPES).join(", ")}${more} tokens`;
	const sampler = Object.entries(flags).filter(([name]) => SAMPLER.test(name));
	return [
		["Prompt shapes", shapes],
		["Data set", written(flags.dataset_name ?? flags.dataset)],
		["Sampler", sampler.length === 0 ? null : sampler.map(([name, value]) => `${name} ${value}`).join(", ")],
	];
}

/** What senders recorded of the machine, or the file said of it; several values where runs differ. */
function machineOf(records: readonly SenderRecord[], { flags }: Conditions): Named[] {
	const devices = records.flatMap((record) => list(at(record, "gpus", "devices")));
	const readings = records.flatMap((record) => list(at(record, "before", "gpus")));
	const watts = all(readings, "powerLimitWatts");
	const clocks = all(devices, "maxSmClockMhz");
	return [
		["Driver", all(devices, "driver")],
		["Power limit", watts === null ? written(flags[POWER_LIMIT]) : `${watts} W`],
		["Highest SM clock", clocks === null ? null : `${clocks} MHz`],
		[
			"Host",
			all(
				records.map((record) => at(record, "host")),
				"name",
			),
		],
	];
}

const at = (value: unknown, ...path: string[]): unknown =>
	path.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), value);
const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === "object" && value !== null && !Array.isArray(value);
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Distinct values of a key, in their order; null where none is there. */
function all(records: readonly unknown[], key: string): string | null {
	const values = records
		.map((record) => at(record, key))
		.filter((value) => typeof value === "string" || typeof value === "number");
	const distinct = [...new Set(values.map(String))].sort();
	return distinct.length === 0 ? null : distinct.join(", ");
}

/** Runs looked at for what their senders recorded, newest first. */
const MOST_RECORDS = 50;

async function recordsOf(sql: Queryable, ids: string[]): Promise<Map<string, SenderRecord[]>> {
	const rows = await sql<{ id: string; records: SenderRecord[] }[]>`
		select c.id, array(
			select r.conditions from run_configurations l join runs r on r.id = l.run_id and r.deleted_at is null
			where l.configuration_id = c.id and r.conditions is not null
			order by r.created_at desc limit ${MOST_RECORDS}) as records
		from unnest(${ids}::text[]) as c (id)`;
	return new Map(rows.map(({ id, records }) => [id, records]));
}
