import { choosePrice } from "../money/choice.ts";
import { usd } from "../trust/figures.ts";
import type { Quantity } from "../trust/quantity.ts";
import type { Plan } from "./answer.ts";
import type { PlanFacts } from "./question.ts";

/** One figure of an answer, as it was kept and as it is today. */
export interface FigureChange {
	figure: string;
	kept: Quantity;
	today: Quantity;
	/** today / kept − 1; null where one of them is not known, or was nothing. */
	relative: number | null;
}

/** What newer facts do to an answer that was kept. */
export interface ChangeSince {
	/** Figures that differ, as they stand in an answer; empty where nothing moved. */
	figures: FigureChange[];
	/** Which of the facts differ, in words. */
	because: string[];
	/** Whether the load is now carried where it was not, or the other way round. */
	verdictTurned: boolean;
}

/** Less than this share is the rounding of a number, not another answer. */
const SAME = 5e-4;

const FIGURES: readonly [string, (plan: Plan) => Quantity][] = [
	["Time to the first token", (plan) => plan.ttft],
	["Time per further token", (plan) => plan.tpot],
	["Whole answer", (plan) => plan.e2e],
	["Sequences that fit", (plan) => plan.memory.maxSequences],
	["Output tokens per second", (plan) => plan.load.outputTokensPerSecond],
	["One request", (plan) => plan.cost.usdPerRequest],
	["A million prompt tokens", (plan) => plan.cost.usdPerMillionInputTokens],
	["A million output tokens", (plan) => plan.cost.usdPerMillionOutputTokens],
	["A month", (plan) => plan.cost.usdPerMonth],
];

/**
 * Compares a kept answer with the answer to the same question from other facts.
 * @param kept the answer that was kept, and the facts it was made from
 * @param today the answer of today and its facts
 */
export function changeSince(
	kept: { plan: Plan; facts: PlanFacts },
	today: { plan: Plan; facts: PlanFacts },
): ChangeSince {
	const figures = FIGURES.flatMap(([figure, of]) => changeOf(figure, of(kept.plan), of(today.plan)));
	const [before, after] = [kept.plan.verdict, today.plan.verdict];
	const verdictTurned = before.feasible !== after.feasible || before.decided !== after.decided;
	if (figures.length === 0 && !verdictTurned) return { figures, verdictTurned, because: [] };
	const reasons = reasonsFor(kept.facts, today.facts).map((reason) =>
		reason === PRICES ? pricesWords(kept, today) : reason,
	);
	return { figures, verdictTurned, because: reasons.length > 0 ? reasons : [ANOTHER_VERSION] };
}

const ANOTHER_VERSION = "the laws of this version of Plimsoll";

function changeOf(figure: string, kept: Quantity, today: Quantity): FigureChange[] {
	if (kept.value === today.value) return [];
	if (kept.value === null || today.value === null || kept.value === 0)
		return [{ figure, kept, today, relative: null }];
	const relative = today.value / kept.value - 1;
	return Math.abs(relative) < SAME ? [] : [{ figure, kept, today, relative }];
}

const PRICES = "prices";

/** "prices: $5.43 → $3.00 per GPU-hour", where the one that was used is another. */
function pricesWords(
	kept: { plan: Plan; facts: PlanFacts },
	today: { plan: Plan; facts: PlanFacts },
): string {
	const [before, after] = [kept, today].map(({ plan: { scenario }, facts }) =>
		choosePrice(scenario.price, facts.prices),
	);
	if (!before || !after || before.value === after.value) return PRICES;
	return `${PRICES}: ${usd(before.value)} → ${usd(after.value)} per GPU-hour`;
}

const PARTS: readonly [string, (facts: PlanFacts) => unknown][] = [
	["prefill measurements", (facts) => facts.fits.prefill?.coefficients],
	["decode measurements", (facts) => facts.fits.decode?.coefficients],
	[
		"measurements under load",
		(facts) => [facts.fits.serve?.coefficients, facts.fits.serve?.ttft?.coefficients],
	],
	["failures that were measured", (facts) => facts.failures],
	["memory figures of the engine", (facts) => facts.pinned],
	[PRICES, (facts) => facts.prices],
	["facts of the model", (facts) => facts.model],
	["facts of the GPU", (facts) => facts.gpu],
	["the description of the configuration", (facts) => facts.configuration],
];

/** Parts of the facts that are not the same. */
function reasonsFor(kept: PlanFacts, today: PlanFacts): string[] {
	return PARTS.filter(([, of]) => canonical(of(kept)) !== canonical(of(today))).map(([words]) => words);
}

/** JSON with the keys of every object in order: the database gives them back in another. */
function canonical(value: unknown): string {
	return JSON.stringify(value, (_, inner: unknown) =>
		typeof inner === "object" && inner !== null && !Array.isArray(inner)
			? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
			: inner,
	);
}
