import { createWriteStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type { RunArguments } from "./arguments.ts";
import type { Kept } from "./child.ts";
import type { Conditions } from "./conditions.ts";
import { spoolSource } from "./source.ts";

/**
 * Saves the output of a run that the planner did not take, with its conditions, in the working folder.
 * @returns how to post it later; null where there is no output
 */
export async function keepOutput(
	{ stdout, stderr }: Kept,
	conditions: Conditions,
	{ said }: RunArguments,
): Promise<string | null> {
	if (stdout.isEmpty && stderr.isEmpty) return null;
	const program = (conditions.command[0] ?? "output").replace(/[^\w.-]/g, "_");
	const name = `${program}-${conditions.startedAt.slice(0, 19).replaceAll(":", "-")}`;
	const output = `${name}.txt.gz`;
	const record = `${name}.conditions.json`;
	const spools = stderr.isEmpty ? ([stdout] as const) : ([stderr, stdout] as const);
	try {
		await pipeline(spoolSource(output, null, spools).read(), createWriteStream(output, { flags: "wx" }));
		await writeFile(record, `${JSON.stringify(conditions, null, "\t")}\n`, { flag: "wx" });
	} catch (error) {
		return `the output could not be kept: ${(error as Error).message}`;
	}
	const options = Object.entries(said).map(([parameter, value]) => ` --${optionOf(parameter)} "${value}"`);
	return `the output is kept; post it later: plimsoll push ${output} --conditions ${record}${options.join("")}`;
}

function optionOf(parameter: string): string {
	return parameter.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
