import manifest from "../package.json" with { type: "json" };
import type { Target } from "./arguments.ts";
import { judgeRefusal, type Outcome } from "./outcome.ts";
import { describeFailure, persist } from "./retry.ts";

/** What somebody says of a run and may say again; the rest was read from the machine while it ran. */
const SAID = ["modelSnapshot", "sampling", "prompts", "tools", "code", "answers"] as const;

/**
 * A file that is stored already keeps the conditions that it came with: what is said of it now and stands otherwise there
 * is corrected. The planner keeps who did it.
 */
export async function correct(
	outcome: Outcome,
	said: Record<string, unknown> | null,
	{ url, key, retries }: Target,
	say: (line: string) => void,
): Promise<Outcome> {
	if (outcome.kind !== "duplicate" || said === null) return outcome;
	const standing = outcome.run.conditions ?? {};
	const corrected = SAID.filter((name) => said[name] !== undefined && !isEqual(said[name], standing[name]));
	if (corrected.length === 0) return outcome;
	const body = JSON.stringify({
		conditions: Object.fromEntries(corrected.map((name) => [name, said[name]])),
	});
	const headers = {
		"content-type": "application/json",
		"user-agent": `plimsoll/${manifest.version}`,
		...(key === null ? {} : { authorization: `Bearer ${key}` }),
	};
	const call = async () => {
		const response = await fetch(`${url}/api/v1/runs/${outcome.run.id}`, { method: "PATCH", headers, body });
		return {
			status: response.status,
			headers: Object.fromEntries(response.headers),
			text: await response.text(),
		};
	};
	try {
		const answer = await persist(call, { retries, say });
		if (answer.status === 200) return { ...outcome, corrected: [...corrected] };
		return judgeRefusal(answer, `It is stored (${url}/measurements/${outcome.run.id}), but not corrected: `);
	} catch (error) {
		return {
			kind: "unreachable",
			refusal: { status: null, title: "No answer", detail: describeFailure(error as Error), errors: [] },
		};
	}
}

/** Equal whatever the order of the names. */
function isEqual(a: unknown, b: unknown): boolean {
	if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
	const [left, right] = [Object.entries(a), new Map(Object.entries(b))];
	return left.length === right.size && left.every(([name, value]) => isEqual(value, right.get(name)));
}
