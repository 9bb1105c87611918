import type { Currency } from "../money/price.ts";
import { predictServe } from "../time/serve.ts";
import { count, figure, percent, seconds } from "../trust/figures.ts";
import { type Evidence, type Quantity, weakest } from "../trust/quantity.ts";
import { state } from "../trust/statement.ts";
import type { Plan } from "./answer.ts";
import { capacity } from "./capacity.ts";
import { costFigures, costsOf } from "./costs.ts";
import type { LoadAnswer, LoadAsk } from "./load-answer.ts";
import type { LoadPoint } from "./load-point.ts";
import { type Bounded, mostServed, type Outlook, type Timing, timingOf } from "./outlook.ts";
import { paretoFront } from "./pareto.ts";
import { loadPointOf } from "./plan.ts";
import type { Scenario } from "./question.ts";
import { farthest, reachesOf } from "./reach.ts";
import { type CurrencyCost, costInCurrency } from "./report-currency.ts";
import { throughputOf } from "./throughput.ts";
import { timesOf } from "./times.ts";
import { verdictOf } from "./verdict.ts";

/** What the formulas of money read of one load; low: at the fastest bound of the times, high: at the slowest. */
export interface MoneyBasis {
	/** Over all GPUs. */
	requestsPerSecond: Bounded;
	/** Share of the GPU time that prompts take, 0…1. */
	promptShare: number;
	/** With every place taken. */
	mostRequestsPerSecond: number;
}

/** One load of the cost-and-latency table. */
export interface ReportLoad {
	/** Whether it is the load of the question. */
	asked: boolean;
	/** Requests in flight; null where a rate is asked for. */
	concurrency: number | null;
	/** Requests per second offered; null where requests in flight are. */
	rate: number | null;
	ttft: Quantity;
	ttftP50: Quantity;
	ttftP95: Quantity;
	/** Where the percentiles come from, or why there are none. */
	percentilesBy: string;
	tpot: Quantity;
	e2e: Quantity;
	requestsPerSecond: Quantity;
	outputTokensPerSecond: Quantity;
	cost: Plan["cost"];
	/** The same in the currency of the report; null: US dollars. */
	inCurrency: CurrencyCost | null;
	/** Share of what is paid for that does nothing. */
	idleShare: Quantity;
	/** Whether it is carried within every limit; null: a limit could not be checked. */
	within: boolean | null;
	reasons: string[];
	evidence: Evidence;
	/** Factor beyond what was measured, 1 inside. */
	outsideBy: number;
	/** Whether no other load of the report is both cheaper per request and faster. */
	frontier: { ttft: boolean; tpot: boolean };
	/** null: the times are not known. */
	basis: MoneyBasis | null;
}

/** A load with the simulation that tells its percentiles. */
export interface LadderLoad {
	at: LoadPoint;
	asked: boolean;
	/** null: none is made; `reason` says why. */
	simulation: LoadAsk | null;
	reason: string;
}

/** Requests that one simulation draws: the 95th percentile then stands on a hundred. */
const SIMULATED_REQUESTS = 2000;
const SEED = 1;
/** Share of the highest throughput up to which a queue settles within so many requests. */
const STEADY = 0.9;

/**
 * The loads of a report: 1, 2, 4, … requests in flight up to the most that the limits allow, that most, and the load of the
 * question.
 */
export function reportLadder(outlook: Outlook): LadderLoad[] {
	const { scenario } = outlook.resolved;
	const base = loadPointOf(scenario);
	const users = capacity(outlook.resolved.said, outlook.facts, { arithmetic: false }).users.value ?? 0;
	const steps = new Set([1, ...(users > 0 ? [users] : [])]);
	for (let step = 2; step < users; step *= 2) steps.add(step);
	if (scenario.concurrency !== null) steps.add(scenario.concurrency);
	const ladder = [...steps]
		.sort((a, b) => a - b)
		.map((concurrency): LoadPoint => ({ ...base, concurrency, rate: null }));
	if (scenario.rate !== null) {
		// Among those that serve less and more, so that a line through the loads goes one way.
		const served = (at: LoadPoint) =>
			(timingOf(outlook, at)?.load.requestsPerSecond ?? 0) * outlook.resolved.asked.copies;
		const { rate } = scenario;
		const before = ladder.filter((at) => served(at) < rate).length;
		ladder.splice(before, 0, { ...base, concurrency: null });
	}
	return ladder.map((at) => ({
		at,
		asked: at.concurrency === scenario.concurrency && at.rate === scenario.rate,
		...simulationOf(outlook, at, timingOf(outlook, at)),
	}));
}

