import { loadavg } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { benchRow } from "./bench-rows.ts";
import { openPlace, type Place, postRun, quantile, rate } from "./place.ts";

const ROWS = 100_000;
const PER_STATEMENT = 1000;
/** Each figure is the median of so many rounds. */
const ROUNDS = 3;

/** What is stored, as rows of values: the floors write the same rows that the product wrote. */
const COLUMNS: [name: string, type: string][] = [
	...[["configuration_id", "text"] as const, ["run_id", "uuid"] as const, ["at", "text"] as const],
	...[["phase", "text"] as const, ["status", "text"] as const, ["point", "text"] as const],
	...["tokens", "depth", "generated", "batch", "rate"].map((name) => [name, "float8"] as const),
	...[
		["seconds", "float8[]"] as const,
		["seconds_mean", "float8"] as const,
		["seconds_std", "float8"] as const,
	],
	...[["repetitions", "int"] as const, ["reason", "text"] as const, ["details", "jsonb"] as const],
	...[["suspicions", "text[]"] as const, ["included", "boolean"] as const, ["started_at", "text"] as const],
].map(([name, type]) => [name, type]);
const NAMES = COLUMNS.map(([name]) => name);

async function timed(work: () => Promise<unknown>): Promise<number> {
	const start = performance.now();
	await work();
	return performance.now() - start;
}

/** A floor: writes the rows into an empty table with the columns of the product's own. */
type Floor = (place: Place, table: string, dump: Dump) => Promise<void>;

/** The rows as PostgreSQL prints them. */
interface Dump {
	lines: Buffer;
	/** All values as text. */
	rows: (string | null)[][];
}

async function dumped({ database: { sql } }: Place): Promise<Dump> {
	const stream = await sql.unsafe(`copy measurements (${NAMES}) to stdout`).readable();
	const chunks: Buffer[] = [];
	for await (const chunk of stream) chunks.push(chunk as Buffer);
	const rows = await sql.unsafe(`select ${NAMES.map((name) => `${name}::text`)} from measurements`).values();
	return { lines: Buffer.concat(chunks), rows: [...rows] as (string | null)[][] };
}

const copy: Floor = async ({ database: { sql } }, table, { lines }) => {
	const sink = await sql.unsafe(`copy ${table} (${NAMES}) from stdin`).writable();
	await new Promise<void>((resolve, reject) => {
		sink.on("error", reject).on("finish", resolve);
		sink.end(lines);
	});
};

function* statementsOf(rows: Dump["rows"]): Generator<Dump["rows"]> {
	for (let at = 0; at < rows.length; at += PER_STATEMENT) yield rows.slice(at, at + PER_STATEMENT);
}

const unnest: Floor = async ({ database: { sql } }, table, { rows }) => {
	const columns = COLUMNS.map((_, c) => `$${c + 1}::text[]`);
	const values = COLUMNS.map(([name, type]) => `${name}::${type}`);
	const statement = `insert into ${table} (${NAMES}) select ${values} from unnest(${columns}) as v (${NAMES})`;
	for (const batch of statementsOf(rows))
		await sql.unsafe(statement, COLUMNS.map((_, c) => batch.map((row) => row[c] ?? null)) as never);
};

const insert: Floor = async ({ database: { sql } }, table, { rows }) => {
	for (const batch of statementsOf(rows)) {
		const tuples = batch.map((_, r) => `(${COLUMNS.map((_, c) => `$${r * COLUMNS.length + c + 1}`)})`);
		await sql.unsafe(`insert into ${table} (${NAMES}) values ${tuples}`, batch.flat() as never);
	}
};

/** The same columns, with the indexes of `measurements` or with none. */
const TABLES = { indexed: "including all", bare: "including defaults" } as const;
const FLOORS: [name: string, floor: Floor, table: keyof typeof TABLES][] = [
	["COPY", copy, "indexed"],
	[`unnest INSERT, ${PER_STATEMENT} rows a statement`, unnest, "indexed"],
	[`multi-row INSERT, ${PER_STATEMENT} rows a statement`, insert, "indexed"],
	["COPY into a table without indexes", copy, "bare"],
];

/** A checkpoint between the parts, so that none pays for the other's dirty pages. */
async function rest({ database: { sql } }: Place): Promise<void> {
	await sql`checkpoint`;
	await pause(300);
}

async function timeFloor(
	place: Place,
	floor: Floor,
	table: keyof typeof TABLES,
	dump: Dump,
): Promise<number> {
	const { sql } = place.database;
	await sql.unsafe(`create table floor (like measurements ${TABLES[table]})`);
	await rest(place);
	const taken = await timed(() => floor(place, "floor", dump));
	await sql`drop table floor`;
	return taken;
}

async function timeUpload(place: Place, body: Uint8Array<ArrayBuffer>, round: number): Promise<number> {
	const { sql } = place.database;
	await sql`truncate measurements, points, runs, run_bytes, run_configurations, configurations, fits, forecasts`;
	await rest(place);
	return timed(() => postRun(place, body, `?label=${round}`));
}

/** Rows per second of an upload, parsing included, beside what PostgreSQL takes for the same rows. */
export async function benchIngest(): Promise<string[]> {
	const place = await openPlace();
	const uploads: number[] = [];
	const floors = FLOORS.map((): number[] => []);
	try {
		const body = Buffer.from(Array.from({ length: ROWS }, (_, i) => benchRow(i)).join("\n"));
		await postRun(place, [0, 1, 2, 3].map(benchRow).join("\n"));
		for (let round = 0; round < ROUNDS; round++) {
			uploads.push(await timeUpload(place, body, round));
			const dump = await dumped(place);
			for (const [at, [, floor, table]] of FLOORS.entries())
				floors[at]?.push(await timeFloor(place, floor, table, dump));
		}
		const upload = quantile(uploads, 0.5);
		const load = loadavg()[0]?.toFixed(1);
		return [
			`upload of ${ROWS.toLocaleString("en")} llama-bench rows (${(body.length / 2 ** 20).toFixed(0)} MiB JSONL): ${rate(ROWS, upload)} (medians of ${ROUNDS} rounds; load of the machine ${load})`,
			...FLOORS.map(([name], at) => {
				const floor = quantile(floors[at] ?? [], 0.5);
				return `${name}: ${rate(ROWS, floor)} (the upload reaches ${Math.round((floor / upload) * 100)} % of it)`;
			}),
		];
	} finally {
		await place.close();
	}
}
