import { setTimeout as pause } from "node:timers/promises";
import { benchRow } from "./bench-rows.ts";
import { openPlace, type Place, postRun, rate } from "./place.ts";

const ROWS = 100_000;
const PER_STATEMENT = 1000;

/** What is stored, as rows of values: the floors write the same rows that the product wrote. */
const COLUMNS = [
	...[
		"configuration_id",
		"run_id",
		"at",
		"phase",
		"status",
		"point",
		"tokens",
		"depth",
		"generated",
		"batch",
	],
	...["rate", "seconds", "seconds_mean", "seconds_std", "repetitions", "reason", "details", "suspicions"],
	...["included", "started_at"],
];

async function timed(work: () => Promise<unknown>): Promise<number> {
	const start = performance.now();
	await work();
	return performance.now() - start;
}

async function copyFloor({ database: { sql } }: Place): Promise<number> {
	const dump = await sql.unsafe(`copy measurements (${COLUMNS}) to stdout`).readable();
	const chunks: Buffer[] = [];
	for await (const chunk of dump) chunks.push(chunk as Buffer);
	const lines = Buffer.concat(chunks);
	return timed(async () => {
		const sink = await sql.unsafe(`copy floor_copy (${COLUMNS}) from stdin`).writable();
		await new Promise<void>((resolve, reject) => {
			sink.on("error", reject).on("finish", resolve);
			sink.end(lines);
		});
	});
}

async function insertFloor({ database: { sql } }: Place): Promise<number> {
	const rows = await sql.unsafe(`select ${COLUMNS.map((c) => `${c}::text`)} from measurements`).values();
	const statements: { text: string; values: string[] }[] = [];
	for (let i = 0; i < rows.length; i += PER_STATEMENT) {
		const batch = rows.slice(i, i + PER_STATEMENT);
		const tuples = batch.map((_, r) => `(${COLUMNS.map((_, c) => `$${r * COLUMNS.length + c + 1}`)})`);
		statements.push({ text: `insert into floor_insert (${COLUMNS}) values ${tuples}`, values: batch.flat() });
	}
	return timed(async () => {
		for (const { text, values } of statements) await sql.unsafe(text, values);
	});
}

/** The floors write into tables of the same columns and indexes, empty, on the same server, in the same run. */
async function prepareFloors({ database: { sql } }: Place): Promise<void> {
	for (const name of ["floor_copy", "floor_insert"])
		await sql.unsafe(`create table ${name} (like measurements including all)`);
}

/** Rows per second of an upload, parsing included, beside COPY and a multi-row INSERT of the same rows. */
export async function benchIngest(): Promise<string[]> {
	const place = await openPlace();
	try {
		await postRun(place, [0, 1, 2, 3].map(benchRow).join("\n"));
		await place.database.sql`delete from measurements`;
		const body = Array.from({ length: ROWS }, (_, i) => benchRow(i)).join("\n");
		const upload = await timed(() => postRun(place, body));
		await prepareFloors(place);
		// A checkpoint between the parts, so that none pays for the other's dirty pages.
		await place.database.sql`checkpoint`;
		await pause(500);
		const copy = await copyFloor(place);
		await place.database.sql`checkpoint`;
		await pause(500);
		const insert = await insertFloor(place);
		const share = (floor: number) => `${Math.round((floor / upload) * 100)} %`;
		return [
			`upload of ${ROWS.toLocaleString("en")} llama-bench rows (${(body.length / 2 ** 20).toFixed(0)} MiB JSONL): ${rate(ROWS, upload)}`,
			`COPY of the same rows: ${rate(ROWS, copy)} (the upload reaches ${share(copy)} of it)`,
			`INSERT of ${PER_STATEMENT} rows a statement: ${rate(ROWS, insert)} (the upload reaches ${share(insert)} of it)`,
		];
	} finally {
		await place.close();
	}
}
