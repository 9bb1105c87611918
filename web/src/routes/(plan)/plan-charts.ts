import {
	type ContextPoint,
	type CurveTime,
	concurrencyCurve,
	contextCurve,
	contextLimits,
	type Plan,
	type PlanFacts,
	type Point,
	type Scenario,
} from "@plimsoll/api/model";
import type { Extent } from "#lib/chart/axis.ts";
import { dotOf, prefillDots } from "#lib/chart/dots.ts";
import { logGrid } from "#lib/chart/grid.ts";
import type { ChartOption, Dot } from "#lib/chart/option.ts";
import { costOption } from "#lib/chart/options/cost.ts";
import { sequencesOption } from "#lib/chart/options/sequences.ts";
import { tpotOption } from "#lib/chart/options/tpot.ts";
import { ttftOption } from "#lib/chart/options/ttft.ts";
import { knownRange, type LawPoint } from "#lib/chart/series.ts";
import { crossingsOf, marked } from "./crossings.ts";

const CONTEXTS = 64;
const USERS = 48;
const FEW_DOTS = 32;
const SHORTEST = 256;
const USUAL_LONGEST = 128_000;
const USUAL_USERS = 64;
const MOST_USERS = 4096;
/** A measured load is shown beside the curve where its lengths are this near to the chosen ones, as a factor. */
const NEAR = 1.5;

/** The charts that share one context axis; null where nothing can be drawn. */
export interface ContextCharts {
	ttft: ChartOption | null;
	sequences: ChartOption | null;
	cost: ChartOption | null;
}

/** Numbers of users from 1, each once, ever farther apart. */
export function userGrid(to: number): number[] {
	return logGrid(1, Math.max(2, Math.min(MOST_USERS, Math.ceil(to))), USERS);
}

/**
 * Lengths that the three context charts span: what was measured, what the model can, and the next power of two beyond
 * what is asked, so that the axes stand still while a slider moves.
 */
export function contextSpan({ context }: Scenario, { fits, model }: PlanFacts): { from: number; to: number } {
	const from = Math.min(SHORTEST, fits.prefill?.range.from ?? SHORTEST);
	const to = Math.max(USUAL_LONGEST, model?.maxContextTokens ?? 0, fits.prefill?.range.to ?? 0);
	return {
		from: context >= from ? from : 2 ** Math.floor(Math.log2(context)),
		to: context <= to ? to : 2 ** Math.ceil(Math.log2(context)),
	};
}

const near = (a: number, b: number) => Math.max(a / b, b / a) <= NEAR;

/** Measured times per token at about the chosen lengths: what clients saw, and bare decode steps. */
export function tpotDots(
	points: Point[],
	{ context, output }: Scenario,
	configuration: string | null = null,
): Dot[] {
	return points.flatMap((p): Dot[] => {
		if (p.phase === "decode" && near(p.context, context + output / 2))
			return [dotOf(p.batch, p.seconds, p, configuration)];
		if (p.phase !== "serve" || p.concurrency === null || p.tpotSeconds === null) return [];
		if (!near(p.input, context) || !near(p.output, output)) return [];
		return [dotOf(Math.max(1, p.concurrency), p.tpotSeconds, p, configuration)];
	});
}

const timed = (x: number, time: CurveTime | null): LawPoint => ({
	x,
	evidence: time?.evidence ?? null,
	y: time?.seconds ?? null,
	low: time?.low ?? null,
	high: time?.high ?? null,
});

const has = (curve: { y: number | null }[]) => curve.some(({ y }) => y !== null && y > 0);

function timeChart(curve: ContextPoint[], answer: Plan, facts: PlanFacts, dots: Dot[]): ChartOption | null {
	const alone = curve.map((p) => timed(p.context, p.prefill));
	const loaded = curve.map((p) => timed(p.context, p.ttft));
	if (!has(alone)) return null;
	return ttftOption({
		curve: alone,
		loaded: differ(alone, loaded) ? loaded : [],
		points: dots,
		otherwise: otherwise(answer.scenario, curve),
		slo: answer.scenario.ttftSlo,
		range: facts.fits.prefill?.range ?? null,
	});
}

/** What the dots were measured with that is not what is asked about; null: nothing. */
function otherwise({ cached }: Scenario, curve: { asMeasured: boolean }[]): string | null {
	if (!curve.every(({ asMeasured }) => asMeasured)) return "with another setup";
	return cached > 0 ? "with nothing cached" : null;
}

