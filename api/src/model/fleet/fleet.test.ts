import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { paretoFront } from "../answer/pareto.ts";
import { plan } from "../answer/plan.ts";
import { measured, price } from "../fixtures/facts.ts";
import { h100, llama8b } from "../fixtures/models.ts";
import type { GpuFacts } from "../memory/facts.ts";
import { DEFAULT_CHOICES, type FleetFacts, replicaKinds } from "./candidates.ts";
import { demandFigures } from "./demand.ts";
import { answerFleet, type FleetAsk } from "./fleet.ts";
import { optionOf } from "./option.ts";
import { sized } from "./sized.ts";
import { sweepFleet } from "./sweep.ts";

const small: GpuFacts = {
	...h100,
	id: "small-10gb",
	name: "Small 10GB",
	totalBytes: 10e9,
	bandwidthBytesPerSecond: 5e11,
};
const facts: FleetFacts = {
	model: llama8b,
	gpus: [h100, small],
	configurations: [measured],
	prices: { "h100-sxm-80gb": [price] },
};
const ask: FleetAsk = {
	demand: {
		load: { kind: "rate", tasksPerSecond: 20 },
		requestsPerTask: 1,
		dailyCurve: null,
		growthPerMonth: 0.1,
		prompt: { kind: "fixed", tokens: 1200 },
		output: { kind: "fixed", tokens: 250 },
		cachedShare: 0,
	},
	limits: { ttftSeconds: 1, tpotSeconds: 0.05, percentile: 0.95 },
	policy: { spareReplicas: 1, utilisationCeiling: 0.8 },
	choices: { ...DEFAULT_CHOICES, gpusPerReplica: [1, 2], weights: ["bf16", "fp8"], kv: ["bf16"] },
	...{ latency: "e2e", order: "cost", options: 50, price: null, utilisation: null },
};
const answer = answerFleet(ask, facts);
const own = answer.options.find(
	({ configuration, scenario }) => configuration !== null && scenario.tp === null,
);

