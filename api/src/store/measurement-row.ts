import type { Failure, Measurement } from "../ingest/index.ts";
import { CopyRows } from "./copy-binary.ts";

/** Columns of `measurements` in the order in which the rows below write them; the id is given by the table. */
export const MEASUREMENT_COLUMNS = [
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
	"rate",
	"seconds",
	"seconds_mean",
	"seconds_std",
	"repetitions",
	"reason",
	"details",
	"suspicions",
	"included",
	"started_at",
] as const;

/** Where a row belongs. */
interface Place {
	/** The row's beginning, as `rowHead` gives it. */
	head: Uint8Array;
	/** Place in the file. */
	at: string;
}

/** The cells that all rows of a run have alike that belong to one configuration. */
export function rowHead(configurationId: string, runId: string): Uint8Array {
	const rows = new CopyRows(128);
	rows.row(MEASUREMENT_COLUMNS.length);
	rows.text(configurationId);
	rows.uuid(runId);
	return rows.take();
}

/** Where the numbers of each phase stand in the shared columns; see the schema. */
export interface Shape {
	tokens: number | null;
	depth: number | null;
	generated: number | null;
	batch: number | null;
	rate: number | null;
}

/** Where a measurement's numbers stand. */
export function shapeOf(m: Measurement): Shape {
	if (m.phase === "prefill")
		return { tokens: m.tokens, depth: m.cached, generated: null, batch: m.batch, rate: null };
	if (m.phase === "decode")
		return { tokens: null, depth: m.context, generated: m.generated, batch: m.batch, rate: null };
	if (m.phase === "mixed")
		return { tokens: m.tokens, depth: m.cached, generated: m.generated, batch: m.batch, rate: null };
	if (m.phase === "tools")
		return { tokens: m.tokens, depth: m.cached, generated: null, batch: m.tools, rate: null };
	return { tokens: m.input, depth: null, generated: m.output, batch: m.concurrency, rate: m.rate };
}

/** Everything of the record that has no column; null where there is nothing. */
function detailsOf(m: Measurement): Record<string, unknown> | null {
	let { details } = m;
	if (m.notes.length > 0) details = { ...details, notes: m.notes };
	if (m.phase === "serve") {
		const { ttft, tpot, itl, e2e, outputTokensPerSecond, concurrencyBasis } = m;
		const { requested, completed, durationSeconds } = m;
		details = { ...details, ttft, tpot, itl, e2e, outputTokensPerSecond, concurrencyBasis };
		Object.assign(details, { requested, completed, durationSeconds });
	}
	for (const _ in details) return details;
	return null;
}

/** Writes a measurement as a row for COPY. */
export function writeMeasurement(
	rows: CopyRows,
	m: Measurement,
	shape: Shape,
	{ head, at }: Place,
	point: string | null,
	included: boolean,
): void {
	rows.raw(head);
	rows.text(at);
	rows.text(m.phase);
	rows.text(m.status);
	rows.text(point);
	rows.float(shape.tokens);
	rows.float(shape.depth);
	rows.float(shape.generated);
	rows.float(shape.batch);
	rows.float(shape.rate);
	rows.floats(m.seconds);
	rows.float(m.secondsMean);
	rows.float(m.secondsStd);
	rows.integer(m.repetitions);
	rows.null();
	rows.json(detailsOf(m));
	rows.texts(m.suspicions);
	rows.boolean(included);
	rows.text(m.startedAt);
}

/** Writes a failure as a row for COPY: it marks where a configuration stops and is never fitted. */
export function writeFailure(rows: CopyRows, failure: Failure, { head, at }: Place): void {
	rows.raw(head);
	rows.text(at);
	rows.text(failure.phase);
	rows.text("failed");
	rows.null(); // point
	rows.float(failure.tokens);
	rows.null(); // depth
	rows.null(); // generated
	rows.float(failure.batch);
	rows.null(); // rate
	rows.null(); // seconds
	rows.float(failure.seconds ?? null);
	rows.null(); // seconds_std
	rows.null(); // repetitions
	rows.text(failure.reason);
	rows.json(failure.details && Object.keys(failure.details).length > 0 ? failure.details : null);
	rows.null(); // suspicions
	rows.boolean(false);
	rows.text(failure.startedAt);
}
