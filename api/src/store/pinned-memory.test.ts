import { describe, expect, it } from "vitest";
import { emptyConditions } from "../ingest/fields.ts";
import type { Conditions } from "../ingest/index.ts";
import { pinnedMemory } from "../ingest/pinned.ts";
import { type KnownStart, type MemoryFigures, mergeStarts } from "./pinned-memory.ts";

const start = (
	href: string,
	figures: Partial<MemoryFigures>,
	special: { unknown?: string[]; conditions?: Partial<Conditions> } = {},
): KnownStart => ({
	figures: { ...pinnedMemory({}), ...figures },
	conditions: { ...emptyConditions("vllm"), ...special.conditions },
	unknown: special.unknown ?? [],
	source: { label: href, href, date: "2026-11-30" },
});
const CARD = { kvK: null, cardBytes: 80e9 };

describe("several starts of one setup", () => {
	it("give the smallest cache and the largest of what lies beside it, and say that they differ", () => {
		const pinned = mergeStarts(CARD, [
			start("one", { weightsBytes: 16e9, kvPoolBytes: 50e9, kvTokens: 380_000, graphBytes: 1e9 }),
			start("two", { weightsBytes: 16e9, kvPoolBytes: 48e9, kvTokens: 366_000, graphBytes: 2e9 }),
		]);
		expect(pinned).toMatchObject({
			weightsBytes: 16e9,
			kvPoolBytes: 48e9,
			kvTokens: 366_000,
			graphBytes: 2e9,
		});
		expect(pinned?.sources.map(({ href }) => href)).toEqual(["one", "two"]);
		expect(pinned?.remarks).toEqual([
			"Starts differ in the cache (48 GB to 50 GB): the smallest is used.",
			"Starts differ in the tokens of the cache (366,000 tokens to 380,000 tokens): the smallest is used.",
			"Starts differ in graphs (1 GB to 2 GB): the largest is used.",
		]);
	});

	it("prefer those that match best, and ask the others only for what these do not say", () => {
		const pinned = mergeStarts(CARD, [
			start("loose", { kvPoolBytes: 30e9, activationBytes: 3e9 }, { unknown: ["weight format"] }),
			start("exact", { kvPoolBytes: 50e9 }),
			start("looser", { activationBytes: 9e9 }, { unknown: ["weight format", "cache type"] }),
		]);
		expect(pinned).toMatchObject({ kvPoolBytes: 50e9, activationBytes: 3e9, unknown: ["weight format"] });
		expect(pinned?.sources.map(({ href }) => href)).toEqual(["loose", "exact"]);
	});

	it("keep the remarks of the starts that count, each once", () => {
		const remarks = ["The log contradicts itself."];
		const pinned = mergeStarts(CARD, [
			start("one", { kvTokens: 1000, remarks }),
			start("two", { kvTokens: 1000, remarks }),
		]);
		expect(pinned?.remarks).toEqual(remarks);
	});

	it("are nothing where they say nothing", () => {
		expect(mergeStarts(CARD, [])).toBeNull();
		expect(mergeStarts(CARD, [start("empty", {})])).toBeNull();
	});
});

describe("a start that does not name its GPU", () => {
	const unnamed = { unknown: ["GPU"] };
	it("counts for a card that its figures fill, by the share it was given", () => {
		// 14.25 GiB of weights and 24.83 GiB of cache are 49 % of an A100's 85.1 GB: the start says 0.5.
		const figures = { weightsBytes: 15.3e9, kvPoolBytes: 26.66e9, utilisation: 0.5 };
		expect(mergeStarts({ kvK: null, cardBytes: 85.1e9 }, [start("log", figures, unnamed)])).toMatchObject({
			kvPoolBytes: 26.66e9,
			unknown: ["GPU"],
		});
	});

	it.each([
		["too small", 24e9],
		["much too large", 141e9],
	])("does not count for a card that is %s", (_, cardBytes) => {
		const figures = { weightsBytes: 16e9, kvPoolBytes: 50e9 };
		expect(mergeStarts({ kvK: null, cardBytes }, [start("log", figures, unnamed)])).toBeNull();
	});

	it("counts where its figures cannot tell", () => {
		expect(mergeStarts(CARD, [start("metrics", { kvTokens: 400_000 }, unnamed)])?.kvTokens).toBe(400_000);
	});
});

describe("cache types", () => {
	it("of the start are named for a configuration that does not say its own", () => {
		const fp8 = { conditions: { kvK: "fp8_e4m3", kvV: "fp8_e4m3" } };
		expect(mergeStarts(CARD, [start("log", { kvTokens: 1000 }, fp8)])).toMatchObject({
			kvK: "fp8",
			kvV: "fp8",
		});
	});

	it("that the start does not name leave its tokens aside, for a configuration that names one", () => {
		const figures = { kvPoolBytes: 50e9, kvTokens: 380_000 };
		expect(mergeStarts({ kvK: "fp8", cardBytes: 80e9 }, [start("log", figures)])).toMatchObject({
			kvPoolBytes: 50e9,
			kvTokens: null,
		});
	});
});

it("llama.cpp's cache is what was asked for, and no limit", () => {
	const pinned = mergeStarts(CARD, [
		start(
			"server",
			{ weightsBytes: 5e9, kvPoolBytes: 1_073_741_824, kvTokens: 8192, activationBytes: 0.6e9 },
			{ conditions: { engine: "ik_llama.cpp" } },
		),
	]);
	expect(pinned).toMatchObject({
		weightsBytes: 5e9,
		activationBytes: 0.6e9,
		kvPoolBytes: null,
		kvTokens: null,
	});
	expect(pinned?.remarks?.join()).toContain("8,192 tokens, 1.074 GB");
});
