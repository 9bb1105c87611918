import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { measured, servePoints } from "../fixtures/facts.ts";
import { fitConfiguration } from "../time/configuration.ts";
import type { Quantity } from "../trust/quantity.ts";
import { BLANK_SCENARIO } from "./blank.ts";
import { plan } from "./plan.ts";
import type { PlanFacts, Scenario } from "./question.ts";

/** Clients' times and nothing else, and the laws of prefill and decode beside them. */
const clientsOnly: PlanFacts = { ...measured, fits: fitConfiguration(servePoints) };
const both: PlanFacts = { ...measured, fits: { ...measured.fits, serve: clientsOnly.fits.serve } };
const lawsOnly = (facts: PlanFacts): PlanFacts => ({ ...facts, fits: { ...facts.fits, serve: null } });

const load = { context: 2048, output: 256, concurrency: 16 };
const ask = (change: Partial<Scenario>, facts: PlanFacts) =>
	plan({ ...BLANK_SCENARIO, ...load, ...change }, facts);
const of = ({ value }: Quantity): number => value ?? Number.NaN;

const changes: [string, Partial<Scenario>][] = [
	["an fp8 cache", { kvK: "fp8", kvV: "fp8" }],
	["fp8 weights", { weights: "fp8" }],
	["two ranks", { gpus: 2, tp: 2 }],
	["fewer KV heads", { kvHeads: 1 }],
	["half of the prompt cached", { cached: 0.5 }],
];

describe.each([
	["clients alone measured", clientsOnly],
	["prefill and decode were measured too", both],
])("where %s", (_, facts) => {
	it.each(changes)("%s changes their times as much as it changes the laws' times", (_name, change) => {
		const moved = ask(change, facts);
		const seen = ask({}, facts);
		// How long others' prompts hold one up was seen: the way to the first token changes as a prompt alone does.
		const lawsAt = { ttft: { concurrency: 1 }, tpot: {} };
		for (const time of ["ttft", "tpot"] as const) {
			const [after, before] = [change, {}].map((what) =>
				of(ask({ ...what, ...lawsAt[time] }, lawsOnly(facts))[time]),
			) as [number, number];
			expect(of(moved[time]) / ((of(seen[time]) * after) / before)).toBeCloseTo(1, 9);
			expect(moved[time].low).toBeLessThan(of(moved[time]));
			expect(moved[time].high).toBeGreaterThan(of(moved[time]));
			expect(["extrapolated", "transferred", "estimated"]).toContain(moved[time].evidence);
		}
		expect(moved.ttft.arithmetic).toContain("in place of");
	});

	it("takes no longer with a smaller cache, nor with more of the prompt cached, at any load that clients saw", () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 900, max: 4200 }),
				fc.integer({ min: 1, max: 70 }),
				(context, concurrency) => {
					const at = (change: Partial<Scenario>) => ask({ context, concurrency, ...change }, facts);
					const [whole, small, half] = [at({}), at({ kvK: "fp8", kvV: "fp8" }), at({ cached: 0.5 })];
					for (const less of [small, half]) {
						expect(of(less.e2e)).toBeLessThanOrEqual(of(whole.e2e) * (1 + 1e-9));
						expect(of(less.tpot)).toBeLessThanOrEqual(of(whole.tpot) * (1 + 1e-9));
					}
				},
			),
			{ numRuns: 60 },
		);
	});

	it("says the same of a change that is none", () => {
		const [same, seen] = [ask({ kvK: "bf16", kvV: "bf16", weights: "bf16" }, facts), ask({}, facts)];
		expect(of(same.ttft)).toBe(of(seen.ttft));
		expect(same.tpot.evidence).toBe(seen.tpot.evidence);
		// One token of 2,048 in the cache: nearly nothing.
		expect(of(ask({ cached: 1 / 2048 }, facts).tpot) / of(seen.tpot)).toBeCloseTo(1, 2);
	});
});

it("gives the places that a smaller cache adds to those who waited", () => {
	// 4,096 + 256 tokens of 131,072 bytes are 0.57 GB; pinned so that 16 of them fit, and 32 in fp8.
	const pinned: PlanFacts["pinned"] = {
		...{ weightsBytes: null, kvPoolBytes: null, kvTokens: 16 * 4352, activationBytes: null },
		...{ graphBytes: null, otherBytes: null, maxModelLen: null, windowsHonoured: null, sources: [] },
	};
	const tight: PlanFacts = { ...both, pinned };
	const at = (change: Partial<Scenario>) => ask({ context: 4096, concurrency: 32, ...change }, tight);
	const [now, small] = [at({}), at({ kvK: "fp8", kvV: "fp8" })];
	expect([now, small].map(({ memory }) => memory.maxSequences.value)).toEqual([16, 32]);
	expect(of(small.load.requestsPerSecond)).toBeGreaterThan(1.1 * of(now.load.requestsPerSecond));
});
