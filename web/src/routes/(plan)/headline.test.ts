import type { Capacity, CostGoal, Plan, PlanFacts, Solution, Unit } from "@plimsoll/api/model";
import { describe, expect, it } from "vitest";
import { headline } from "./headline.ts";

const facts = { gpu: { name: "H100 SXM 80GB" }, configuration: null } as PlanFacts;
const plain = (text: string) => text.replaceAll("\u00a0", " ");

interface Said {
	tpotSeconds?: number | null;
	feasible?: boolean;
	decided?: boolean;
	sure?: boolean;
	binding?: Capacity["binding"];
	reasons?: string[];
	ttftSlo?: number;
	tpotSlo?: number;
	assumed?: string[];
}

function answer({
	tpotSeconds = 0.128,
	feasible = true,
	decided = true,
	sure = true,
	binding = null,
	reasons = [],
	assumed = [],
	...slos
}: Said = {}): Plan {
	return {
		assumed: assumed.map((key) => ({ key, reason: "not said" })),
		memory: { maxSequences: { value: 12, unit: "sequences", evidence: "fitted", arithmetic: "" } },
		scenario: { gpus: 1, context: 16_000, concurrency: 8, rate: null, ttftSlo: 2, tpotSlo: 0.2, ...slos },
		tpot: { value: tpotSeconds, unit: "seconds/token", evidence: "fitted", arithmetic: "" },
		verdict: { feasible, decided, sure, binding, reasons },
	} as unknown as Plan;
}
const carried = (users: number | null, binding: Capacity["binding"], plan = answer()): Capacity => ({
	users: { value: users, unit: "requests", evidence: "fitted", arithmetic: "" },
	tpot: plan.tpot,
	binding,
	oneMore: null,
	reasons: plan.verdict.reasons,
});

describe("the headline", () => {
	it("says who, how many, how fast, and what the limit is", () => {
		const said = headline(answer(), carried(11, "memory"), facts);
		expect(said.subject).toBe("1 × H100 SXM 80GB, 16,000-token prompts");
		expect(plain(said.answer)).toBe("11 users at 128 ms per token; memory is the limit");
		expect(said.verdict).toEqual({ word: "Fits", detail: "8 users at once" });
	});

	it.each([
		[2, "the first token within 2 s is the limit"],
		[0.5, "the first token within 500 ms is the limit"],
		[1.25, "the first token within 1.25 s is the limit"],
		[10, "the first token within 10 s is the limit"],
		[90, "the first token within 90 s is the limit"],
	])("reads an objective of %d s back in round figures", (ttftSlo, words) => {
		const said = headline(answer({ ttftSlo }), carried(1, "ttft"), facts);
		expect(plain(said.answer)).toBe(`1 user at 128 ms per token; ${words}`);
	});

	it.each([
		["wait", 3.14, "one more waits 3.14 s"],
		["ttft", 2.31, "one more makes it 2.31 s"],
		["tpot", 0.2024, "one more makes it 202 ms"],
		["tpot", 0.20002, "one more is just over it"],
	] as const)("says what one more meets: %s of %d s", (kind, value, words) => {
		const time = { value, unit: "seconds" as const, evidence: "estimated" as const, arithmetic: "" };
		const most = { ...carried(11, "memory"), oneMore: { kind, time } };
		const { more } = headline(answer(), most, facts);
		expect(more && { ...more, words: plain(more.words) }).toEqual({ words, evidence: "estimated" });
	});

	it("has for its answer the variable that is solved for", () => {
		const solved = (solveFor: Solution["solveFor"], value: number | null, unit: Unit): Solution => ({
			...{ solveFor, beyond: "", advice: "No prompt is short enough.", patch: null },
			answer: { value, unit, evidence: "fitted", arithmetic: "" },
		});
		const said = (solution: Solution, goal: CostGoal | null = null) => {
			const { subject, answer: words } = headline(answer(), carried(11, "memory"), facts, solution, goal);
			return plain(`${subject}: ${words}`);
		};
		expect(said(solved("context", 8192, "tokens"))).toBe(
			"1 × H100 SXM 80GB, 8 users: prompts of up to 8,192 tokens",
		);
		expect(said(solved("gpus", 4, "GPUs"))).toBe(
			"H100 SXM 80GB, 8 users, 16,000-token prompts: at least 4 GPUs",
		);
		const open: Solution = { ...solved("price", null, "USD/hour"), unbounded: true };
		expect(said(open, { usd: 2e6, per: "request" })).toMatch(/any price keeps below what it may cost$/);
		expect(said(solved("price", 2.5, "USD/hour"), { usd: 0.01, per: "request" })).toBe(
			"1 × H100 SXM 80GB, 8 users, 16,000-token prompts: at most $2.50 per hour and GPU for $0.01 a request",
		);
		expect(said(solved("context", null, "tokens"))).toContain("no prompt is known to be short enough");
	});

	it("keeps the zeros of a whole objective", () => {
		const said = headline(answer({ tpotSlo: 0.2 }), carried(58, "tpot"), facts);
		expect(plain(said.answer)).toBe("58 users; 200 ms per token is the limit");
	});

	it("says that nobody asked for the objective, and what memory alone would hold", () => {
		const plan = answer({ tpotSlo: 0.2, ttftSlo: 2, assumed: ["ttftSlo", "tpotSlo"] });
		expect(plain(headline(plan, carried(58, "tpot"), facts).answer)).toBe(
			"58 users; an assumed 200 ms per token is the limit",
		);
		expect(plain(headline(plan, carried(0, "ttft"), facts).answer)).toBe(
			"not one user: the first token within an assumed 2 s is the limit; memory holds 12 users",
		);
	});

	it("names what does not fit", () => {
		const reasons = ["The model does not fit: weights and overhead are 70 GB more than the card gives."];
		const plan = answer({ feasible: false, binding: "memory", reasons });
		const said = headline(plan, carried(0, "memory", plan), facts);
		expect(said.answer).toBe("not one user: memory is the limit");
		expect(said.verdict).toEqual({ word: "Does not fit", detail: reasons[0] });
	});

	it("does not invent a pace that is not known", () => {
		const plan = answer({ tpotSeconds: null });
		expect(headline(plan, carried(3, null, plan), facts).answer).toBe("3 users");
	});

	it("says that it cannot tell", () => {
		const reasons = ["Times are not known: no prefill measurement."];
		const plan = answer({ feasible: false, decided: false, reasons });
		const said = headline(plan, carried(null, null, plan), facts);
		expect(said.verdict).toEqual({ word: "Not known", detail: reasons[0] });
		expect(said.answer).toBe(`how many users is not known. ${reasons[0]}`);
	});

	it("does not promise what lies inside the interval", () => {
		const reasons = [
			"Each further token takes 180 ms. The limit lies inside the 95 % interval of that time, 150 ms to 210 ms.",
			"The cache holds 11 sequences.",
		];
		const plan = answer({ sure: false, reasons });
		expect(headline(plan, carried(11, "tpot", plan), facts).verdict).toEqual({
			word: "Probably fits",
			detail: `8 users at once. ${reasons[0]}`,
		});
		const over = answer({ sure: false, feasible: false, binding: "tpot", reasons: [reasons[0] ?? ""] });
		expect(headline(over, carried(7, "tpot", over), facts).verdict.word).toBe("Probably too slow");
	});
});