/** Alone on the engine and under the load are one line where nothing else runs. */
const differ = (a: LawPoint[], b: LawPoint[]) =>
	a.some(({ y }, i) => y !== null && Math.abs((b[i]?.y ?? y) - y) > 0.01 * y);

/** The lengths at which prompts were measured and are known by it, for the two charts beside the time. */
const promptsOf = (curve: ContextPoint[], { fits }: PlanFacts) =>
	knownRange(
		curve.map((p) => timed(p.context, p.prefill)),
		fits.prefill?.range ?? null,
	);

function memoryChart(curve: ContextPoint[], { memory }: Plan, prompts: Extent | null): ChartOption | null {
	const points = curve.map((p) => ({ x: p.context, y: p.maxSequences }));
	if (points.every(({ y }) => y === null)) return null;
	return sequencesOption({ curve: points, evidence: memory.maxSequences.evidence, prompts });
}

function moneyChart(curve: ContextPoint[], { cost }: Plan, prompts: Extent | null): ChartOption | null {
	const points = curve.map((p) => ({ x: p.context, y: p.usdPerRequest }));
	if (!has(points)) return null;
	return costOption({
		lines: [{ id: "request", name: "One request", points }],
		evidence: cost.usdPerRequest.evidence,
		unit: "USD/request",
		prompts,
	});
}

/** What the context charts are drawn from; the same text, the same drawing: moving the context alone changes nothing. */
export function contextChartsKey(answer: Plan, facts: PlanFacts): string {
	const { from, to } = contextSpan(answer.scenario, facts);
	return JSON.stringify({ ...answer.scenario, context: null, from, to });
}

/** What the chart over users is drawn from: moving the users alone changes nothing as long as they stay on it. */
export function loadChartKey(answer: Plan): string {
	return JSON.stringify({ ...answer.scenario, concurrency: null, rate: null, to: mostUsers(answer) });
}

/** The powers of two that hold what is asked and twice what fits. */
function mostUsers({ scenario, memory }: Plan): number {
	const most = Math.max(USUAL_USERS, scenario.concurrency ?? 1, 2 * (memory.maxSequences.value ?? 0));
	return Math.min(MOST_USERS, 2 ** Math.ceil(Math.log2(most)));
}

/** Time, memory and money against one context axis. */
export function contextCharts(
	scenario: Scenario,
	facts: PlanFacts,
	answer: Plan,
	points: Point[],
	span = contextSpan(answer.scenario, facts),
): ContextCharts {
	const measured = facts.fits.prefill?.range;
	const dots = prefillDots(points, span, facts.configuration?.id);
	const grid = logGrid(span.from, span.to, CONTEXTS, [
		...(measured ? [measured.from, measured.to] : []),
		// Where there are few dots, what the law says can be read at each.
		...(dots.length <= FEW_DOTS ? dots.map(({ x }) => x) : []),
	]);
	const curve = contextCurve(scenario, facts, grid);
	const prompts = promptsOf(curve, facts);
	const crossings = crossingsOf(contextLimits(scenario, facts, Math.floor(span.to)), answer, span.to);
	return {
		ttft: marked(timeChart(curve, answer, facts, dots), crossings.time),
		sequences: marked(memoryChart(curve, answer, prompts), crossings.memory),
		cost: marked(moneyChart(curve, answer, prompts), crossings.money),
	};
}

/** Time per token against users. */
export function loadChart(
	scenario: Scenario,
	facts: PlanFacts,
	answer: Plan,
	points: Point[],
): ChartOption | null {
	const users = concurrencyCurve(scenario, facts, userGrid(mostUsers(answer)));
	const curve = users.map((p) => timed(p.concurrency, p.tpot));
	if (!has(curve)) return null;
	const measured = facts.fits.serve?.range.concurrency ?? facts.fits.decode?.range.batch;
	return tpotOption({
		curve,
		points: tpotDots(points, answer.scenario, facts.configuration?.id ?? null),
		otherwise: otherwise(answer.scenario, users),
		slo: answer.scenario.tpotSlo,
		range: measured ? { from: measured[0], to: measured[1] } : null,
		fits: answer.memory.maxSequences.value,
	});
}