describe("fleets for 20 requests/s", () => {
	test("are told once of each GPU, what was measured before what was not", () => {
		const { options, kinds, listed } = answerFleet({ ...ask, perGpu: true, surestFirst: true }, facts);
		expect(options.map(({ gpu, configuration }) => [gpu.id, configuration?.id])).toEqual([
			["h100-sxm-80gb", "abc"],
			["h100-sxm-80gb", "abc"],
			["small-10gb", undefined],
		]);
		expect(options.slice(1).map(({ basis }) => basis)).toEqual(["transferred", "estimated"]);
		expect([listed, kinds]).toEqual([3, answer.options.length]);
		// The one told of a GPU is the cheapest of it on its ground.
		expect(options[0]?.id).toBe(own?.id);
		expect(options[1]?.id).toBe(answer.options.find(({ basis }) => basis === "transferred")?.id);
	});

	test("come last where their memory was not checked, and say how a price commits", () => {
		const unchecked = { ...llama8b, paramsTotal: null, paramsActive: null };
		const reserved = { ...price, kind: "reserved" } as const;
		const asked = answerFleet(ask, { ...facts, prices: { "h100-sxm-80gb": [reserved] } });
		expect(asked.options[0]).toMatchObject({ priceKind: "reserved" });
		expect(asked.options[0]?.notes.join()).toContain("every hour of the term is paid");
		const mixed = answerFleet(ask, {
			...facts,
			configurations: [{ ...measured, model: unchecked, pinned: null }],
		}).options.map(({ notes }) => notes.some((note) => note.startsWith("Memory was not checked")));
		expect(new Set(mixed).size).toBe(2);
		expect(mixed).toEqual([...mixed].sort((a, b) => Number(a) - Number(b)));
	});

	test("hold what was measured as it is, what is carried over from it, and estimates, each named so", () => {
		expect(own).toMatchObject({ configuration: { id: "abc" }, gpusPerReplica: 1, weights: "bf16" });
		const others = answer.options.filter((option) => option !== own);
		expect(new Set(others.map(({ basis }) => basis))).toEqual(new Set(["transferred", "estimated"]));
		const estimated = answer.options.filter(({ basis }) => basis === "estimated");
		expect(
			estimated.every(({ gpu, notes }) => gpu.id === "small-10gb" && notes[0]?.startsWith("No measurement")),
		).toBe(true);
	});

	test("are fitted inside of the batches that were measured, up to 16, and extrapolated beyond, by how much", () => {
		const measuredOnly = { ...ask, choices: { ...ask.choices, measuredOnly: true } };
		const [few] = answerFleet(
			{ ...measuredOnly, limits: { ...ask.limits, ttftSeconds: 0.3 } },
			facts,
		).options;
		expect(few?.running.value).toBeLessThan(16);
		expect(few).toMatchObject({ basis: "fitted", notes: [] });
		const short = { kind: "fixed", tokens: 300 } as const;
		const long = { kind: "fixed", tokens: 1500 } as const;
		const many = { ...measuredOnly, demand: { ...ask.demand, prompt: short, output: long } };
		const [crowd] = answerFleet(
			{ ...many, choices: { ...many.choices, maxSequences: [256] } },
			facts,
		).options;
		const running = crowd?.running.value ?? 0;
		expect(running).toBeGreaterThan(32);
		expect(crowd?.basis).toBe("extrapolated");
		// Lengths from 512 on and batches up to 16 were measured; the batch is farther out.
		expect(
			crowd?.notes.some((note) =>
				note.startsWith(`At its load ${(running / 16).toPrecision(2)} times beyond`),
			),
		).toBe(true);
	});

	test("count every candidate once: the measured one, and 4 settings of each card less the measured one", () => {
		// 1 + (4 − 1) + 4 kinds, each with 4 numbers of sequences
		expect(answer.candidates).toBe(8 * 4);
		const refused = answer.refused.reduce((sum, { candidates }) => sum + candidates, 0);
		expect(answer.feasible + refused).toBeLessThanOrEqual(answer.candidates);
	});

	test("refuse what does not fit, and say by how much", () => {
		const memory = answer.refused.find(({ binding }) => binding === "memory");
		// 8.03e9 × 2 bytes do not fit in 0.9 × 10 GB.
		expect(
			memory?.examples.some(
				({ label, reason }) =>
					/Small 10GB × 1 · vllm · bf16/.test(label) && /does not fit.*more than a card gives/.test(reason),
			),
		).toBe(true);
	});

	test("are ranked by money, and without a price stand behind all that have one", () => {
		const monthly = answer.options.map(({ cost }) => cost.usdPerMonth.value ?? Number.POSITIVE_INFINITY);
		expect(monthly).toEqual([...monthly].sort((a, b) => a - b));
		const unpriced = answer.options.filter(({ gpu }) => gpu.id === "small-10gb");
		expect(unpriced.length).toBeGreaterThan(0);
		for (const { cost } of unpriced) {
			expect(cost.usdPerMonth.value).toBeNull();
			expect(cost.usdPerRequest.arithmetic).toContain("no price of Small 10GB is known");
		}
	});

	test("cost GPUs × price × 730 h, idle hours included, with the band of price and replicas", () => {
		if (!own) throw new Error("no measured option");
		const { usdPerMonth, usdPerRequest } = own.cost;
		const gpus = own.gpus.value ?? 0;
		// The book says $2 to $8, in the middle $4.
		expect(usdPerMonth.value).toBeCloseTo(gpus * 4 * 730, 6);
		expect(usdPerMonth.low).toBeLessThanOrEqual(gpus * 2 * 730);
		expect(usdPerMonth.high).toBeGreaterThanOrEqual(gpus * 8 * 730);
		expect(usdPerRequest.value).toBeCloseTo((gpus * 4) / (20 * 3600), 12);
		expect(own.priceId).toBe("1");
		// Money of prompts and output add up to that of a request.
		const each =
			(1200 * (own.cost.usdPerMillionInputTokens.value ?? 0) +
				250 * (own.cost.usdPerMillionOutputTokens.value ?? 0)) /
			1e6;
		expect(each).toBeCloseTo(usdPerRequest.value ?? 0, 12);
	});

	test("need as many GPUs as after a year of 10 % a month: 20 × 1.1¹² = 62.8 requests/s", () => {
		if (!own) throw new Error("no measured option");
		const most = own.largestRequestsPerSecond.value ?? 0;
		const needed = Math.ceil(62.7686 / most) + 1;
		expect(own.ahead.map(({ months }) => months)).toEqual([12, 24, 36]);
		const [year] = own.ahead;
		expect(year?.peakRequestsPerSecond.value).toBeCloseTo(62.7686, 4);
		expect([year?.replicas.value, year?.gpus.value]).toEqual([needed, needed]);
		// The book's middle is $4.
		expect(year?.usdPerMonth.value).toBeCloseTo(needed * 4 * 730, 6);
		expect(year?.gpus.evidence).toBe("assumed");
	});

	test("say which GPUs stand at both ends of their money, and give the GPUs the same interval", () => {
		for (const { gpus, cost, gpusPerReplica } of answer.options) {
			const { low, high, arithmetic } = cost.usdPerMonth;
			if (low === undefined || high === undefined) continue;
			const [few, many] = [gpus.low ?? gpus.value ?? 0, gpus.high ?? gpus.value ?? 0];
			// The book says $2 to $8.
			expect([low, high]).toEqual([few * 2 * 730, many * 8 * 730]);
			expect(arithmetic).toContain(`${few} GPUs × $2.00 × 730 h`);
			expect(arithmetic).toContain(`${many} GPUs × $8.00 × 730 h`);
			expect([few % gpusPerReplica, many % gpusPerReplica]).toEqual([0, 0]);
		}
		const banded = answer.options.filter(({ gpus }) => gpus.high !== undefined);
		expect(banded.length).toBeGreaterThan(0);
		// A number that is the same at one end has that end all the same.
		expect(banded.every(({ gpus }) => gpus.low !== undefined)).toBe(true);
	});

	test("hold the limits at the load with the spare replica gone", () => {
		for (const { ttft, tpot, working, replicas } of answer.options) {
			expect(ttft.value).toBeLessThanOrEqual(1);
			expect(tpot.value).toBeLessThanOrEqual(0.05);
			expect(replicas.value).toBe(working + 1);
		}
	});

	test("warn where the first one rests on less than measurements", () => {
		expect(answer.warning === null).toBe(["fitted", "measured"].includes(answer.basis ?? ""));
		const nothing = answerFleet(ask, { ...facts, configurations: [], prices: { "h100-sxm-80gb": [price] } });
		expect(nothing.warning).toMatch(/rests on an estimate/);
		expect(answerFleet({ ...ask, limits: { ...ask.limits, ttftSeconds: 1e-3 } }, facts)).toMatchObject({
			options: [],
			frontier: [],
			warning: "No candidate holds the limits.",
		});
	});
});

