import type { LoadState } from "../time/load.ts";
import { count, figure, seconds } from "../trust/figures.ts";
import { type Evidence, weakest } from "../trust/quantity.ts";
import { state, type Wording } from "../trust/statement.ts";
import type { Binding, Capacity, OneMore, PlanVerdict } from "./answer.ts";
import { last } from "./halving.ts";
import type { LoadPoint } from "./load-point.ts";
import { type Outlook, outlookOf, type Timing, timingOf } from "./outlook.ts";
import { defaultScenario, loadPointOf } from "./plan.ts";
import type { PlanFacts, Scenario } from "./question.ts";
import { banded, timesOf } from "./times.ts";
import { verdictOf } from "./verdict.ts";

const BARE: Wording = { arithmetic: false };

/** Users tried at most. */
export const MOST_USERS = 65_536;

interface Tried {
	at: LoadPoint;
	timing: Timing | null;
	verdict: PlanVerdict;
}

/**
 * The most requests in flight within every limit of a scenario: memory, TTFT, TPOT, length.
 * Found by doubling and halving; a limit once crossed is taken to stay crossed. The interval holds the same number worked
 * out at the upper and at the lower bound of the times.
 * @param scenario its load is left aside
 * @returns users from 0 to 65,536, or null with the reason where a limit cannot be checked
 */
export function capacity(scenario: Scenario, facts: PlanFacts, wording: Wording = {}): Capacity {
	const outlook = outlookOf({ ...scenario, concurrency: 1, rate: null }, facts);
	const base = loadPointOf(outlook.resolved.scenario);
	const tried = new Map<number, Tried>();
	const attempt = (users: number): Tried => {
		const known = tried.get(users);
		if (known) return known;
		const at = { ...base, concurrency: users, rate: null };
		const timing = timingOf(outlook, at);
		const made = { at, timing, verdict: verdictOf(outlook, at, timing, BARE) };
		tried.set(users, made);
		return made;
	};
	const users = lastThat((n) => attempt(n).verdict.feasible);
	/** Once more with its reasons: the search asked without. */
	const spoken = (n: number): Tried => {
		const { at, timing } = attempt(n);
		return { at, timing, verdict: verdictOf(outlook, at, timing, wording) };
	};
	const here = spoken(Math.max(1, users));
	const next = spoken(Math.min(MOST_USERS, users + 1)).verdict;
	const limit = users >= MOST_USERS ? here.verdict : next;
	const { decided } = here.verdict;
	const words = () =>
		decided ? wordsOf(outlook, users, here.verdict, next) : (here.verdict.reasons[0] ?? "");
	const quantity = state(
		decided ? users : null,
		"requests",
		decided ? evidenceOf(outlook, here.timing, limit.binding) : "assumed",
		words,
		wording,
		outlook.laws.sources,
	);
	if (decided) {
		const low = lastThat((n) => attempt(n).verdict.feasible && attempt(n).verdict.sure);
		const high = lastThat((n) => attempt(n).verdict.feasible || !attempt(n).verdict.sure);
		if (low !== high) Object.assign(quantity, { low: Math.min(low, users), high: Math.max(high, users) });
	}
	const { ttft, tpot, e2e } = timesOf(outlook, here.at, here.timing, wording);
	const { beyond } = limit.binding === "ttft" ? ttft : limit.binding === "tpot" ? tpot : e2e;
	if (beyond !== undefined && decided && limit.binding !== "memory") quantity.beyond = beyond;
	return {
		users: quantity,
		tpot,
		binding: decided ? limit.binding : null,
		oneMore:
			decided && users > 0 && users < MOST_USERS
				? oneMoreOf(outlook, attempt(users + 1), limit.binding, wording)
				: null,
		reasons: decided ? limit.reasons : here.verdict.reasons,
	};
}

/** What the first one too many meets. */
function oneMoreOf(
	outlook: Outlook,
	{ at, timing }: Tried,
	binding: Binding,
	wording: Wording,
): OneMore | null {
	if (!timing) return null;
	if (binding === "ttft" || binding === "tpot")
		return { kind: binding, time: timesOf(outlook, at, timing, wording)[binding] };
	// Where a failure was measured, or the length is the limit, nobody waits: it does not run.
	if (binding !== "memory" || timing.fits === null || (at.concurrency ?? 0) !== timing.fits + 1) return null;
	const { e2eSeconds, running, waiting } = timing.load;
	const cycle = e2eSeconds - waitOf(timing.load);
	const { copies } = outlook.resolved.asked;
	const [places, waiters] = [running * copies, waiting * copies];
	return {
		kind: "wait",
		time: banded(
			timing,
			waitOf,
			"seconds",
			weakest(timing.ttftEvidence, timing.tpotEvidence),
			() =>
				`${count(places)} places are taken, and each is held for ${seconds(cycle)}: one is left every ${seconds(cycle / places)}; ${waiters === 1 ? "one request waits" : `${figure(waiters)} requests wait`} for it ${waiters === 1 ? "" : `${figure(waiters)} × ${seconds(cycle / places)} = `}${seconds(waitOf(timing.load))}`,
			outlook.laws.sources,
			wording,
		),
	};
}

/** Seconds in the queue: of a request's whole time the share of those that wait. @source Little's law */
const waitOf = ({ e2eSeconds, running, waiting }: LoadState): number =>
	(e2eSeconds * waiting) / (running + waiting);

/** The last number of users up to MOST_USERS for which something holds that ends once and for all; 0: not even for 1. */
function lastThat(holds: (users: number) => boolean): number {
	// Doubling first: most answers are far below the most that is tried.
	let good = 0;
	while (good < MOST_USERS && holds(Math.max(1, 2 * good))) good = Math.max(1, 2 * good);
	return last(Math.min(MOST_USERS, Math.max(0, 2 * good - 1)), holds, good);
}

/** What the number rests on: whatever the limit that decides it is held against. */
function evidenceOf({ memory }: Outlook, timing: Timing | null, binding: Binding): Evidence {
	const inMemory = memory.pool.evidence;
	if (binding === "memory" || !timing || timing.fits === 0) return inMemory;
	const { ttftEvidence, tpotEvidence } = timing;
	switch (binding) {
		case "ttft":
			return ttftEvidence;
		case "tpot":
			return tpotEvidence;
		case "throughput":
			return weakest(ttftEvidence, tpotEvidence);
		case null:
			return weakest(inMemory, ttftEvidence, tpotEvidence);
	}
}

function wordsOf(outlook: Outlook, users: number, here: PlanVerdict, next: PlanVerdict): string {
	if (users >= MOST_USERS) return `no limit is crossed up to ${count(MOST_USERS)}, the most that is tried`;
	const { ttftSlo, tpotSlo } = outlook.resolved.scenario;
	const limits = `memory, ${ttftSlo ?? "no limit"} s to the first token, ${tpotSlo ?? "no limit"} s per token`;
	if (users === 0) return `not even 1 within ${limits}: ${next.reasons[0] ?? ""}`;
	return `the last number within ${limits}. With ${count(users)}: ${here.reasons.join(" ")} With ${count(users + 1)}: ${next.reasons[0] ?? ""}`;
}

/** The question an address without a query asks: inside what was measured, with no more users than are carried. */
export function opening(facts: PlanFacts): Scenario {
	const scenario = defaultScenario(facts);
	const users = capacity(scenario, facts, { arithmetic: false }).users.value;
	if (users === null || scenario.concurrency === null) return scenario;
	return { ...scenario, concurrency: Math.max(1, Math.min(users, scenario.concurrency)) };
}
