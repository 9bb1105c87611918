import { join } from "node:path";
import type { Item, Measurement } from "@plimsoll/api/ingest";
import { describe, expect, it } from "vitest";
import { BATCHED, type Expected, LLAMA_BENCH, LOGS, SERVER, SWEPT } from "../fixtures/llama-expectations.ts";
import { type FileReading, readFile, sharedFolder } from "../support/reading.ts";

const shared = sharedFolder(".");
const label = (name: string) => (shared === null ? `${name} (skipped: no shared data)` : name);

describe.skipIf(shared === null)(label("llama.cpp files"), () => {
	it.each([...LLAMA_BENCH, ...SWEPT, ...BATCHED, ...SERVER])("$file", async (expected) => {
		await check(join(shared ?? "", "formats", expected.file), expected);
	});

	it.each(LOGS)("%s", async (file, counts, conditions, memory) => {
		const reading = await readFile(join(shared ?? "", "formats", file));
		expect(reading.counts).toEqual(counts);
		const found = reading.items.find(({ kind }) => kind === "memory" || kind === "failure");
		if (found?.kind === "memory") {
			expect(found.conditions).toMatchObject(conditions);
			expect(found.memory).toMatchObject(memory ?? {});
		} else if (found?.kind === "failure") expect(found.failure.conditions).toMatchObject(conditions);
		expect(found?.kind === "memory").toBe(memory !== null);
	});

	it("refuses the line of a container that failed", async () => {
		const file = "llama-bench/strix-halo/rpc/GLM-4.6-UD-Q4_K_XL-00001-of-00005__vulkan_radv__rpc.log";
		await expect(readFile(join(shared ?? "", "formats", file))).rejects.toThrow(/failed to start container/);
	});
});

async function check(
	path: string,
	{ format, counts, phases, conditions, at, values }: Expected,
): Promise<void> {
	const reading = await readFile(path);
	expect(reading.format).toBe(format);
	expect(reading.counts).toEqual(counts);
	expect(phaseCounts(reading)).toEqual(phases);
	const { secondsMean, ...others } = values;
	const found = reading.items.find((item) => isAt(item, at, values));
	if (found?.kind !== "measurement") throw new Error(`no measurement at ${at}`);
	expect(found.measurement.conditions).toMatchObject(conditions);
	expect(found.measurement).toMatchObject(others);
	expect(Math.abs(found.measurement.secondsMean / secondsMean - 1)).toBeLessThan(5e-4);
}

/** Rows of notebooks have no line of their own in the file: there the first row of that value is meant. */
function isAt(item: Item, at: string, { phase, secondsMean }: Expected["values"]): boolean {
	if (item.kind !== "measurement") return false;
	if (at !== "") return item.at === at;
	return item.measurement.phase === phase && Math.abs(item.measurement.secondsMean / secondsMean - 1) < 5e-4;
}

function phaseCounts({ measurements }: FileReading): Partial<Record<Measurement["phase"], number>> {
	const counts: Partial<Record<Measurement["phase"], number>> = {};
	for (const { phase } of measurements) counts[phase] = (counts[phase] ?? 0) + 1;
	return counts;
}
