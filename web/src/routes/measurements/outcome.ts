import { counted, formatCount, formatSignificant } from "#lib/format.ts";
import type { ForecastRecord, UploadAnswer } from "#lib/records/record.ts";
import type { Step } from "./send-file.ts";

const any = (n: number, one: string, many: string) => (n > 0 ? [counted(n, one, many)] : []);

/** What became of a file's rows: "21 measurements accepted, 2 rows rejected, 1 failure kept". */
export function countsOf(run: { accepted: number; failed: number; rejected: number; aside: number }): string {
	return [
		...(run.accepted === 0 && run.failed === 0 ? ["no measurement accepted"] : []),
		...any(run.accepted, "measurement accepted", "measurements accepted"),
		...any(run.failed, "failure kept", "failures kept"),
		...any(run.rejected, "row rejected", "rows rejected"),
		...any(run.aside, "row set aside", "rows set aside"),
	].join(", ");
}

/** The outcome of an upload in a sentence. */
export function outcomeOf(answer: UploadAnswer): string {
	const counts = countsOf({ ...answer, rejected: answer.rejectedCount, aside: answer.asideCount });
	return answer.duplicate ? `Was here already, nothing is stored twice: ${counts}` : counts;
}

/** Where the server is with a file, in words. */
export function stepOf(step: Step | null): string {
	if (step === null) return "being read";
	return step.stage === "reading"
		? `being read: ${counted(step.rows, "row")}`
		: "stored; the laws are fitted anew";
}

/** How well the planner had foreseen what a file then brought; null where it had nothing to foresee with. */
export function forecastOf(record: ForecastRecord | null): string | null {
	if (!record || record.count === 0) return null;
	const held = `${formatCount(record.intervalHeld)} of ${formatCount(record.count)} forecast intervals held`;
	if (record.medianError === null) return held;
	return `${held}, median error ${formatSignificant(record.medianError * 100, 2)}%`;
}
