import type { Outcome, Refusal } from "./outcome.ts";

type Stored = Extract<Outcome, { run: unknown }>;

/** Rows and notes that are shown of one file; the run's page has them all. */
const FIRST = 10;

/** What became of one file, in words. */
export function inWords(name: string, outcome: Outcome, url: string): string {
	const lines = "run" in outcome ? storedLines(outcome, url) : refusedLines(outcome.kind, outcome.refusal);
	const [first = "", ...rest] = lines;
	return [`${name}: ${first}`, ...rest.map((line) => `  ${line}`)].join("\n");
}

function storedLines({ run, corrected = [] }: Stored, url: string): string[] {
	const { accepted, rejectedCount, failed, asideCount } = run;
	return [
		`${run.duplicate ? "stored before (duplicate)" : "stored"} as ${run.format}: ${accepted} accepted, ` +
			`${rejectedCount} rejected, ${failed} failed, ${asideCount} set aside`,
		`run            ${runPage(run, url)}`,
		...run.configurations.map((one) => `configuration  ${configurationPage(one, url)}  ${one.label}`),
		...(corrected.length > 0
			? [`conditions     corrected: ${corrected.join(", ")} (the run's page has what stood before)`]
			: []),
		...run.rejected.slice(0, FIRST).map(({ at, reason }) => `rejected       ${at}: ${reason}`),
		...more(rejectedCount, "rejected      "),
		...run.notes.slice(0, FIRST).map((note) => `note           ${note}`),
		...more(run.notes.length, "note          "),
	];
}

function more(count: number, label: string): string[] {
	return count > FIRST ? [`${label} and ${count - FIRST} more: see the run`] : [];
}

function refusedLines(kind: string, { status, title, detail, errors }: Refusal): string[] {
	const left = errors.length - FIRST;
	return [
		`${kind}${status === null ? "" : ` (${status} ${title})`}: ${detail}`,
		...errors.slice(0, FIRST).map(({ at, reason }) => `${at}: ${reason}`),
		...(left > 0 ? [`and ${left} more`] : []),
	];
}

/** The same as one line of JSON. */
export function inJson(name: string, outcome: Outcome, url: string): string {
	if (!("run" in outcome)) {
		const { errors, ...problem } = outcome.refusal;
		return JSON.stringify({ file: name, outcome: outcome.kind, ...problem, errors: errors.slice(0, FIRST) });
	}
	const { run, corrected = [] } = outcome;
	return JSON.stringify({
		...{ file: name, outcome: outcome.kind, id: run.id, url: runPage(run, url), format: run.format },
		...{ accepted: run.accepted, rejected: run.rejectedCount, failed: run.failed, aside: run.asideCount },
		configurations: run.configurations.map((one) => ({
			...{ id: one.id, label: one.label, url: configurationPage(one, url) },
		})),
		rejections: run.rejected.slice(0, FIRST),
		notes: run.notes.slice(0, FIRST),
		...(corrected.length > 0 ? { corrected } : {}),
	});
}

const runPage = ({ id }: { id: string }, url: string) => `${url}/measurements/${id}`;
const configurationPage = ({ id }: { id: string }, url: string) => `${url}/configurations/${id}`;
