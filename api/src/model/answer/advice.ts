import { maxSequences } from "../memory/stack.ts";
import type { ConfigurationFits, Prediction } from "../time/curves.ts";
import type { Point } from "../time/points.ts";
import { predictPrefill } from "../time/prefill.ts";
import { figure } from "../trust/figures.ts";
import { banded, stepOf } from "./banded.ts";
import { type Asked, benchCandidates } from "./bench-candidates.ts";
import { benchCommand, type CommandSubject, type PostTo } from "./bench-command.ts";
import {
	type BenchRun,
	type BenchTool,
	describeRun,
	isBatched,
	runSeconds,
	shapesOf,
	toolOf,
} from "./bench-tool.ts";
import { cacheChange } from "./carry-over.ts";
import { AS_EXPECTED, expectedWidths, type Outcome, shrinkOf } from "./expected-interval.ts";
import { type FirstRuns, firstRuns } from "./first-runs.ts";
import type { Expected, Foresight } from "./measurement-shape.ts";
import { type Outlook, outlookOf, timingOf } from "./outlook.ts";
import { plan } from "./plan.ts";
import type { PlanFacts, Scenario } from "./question.ts";
import { sameEngine } from "./setup.ts";

/** How sure the answer is: half of the 95 % interval over the value, e.g. 0.12 for ±12 %; null: not known. */
export interface Surety {
	ttft: number | null;
	tpot: number | null;
}

/** A measurement worth making, and what it is expected to do. */
export interface AdvisedMeasurement {
	tool: BenchTool;
	/** What is measured, in words. */
	what: string;
	/** What the answer's interval is expected to be with it. */
	after: Surety;
	/** Seconds by the laws, without loading the model; null: not known. */
	seconds: number | null;
	/** The command that makes and posts it. */
	command: string;
}

export interface Advice {
	/** The question with its defaults filled in. */
	scenario: Scenario;
	now: Surety;
	/** Best first; empty where nothing is worth it, or nothing is measured. */
	measurements: AdvisedMeasurement[];
	/** Runs that belong together, for a setup that nobody measured or of which too little is known; else null. */
	start: FirstRuns | null;
	/** Why it is so, in words. */
	note: string;
}

/** Measurements named at most. */
const NAMED = 3;
/** Candidates whose outcomes are worked out in full: those that promise most. */
const TRIED = 8;
/** A share of the answer's half-widths that a measurement must take away to be worth naming. */
const WORTH_IT = 0.1;
/** Of those that help nearly as much as the best, the cheapest is first. */
const NEARLY = 0.9;
/** Measurements that help less than this share of what the best one does are not named beside it. */
const BESIDE_THE_BEST = 0.5;
/** Half-width, ln(high / low) / 2, of what is not known at all: more than any law's interval has. */
const UNKNOWN_WIDTH = Math.log(1000);
/** Points of a phase that the trial fits read; more are sampled evenly: one more among hundreds tells little. */
const TRIAL_POINTS = 80;

/**
 * Which further measurement narrows the interval of an answer most.
 * @param points the measured points that the facts' laws were fitted to
 * @param to where the results are posted
 * @returns measurements with their commands; for a setup that nobody measured, its first runs as a script
 * @source DESIGN 2.7 for the interval; preposterior analysis (Raiffa & Schlaifer 1961) for what is expected of it
 */
export function advise(scenario: Scenario, facts: PlanFacts, points: readonly Point[], to: PostTo): Advice {
	const outlook = outlookOf(scenario, facts);
	const filled = outlook.resolved.scenario;
	const now = suretyOf(widthsOf(scenario, facts));
	const foresight = foresightOf(outlook);
	const asked = askedOf(outlook);
	const common = { scenario: filled, now };
	const another = points.length === 0 || isAnother(outlook);
	const measurements = another ? [] : advised(outlook, points, foresight, asked, to);
	if (measurements.length > 0) return { ...common, measurements, start: null, note: "" };
	if (!another && isSure(now)) return { ...common, measurements, start: null, note: enoughNote(now) };
	const tool = toolOf(outlook.resolved.engine, another ? asked.running > 1 : isBatched(points));
	const start = firstRuns(tool, asked, subjectOf(outlook), foresight, to);
	return { ...common, measurements, start, note: another ? startNote(outlook) : TOGETHER };
}

