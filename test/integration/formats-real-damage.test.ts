import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { anyDamage, coloured, crlf, damaged, prefixed, quoted, utf16, wrapped } from "../support/damage.ts";
import { checkItem, readOrRefuse } from "../support/item-check.ts";
import { type FileReading, sharedFolder } from "../support/reading.ts";

const folder = sharedFolder("formats");
const skipped = folder === null ? " (skipped: no shared data)" : "";
/** Larger files take long, and show no more. */
const LARGEST = 80_000;
/** Files of one family that are damaged. */
const OF_EACH = 2;

interface Sample {
	path: string;
	text: string;
	plain: FileReading;
}

const samples: Sample[] = [];

/** A few real files of every family that reads any. */
beforeAll(async () => {
	const taken = new Map<string, number>();
	for (const path of filesUnder(folder ?? "")) {
		const bytes = readFileSync(path);
		const plain = await readOrRefuse(bytes);
		if (plain === null) continue;
		const before = taken.get(plain.format) ?? 0;
		if (before === OF_EACH) continue;
		taken.set(plain.format, before + 1);
		samples.push({ path: relative(folder ?? "", path), text: bytes.toString("utf8"), plain });
	}
});

function filesUnder(root: string): string[] {
	if (root === "") return [];
	const all = readdirSync(root, { recursive: true, encoding: "utf8" }).map((name) => join(root, name));
	const files = all.filter((path) => statSync(path).isFile() && statSync(path).size <= LARGEST);
	return files.sort((a, b) => statSync(a).size - statSync(b).size || (a < b ? -1 : 1));
}

const encode = (text: string) => new TextEncoder().encode(text);

/** What a damage must not change: places may move, values and counts may not. */
function essence({ measurements, counts, items }: FileReading): unknown {
	return {
		counts: { ...counts, note: undefined },
		values: measurements.map(({ phase, secondsMean, secondsStd, suspicions }) => ({
			phase,
			secondsMean,
			secondsStd,
			doubted: suspicions.length,
		})),
		memory: items.flatMap((item) => (item.kind === "memory" ? [item.memory] : [])),
		conditions: measurements.map(({ conditions: { gpu, gpus, model, engine } }) => ({
			gpu,
			gpus,
			model,
			engine,
		})),
	};
}

const CHANGES: [name: string, change: (text: string) => Uint8Array, where: (sample: Sample) => boolean][] = [
	["a byte order mark", (text) => encode(`\uFEFF${text}`), () => true],
	["UTF-16 as PowerShell writes it", utf16, () => true],
	["Windows line ends", (text) => encode(crlf(text)), () => true],
	["colour codes", (text) => encode(coloured(text)), () => true],
	["the quoting of a forum", (text) => encode(quoted(text)), () => true],
	[
		"a service's name before each line",
		(text) => encode(prefixed(text)),
		({ text }) => text.trim().includes("\n"),
	],
	[
		"lines broken at 146 columns",
		(text) => encode(wrapped(text, 146)),
		// Nothing shows where a command ends, nor the second copy of a table that stands between marks of code.
		({ plain }) => !["llama-sweep-bench md", "vllm ci-table"].includes(plain.format),
	],
];

describe.skipIf(folder === null)(`real files of every family${skipped}`, () => {
	it("are there", () => {
		expect(samples.length).toBeGreaterThan(40);
	});

	it.each(CHANGES)("with %s say the same", async (_, change, where) => {
		for (const sample of samples.filter(where)) {
			const changed = await readOrRefuse(change(sample.text));
			expect(changed?.format, sample.path).toBe(sample.plain.format);
			expect(changed && essence(changed), sample.path).toEqual(essence(sample.plain));
		}
	});

	it("with their keys sorted say the same", async () => {
		for (const { text, plain } of samples) {
			const sorted = sortedJson(text);
			if (sorted === null) continue;
			const changed = await readOrRefuse(encode(sorted));
			expect(changed && essence(changed)).toEqual(essence(plain));
		}
	});

	it("cut anywhere give a part or a refusal in words", async () => {
		for (const { text } of samples) {
			const bytes = encode(text);
			for (let part = 1; part < 12; part++) {
				const cut = await readOrRefuse(bytes.subarray(0, Math.floor((bytes.length * part) / 12) - 1));
				for (const item of cut?.items ?? []) checkItem(item);
			}
		}
	});

	it("changed at random are read or refused", async () => {
		for (const { text } of samples) {
			await fc.assert(
				fc.asyncProperty(fc.array(anyDamage, { minLength: 1, maxLength: 6 }), async (damages) => {
					const reading = await readOrRefuse(encode(damaged(text, damages)));
					for (const item of reading?.items ?? []) checkItem(item);
				}),
				{ numRuns: 30 },
			);
		}
	});
});

/** The text with the keys of every object in their order; null where it is no JSON, or JSON a line. */
function sortedJson(text: string): string | null {
	const inOrder = (_: string, value: unknown): unknown =>
		typeof value === "object" && value !== null && !Array.isArray(value)
			? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
			: value;
	try {
		return JSON.stringify(JSON.parse(text, inOrder));
	} catch {
		return null;
	}
}
