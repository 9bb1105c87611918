import { parseArgs } from "node:util";
import { createKey, SCOPES, type Scope } from "../store/keys.ts";
import { fail, runCommand, Usage } from "./open.ts";

const USAGE = `Usage: npm run key -- --scope ${SCOPES.join("|")} --name NAME   (--scope may be given several times)`;

/** Makes a key and prints its secret, this once. */
function readArguments(): { name: string; scopes: Scope[] } {
	const { name, scopes } = parse();
	const known = SCOPES.filter((scope) => scopes.includes(scope));
	if (!name || known.length === 0 || known.length !== new Set(scopes).size) throw new Usage(USAGE);
	return { name, scopes: known };
}

function parse(): { name: string; scopes: string[] } {
	try {
		const { values } = parseArgs({
			options: { scope: { type: "string", multiple: true }, name: { type: "string" } },
		});
		return { name: values.name?.trim() ?? "", scopes: values.scope ?? [] };
	} catch {
		throw new Usage(USAGE);
	}
}

try {
	const wanted = readArguments();
	await runCommand(async ({ sql }) => {
		const { secret, scopes } = await createKey(sql, wanted);
		console.log(secret);
		console.error(
			`Key "${wanted.name}" (${scopes.join(", ")}). It is shown this once; send it as Authorization: Bearer KEY.`,
		);
	});
} catch (error) {
	fail(error);
}
