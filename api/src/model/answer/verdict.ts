import { sequenceBytes } from "../memory/cache-cost.ts";
import { isLlamaCpp } from "../memory/defaults.ts";
import { maxSequences } from "../memory/stack.ts";
import type { LoadState } from "../time/load.ts";
import { bytes, count, figure, percent, seconds } from "../trust/figures.ts";
import type { Wording } from "../trust/statement.ts";
import type { Binding, Plan } from "./answer.ts";
import type { LoadPoint } from "./load-point.ts";
import { type Bounded, mostServed, type Outlook, type Timing } from "./outlook.ts";
import { sameEngine } from "./setup.ts";
import { missingTimes } from "./times.ts";

interface Finding {
	binding: Binding;
	broken: boolean;
	/** The limit could not be checked. */
	open?: boolean;
	/** The limit lies inside the 95 % interval of what is held against it. */
	close?: boolean;
	reason: () => string;
}

/** Whether the load can be carried within the limits, how sure that is, which limit binds first, and why, in plain sentences. */
export function verdictOf(
	outlook: Outlook,
	at: LoadPoint,
	timing: Timing | null,
	wording: Wording = {},
): Plan["verdict"] {
	const findings = [
		...memoryFindings(outlook, at),
		...failureFindings(outlook, at, timing),
		...lengthFindings(outlook, at),
		...splitFindings(outlook),
		...timeFindings(outlook, at, timing),
	];
	const broken = findings.filter((finding) => finding.broken);
	const decided = broken.length > 0 || !findings.some((finding) => finding.open);
	return {
		// Without a single time there is no ground to promise anything.
		feasible: broken.length === 0 && timing !== null,
		decided,
		sure:
			decided &&
			(broken.length > 0
				? broken.some((finding) => !finding.close)
				: !findings.some((finding) => finding.close)),
		binding: broken[0]?.binding ?? null,
		reasons:
			wording.arithmetic === false
				? []
				: [...findings].sort((a, b) => rank(a) - rank(b)).map((finding) => finding.reason()),
	};
}

/** Crossed limits come first, then what could not be checked, then limits that are close. */
const rank = ({ broken, open = false, close = false }: Finding) => (broken ? 0 : open ? 1 : close ? 2 : 3);

const broken = (binding: Binding, reason: () => string): Finding => ({ binding, broken: true, reason });
const kept = (reason: () => string): Finding => ({ binding: null, broken: false, reason });
const open = (reason: () => string): Finding => ({ binding: null, broken: false, open: true, reason });

function memoryFindings({ memory }: Outlook, { context, output, concurrency }: LoadPoint): Finding[] {
	const { cost, pool } = memory;
	const tokens = context + output;
	const room = pool.value;
	if (!cost || room === null)
		return [open(() => `Memory was not checked: ${memory.missingCost || pool.from()}.`)];
	if (room < 0)
		return [
			broken(
				"memory",
				() => `The model does not fit: weights and overhead are ${bytes(-room)} more than the card gives.`,
			),
		];
	const size = sequenceBytes(cost, tokens);
	const most = maxSequences(memory, tokens) ?? 0;
	if (most < 1)
		return [
			broken(
				"memory",
				() =>
					`Not one sequence of ${count(tokens)} tokens fits: it needs ${bytes(size)} of cache per GPU, ${bytes(room)} are there, short by ${bytes(size - room)}.`,
			),
		];
	if (concurrency !== null && concurrency > most)
		return [
			broken(
				"memory",
				() =>
					`${count(concurrency)} sequences of ${count(tokens)} tokens do not fit at once: the cache holds ${count(most)}, ${concurrency - most === 1 ? "one waits" : `the other ${count(concurrency - most)} wait`}.`,
			),
		];
	return [
		kept(
			() =>
				`The cache holds ${count(most)} sequences of ${count(tokens)} tokens${concurrency === null ? "" : `, ${count(concurrency)} ${concurrency === 1 ? "is" : "are"} asked for`}.`,
		),
	];
}

function failureFindings(
	{ facts, resolved }: Outlook,
	{ context, output }: LoadPoint,
	timing: Timing | null,
): Finding[] {
	const { measured, asked } = resolved;
	if (measured && !sameEngine(measured, asked)) return [];
	const running = Math.max(1, Math.floor(timing?.load.running ?? 1));
	const reached = facts.failures.filter(
		({ phase, tokens, batch }) =>
			tokens !== null &&
			(phase === "decode" ? context + output : context) >= tokens &&
			(batch ?? 1) <= running,
	);
	const nearest = reached.sort((a, b) => (b.tokens ?? 0) - (a.tokens ?? 0))[0];
	if (!nearest) return [];
	const batch = nearest.batch !== null && nearest.batch > 1 ? ` with ${count(nearest.batch)} sequences` : "";
	return [
		broken("memory", () => `Measured: ${nearest.reason} at ${count(nearest.tokens ?? 0)} tokens${batch}.`),
	];
}

