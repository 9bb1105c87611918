import { counted, formatCount, formatSignificant } from "#lib/format.ts";
import type { ForecastRecord, UploadAnswer } from "#lib/records/record.ts";
import type { Step } from "./send-file.ts";
import type { UploadState } from "./upload-queue.svelte.ts";

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

/** What became of the files so far: "1 of 3 under way", "3 files: 2 taken in, 1 refused". */
export function queueInWords(states: readonly UploadState[]): string {
	const number = (...wanted: UploadState[]) => states.filter((state) => wanted.includes(state)).length;
	const underWay = number("waiting", "sending", "reading");
	if (underWay > 0) return `${formatCount(underWay)} of ${formatCount(states.length)} under way`;
	const [taken, refused, givenUp] = [number("taken"), number("refused"), number("given up")];
	if (states.length === 1) {
		if (taken === 1) return "The file was taken in";
		return `The file was ${refused === 1 ? "refused" : "given up"}; nothing of it is stored`;
	}
	const parts = [
		...(taken > 0 ? [`${formatCount(taken)} taken in`] : []),
		...(refused > 0 ? [`${formatCount(refused)} refused`] : []),
		...(givenUp > 0 ? [`${formatCount(givenUp)} given up`] : []),
	];
	return `${formatCount(states.length)} files: ${parts.join(", ")}`;
}

/** Whether sending the same file once more can end otherwise: the server was away or busy, or a key was missing. */
export function mayPassLater(status: number | null): boolean {
	return status === null || status >= 500 || [401, 403, 408, 409, 429].includes(status);
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
