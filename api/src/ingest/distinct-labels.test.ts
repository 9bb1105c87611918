import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { configurationKey, configurationLabel } from "./conditions.ts";
import { distinctLabels } from "./distinct-labels.ts";
import type { Conditions } from "./record.ts";

const made = (special: Partial<Conditions> = {}): Conditions => ({
	...{
		gpu: "NVIDIA GeForce RTX 4090",
		gpus: 1,
		gpusBasis: null,
		engine: "llama.cpp",
		engineVersion: "b5606 247e5c6e",
	},
	...{ backend: "CUDA", model: "llama-3.1-8b", modelParams: null, modelBytes: null, weights: "Q4_K_M" },
	...{ kvK: "f16", kvV: "f16", tp: null, pp: null, dp: null, ep: null, flags: {}, ...special },
});
const NAME = "RTX 4090 · llama-3.1-8b Q4_K_M · llama.cpp b5606 · kv f16";
const labels = (...all: Partial<Conditions>[]) => [
	...distinctLabels(all.map((special, i) => ({ id: `${i}`.repeat(8), conditions: made(special) }))).values(),
];

describe("distinctLabels", () => {
	it("leaves names alone that nobody shares", () => {
		expect(labels({}, { gpu: "H20" })).toEqual([NAME, configurationLabel(made({ gpu: "H20" }))]);
	});

	it.each<[string, Partial<Conditions>, Partial<Conditions>, string, string]>([
		[
			"a flag",
			{ flags: { n_gpu_layers: 99 } },
			{ flags: { n_gpu_layers: 20 } },
			"gpu layers 99",
			"gpu layers 20",
		],
		["a switch", { flags: { no_host: true } }, { flags: { no_host: false } }, "no host on", "no host off"],
		["one that is not said", { flags: { n_ubatch: 512 } }, {}, "ubatch 512", "ubatch not said"],
		[
			"builds of one number",
			{ engineVersion: "b5606 aaaaaaaa" },
			{ engineVersion: "b5606 bbbbbbbb" },
			"build b5606 aaaaaaaa",
			"build b5606 bbbbbbbb",
		],
		["stages", { pp: 2 }, { pp: 4 }, "pp 2", "pp 4"],
		[
			"weight files",
			{ modelBytes: 4_000_000_001 },
			{ modelBytes: 4_000_000_002 },
			"bytes of weights 4000000001",
			"bytes of weights 4000000002",
		],
	])("says of configurations of one name what differs: %s", (_, one, other, first, second) => {
		expect(labels(one, other)).toEqual([`${NAME} · ${first}`, `${NAME} · ${second}`]);
	});

	it("says all that differs where it is little", () => {
		expect(labels({ flags: { a: 1, b: 1 } }, { flags: { a: 2, b: 2 } })).toEqual([
			`${NAME} · a 1 · b 1`,
			`${NAME} · a 2 · b 2`,
		]);
	});

	it("says the fewest conditions that tell all apart where much differs", () => {
		const flags = (i: number) => ({ flags: { a: i % 2, b: i % 2, c: i % 2, max_num_seqs: i, same: 7 } });
		expect(labels(flags(1), flags(2), flags(3))).toEqual([1, 2, 3].map((i) => `${NAME} · max num seqs ${i}`));
	});

	it("goes by the id where two long values look alike", () => {
		const long = (end: string) => ({ flags: { config: `${"x".repeat(60)}${end}` } });
		const [one = "", other = ""] = labels(long("a"), long("b"));
		expect(one.endsWith("… · 000000") && other.endsWith("… · 111111")).toBe(true);
	});

	it("never gives two configurations one label, each beginning with its own name", () => {
		const value = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.boolean(), fc.constantFrom("x", "y"));
		const some = fc.record({
			flags: fc.dictionary(fc.constantFrom("a", "b", "c", "d", "n_ubatch"), value),
			engineVersion: fc.constantFrom(null, "b1 aaaaaaaa", "b1 bbbbbbbb"),
			pp: fc.constantFrom(null, 1, 2),
		});
		fc.assert(
			fc.property(fc.array(some, { maxLength: 12 }), (many) => {
				const byKey = new Map(many.map(made).map((conditions) => [configurationKey(conditions), conditions]));
				const all = [...byKey.values()].map((conditions, i) => ({ id: `id-${i}`, conditions }));
				const given = distinctLabels(all);
				expect(new Set(given.values()).size).toBe(all.length);
				for (const { id, conditions } of all)
					expect(given.get(id)?.startsWith(configurationLabel(conditions))).toBe(true);
			}),
		);
	});
});
