import { type Item, UnreadableFile } from "@plimsoll/api/ingest";
import { expect } from "vitest";
import { unbelievable } from "../../api/src/store/doubt.ts";
import { type FileReading, readBytes } from "./reading.ts";

/** A reading, or null where the file was refused in plain words; anything else that is thrown is a crash. */
export async function readOrRefuse(bytes: Uint8Array, chunk?: number): Promise<FileReading | null> {
	try {
		return await readBytes(bytes, {}, chunk);
	} catch (error) {
		if (!(error instanceof UnreadableFile)) throw error;
		expect(error.message.length).toBeGreaterThan(10);
		return null;
	}
}

/** Fields that may be 0: no cached tokens, the context of one token at depth 0, no GPU, a spread of nothing. */
const MAY_BE_ZERO = new Set(["cached", "context", "gpus", "secondsStd", "std", "completed", "requested"]);

/** Every number that the record itself gives a meaning to; `details` and flags are the source's own words. */
function* numbersOf(value: unknown, name = ""): Generator<[string, number]> {
	if (typeof value === "number") yield [name, value];
	else if (Array.isArray(value)) for (const member of value) yield* numbersOf(member, name);
	else if (typeof value === "object" && value !== null) {
		for (const [key, member] of Object.entries(value)) {
			if (key !== "details" && key !== "flags") yield* numbersOf(member, key);
		}
	}
}

/** Holds what any item must: a place, a reason, numbers that can be. */
export function checkItem(item: Item): void {
	if (item.kind === "note") return void expect(item.text).not.toBe("");
	expect(item.at).not.toBe("");
	if (item.kind === "rejected" || item.kind === "aside")
		return void expect(item.reason.length).toBeGreaterThan(5);
	for (const [name, number] of numbersOf(item)) {
		expect(Number.isFinite(number), `${name} is ${number}`).toBe(true);
		if (!MAY_BE_ZERO.has(name)) expect(number, name).toBeGreaterThan(0);
		expect(number, name).toBeGreaterThanOrEqual(0);
	}
	if (item.kind === "measurement") {
		const { measurement } = item;
		// No step or request of a language model takes less than a microsecond or more than a day.
		if (measurement.suspicions.length === 0 && unbelievable(measurement) === null) {
			expect(measurement.secondsMean).toBeGreaterThan(1e-6);
			expect(measurement.secondsMean).toBeLessThan(86_400);
		}
		if (measurement.phase === "serve") checkLoad(measurement);
	}
}

function checkLoad({
	completed,
	requested,
	status,
	concurrency,
	concurrencyBasis,
}: {
	completed: number | null;
	requested: number | null;
	status: string;
	concurrency: number | null;
	concurrencyBasis: string | null;
}) {
	if (completed !== null && requested !== null && completed < requested) expect(status).toBe("partial");
	expect(concurrency === null).toBe(concurrencyBasis === null);
}