/** A wider answer than this is no basis for a plan. */
const WIDE = 0.25;
const isSure = ({ ttft, tpot }: Surety): boolean =>
	[ttft, tpot].every((half) => half !== null && half <= WIDE);
const TOGETHER = "No single measurement would make the answer sure: too little is known around it.";

/** Whether the question is about another setup than the one that was measured: more points of that one cannot answer it. */
function isAnother({ resolved: { measured, asked }, facts }: Outlook): boolean {
	return measured === null || !sameEngine(measured, asked) || cacheChange(facts, measured, asked).ratio !== 1;
}

function advised(
	outlook: Outlook,
	points: readonly Point[],
	foresight: Foresight,
	asked: Asked,
	to: PostTo,
): AdvisedMeasurement[] {
	const { facts, resolved } = outlook;
	const tool = toolOf(resolved.engine, isBatched(points));
	const widths = (fits: ConfigurationFits) => widthsOf(resolved.said, { ...facts, fits });
	const before = widths(facts.fits);
	const standing = { fits: facts.fits, points: sampled(points), foresight, widthsOf: widths };
	const shrunk = (run: BenchRun, outcomes?: readonly Outcome[]) => {
		const after = expectedWidths(standing, shapesOf(run), outcomes);
		return after
			? [{ run, after, shrink: shrinkOf(before, after), seconds: runSeconds(run, foresight) }]
			: [];
	};
	const candidates = benchCandidates(tool, asked, points, facts.failures);
	const promising = candidates.flatMap((run) => shrunk(run, AS_EXPECTED)).sort((a, b) => b.shrink - a.shrink);
	const tried = promising.slice(0, TRIED).flatMap(({ run }) => shrunk(run));
	const most = Math.max(...tried.map(({ shrink }) => shrink));
	const least = Math.max(WORTH_IT * before.reduce((sum, width) => sum + width, 0), BESIDE_THE_BEST * most);
	return ranked(tried.filter(({ shrink }) => shrink > least))
		.slice(0, NAMED)
		.map(({ run, after, seconds }) => ({
			tool,
			what: describeRun(run),
			after: suretyOf(after.map((width, i) => Math.min(width, before[i] ?? width))),
			seconds,
			command: benchCommand([run], subjectOf(outlook), to),
		}));
}

interface Tried {
	run: BenchRun;
	shrink: number;
	seconds: number | null;
}

/** The cheapest of those that help nearly as much as the best, then the others by how much they help. */
export function ranked<T extends Tried>(tried: readonly T[]): T[] {
	const left = [...tried].sort((a, b) => b.shrink - a.shrink);
	const best = left[0];
	if (!best) return [];
	const cost = ({ seconds }: Tried) => seconds ?? Number.POSITIVE_INFINITY;
	const near = left.filter(({ shrink }) => shrink >= NEARLY * best.shrink);
	const first = near.reduce((a, b) => (cost(b) < cost(a) ? b : a));
	return [first, ...left.filter((one) => one !== first)];
}

/** Half-widths of the times to the first and of every further token. */
function widthsOf(scenario: Scenario, facts: PlanFacts): number[] {
	const { ttft, tpot } = plan(scenario, facts, { arithmetic: false });
	return [ttft, tpot].map(({ value, low, high }) =>
		value !== null && low !== undefined && high !== undefined && low > 0
			? Math.log(high / low) / 2
			: UNKNOWN_WIDTH,
	);
}

