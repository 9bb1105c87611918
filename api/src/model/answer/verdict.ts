import { sequenceBytes } from "../memory/cache-cost.ts";
import { maxSequences } from "../memory/stack.ts";
import { bytes, count, figure, percent, seconds } from "../trust/figures.ts";
import type { Binding, Plan } from "./answer.ts";
import type { LoadPoint, Outlook, Timing } from "./outlook.ts";
import { sameEngine } from "./setup.ts";
import { missingTimes } from "./times.ts";

interface Finding {
	binding: Binding;
	broken: boolean;
	/** The limit could not be checked. */
	open?: boolean;
	reason: string;
}

/** Whether the load can be carried within the limits, which limit binds first, and why, in plain sentences. */
export function verdictOf(outlook: Outlook, at: LoadPoint, timing: Timing | null): Plan["verdict"] {
	const findings = [
		...memoryFindings(outlook, at),
		...failureFindings(outlook, at, timing),
		...lengthFindings(outlook, at),
		...timeFindings(outlook, at, timing),
	];
	const broken = findings.filter((finding) => finding.broken);
	return {
		// Without a single time there is no ground to promise anything.
		feasible: broken.length === 0 && timing !== null,
		decided: broken.length > 0 || !findings.some((finding) => finding.open),
		binding: broken.find((finding) => finding.binding !== null)?.binding ?? null,
		reasons: [...broken, ...findings.filter((finding) => !finding.broken)].map((finding) => finding.reason),
	};
}

const broken = (binding: Binding, reason: string): Finding => ({ binding, broken: true, reason });
const kept = (reason: string): Finding => ({ binding: null, broken: false, reason });
const open = (reason: string): Finding => ({ binding: null, broken: false, open: true, reason });

function memoryFindings({ memory }: Outlook, { context, output, concurrency }: LoadPoint): Finding[] {
	const { cost, pool } = memory;
	const tokens = context + output;
	if (!cost || pool.value === null)
		return [open(`Memory was not checked: ${memory.missingCost || pool.from()}.`)];
	if (pool.value < 0)
		return [
			broken(
				"memory",
				`The model does not fit: weights and overhead are ${bytes(-pool.value)} more than the card gives.`,
			),
		];
	const size = sequenceBytes(cost, tokens);
	const most = maxSequences(memory, tokens) ?? 0;
	if (most < 1)
		return [
			broken(
				"memory",
				`Not one sequence of ${count(tokens)} tokens fits: it needs ${bytes(size)} of cache per GPU, ${bytes(pool.value)} are there, short by ${bytes(size - pool.value)}.`,
			),
		];
	if (concurrency !== null && concurrency > most)
		return [
			broken(
				"memory",
				`${count(concurrency)} sequences of ${count(tokens)} tokens do not fit at once: the cache holds ${count(most)}, the other ${count(concurrency - most)} wait.`,
			),
		];
	return [
		kept(
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
	return [broken("memory", `Measured: ${nearest.reason} at ${count(nearest.tokens ?? 0)} tokens${batch}.`)];
}

function lengthFindings({ facts, memoryInput }: Outlook, { context, output }: LoadPoint): Finding[] {
	const engine = memoryInput.pinned?.maxModelLen ?? null;
	const model = facts.model?.maxContextTokens ?? null;
	const tokens = context + output;
	if (engine !== null && tokens > engine)
		return [
			broken(
				"memory",
				`The engine was started for at most ${count(engine)} tokens, ${count(tokens)} are asked for.`,
			),
		];
	if (model !== null && tokens > model)
		return [
			kept(
				`${facts.model?.name ?? "The model"} was made for at most ${count(model)} tokens, ${count(tokens)} are asked for; longer needs rope scaling.`,
			),
		];
	return [];
}

function timeFindings(outlook: Outlook, at: LoadPoint, timing: Timing | null): Finding[] {
	if (!timing) return [open(`Times are ${missingTimes(outlook)}.`)];
	if (timing.fits === 0) return [];
	const { load } = timing;
	const { ttftSlo, tpotSlo } = outlook.resolved.scenario;
	const { copies } = outlook.resolved.asked;
	const findings: Finding[] = [];
	if (!load.stable)
		findings.push(
			broken(
				"throughput",
				`${figure(at.rate ?? 0)} requests/s arrive, at most ${figure(load.requestsPerSecond * copies)} can be served: the queue grows without end.`,
			),
		);
	else findings.push(limit("ttft", "The first token", load.ttftSeconds, ttftSlo));
	findings.push(limit("tpot", "Each further token", load.tpotSeconds, tpotSlo));
	return findings;
}

function limit(binding: Binding, what: string, value: number, slo: number | null): Finding {
	if (slo === null) return kept(`${what} takes ${seconds(value)}.`);
	return value > slo
		? broken(binding, `${what} takes ${seconds(value)}, the limit is ${seconds(slo)}.`)
		: kept(`${what} takes ${seconds(value)}, ${percent(value / slo)} of the limit of ${seconds(slo)}.`);
}