/** Requests at random, as many per second as the load serves: a queue of chance, as in traffic that nobody paces. */
function simulationOf(
	outlook: Outlook,
	{ context, output, cached }: LoadPoint,
	timing: Timing | null,
): Pick<LadderLoad, "simulation" | "reason"> {
	const none = (reason: string) => ({ simulation: null, reason });
	if (!timing || timing.fits === 0) return none("");
	if (timing.served) return none("");
	const { requestsPerSecond } = timing.load;
	if (requestsPerSecond > STEADY * mostServed(timing))
		return none(
			`not given: above ${percent(STEADY)} of the highest throughput a wait has no percentile, it grows with the time that the load lasts`,
		);
	const simulation: LoadAsk = {
		seed: SEED,
		workload: {
			arrivals: {
				kind: "rate",
				requestsPerSecond: requestsPerSecond * outlook.resolved.asked.copies,
			},
			requests: SIMULATED_REQUESTS,
			prompt: { kind: "fixed", tokens: context },
			output: { kind: "fixed", tokens: output },
			cachedShare: cached,
		},
	};
	return { simulation, reason: "" };
}

/**
 * The row of one load.
 * @param simulated what the simulator answered to its question; null where none was asked
 * @param currency in which money is told besides; null: in US dollars alone
 */
export function reportLoad(
	outlook: Outlook,
	load: LadderLoad,
	simulated: LoadAnswer | null,
	currency: Currency | null,
): ReportLoad {
	const { at, asked } = load;
	const timing = timingOf(outlook, at);
	const { ttft, tpot, e2e } = timesOf(outlook, at, timing, {});
	const { requestsPerSecond, outputTokensPerSecond } = throughputOf(outlook, at, timing, {});
	const verdict = verdictOf(outlook, at, timing);
	const cost = costsOf(outlook, at, timing, {});
	return {
		asked,
		concurrency: at.concurrency,
		rate: at.rate,
		ttft,
		...percentilesOf(outlook, load, timing, simulated, ttft),
		tpot,
		e2e,
		requestsPerSecond,
		outputTokensPerSecond,
		cost,
		inCurrency: currency && costInCurrency(cost, currency),
		idleShare: idleShareOf(outlook, timing),
		within: verdict.decided ? verdict.feasible : null,
		reasons: verdict.reasons,
		evidence: weakest(ttft.evidence, tpot.evidence),
		outsideBy: timing ? farthest(reachesOf(outlook, at, timing)) : 1,
		frontier: { ttft: false, tpot: false },
		basis: basisOf(outlook, at, timing),
	};
}

function percentilesOf(
	outlook: Outlook,
	{ at, reason }: LadderLoad,
	timing: Timing | null,
	simulated: LoadAnswer | null,
	mean: Quantity,
): Pick<ReportLoad, "ttftP50" | "ttftP95" | "percentilesBy"> {
	const none = (why: string) => {
		const unknown = state(null, "seconds", "assumed", () => why);
		return { ttftP50: unknown, ttftP95: unknown, percentilesBy: why };
	};
	if (!timing || mean.value === null) return none(mean.arithmetic);
	if (timing.carried)
		return none("not given: the clients' percentiles are those of the setup that they measured");
	if (timing.served)
		return servedPercentiles(outlook, at, timing, mean) ?? none("not given: the clients measured means only");
	const times = simulated?.result?.times.ttft;
	if (!times) return none(reason || `not given: ${simulated?.reason ?? "no simulation was made"}`);
	if (simulated.result?.saturated)
		return none("not given: in the simulation requests came faster than they were served");
	return {
		ttftP50: times.p50,
		ttftP95: times.p95,
		percentilesBy: `simulated: ${count(simulated.result?.completed ?? 0)} requests at random, ${figure(timing.load.requestsPerSecond * outlook.resolved.asked.copies)} a second, seed ${SEED}`,
	};
}

