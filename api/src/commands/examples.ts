import { tmpdir } from "node:os";
import { parseArgs } from "node:util";
import { countExamples, removeExamples, restoreExamples } from "../store/examples.ts";
import { fail, runCommand, Usage } from "./open.ts";

const USAGE = "Usage: npm run examples -- --remove | --restore";

/** Takes the example data out or puts it back. */
function readArguments(): "remove" | "restore" {
	try {
		const { values } = parseArgs({ options: { remove: { type: "boolean" }, restore: { type: "boolean" } } });
		if (Boolean(values.remove) !== Boolean(values.restore)) return values.remove ? "remove" : "restore";
	} catch {
		// An option that is not known: the usage below says which are.
	}
	throw new Usage(USAGE);
}

try {
	const wanted = readArguments();
	await runCommand(async ({ sql }, { maxBodyBytes }) => {
		if (wanted === "remove") await removeExamples(sql);
		else await restoreExamples(sql, { maxBodyBytes, spoolFolder: tmpdir() });
		console.log(`${await countExamples(sql)} example runs are in.`);
	});
} catch (error) {
	fail(error);
}