test("each option opens a plan with the same mean times and the money of its working replicas", () => {
	const wide = {
		...ask,
		choices: { ...ask.choices, maxSequences: [100_000] },
		policy: { ...ask.policy, spareReplicas: 0 },
	};
	const figures = demandFigures(ask.demand, 0.95);
	const shared = { cached: 0, price: null, utilisation: null, ttftSlo: 1, tpotSlo: 0.05 };
	const { feasible } = sweepFleet(
		replicaKinds(facts, wide.choices, figures, shared),
		wide.choices,
		wide,
		figures,
	);
	expect(feasible.length).toBeGreaterThan(3);
	for (const candidate of feasible) {
		const one = sized(candidate, wide, figures);
		if (!one) throw new Error("the exact law does not hold what the table held");
		const option = optionOf(one, wide, figures);
		const answered = plan(option.scenario, candidate.kind.facts);
		expect((answered.ttft.value ?? 0) / one.state.ttftSeconds).toBeCloseTo(1, 6);
		expect((answered.tpot.value ?? 0) / one.state.tpotSeconds).toBeCloseTo(1, 6);
		expect(answered.cost.usdPerMonth.value).toBe(option.cost.usdPerMonth.value);
		for (const key of ["usdPerRequest", "usdPerMillionInputTokens", "usdPerMillionOutputTokens"] as const) {
			const [here, there] = [option.cost[key].value, answered.cost[key].value];
			expect(here === null, key).toBe(there === null);
			expect((there ?? 1) / (here ?? 1), key).toBeCloseTo(1, 6);
		}
	}
});