function lengthFindings({ facts, memoryInput }: Outlook, { context, output }: LoadPoint): Finding[] {
	const engine = memoryInput.pinned?.maxModelLen ?? null;
	const model = facts.model?.maxContextTokens ?? null;
	const tokens = context + output;
	if (engine !== null && tokens > engine)
		return [
			broken(
				"memory",
				() => `The engine was started for at most ${count(engine)} tokens, ${count(tokens)} are asked for.`,
			),
		];
	if (model === null || tokens <= model) return [];
	const beyond = `${facts.model?.name ?? "The model"} was made for at most ${count(model)} tokens, ${count(tokens)} are asked for`;
	const { prefill, serve } = facts.fits;
	const seen = Math.max(prefill?.range.to ?? 0, serve?.range.input[1] ?? 0);
	// An engine that was measured at such a length was started for it.
	if (context <= seen)
		return [kept(() => `${beyond}; this configuration was measured with prompts of ${count(seen)}.`)];
	return [
		broken(
			null,
			() => `${beyond}: an engine refuses that, unless it is started with another scaling of positions.`,
		),
	];
}

/** Heads that cannot be split evenly: no engine starts so, unless it was measured. */
function splitFindings({ facts: { model }, resolved: { asked, measured, engine } }: Outlook): Finding[] {
	const heads = model?.heads ?? 0;
	if (isLlamaCpp(engine) || heads === 0 || heads % asked.tp === 0) return [];
	if (measured && measured.tp === asked.tp) return [];
	return [
		broken(
			null,
			() =>
				`${count(heads)} attention heads cannot be split evenly over ${count(asked.tp)} GPUs: engines refuse to start. Choose a number of ranks that divides ${count(heads)}.`,
		),
	];
}

function timeFindings(outlook: Outlook, at: LoadPoint, timing: Timing | null): Finding[] {
	if (!timing) return [open(() => `Times are ${missingTimes(outlook)}.`)];
	if (timing.fits === 0) return [];
	const { ttftSlo, tpotSlo } = outlook.resolved.scenario;
	return [
		...queueFindings(outlook, at, timing),
		...arrivalFindings(outlook, at, timing),
		...(timing.load.stable
			? [limit("ttft", "The first token", timing, (state) => state.ttftSeconds, ttftSlo)]
			: []),
		// An answer of one token has no further one.
		...(at.output > 1
			? [limit("tpot", "Each further token", timing, (state) => state.tpotSeconds, tpotSlo)]
			: []),
	];
}

/** Whether requests are served as fast as they arrive. */
function queueFindings({ resolved }: Outlook, { rate }: LoadPoint, timing: Timing): Finding[] {
	if (rate === null) return [];
	const { load, low, high } = timing;
	const most = (bound: keyof Bounded) => figure(mostServed(timing, bound) * resolved.asked.copies);
	const served = () => `${most("middle")} (${most("high")} to ${most("low")})`;
	if (!load.stable)
		return [
			{
				...broken(
					"throughput",
					() =>
						`${figure(rate)} requests/s arrive, at most ${served()} can be served: the queue grows without end.`,
				),
				close: low.stable,
			},
		];
	if (high.stable) return [];
	return [
		{
			...kept(
				() =>
					`${figure(rate)} requests/s arrive, at most ${served()} can be served: the queue may grow without end.`,
			),
			close: true,
		},
	];
}

/**
 * Whether prompts that come at random keep the limit too: the time to the first token is that of a steady stream, and a
 * prompt waits besides for the prompts before it.
 *
 *   wait = ρ · s / 2(1 − ρ),  ρ = requests per second of an engine · s,  s = a prompt alone
 *
 * @source mean wait of an M/D/1 queue (Pollaczek–Khinchine)
 */
function arrivalFindings({ resolved }: Outlook, { rate }: LoadPoint, timing: Timing): Finding[] {
	const { load, prefill, served } = timing;
	const { ttftSlo } = resolved.scenario;
	// What clients saw has their waiting in it.
	if (rate === null || served || !prefill || ttftSlo === null || !load.stable) return [];
	const busy = (rate / resolved.asked.copies) * prefill.seconds;
	const wait = busy < 1 ? (busy * prefill.seconds) / (2 * (1 - busy)) : Number.POSITIVE_INFINITY;
	if (load.ttftSeconds > ttftSlo || load.ttftSeconds + wait <= ttftSlo) return [];
	const long = Number.isFinite(wait) ? seconds(wait) : "without end";
	return [
		{
			...kept(
				() =>
					`At random arrivals a prompt also waits for those before it, on average ${long}, which is not in this time: Load simulates it.`,
			),
			close: true,
		},
	];
}

/** A time held against its limit, and whether the limit lies inside the time's interval. */
function limit(
	binding: Binding,
	what: string,
	timing: Timing,
	of: (state: LoadState) => number,
	slo: number | null,
): Finding {
	const value = of(timing.load);
	if (slo === null) return kept(() => `${what} takes ${seconds(value)}.`);
	const [low, high] = [Math.min(value, of(timing.low)), Math.max(value, of(timing.high))];
	const close = low <= slo && slo < high;
	const band = () => {
		if (!close) return "";
		const ends = Number.isFinite(high)
			? `${seconds(low)} to ${seconds(high)}`
			: `from ${seconds(low)} without end`;
		return ` The limit lies inside the 95 % interval of that time, ${ends}.`;
	};
	return value > slo
		? {
				...broken(binding, () => `${what} takes ${seconds(value)}, the limit is ${seconds(slo)}.${band()}`),
				close,
			}
		: {
				...kept(
					() =>
						`${what} takes ${seconds(value)}, ${percent(value / slo)} of the limit of ${seconds(slo)}.${band()}`,
				),
				close,
			};
}
