import { describe, expect, test } from "vitest";
import claims from "../seed/claims.json" with { type: "json" };
import lengths from "../seed/effective-lengths.json" with { type: "json" };
import modelSeeds from "../seed/models.json" with { type: "json" };

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const length = (id: string) => {
	const found = lengths.find(({ facts }) => facts.id === id);
	if (!found) throw new Error(`no effective length ${id}`);
	return { modelId: found.modelId, ...found.facts };
};

describe("claims", () => {
	test("hold the four open disputes and the six figures without a source", () => {
		expect(claims.filter(({ against }) => against.length > 0).map(({ id }) => id)).toEqual([
			...["middle-lost-2026", "speculative-decoding", "caches-shared", "one-agent-or-many"],
		]);
		const unconfirmed = claims.filter(({ kind, against }) => kind === "folklore" && against.length === 0);
		expect(unconfirmed).toHaveLength(6);
		for (const { statement, settledBy } of unconfirmed) expect(settledBy, statement).toBeTruthy();
	});

	test("name a source with its day, or are folklore; and say what would settle them", () => {
		for (const { id, kind, source, settledBy, against } of claims) {
			for (const [what, sides] of [
				[kind, source] as const,
				...against.map((a) => [a.kind, a.source] as const),
			]) {
				if (what === "folklore") expect(sides, id).toBeNull();
				else expect(sides?.date, id).toMatch(DAY);
			}
			expect(settledBy, id).toBeTruthy();
		}
	});

	test("a measurement says its method, an arithmetic its sum", () => {
		const silent = claims.filter(
			({ kind, conditions }) => (kind === "measurement" || kind === "arithmetic") && !conditions,
		);
		expect(silent).toEqual([]);
	});

	test("no two share an id, and an id can stand in an address", () => {
		const ids = claims.map(({ id }) => id);
		expect(new Set(ids).size).toBe(ids.length);
		for (const id of ids) expect(id).toMatch(/^[a-z0-9]+([.-][a-z0-9]+)*$/);
	});
});

describe("effective lengths", () => {
	// The tables of arXiv 2502.05167 and of the RULER repository.
	test.each([
		["nolima-gemini-1.5-pro", null, 2_000_000, 2000, "up to"],
		["nolima-claude-3.5-sonnet", null, 200_000, 4000, "up to"],
		["nolima-llama-3.3-70b", "llama-3.3-70b", 128_000, 2000, "up to"],
		["nolima-llama-3.1-8b", "llama-3.1-8b", 128_000, 1000, "up to"],
		["nolima-command-r-plus", null, 128_000, 1000, "below"],
		["ruler-llama-3.1-70b", "llama-3.1-70b", 131_072, 65_536, "up to"],
		["ruler-llama-3.1-8b", "llama-3.1-8b", 131_072, 32_768, "up to"],
		["ruler-qwen2-72b", null, 131_072, 32_768, "up to"],
		["ruler-mixtral-8x22b", "mixtral-8x22b", 65_536, 32_768, "up to"],
		["ruler-gemini-1.5-pro", null, 1_000_000, 131_072, "at least"],
	])("%s", (id, modelId, claimedTokens, effectiveTokens, bound) => {
		expect(length(id)).toMatchObject({ modelId, claimedTokens, effectiveTokens, bound });
	});

	test("questions over 20 documents, by the place of the answer", () => {
		const { scores, effectiveTokens } = length("documents-gpt-3.5-turbo");
		expect(effectiveTokens).toBeNull();
		expect(scores.map(({ percent }) => percent)).toEqual([75.8, 53.8, 63.2, 56.1, 88.3]);
	});

	const tokensOf = (at: string, thousand: number) => Number(at.slice(0, -1)) * thousand;

	test("each length of NoLiMa is the longest with 85 % of the base score, in its own scores", () => {
		for (const { facts } of lengths.filter(({ facts }) => facts.task === "NoLiMa")) {
			const [base, ...scores] = facts.scores;
			const least = 0.85 * (base?.percent ?? Number.NaN);
			const missed = scores.findIndex(({ percent }) => percent < least);
			const held = missed > 0 ? tokensOf(scores[missed - 1]?.at ?? "", 1000) : null;
			expect(facts.bound === "below" ? null : facts.effectiveTokens, facts.id).toBe(held);
		}
	});

	test("each length of RULER is the longest before a score below 85.6 %", () => {
		for (const { facts } of lengths.filter(({ facts }) => facts.task === "RULER")) {
			const missed = facts.scores.find(({ percent }) => percent < 85.6);
			const held = facts.scores.filter(({ at }) => !missed || tokensOf(at, 1024) < tokensOf(missed.at, 1024));
			expect(facts.effectiveTokens, facts.id).toBe(tokensOf(held.at(-1)?.at ?? "", 1024));
			expect(facts.bound, facts.id).toBe(missed ? "up to" : "at least");
			expect(facts.failedAtTokens, facts.id).toBe(missed ? tokensOf(missed.at, 1024) : null);
		}
	});

	test("names models of the catalog by its ids, and has a source with its day", () => {
		const catalog = new Set(modelSeeds.map(({ facts }) => facts.id));
		for (const { modelId, facts } of lengths) {
			if (modelId !== null) expect(catalog.has(modelId), facts.id).toBe(true);
			expect(facts.source.href, facts.id).toMatch(/^https:/);
			expect(facts.source.date, facts.id).toMatch(DAY);
		}
	});
});