test("a fleet with a spare replica splits its money as the plan of those that serve does, each dearer by the spare", () => {
	const wide = { ...ask, choices: { ...ask.choices, measuredOnly: true, maxSequences: [100_000] } };
	const [option] = answerFleet(wide, facts).options;
	if (!option) throw new Error("no option");
	const { cost } = plan(option.scenario, { ...measured, prices: [price] });
	const spare = (option.replicas.value ?? 0) / option.working;
	expect(spare).toBeGreaterThan(1);
	for (const key of ["usdPerMillionInputTokens", "usdPerMillionOutputTokens"] as const) {
		expect((option.cost[key].value ?? 0) / (cost[key].value ?? 1), key).toBeCloseTo(spare, 6);
		expect(option.cost[key].arithmetic).toContain("with the spare ones gone");
	}
});

describe("the frontier", () => {
	test("rises in money and falls in time, and begins with the cheapest fleet", () => {
		const [first] = answer.frontier;
		expect(first?.usdPerMonth.value).toBe(answer.options[0]?.cost.usdPerMonth.value);
		expect(answer.frontier.length).toBeGreaterThan(2);
		for (const [i, point] of answer.frontier.entries()) {
			const before = answer.frontier[i - 1];
			if (!before) continue;
			expect(point.usdPerMonth.value).toBeGreaterThanOrEqual(before.usdPerMonth.value ?? 0);
			expect(point.latency.value).toBeLessThan(before.latency.value ?? 0);
		}
	});

	test("is what trying every pair finds", () => {
		const points = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 })), {
			maxLength: 30,
		});
		fc.assert(
			fc.property(points, (all) => {
				const front = paretoFront(
					all.length,
					(i) => all[i]?.[0] ?? 0,
					(i) => all[i]?.[1] ?? 0,
				).map((i) => all[i]);
				const beaten = ([cost, time]: [number, number]) =>
					all.some(([c, t]) => c <= cost && t <= time && (c < cost || t < time));
				const unbeaten = new Set(all.filter((point) => !beaten(point)).map(String));
				expect(new Set(front.map(String))).toEqual(unbeaten);
				expect(front).toHaveLength(unbeaten.size);
			}),
		);
	});

	test("leaves out what has no price or no end", () => {
		expect(
			paretoFront(
				2,
				(i) => [Number.POSITIVE_INFINITY, 1][i] ?? 0,
				() => 1,
			),
		).toEqual([1]);
	});
});

test("users who think are served by fewer replicas than users who do not", () => {
	const people = (thinkSeconds: number): FleetAsk => ({
		...ask,
		demand: { ...ask.demand, load: { kind: "users", users: 500, thinkSeconds } },
		choices: { ...ask.choices, measuredOnly: true },
	});
	const [busy, calm] = [0, 60].map((think) => answerFleet(people(think), facts).options[0]);
	expect(calm?.replicas.value).toBeLessThan(busy?.replicas.value ?? 0);
	expect(answerFleet(people(60), facts).demand.peakRequestsPerSecond.value).toBeNull();
});