function suretyOf([ttft, tpot]: readonly number[]): Surety {
	const relative = (width: number | undefined) =>
		width === undefined || width >= UNKNOWN_WIDTH ? null : Math.exp(width) - 1;
	return { ttft: relative(ttft), tpot: relative(tpot) };
}

/** What the laws of the question expect, carried over and estimated ones included. */
function foresightOf(outlook: Outlook): Foresight {
	const { prefill, decode, serve } = outlook.laws;
	return {
		prefill: (shape) => prefill && expectedBy(prefill.fit, predictPrefill(prefill.fit, shape)),
		decode: (shape) => decode && { ...stepOf(decode, shape), points: decode.fit.n },
		serve: ({ input, output, concurrency }) => {
			const timing = timingOf(outlook, { context: input, output, cached: 0, concurrency, rate: null });
			if (!timing) return null;
			const { load, low, high, served } = timing;
			const points = served ? (serve?.n ?? 0) : Math.min(prefill?.fit.n ?? 0, decode?.fit.n ?? 0);
			const band = (of: (state: typeof load) => number): Expected => ({
				...{ seconds: of(load), low: of(low), high: of(high) },
				points,
			});
			return { ttft: band((state) => state.ttftSeconds), tpot: band((state) => state.tpotSeconds) };
		},
	};
}

const expectedBy = ({ n }: { n: number }, prediction: Prediction): Expected => ({
	...banded(prediction, n),
	points: n,
});

function askedOf(outlook: Outlook): Asked {
	const { context, output, cached, concurrency, rate } = outlook.resolved.scenario;
	const timing = timingOf(outlook, { context, output, cached, concurrency, rate });
	const { copies } = outlook.resolved.asked;
	return {
		context,
		output,
		cached: Math.min(context - 1, Math.round(cached * context)),
		running: Math.max(1, Math.round(timing?.load.running ?? (concurrency ?? 1) / copies)),
		fits: (tokens) => {
			const all = maxSequences(outlook.memory, tokens);
			return all === null ? null : Math.floor(all / copies);
		},
		maxContextTokens: outlook.facts.model?.maxContextTokens ?? null,
	};
}

/** The setup whose commands are written: as it was measured, or as it is asked about. */
function subjectOf({ facts: { configuration, model, gpu }, resolved }: Outlook): CommandSubject {
	const { asked } = resolved;
	return {
		gpuName: configuration?.gpuName ?? gpu?.name ?? null,
		gpus: configuration && asked.unit === resolved.measured?.unit ? configuration.gpus : asked.unit,
		engine: resolved.engine,
		engineVersion: configuration?.engineVersion ?? null,
		modelName: configuration?.modelName ?? model?.name ?? null,
		weights: asked.weights,
		kvK: asked.kvK,
		kvV: asked.kvV,
		tp: configuration && asked.tp === resolved.measured?.tp ? configuration.tp : asked.tp,
		flags: configuration?.flags ?? {},
	};
}

/** As many points of each phase as a trial fit needs, the first and the last among them. */
function sampled(points: readonly Point[]): Point[] {
	return (["prefill", "decode", "serve"] as const).flatMap((phase) => {
		const own = points.filter((point) => point.phase === phase);
		if (own.length <= TRIAL_POINTS) return own;
		const step = (own.length - 1) / (TRIAL_POINTS - 1);
		return Array.from({ length: TRIAL_POINTS }, (_, i) => own[Math.round(i * step)]).filter(
			(p) => p !== undefined,
		);
	});
}

function startNote({ resolved: { measured }, laws }: Outlook): string {
	if (measured)
		return "The question is about another setup than the one that was measured: it needs measurements of its own.";
	const estimate = laws.prefill && laws.decode ? " Until then times come from the roofline." : "";
	return `Nothing is measured yet.${estimate}`;
}

const enoughNote = ({ ttft, tpot }: Surety): string =>
	`No single further measurement would narrow the answer noticeably: it is within ±${figure(100 * Math.max(ttft ?? 0, tpot ?? 0), 2)} %.`;
