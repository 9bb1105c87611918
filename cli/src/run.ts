import { constants } from "node:os";
import type { RunArguments, Variables } from "./arguments.ts";
import { type Kept, NotStarted, runChild } from "./child.ts";
import { type Conditions, type Ending, startRecord } from "./conditions.ts";
import { encodeConditions, fitConditions, MOST_CHARACTERS, sizeOf } from "./conditions-header.ts";
import type { ExitCode } from "./exit-code.ts";
import { keepOutput } from "./kept-output.ts";
import { exitCodeOf, lost, type Outcome } from "./outcome.ts";
import { postSource } from "./push.ts";
import { inJson, inWords } from "./report.ts";
import { saidOfGpus } from "./said-of-gpus.ts";
import { readRecord } from "./said-record.ts";
import { type Source, spoolSource } from "./source.ts";
import { Spool } from "./spool.ts";

/**
 * Runs a benchmark, then posts what it printed with the conditions around it.
 * @returns the command's exit code, or where it is 0 that of the push
 * @throws UsageProblem before anything runs
 */
export async function run(given: RunArguments, variables: Variables): Promise<number> {
	const known = given.conditions === null ? {} : await readRecord(given.conditions, MOST_CHARACTERS / 2);
	const kept: Kept = { stdout: await Spool.create(), stderr: await Spool.create() };
	try {
		const { gpus, finish } = await startRecord(given.command, variables);
		const ending = await runChild(given.command, kept);
		const said = { ...saidOfGpus(gpus, given.command, variables), ...given.said };
		// What was seen stands; what was written down beside it fills the rest.
		const record = { ...known, ...fitConditions(await finish(ending), sizeOf(known)) };
		const code = await pushOutput(kept, record, { ...given, said });
		return endLike(ending) ?? code;
	} catch (error) {
		if (!(error instanceof NotStarted)) throw error;
		tell(error.message);
		return error.exitCode;
	} finally {
		await Promise.all([kept.stdout.dispose(), kept.stderr.dispose()]);
	}
}

async function pushOutput(kept: Kept, conditions: Conditions, given: RunArguments): Promise<ExitCode> {
	const outcome = await postOutput(kept, conditions, given);
	console.error((given.json ? inJson : inWords)("plimsoll", outcome, given.target.url));
	// What the planner read and found to be no benchmark stands on the terminal; another try would end alike.
	if ("refusal" in outcome && outcome.refusal.status !== 422) {
		const advice = await keepOutput(kept, conditions, given);
		if (advice !== null) tell(advice);
	}
	return exitCodeOf(outcome, given.strict);
}

/** Posts the streams until one holds a benchmark. */
async function postOutput(kept: Kept, conditions: Conditions, given: RunArguments): Promise<Outcome> {
	const header = encodeConditions(conditions);
	let outcome: Outcome = lost("refused", "The command printed nothing.");
	try {
		await Promise.all([kept.stdout.end(), kept.stderr.end()]);
	} catch (error) {
		return lost("refused", (error as Error).message);
	}
	for (const source of sourcesOf(kept, conditions)) {
		outcome = await postSource(source, given.target, given.said, header);
		if (outcome.kind !== "refused" || outcome.refusal.status !== 422) break;
	}
	return outcome;
}

/**
 * The standard output; where that is empty or no benchmark, both streams. Of a command that failed both come first:
 * the reason stands on the standard error, and a failure is a result too.
 */
function sourcesOf({ stdout, stderr }: Kept, { command, exitCode }: Conditions): Source[] {
	const name = `${command[0] ?? "output"}.txt`;
	const out = stdout.isEmpty ? [] : [spoolSource("standard output", name, [stdout])];
	const both = stderr.isEmpty ? [] : [spoolSource("standard error and output", name, [stderr, stdout])];
	return exitCode === 0 ? [...out, ...both] : [...both, ...out];
}

/** The exit code that tells a shell the same as the command's end; null: it ended well. */
function endLike({ exitCode, signal }: Ending): number | null {
	if (signal === null) return exitCode === 0 ? null : exitCode;
	// Ended in the same way, so that a shell's loop stops on Ctrl-C.
	if (["SIGINT", "SIGTERM", "SIGHUP"].includes(signal)) process.kill(process.pid, signal);
	return 128 + (constants.signals[signal as NodeJS.Signals] ?? 0);
}

function tell(line: string): void {
	console.error(`plimsoll: ${line}`);
}