/** Percentiles as clients saw them: their measured distance from the mean. */
function servedPercentiles(
	{ laws }: Outlook,
	{ context, output }: LoadPoint,
	timing: Timing,
	mean: Quantity,
): Pick<ReportLoad, "ttftP50" | "ttftP95" | "percentilesBy"> | null {
	const concurrency = Math.max(1, timing.load.running);
	const { ttft } = predictServe(
		{ prefill: laws.prefill?.fit ?? null, decode: laws.decode?.fit ?? null, serve: laws.serve },
		{ input: context, output, concurrency },
	);
	const { value } = mean;
	const { mean: law, p50, p95 } = ttft;
	// A queue for places is no part of the clients' law.
	if (value === null || law === null || p50 === null || Math.abs(law - value) > 1e-6 * value) return null;
	const of = (time: number | null, name: string) =>
		state(
			time,
			"seconds",
			mean.evidence,
			() =>
				time === null
					? `not given: the clients did not record the ${name}`
					: `${figure(time / law)} of the mean, as the clients measured: ${seconds(time)}`,
			{},
			mean.sources,
		);
	return {
		ttftP50: of(p50, "half that is faster"),
		ttftP95: of(p95, "95 % that are faster"),
		percentilesBy: "from the clients' measurements: their distance from the mean",
	};
}

function idleShareOf({ resolved }: Outlook, timing: Timing | null): Quantity {
	const { said, asked } = resolved;
	const most = (timing ? mostServed(timing) : 0) * asked.copies;
	const served = (timing?.load.requestsPerSecond ?? 0) * asked.copies;
	const evidence = timing ? weakest(timing.ttftEvidence, timing.tpotEvidence) : "assumed";
	if (!timing || timing.fits === 0 || !(most > 0))
		return state(null, "ratio", "assumed", () => "not known: the throughput is not known");
	const idle = Math.max(0, 1 - (said.busy * served) / most);
	return state(
		idle,
		"ratio",
		evidence,
		() =>
			`1 − ${percent(said.busy)} of the paid hours × ${figure(served)} of at most ${figure(most)} requests/s = ${percent(idle)}`,
	);
}

function basisOf(outlook: Outlook, at: LoadPoint, timing: Timing | null): MoneyBasis | null {
	if (!timing || timing.fits === 0) return null;
	const figuresAt = (bound: "middle" | "low" | "high") => costFigures(outlook, at, timing, null, bound);
	const middle = figuresAt("middle");
	return {
		requestsPerSecond: {
			middle: middle.requestsPerSecond,
			low: figuresAt("low").requestsPerSecond,
			high: figuresAt("high").requestsPerSecond,
		},
		promptShare: middle.inputShare,
		mostRequestsPerSecond: mostServed(timing) * outlook.resolved.asked.copies,
	};
}

/** Marks the loads that no other one beats in both cost per request and time. */
export function markFrontier(loads: readonly ReportLoad[]): void {
	for (const time of ["ttft", "tpot"] as const) {
		const value = (quantity: Quantity | undefined) => quantity?.value ?? Number.POSITIVE_INFINITY;
		const cost = (load: ReportLoad | undefined) => value(load?.cost.usdPerRequest);
		const latency = (load: ReportLoad | undefined) => value(load?.[time]);
		const front = paretoFront(
			loads.length,
			(i) => cost(loads[i]),
			(i) => latency(loads[i]),
		).flatMap((i) => loads[i] ?? []);
		// Of two that are the same in both, neither beats the other.
		for (const load of loads)
			load.frontier[time] = front.some((one) => cost(one) === cost(load) && latency(one) === latency(load));
	}
}

/** A load in words. */
export const loadWords = ({ concurrency, rate }: Pick<Scenario, "concurrency" | "rate">): string =>
	rate === null
		? `${count(concurrency ?? 1)} ${concurrency === 1 ? "request" : "requests"} in flight`
		: `${figure(rate)} requests/s`;
