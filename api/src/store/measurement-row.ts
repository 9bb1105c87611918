import type { Failure, Measurement } from "../ingest/index.ts";
import { booleanCell, jsonCell, numberCell, numbersCell, textCell, textsCell } from "./copy-text.ts";

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

interface Place {
	configurationId: string;
	runId: string;
	/** Place in the file. */
	at: string;
}

/** Where the numbers of each phase stand in the shared columns; see the schema. */
interface Shape {
	tokens: number | null;
	depth: number | null;
	generated: number | null;
	batch: number | null;
	rate: number | null;
}

function shapeOf(m: Measurement): Shape {
	if (m.phase === "prefill")
		return { tokens: m.tokens, depth: m.cached, generated: null, batch: m.batch, rate: null };
	if (m.phase === "decode")
		return { tokens: null, depth: m.context, generated: m.generated, batch: m.batch, rate: null };
	if (m.phase === "mixed")
		return { tokens: m.tokens, depth: m.cached, generated: m.generated, batch: m.batch, rate: null };
	return { tokens: m.input, depth: null, generated: m.output, batch: m.concurrency, rate: m.rate };
}

/** Everything of the record that has no column; null where there is nothing. */
function detailsOf(m: Measurement): Record<string, unknown> | null {
	const details: Record<string, unknown> = { ...m.details };
	if (m.notes.length > 0) details.notes = m.notes;
	if (m.phase === "serve") {
		const { ttft, tpot, itl, e2e, outputTokensPerSecond, concurrencyBasis } = m;
		const { requested, completed, durationSeconds } = m;
		Object.assign(details, { ttft, tpot, itl, e2e, outputTokensPerSecond, concurrencyBasis });
		Object.assign(details, { requested, completed, durationSeconds });
	}
	for (const _ in details) return details;
	return null;
}

/** A measurement as a line for COPY. */
export function measurementLine(
	m: Measurement,
	place: Place,
	point: string | null,
	included: boolean,
): string {
	const shape = shapeOf(m);
	return `${[
		place.configurationId,
		place.runId,
		textCell(place.at),
		m.phase,
		m.status,
		textCell(point),
		numberCell(shape.tokens),
		numberCell(shape.depth),
		numberCell(shape.generated),
		numberCell(shape.batch),
		numberCell(shape.rate),
		numbersCell(m.seconds),
		numberCell(m.secondsMean),
		numberCell(m.secondsStd),
		numberCell(m.repetitions),
		"\\N",
		jsonCell(detailsOf(m)),
		textsCell(m.suspicions),
		booleanCell(included),
		textCell(m.startedAt),
	].join("\t")}\n`;
}

/** A failure as a line for COPY: it marks where a configuration stops and is never fitted. */
export function failureLine(failure: Failure, place: Place): string {
	const nothing = "\\N";
	return `${[
		place.configurationId,
		place.runId,
		textCell(place.at),
		failure.phase,
		"failed",
		nothing,
		numberCell(failure.tokens),
		nothing,
		nothing,
		numberCell(failure.batch),
		nothing,
		nothing,
		nothing,
		nothing,
		nothing,
		textCell(failure.reason),
		nothing,
		nothing,
		booleanCell(false),
		textCell(failure.startedAt),
	].join("\t")}\n`;
}
