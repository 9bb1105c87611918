import manifest from "../package.json" with { type: "json" };
import { readMcpArguments, readPushArguments, readRunArguments, type Variables } from "./arguments.ts";
import { EXIT } from "./exit-code.ts";
import { helpOn } from "./help.ts";
import { bridge } from "./mcp.ts";
import { push } from "./push.ts";
import { run } from "./run.ts";
import { UsageProblem } from "./usage-problem.ts";

/** Runs one command line. @returns the exit code */
export async function runPlimsoll(given: readonly string[], variables: Variables): Promise<number> {
	try {
		return await dispatch(given, variables);
	} catch (error) {
		if (!(error instanceof UsageProblem)) throw error;
		console.error(`plimsoll: ${error.message}`);
		return EXIT.usage;
	}
}

async function dispatch(given: readonly string[], variables: Variables): Promise<number> {
	const [command, ...rest] = given;
	const own = rest.slice(0, rest.includes("--") ? rest.indexOf("--") : rest.length);
	if (own.includes("--help") || own.includes("-h")) return printHelp(command);
	switch (command) {
		case "push":
			return push(readPushArguments(rest, variables));
		case "run":
			return run(readRunArguments(rest, variables), variables);
		case "mcp":
			return bridge(readMcpArguments(rest, variables));
		case "help":
		case "--help":
		case "-h":
			return printHelp(rest[0]);
		case "version":
		case "--version":
		case "-v":
			console.log(manifest.version);
			return EXIT.stored;
		default:
			throw new UsageProblem(
				`${command === undefined ? "No command" : `Unknown command ${command}`}; plimsoll help shows what there is.`,
			);
	}
}

function printHelp(topic: string | undefined): number {
	const help = helpOn(topic);
	if (help === null) throw new UsageProblem(`No help on ${topic}; plimsoll help shows what there is.`);
	console.log(help);
	return EXIT.stored;
}
