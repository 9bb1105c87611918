import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type EffectiveLength, lengthWarnings, passes, reachWords } from "./effective-length.ts";

const entry = (change: Partial<EffectiveLength> = {}): EffectiveLength => ({
	...{ id: "nolima-llama-3.1-70b", model: "Llama 3.1 70B", modelId: "llama-3.1-70b", task: "NoLiMa" },
	...{ threshold: "85 % of its short score", claimedTokens: 128_000, effectiveTokens: 2000, bound: "up to" },
	...{ failedAtTokens: 4000, scores: [], conditions: null, evidence: "published" },
	...{
		source: { label: "NoLiMa", href: "https://arxiv.org/abs/2502.05167" },
		origin: "seed",
		enteredBy: null,
	},
	...change,
});

describe("effective length", () => {
	it("warns of what lies beyond, with the figures and the source", () => {
		const [warning, ...others] = lengthWarnings(16_000, [entry()]);
		expect(others).toEqual([]);
		// 16,000 − 2,000 = 14,000, 87.5 % of the prompt.
		expect(warning?.unused).toEqual({
			value: 14_000,
			unit: "tokens",
			evidence: "published",
			arithmetic: "16,000 prompt tokens − 2,000 = 14,000, 87.5 % of the prompt",
			sources: [
				{
					...{ label: "NoLiMa", href: "https://arxiv.org/abs/2502.05167" },
					claim: "length-nolima-llama-3.1-70b",
				},
			],
		});
		expect(warning?.words).toContain(
			"reaches 85 % of its short score in prompts of up to 2,000 tokens, not of 4,000.",
		);
	});

	it.each([
		["up to", 2000, false],
		["up to", 2001, true],
		["below", 1999, false],
		["below", 2000, true],
		["at least", 1_000_000, false],
	] as const)("%s 2,000 tokens: a prompt of %i passes it: %s", (bound, context, passed) => {
		expect(passes(context, entry({ bound }))).toBe(passed);
	});

	it("says nothing of a model about which nothing is known, nor from a test that found no length", () => {
		expect(lengthWarnings(1e6, [])).toEqual([]);
		expect(lengthWarnings(1e6, [entry({ effectiveTokens: null })])).toEqual([]);
	});

	it("puts the strictest test first, and never counts more or less than the prompt", () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: 2_000_000 }),
				fc.array(fc.integer({ min: 1, max: 1_000_000 }), { maxLength: 5 }),
				(context, lengths) => {
					const all = lengths.map((effectiveTokens, i) => entry({ id: String(i), effectiveTokens }));
					const warnings = lengthWarnings(context, all);
					expect(warnings).toHaveLength(lengths.filter((length) => context > length).length);
					const unused = warnings.map((warning) => warning.unused.value ?? 0);
					expect(unused).toEqual([...unused].sort((a, b) => b - a));
					for (const tokens of unused) expect(tokens > 0 && tokens < context).toBe(true);
				},
			),
		);
	});

	it("says how far was tested", () => {
		expect(reachWords(entry({ bound: "at least", effectiveTokens: 131_072 }))).toMatch(
			/of 131,072 tokens, the longest tested/,
		);
		expect(reachWords(entry({ bound: "below", effectiveTokens: 1000 }))).toMatch(/of 1,000 tokens already/);
	});
});
