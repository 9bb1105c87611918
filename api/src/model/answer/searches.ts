import { isLlamaCpp } from "../memory/defaults.ts";
import { count, figure } from "../trust/figures.ts";
import type { Evidence, Quantity } from "../trust/quantity.ts";
import { state, type Wording } from "../trust/statement.ts";
import type { Plan } from "./answer.ts";
import { last } from "./halving.ts";
import { plan } from "./plan.ts";
import type { PlanFacts, Scenario } from "./question.ts";

const BARE: Wording = { arithmetic: false };
/** Engines that are tried side by side at most. */
const MOST_COPIES = 1024;
/** Prompt tokens that are tried at most where no model sets a bound. */
const MOST_TOKENS = 4_000_000;

const carriedBy = ({ verdict }: Plan): boolean => verdict.feasible && verdict.decided;

/** Prompt tokens at which the asked load is still carried, 0: at none; and the plan of one token more. */
export function longestContext(scenario: Scenario, facts: PlanFacts): { longest: number; beyond: Plan } {
	const made = (facts.model?.maxContextTokens ?? MOST_TOKENS) - scenario.output;
	// What was measured beyond the model's own window is held to be possible.
	const most = Math.max(1, made, facts.fits.prefill?.range.to ?? 0, facts.fits.serve?.range.input[1] ?? 0);
	const longest = last(
		most,
		(context) => context > 0 && carriedBy(plan({ ...scenario, context }, facts, BARE)),
	);
	return { longest, beyond: plan({ ...scenario, context: longest + 1 }, facts) };
}

/** Engines side by side that carry a load. */
export interface Engines {
	/** GPUs of the fewest engines that carry the load; null: none that were tried do. */
	fewest: number | null;
	/** GPUs of one engine. */
	unit: number;
	/** So many GPUs, each engine as it is. */
	patch: (gpus: number) => Partial<Scenario>;
}

/** Ranks that an engine nobody measured may be spread over. */
const SPREADS = [1, 2, 4, 8];

/** What was measured is copied as it is; of what nobody measured, the spread of an engine that takes the fewest GPUs. */
export function fewestEngines(scenario: Scenario, facts: PlanFacts, { scenario: filled }: Plan): Engines {
	const { configuration, model } = facts;
	if (configuration && scenario.tp === null)
		return fewestOf(scenario, facts, Math.max(1, configuration.gpus ?? 1), (gpus) => ({ gpus }));
	const heads = model?.heads ?? 0;
	// llama.cpp splits layers, not heads: there each card is an engine.
	const spread = isLlamaCpp(filled.engine) ? [1] : SPREADS.filter((ranks) => heads % ranks === 0);
	const units = scenario.tp === null ? spread : [scenario.tp];
	const found = units.map((unit) => fewestOf(scenario, facts, unit, (gpus) => ({ gpus, tp: unit })));
	return found.reduce((a, b) => ((b.fewest ?? Infinity) < (a.fewest ?? Infinity) ? b : a));
}

function fewestOf(scenario: Scenario, facts: PlanFacts, unit: number, patch: Engines["patch"]): Engines {
	const carries = (copies: number) => carriedBy(plan({ ...scenario, ...patch(copies * unit) }, facts, BARE));
	if (!carries(MOST_COPIES)) return { fewest: null, unit, patch };
	const fewest = (last(MOST_COPIES - 1, (copies) => copies === 0 || !carries(copies)) + 1) * unit;
	return { fewest, unit, patch };
}

/** How the limit that ends a search is known. */
function evidenceAt({ verdict, memory, ttft, tpot }: Plan): Evidence {
	if (verdict.binding === "ttft") return ttft.evidence;
	if (verdict.binding === "tpot" || verdict.binding === "throughput") return tpot.evidence;
	return memory.maxSequences.evidence;
}

/** "8 at once", "2.5 requests/s". */
const askedLoad = ({ concurrency, rate }: Scenario): string =>
	rate === null ? `${count(concurrency ?? 1)} at once` : `${figure(rate)} requests/s`;

const notChecked = ({ verdict }: Plan): string => `not known: ${verdict.reasons[0] ?? ""}`;

/** The longest prompt as a quantity: what ends it, and how that is known. @param beyond the plan of one token more */
export function contextQuantity(
	scenario: Scenario,
	facts: PlanFacts,
	{ longest, beyond }: { longest: number; beyond: Plan },
	wording: Wording,
): Quantity {
	const made = facts.model?.maxContextTokens ?? null;
	const over = made !== null && longest + scenario.output > made ? `; beyond the model's ${count(made)}` : "";
	if (longest === 0 && !beyond.verdict.decided)
		return state(null, "tokens", "assumed", () => notChecked(beyond), wording);
	return state(
		longest > 0 ? longest : null,
		"tokens",
		evidenceAt(beyond),
		() =>
			longest > 0
				? `the longest prompt with which ${askedLoad(scenario)} are within every limit${over}; one token more: ${beyond.verdict.reasons[0] ?? ""}`
				: `no prompt, however short, lets ${askedLoad(scenario)} be carried: ${beyond.verdict.reasons[0] ?? ""}`,
		wording,
	);
}

/** The plan with one engine fewer than carry the load, or with the most that were tried. */
export const withFewer = (scenario: Scenario, facts: PlanFacts, { fewest, unit, patch }: Engines): Plan =>
	plan({ ...scenario, ...patch(Math.max(unit, (fewest ?? MOST_COPIES * unit) - unit)) }, facts);

/** The fewest GPUs as a quantity: what one engine fewer does not carry. @param fewer the plan of withFewer() */
export function gpusQuantity(
	scenario: Scenario,
	{ fewest, unit }: Engines,
	fewer: Plan,
	wording: Wording,
): Quantity {
	if (fewest === null && !fewer.verdict.decided)
		return state(null, "GPUs", "assumed", () => notChecked(fewer), wording);
	return state(
		fewest,
		"GPUs",
		evidenceAt(fewer),
		() => {
			const why = fewer.verdict.reasons[0] ?? "";
			if (fewest === null)
				return `not even ${count(MOST_COPIES)} engines of ${count(unit)} carry ${askedLoad(scenario)}: ${why}`;
			return fewest === unit
				? `one engine of ${count(unit)} carries ${askedLoad(scenario)}`
				: `the fewest engines of ${count(unit)} that carry ${askedLoad(scenario)}; with ${count(fewest - unit)}: ${why}`;
		},
		wording,
	);
}
