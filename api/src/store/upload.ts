import type { Sql } from "postgres";
import { ArchiveTooLarge, isArchive, type Said, UnreadableFile } from "../ingest/index.ts";
import { Problem } from "../problem.ts";
import { catalogOf, readCatalogRows } from "./catalogs.ts";
import { type ConfigurationItem, readConfigurationItems } from "./configurations.ts";
import type { Progress } from "./copy-rows.ts";
import { openRows } from "./file-rows.ts";
import { type ForecastRecord, readForecastRecords } from "./forecasts.ts";
import { Gate } from "./gate.ts";
import { readingThread } from "./reading-thread.ts";
import { answerSame, findSameRun, type RecordedRun, type RunFacts, recordRun } from "./record-run.ts";
import { type RunRecord, readRun } from "./runs.ts";
import type { SenderRecord } from "./sender-record.ts";
import { type Spool, spoolUpload } from "./spool.ts";
import { longTransaction } from "./sql.ts";
import { tooLarge, unpackUpload } from "./unpack.ts";

export interface Upload {
	body: AsyncIterable<Uint8Array>;
	/** The content-encoding header. */
	encoding?: string | undefined;
	said: Said;
	fileName?: string | undefined;
	origin?: RunFacts["origin"];
	attribution?: string;
	sentBy?: string | null;
	conditions?: SenderRecord | undefined;
	/** Told how far it is. */
	progress?: Progress;
}

export interface UploadLimits {
	/** Unpacked. */
	maxBodyBytes: number;
	/** Where large uploads wait while they arrive. */
	spoolFolder: string;
}

export interface UploadAnswer
	extends Omit<
		RunRecord,
		"rejected" | "aside" | "rejections" | "asides" | "measurements" | "configurations"
	> {
	duplicate: boolean;
	rejected: RunRecord["rejections"];
	rejectedCount: number;
	aside: RunRecord["asides"];
	asideCount: number;
	configurations: (ConfigurationItem & { forecast: ForecastRecord | null })[];
}

/**
 * Takes in a benchmark file: all of its bytes first, then recognised, then stored in one transaction.
 * @throws Problem 413 too large, 415 or 400 for its encoding, 422 unreadable or nothing usable
 */
export async function acceptUpload(sql: Sql, upload: Upload, limits: UploadLimits): Promise<RecordedRun> {
	const unpacked = unpackUpload(upload.body, { encoding: upload.encoding, maxBytes: limits.maxBodyBytes });
	const preparation = new Preparation();
	try {
		const spool = await spoolUpload(preparation.watch(unpacked), limits.spoolFolder);
		return await storeSpool(sql, spool, upload, limits, preparation).finally(() => spool.dispose());
	} catch (error) {
		throw explained(error, limits);
	} finally {
		preparation.end();
	}
}

async function storeSpool(
	sql: Sql,
	spool: Spool,
	upload: Upload,
	limits: UploadLimits,
	preparation: Preparation,
): Promise<RecordedRun> {
	const facts: RunFacts = {
		parameters: canonicalParameters(upload.said),
		label: upload.said.label ?? null,
		fileName: upload.fileName?.split(/[/\\]/).at(-1) ?? null,
		origin: upload.origin ?? "own",
		attribution: upload.attribution ?? null,
		sentBy: upload.sentBy ?? null,
		conditions: upload.conditions ?? null,
	};
	if (await findSameRun(sql, spool, facts))
		return { id: await longTransaction(sql, (tx) => answerSame(tx, spool, facts)), duplicate: true };
	const catalogs = await readCatalogRows(sql);
	const file = { pieces: spool.pieces, said: upload.said, mostUnpacked: limits.maxBodyBytes, catalogs };
	// What an archive unpacks to is not known.
	const large = spool.bytes > LARGE_BYTES || isArchive(spool.head);
	const rows = await (large ? readingThread.open(file) : openRows(file));
	preparation.end();
	try {
		return await recordingGate.pass(() =>
			recordRun(sql, spool, rows, facts, catalogOf(catalogs), upload.progress ?? (() => {})),
		);
	} finally {
		rows.close();
	}
}

/** A file of this many unpacked bytes or fewer is parsed in this thread, in less time than another one takes to start. */
const LARGE_BYTES = 2 * 1024 * 1024;

/** Starts the thread for large files while the rest of one is still arriving. */
class Preparation {
	#release: (() => void) | null = null;

	async *watch(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
		let bytes = 0;
		for await (const chunk of source) {
			bytes += chunk.length;
			if (bytes > LARGE_BYTES) this.#release ??= readingThread.hold();
			yield chunk;
		}
	}

	/** Every file holds the thread by itself while it is read. */
	end(): void {
		this.#release?.();
		this.#release = null;
	}
}

/**
 * Files recorded at the same time by this process. Each holds a connection, the waiting of identical ones too:
 * without a limit they would leave none for those who only read.
 */
const recordingGate = new Gate(4);

/** PostgreSQL's class of errors about values: the file's fault, not the server's. */
const DATA_EXCEPTION = /^22/;

/** What is the file's fault, in words. */
function explained(error: unknown, { maxBodyBytes }: UploadLimits): unknown {
	if (error instanceof UnreadableFile) return new Problem(422, "Unreadable file", error.message);
	if (error instanceof ArchiveTooLarge) return tooLarge(maxBodyBytes);
	if (error instanceof Error && "code" in error && DATA_EXCEPTION.test(String(error.code)))
		return new Problem(
			422,
			"Unusable values",
			`The file holds a value that cannot be stored: ${error.message}.`,
		);
	return error;
}

/** The same things said give the same text, whatever their order. */
function canonicalParameters(said: Said): string {
	const given = Object.entries(said).filter(([, value]) => value !== undefined);
	return JSON.stringify(Object.fromEntries(given.sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** What POST /runs answers, for a new run and for a repeated one alike. */
export async function describeUpload(sql: Sql, { id, duplicate }: RecordedRun): Promise<UploadAnswer> {
	const { rejected, aside, rejections, asides, measurements, configurations, ...run } = await readRun(
		sql,
		id,
	);
	const ids = configurations.map((configuration) => configuration.id);
	const [items, forecasts] = await Promise.all([
		readConfigurationItems(sql, ids),
		readForecastRecords(sql, ids, id),
	]);
	return {
		...run,
		duplicate,
		rejected: rejections,
		rejectedCount: rejected,
		aside: asides,
		asideCount: aside,
		configurations: items.map((item) => ({ ...item, forecast: forecasts.get(item.id) ?? null })),
	};
}
