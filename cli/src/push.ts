import manifest from "../package.json" with { type: "json" };
import type { PushArguments, Said, Target } from "./arguments.ts";
import { encodeConditions } from "./conditions-header.ts";
import { correct } from "./correct.ts";
import { type ExitCode, worstOf } from "./exit-code.ts";
import { exitCodeOf, judge, lost, type Outcome } from "./outcome.ts";
import { post, UnreadableSource } from "./post.ts";
import { inJson, inWords } from "./report.ts";
import { describeFailure, persist } from "./retry.ts";
import { readRecord } from "./said-record.ts";
import { openSource, type Source } from "./source.ts";

/**
 * Posts files one after the other and prints what became of each. Nothing is sent where one cannot be opened.
 * @throws UsageProblem
 */
export async function push(given: PushArguments): Promise<ExitCode> {
	const record = given.conditions === null ? null : await readRecord(given.conditions);
	const conditions = record && encodeConditions(record);
	const sources: Source[] = [];
	const codes: ExitCode[] = [];
	try {
		for (const file of given.files) sources.push(await openSource(file));
		for (const source of sources) {
			const posted = await postSource(source, given.target, given.said, conditions);
			const outcome = await correct(posted, record, given.target, (line) => tell(source, line));
			console.log((given.json ? inJson : inWords)(source.name, outcome, given.target.url));
			codes.push(exitCodeOf(outcome, given.strict));
			if (outcome.kind === "unreachable" || outcome.kind === "forbidden") break;
		}
	} finally {
		for (const source of sources) await source.dispose();
	}
	const left = sources.length - codes.length;
	if (left > 0) console.error(`plimsoll: ${left} more not sent`);
	return worstOf(codes);
}

/** Posts one source as often as it takes. Problems of the way are told on the standard error. */
export async function postSource(
	source: Source,
	{ url, key, retries }: Target,
	said: Said,
	conditions: string | null,
): Promise<Outcome> {
	const address = new URL(`${url}/api/v1/runs`);
	for (const [name, value] of Object.entries(said)) address.searchParams.set(name, value);
	if (source.fileName !== null) address.searchParams.set("fileName", printable(source.fileName));
	const headers = {
		"content-type": "application/octet-stream",
		"user-agent": `plimsoll/${manifest.version}`,
		...(key === null ? {} : { authorization: `Bearer ${key}` }),
		...(conditions === null ? {} : { "plimsoll-conditions": conditions }),
	};
	const say = (line: string) => tell(source, line);
	try {
		return judge(await persist(() => post(address, headers, source), { retries, say }));
	} catch (error) {
		if (error instanceof UnreadableSource) return lost("refused", error.message);
		return lost("unreachable", `${describeFailure(error as Error)} (${url})`);
	}
}

function tell({ name }: Source, line: string): void {
	console.error(`plimsoll: ${name}: ${line}`);
}

/** The server takes names of at most 500 visible characters. */
function printable(name: string): string {
	return name.replace(/\p{Cc}/gu, "").slice(0, 400) || "unnamed";
}
