import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { sharedFolder } from "../support/reading.ts";

/** Tests that hold shared files to what opening each of them gave: family, counts, GPU, model, at least one value. */
const TABLES = [
	"../fixtures/llama-expectations.ts",
	"../fixtures/serve-grid.ts",
	"formats-llama.test.ts",
	"formats-serve.test.ts",
	"formats-clients.test.ts",
	"formats-server-logs.test.ts",
];

const folder = sharedFolder("formats");
const skipped = folder === null ? " (skipped: no shared data)" : "";

describe.skipIf(folder === null)(`files held to what they say${skipped}`, () => {
	it("are at least 150 of the shared ones", () => {
		const tables = TABLES.map((name) => readFileSync(join(import.meta.dirname, name), "utf8")).join("\n");
		const files = readdirSync(folder ?? "", { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile() && entry.name !== "SOURCES.md")
			.map(({ name }) => name);
		const stem = (name: string) => basename(name).replace(/\.[a-z]+$/, "");
		const held = files.filter(
			(name) => tables.includes(name) || (stem(name).length > 12 && tables.includes(stem(name))),
		);
		console.log(`${held.length} of ${files.length} shared files are named beside what opening them gave`);
		expect(held.length).toBeGreaterThanOrEqual(150);
	});
});
