import {
	BLANK_SCENARIO,
	type ContextPoint,
	contextCurve,
	contextTrap,
	type PlanFacts,
	type Trap,
} from "@plimsoll/api/model";
import { logGrid } from "#lib/chart/grid.ts";

/** One length of the trap's table. Times in seconds, null where not known. */
export interface TrapRow {
	tokens: number;
	/** By the fitted law, a prompt alone on the engine. */
	lawSeconds: number | null;
	/** By the power law through both ends. */
	powerSeconds: number | null;
	kvBytes: number | null;
	sequences: number | null;
	/** At a price per token, as a multiple of the first length. */
	moneyTimes: number;
}

export interface TrapView {
	trap: Trap;
	rows: TrapRow[];
	/** A fine curve from the first length to somewhat beyond the last. */
	curve: ContextPoint[];
	power: { exponent: number; points: { x: number; y: number }[] } | null;
}

const CURVE_POINTS = 48;
const BEYOND = 2;

/** Lengths of the table: both ends and the doublings between them that are not too near to the end. */
export function tableLengths(from: number, to: number): number[] {
	const doublings = [];
	for (let tokens = from; tokens < to / 1.25; tokens *= 2) doublings.push(tokens);
	return [...doublings, to];
}

/** What was measured begins and ends on the curve. */
const ends = ({ fits }: PlanFacts) => (fits.prefill ? [fits.prefill.range.from, fits.prefill.range.to] : []);

const scenarioOf = (facts: PlanFacts) => ({
	...BLANK_SCENARIO,
	configuration: facts.configuration?.id ?? null,
	output: 1,
	concurrency: 1,
});

/** How money, time and memory grow from one length to another, and what a power law would have said between and beyond. */
export function trapView(facts: PlanFacts, from: number, to: number): TrapView {
	const scenario = scenarioOf(facts);
	const trap = contextTrap(scenario, facts, from, to);
	const { time } = trap;
	const power = (tokens: number) => time && time.from * (tokens / from) ** time.exponent;
	const rows = contextCurve(scenario, facts, tableLengths(from, to)).map((p) => ({
		tokens: p.context,
		lawSeconds: p.prefill?.seconds ?? null,
		powerSeconds: power(p.context),
		kvBytes: p.kvBytes,
		sequences: p.maxSequences,
		moneyTimes: p.context / from,
	}));
	const wide = logGrid(from, to * BEYOND, CURVE_POINTS, [...ends(facts), to]);
	return {
		trap,
		rows,
		curve: contextCurve(scenario, facts, wide),
		power: time && {
			exponent: time.exponent,
			points: wide.map((x) => ({ x, y: time.from * (x / from) ** time.exponent })),
		},
	};
}
