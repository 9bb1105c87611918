import { BLANK_SCENARIO, type Capacity, type PlanFacts, type Scenario } from "@plimsoll/api/model";
import { describe, expect, it } from "vitest";
import { questionOf } from "../load/load-question.ts";
import { loadLink } from "./load-link.ts";

const facts = { configuration: { id: "c1" } } as PlanFacts;
const most = (users: number | null) => ({ users: { value: users } }) as Capacity;
const scenario = (patch: Partial<Scenario> = {}): Scenario => ({
	...{ ...BLANK_SCENARIO, context: 2000, output: 300, concurrency: 8, rate: null },
	...patch,
});
const asked = (link: ReturnType<typeof loadLink>) =>
	questionOf(new URLSearchParams(link?.href.slice("/load?".length)));

describe("the way from Plan to Load", () => {
	it("asks with the most users for the same configuration, lengths, cache and limits", () => {
		const link = loadLink(scenario({ cached: 0.25, ttftSlo: 1.5, tpotSlo: 0.05 }), facts, most(64));
		expect(link?.words).toBe("Which share of requests holds them with 64 users: simulate");
		expect(asked(link)).toMatchObject({
			question: {
				...{ configuration: "c1", arrivals: { kind: "users", users: 64 } },
				...{ prompt: { kind: "fixed", tokens: 2000 }, output: { kind: "fixed", tokens: 300 } },
				...{ cached: 0.25, ttftSlo: 1.5, tpotSlo: 0.05 },
			},
			dropped: [],
		});
	});

	it("asks with the rate where one is asked for", () => {
		const link = loadLink(scenario({ concurrency: null, rate: 2.5 }), facts, most(64));
		expect(link?.words).toContain("at 2.5 requests per second");
		expect(asked(link).question.arrivals).toEqual({ kind: "rate", requestsPerSecond: 2.5 });
	});

	it("leads nowhere where Load could not ask the same", () => {
		expect(loadLink(scenario(), { configuration: null } as PlanFacts, most(64))).toBeNull();
		expect(loadLink(scenario({ kvK: "fp8" }), facts, most(64))).toBeNull();
		for (const users of [null, 0, 20_000]) expect(loadLink(scenario(), facts, most(users))).toBeNull();
	});
});
