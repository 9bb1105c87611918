import { readFile } from "node:fs/promises";
import { MOST_CHARACTERS, sizeOf } from "./conditions-header.ts";
import { UsageProblem } from "./usage-problem.ts";

/**
 * What somebody wrote down about a benchmark: one JSON object of a file, short enough to be sent.
 * @param most characters that it may take in the header
 * @throws UsageProblem
 */
export async function readRecord(path: string, most = MOST_CHARACTERS): Promise<Record<string, unknown>> {
	try {
		const record: unknown = JSON.parse(await readFile(path, "utf8"));
		if (typeof record !== "object" || record === null || Array.isArray(record))
			throw new Error("must hold one JSON object");
		const size = sizeOf(record);
		if (size > most)
			throw new Error(`must be shorter: it takes ${size} characters of base64, ${most} are sent`);
		return record as Record<string, unknown>;
	} catch (error) {
		const reason = error instanceof SyntaxError ? "is not JSON" : (error as Error).message;
		throw new UsageProblem(`--conditions ${path}: ${reason}.`);
	}
}
