import { plan } from "../answer/plan.ts";
import type { PlanFacts, Scenario } from "../answer/question.ts";
import { FAR } from "../answer/reach.ts";
import { lengthWarnings } from "../trust/effective-length.ts";
import { count, figure, seconds, usd } from "../trust/figures.ts";
import { type Quantity, type Unit, weakest } from "../trust/quantity.ts";
import { state, type Wording } from "../trust/statement.ts";
import type { WindowBudget, WindowQuestion, WindowTurn } from "./budget.ts";

/** What one request of a session takes on a configuration. */
export interface PricedTurn extends WindowTurn {
	/** With what the request before left in a prefix cache. */
	ttft: Quantity;
	/** With every token of the prompt computed anew. */
	ttftUncached: Quantity;
	usd: Quantity;
	usdUncached: Quantity;
	/** Of this sequence, per GPU. */
	kvBytes: Quantity;
	/** Sequences of this length that fit at once. */
	fits: Quantity;
}

/** A session on a configuration: its requests, and what all of them take together. */
export interface PricedSession {
	turns: PricedTurn[];
	/** Waiting for first tokens, all requests of a session. */
	waiting: Quantity;
	waitingUncached: Quantity;
	usd: Quantity;
	usdUncached: Quantity;
	usdPerMonth: Quantity;
	usdPerMonthUncached: Quantity;
	/** Sequences that fit when the session begins less those that fit at its fullest: what its length takes from others. */
	displaced: Quantity;
}

/** Days of a month on average: 365 / 12. */
const DAYS_PER_MONTH = 365 / 12;

/**
 * Prices every request of a session by the plan of its length, once with a prefix cache and once without.
 * waiting = Σ TTFT; session = Σ USD of a request; month = session · sessions a day · 365 / 12
 * @param scenario setup, load and price; its lengths are the turns'
 * @param sessionsPerDay ≥ 0
 * @throws RangeError for sessions below 0
 */
export function priceSession(
	budget: WindowBudget,
	scenario: Scenario,
	facts: PlanFacts,
	sessionsPerDay: number,
	wording: Wording = {},
): PricedSession {
	if (!(sessionsPerDay >= 0)) throw new RangeError(`sessions a day must be 0 or more, not ${sessionsPerDay}`);
	const turns = budget.turns.map((turn) => pricedTurn(turn, scenario, facts, wording));
	const over = (
		of: (turn: PricedTurn) => Quantity,
		unit: Unit,
		write: (value: number) => string,
		what: string,
	): Quantity => {
		const all = turns.map(of);
		const total = all.reduce<number | null>(
			(sum, { value }) => (sum === null || value === null ? null : sum + value),
			0,
		);
		const missing = all.find(({ value }) => value === null);
		return state(
			turns.length > 0 ? total : null,
			unit,
			weakest(...all.map(({ evidence }) => evidence)),
			() =>
				missing
					? missing.arithmetic
					: `${what} of ${count(turns.length)} requests, ${write(all[0]?.value ?? 0)} the first, ${write(all.at(-1)?.value ?? 0)} the last: ${write(total ?? 0)}`,
			wording,
			all.at(-1)?.sources,
		);
	};
	const money = (of: (turn: PricedTurn) => Quantity) => over(of, "USD", usd, "sum");
	const monthly = (session: Quantity) =>
		state(
			session.value === null ? null : session.value * sessionsPerDay * DAYS_PER_MONTH,
			"USD/month",
			session.evidence,
			() =>
				session.value === null
					? session.arithmetic
					: `${usd(session.value)} × ${figure(sessionsPerDay)} sessions a day × 365 / 12 days`,
			wording,
			session.sources,
		);
	const [cached, anew] = [money((turn) => turn.usd), money((turn) => turn.usdUncached)];
	return {
		turns,
		waiting: over((turn) => turn.ttft, "seconds", seconds, "waiting for first tokens"),
		waitingUncached: over((turn) => turn.ttftUncached, "seconds", seconds, "waiting for first tokens"),
		usd: cached,
		usdUncached: anew,
		usdPerMonth: monthly(cached),
		usdPerMonthUncached: monthly(anew),
		displaced: displacedBy(turns, wording),
	};
}

/**
 * What makes a session's figures weaker than they look: a window that the model was not made for, lengths nobody
 * measured, and lengths that tests say the model does not use well.
 */
export function windowCautions(
	{ windowTokens }: WindowQuestion,
	{ turns }: Pick<WindowBudget, "turns">,
	{ model, fits, effectiveLengths = [] }: PlanFacts,
): string[] {
	const cautions: string[] = [];
	const made = model?.maxContextTokens ?? null;
	if (made !== null && windowTokens > made)
		cautions.push(
			`${model?.name ?? "The model"} was made for at most ${count(made)} tokens, the window asked about holds ${count(windowTokens)}: an engine refuses what is beyond, unless it is started with another scaling of positions.`,
		);
	const longest = Math.max(0, ...turns.map(({ promptTokens }) => promptTokens));
	const seen = Math.max(fits.prefill?.range.to ?? 0, fits.serve?.range.input[1] ?? 0);
	if (seen > 0 && longest > FAR * seen)
		cautions.push(
			`The longest prompt here has ${count(longest)} tokens, ${figure(longest / seen, 2)} times what was measured (${count(seen)}): times and money beyond that are extrapolated. Measure a longer prompt before anything rests on them.`,
		);
	const [strictest] = lengthWarnings(longest, effectiveLengths);
	if (strictest) cautions.push(strictest.words);
	return cautions;
}

function pricedTurn(turn: WindowTurn, scenario: Scenario, facts: PlanFacts, wording: Wording): PricedTurn {
	const context = Math.max(1, turn.promptTokens);
	const at = (cached: number) =>
		plan({ ...scenario, context, output: Math.max(1, turn.outputTokens), cached }, facts, wording);
	const [cached, anew] = [at(Math.min(1, turn.sharedTokens / context)), at(0)];
	return {
		...turn,
		ttft: cached.ttft,
		ttftUncached: anew.ttft,
		usd: { ...cached.cost.usdPerRequest, unit: "USD" },
		usdUncached: { ...anew.cost.usdPerRequest, unit: "USD" },
		kvBytes: anew.memory.kvBytesPerSequence,
		fits: anew.memory.maxSequences,
	};
}

function displacedBy(turns: readonly PricedTurn[], wording: Wording): Quantity {
	const first = turns[0]?.fits;
	const fewest = turns
		.map(({ fits }) => fits)
		.reduce<Quantity | undefined>(
			(least, fits) => (least === undefined || (fits.value ?? 0) < (least.value ?? 0) ? fits : least),
			undefined,
		);
	const known = first?.value != null && fewest?.value != null;
	return state(
		known ? (first.value ?? 0) - (fewest.value ?? 0) : null,
		"sequences",
		first?.evidence ?? "assumed",
		() =>
			known
				? `${count(first.value ?? 0)} fit at the length of the first request, ${count(fewest.value ?? 0)} at that of the longest`
				: (first?.arithmetic ?? "no request fits"),
		wording,
		first?.sources,
	);
}
