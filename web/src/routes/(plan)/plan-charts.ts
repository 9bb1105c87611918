import {
	type ConcurrencyPoint,
	type ContextPoint,
	type CurveTime,
	concurrencyCurve,
	contextCurve,
	type Plan,
	type PlanFacts,
	type Point,
	type Scenario,
} from "@plimsoll/api/model";
import type { ChartOption } from "#lib/chart/option.ts";
import { costOption } from "#lib/chart/options/cost.ts";
import { sequencesOption } from "#lib/chart/options/sequences.ts";
import { tpotOption } from "#lib/chart/options/tpot.ts";
import { ttftOption } from "#lib/chart/options/ttft.ts";
import type { CurvePoint, Dot } from "#lib/chart/series.ts";

const CONTEXTS = 64;
const SHORTEST = 256;
const USUAL_LONGEST = 128_000;
const USUAL_USERS = 64;
const MOST_USERS = 4096;
/** A measured load is shown beside the curve where its lengths are this near to the chosen ones, as a factor. */
const NEAR = 1.5;

/** The charts of the plan; null where nothing can be drawn. The first three share one context axis. */
export interface PlanCharts {
	ttft: ChartOption | null;
	sequences: ChartOption | null;
	cost: ChartOption | null;
	tpot: ChartOption | null;
}

/** Whole token counts, equal factors apart, both ends included. */
export function contextGrid(from: number, to: number, count = CONTEXTS): number[] {
	const step = (to / from) ** (1 / (count - 1));
	const grid = Array.from({ length: count }, (_, i) => Math.round(from * step ** i));
	return [...new Set([...grid.slice(0, -1), to])];
}

/** Numbers of users from 1, each once, ever farther apart. */
export function userGrid(to: number): number[] {
	return contextGrid(1, Math.max(2, Math.min(MOST_USERS, Math.ceil(to))), 48);
}

/** Lengths that the three context charts span: what was measured, what the model can, what is asked. */
function contextSpan({ context }: Scenario, { fits, model }: PlanFacts): { from: number; to: number } {
	return {
		from: Math.min(SHORTEST, context, fits.prefill?.range.from ?? SHORTEST),
		to: Math.max(USUAL_LONGEST, context, model?.maxContextTokens ?? 0, fits.prefill?.range.to ?? 0),
	};
}

/** Measured prompts as dots: one sequence, nothing cached. */
export function prefillDots(points: Point[], { from, to }: { from: number; to: number }): Dot[] {
	return points.flatMap((p) =>
		p.phase === "prefill" && p.batch === 1 && p.cached === 0 && p.tokens >= from && p.tokens <= to
			? [{ x: p.tokens, y: p.seconds, n: p.n }]
			: [],
	);
}

const near = (a: number, b: number) => Math.max(a / b, b / a) <= NEAR;

/** Measured times per token at about the chosen lengths: what clients saw, and bare decode steps. */
export function tpotDots(points: Point[], { context, output }: Scenario): Dot[] {
	return points.flatMap((p): Dot[] => {
		if (p.phase === "decode" && near(p.context, context + output / 2))
			return [{ x: p.batch, y: p.seconds, n: p.n }];
		if (p.phase !== "serve" || p.concurrency === null || p.tpotSeconds === null) return [];
		if (!near(p.input, context) || !near(p.output, output)) return [];
		return [{ x: Math.max(1, p.concurrency), y: p.tpotSeconds, n: p.n }];
	});
}

const timed = (x: number, time: CurveTime | null): CurvePoint => ({
	x,
	y: time?.seconds ?? null,
	low: time?.low ?? null,
	high: time?.high ?? null,
});

const has = (curve: CurvePoint[]) => curve.some(({ y }) => y !== null && y > 0);

function timeChart(curve: ContextPoint[], answer: Plan, facts: PlanFacts, dots: Dot[]): ChartOption | null {
	const alone = curve.map((p) => timed(p.context, p.prefill));
	const loaded = curve.map((p) => timed(p.context, p.ttft));
	if (!has(alone)) return null;
	return ttftOption({
		curve: alone,
		loaded: differ(alone, loaded) ? loaded : [],
		points: dots,
		slo: answer.scenario.ttftSlo,
		range: facts.fits.prefill?.range ?? null,
		chosen: { x: answer.scenario.context, y: answer.ttft.value },
	});
}

/** Alone on the engine and under the load are one line where nothing else runs. */
const differ = (a: CurvePoint[], b: CurvePoint[]) =>
	a.some(({ y }, i) => y !== null && Math.abs((b[i]?.y ?? y) - y) > 0.01 * y);

function memoryChart(curve: ContextPoint[], answer: Plan): ChartOption | null {
	const points = curve.map((p) => ({ x: p.context, y: p.maxSequences }));
	if (points.every(({ y }) => y === null)) return null;
	return sequencesOption({
		curve: points,
		chosen: { x: answer.scenario.context, y: answer.memory.maxSequences.value || null },
	});
}

function moneyChart(curve: ContextPoint[], answer: Plan): ChartOption | null {
	const points = curve.map((p) => ({ x: p.context, y: p.usdPerRequest }));
	if (!has(points)) return null;
	return costOption({
		lines: [{ id: "request", name: "One request", points }],
		unit: "USD/request",
		chosen: { x: answer.scenario.context, y: answer.cost.usdPerRequest.value },
	});
}

function loadChart(
	curve: ConcurrencyPoint[],
	answer: Plan,
	facts: PlanFacts,
	dots: Dot[],
): ChartOption | null {
	const points = curve.map((p) => timed(p.concurrency, p.tpot));
	if (!has(points)) return null;
	const measured = facts.fits.serve?.range.concurrency ?? facts.fits.decode?.range.batch;
	const { concurrency } = answer.scenario;
	return tpotOption({
		curve: points,
		points: dots,
		slo: answer.scenario.tpotSlo,
		range: measured ? { from: measured[0], to: measured[1] } : null,
		fits: answer.memory.maxSequences.value,
		chosen: concurrency === null ? null : { x: concurrency, y: answer.tpot.value },
	});
}

/** Draws a plan: two curves are worked out, four charts made of them. */
export function planCharts(scenario: Scenario, facts: PlanFacts, answer: Plan, points: Point[]): PlanCharts {
	const span = contextSpan(answer.scenario, facts);
	const contexts = contextCurve(scenario, facts, contextGrid(span.from, span.to));
	const most = Math.max(
		USUAL_USERS,
		2 * (answer.scenario.concurrency ?? 1),
		2 * (answer.memory.maxSequences.value ?? 0),
	);
	const users = concurrencyCurve(scenario, facts, userGrid(most));
	return {
		ttft: timeChart(contexts, answer, facts, prefillDots(points, span)),
		sequences: memoryChart(contexts, answer),
		cost: moneyChart(contexts, answer),
		tpot: loadChart(users, answer, facts, tpotDots(points, answer.scenario)),
	};
}
