import type { ServeFit } from "../time/curves.ts";
import { describeDecode, predictDecode } from "../time/decode.ts";
import type { LoadState } from "../time/load.ts";
import { describePrefill } from "../time/prefill.ts";
import { describeTpotLaw, describeTtftLaw, tpotLaw, ttftLaw } from "../time/serve-law.ts";
import { count, figure, seconds } from "../trust/figures.ts";
import { type Evidence, type Quantity, type Unit, weakest } from "../trust/quantity.ts";
import { type Sources, state, type Wording } from "../trust/statement.ts";
import type { Plan } from "./answer.ts";
import { type CarriedTime, changeOf } from "./carried-times.ts";
import { describeCache, describeSetup } from "./carry-over.ts";
import type { LoadPoint } from "./load-point.ts";
import type { Outlook, Timing } from "./outlook.ts";
import { beyondWords, type Reach, type Reaches, reachesOf } from "./reach.ts";
import { sourcesOf } from "./sources.ts";

/** A quantity with its interval; an endless wait is null with the reason. */
export function banded(
	{ load, low, high }: Timing,
	of: (state: LoadState) => number,
	unit: Unit,
	evidence: Evidence,
	words: () => string,
	sources: Sources,
	wording: Wording,
): Quantity {
	const quantity = state(of(load), unit, evidence, words, wording, sources);
	const ends = [of(low), of(high)];
	if (quantity.value !== null && ends.every(Number.isFinite)) {
		quantity.low = Math.min(quantity.value, ...ends);
		quantity.high = Math.max(quantity.value, ...ends);
	}
	return quantity;
}

/** TTFT, TPOT and the time of a whole request. */
export function timesOf(
	outlook: Outlook,
	at: LoadPoint,
	timing: Timing | null,
	wording: Wording,
): Pick<Plan, "ttft" | "tpot" | "e2e"> {
	const { laws } = outlook;
	if (!timing || timing.fits === 0) {
		const why = () => (timing ? "nothing runs: not one sequence fits in the cache" : missingTimes(outlook));
		const unknown = (unit: Unit) => state(null, unit, "assumed", why, wording, laws.sources);
		return { ttft: unknown("seconds"), tpot: unknown("seconds/token"), e2e: unknown("seconds") };
	}
	const { load, ttftEvidence, tpotEvidence } = timing;
	const e2e = weakest(ttftEvidence, tpotEvidence);
	const both = () => sourcesOf(outlook, timing, "prefill", "decode");
	const times = {
		ttft: banded(
			timing,
			(s) => s.ttftSeconds,
			"seconds",
			ttftEvidence,
			() => describeTtft(outlook, at, timing),
			() => sourcesOf(outlook, timing, "prefill"),
			wording,
		),
		tpot: banded(
			timing,
			(s) => s.tpotSeconds,
			"seconds/token",
			tpotEvidence,
			() => describeTpot(outlook, at, timing),
			load.running > 1 ? both : () => sourcesOf(outlook, timing, "decode"),
			wording,
		),
		e2e: banded(
			timing,
			(s) => s.e2eSeconds,
			"seconds",
			e2e,
			() =>
				load.stable
					? `${seconds(load.ttftSeconds)} to the first token + ${at.output - 1} × ${seconds(load.tpotSeconds)} = ${seconds(load.e2eSeconds)}`
					: endless(outlook, at, timing),
			both,
			wording,
		),
	};
	if (wording.arithmetic === false) return times;
	return withReaches(times, reachesOf(outlook, at, timing));
}

type Times = Pick<Plan, "ttft" | "tpot" | "e2e">;

/** Times that say how far they lie beyond the measurements; the whole answer by whichever lies farther. */
function withReaches(times: Times, { ttft, tpot }: Reaches): Times {
	const told = (quantity: Quantity, reach: Reach): Quantity => {
		const beyond = quantity.value === null ? undefined : beyondWords(reach);
		return beyond === undefined ? quantity : { ...quantity, beyond };
	};
	return {
		ttft: told(times.ttft, ttft),
		tpot: told(times.tpot, tpot),
		e2e: told(times.e2e, ttft.factor > tpot.factor ? ttft : tpot),
	};
}

export function missingTimes({ laws }: Outlook): string {
	const missing = laws.missing();
	const lacking = [laws.prefill ? "" : "prefill", laws.decode ? "" : "decode"]
		.filter(Boolean)
		.join(" and no ");
	return `not known: no ${lacking} measurement${missing ? `; ${missing}` : ""}; measure with llama-bench or vllm bench serve`;
}

function endless({ resolved }: Outlook, { rate }: LoadPoint, { load }: Timing): string {
	const served = load.requestsPerSecond * resolved.asked.copies;
	return `grows without end: ${figure(rate ?? 0)} requests/s arrive, at most ${figure(served)} are served`;
}

function describeTtft(outlook: Outlook, at: LoadPoint, timing: Timing): string {
	if (!timing.load.stable) return endless(outlook, at, timing);
	const { first } = timing.engine.at(Math.max(1, timing.load.running));
	const { load } = timing;
	const queue = load.ttftSeconds - first;
	const waiting =
		queue > 1e-9
			? ` + ${seconds(queue)} queueing: ${figure(load.waiting, 3)} wait for ${count(timing.slots)} places, one of which is left every ${seconds(timing.engine.at(timing.slots).cycle / timing.slots)}`
			: "";
	const total = queue > 1e-9 ? ` = ${seconds(load.ttftSeconds)}` : "";
	return `${describeFirst(outlook, at, timing, first)}${waiting}${total}`;
}

/** The first token without the queue. */
function describeFirst({ laws, chunkBudget }: Outlook, at: LoadPoint, timing: Timing, first: number): string {
	const running = Math.max(1, timing.load.running);
	const { prefill } = timing;
	const { carried } = timing;
	if (carried) {
		const law = servedFirst(laws, carried.from, running);
		return carriedWords(carried, carried.parts(running).first, law, laws, at, laws.prefill?.words() ?? "");
	}
	const byClients = timing.served ? servedFirst(laws, at, running) : null;
	if (byClients && byClients.seconds === first) return byClients.words;
	if (
		byClients &&
		running > (laws.serve?.range.concurrency[1] ?? Number.POSITIVE_INFINITY) &&
		(!prefill || first > 1.01 * Math.max(byClients.seconds, prefill.seconds))
	)
		return `${byClients.words}; with more requests in flight than were measured, throughput is taken to rise no faster than it did: ${figure(running, 3)} in flight at ${figure(running / timing.engine.at(running).cycle)} requests/s take ${seconds(timing.engine.at(running).cycle)} each, ${seconds(first)} of it before the first token`;
	if (byClients && !prefill) return byClients.words;
	if (!laws.prefill || !prefill) return byClients?.words ?? "no prefill measurement";
	const cached = Math.min(at.context - 1, Math.round(at.cached * at.context));
	const alone = `prefill of ${count(at.context - cached)} tokens${cached ? ` over ${count(cached)} cached` : ""}: ${describePrefill(laws.prefill.fit, { tokens: at.context - cached, cached })} = ${seconds(prefill.seconds)}${laws.prefill.words()}`;
	if (timing.served && byClients && first === prefill.seconds)
		return `${alone}; more than the clients' law says, ${byClients.words}`;
	if (timing.served && first > prefill.seconds)
		return `${alone}; shared with the prompts of ${others(running)}, at the pace that clients saw at the end of what they measured = ${seconds(first)}${byClients ? `; more than the clients' law says, ${byClients.words}` : ""}`;
	const passes = timing.shared?.(running);
	if (!passes || first - prefill.seconds < 1e-9) return alone;
	const { ownPasses, waitedPasses, promptPassSeconds } = passes;
	const waited =
		waitedPasses > 1e-3
			? `(${figure(ownPasses)} + ${figure(waitedPasses)} waiting for other prompts)`
			: figure(ownPasses);
	return `${alone}; beside ${others(running)} in ${waited} ${ownPasses + waitedPasses === 1 ? "pass" : "passes"} of up to ${count(chunkBudget.tokens)} tokens (${chunkBudget.from()}) × ${passWords(prefill.seconds / ownPasses, promptPassSeconds)} = ${seconds(first)}`;
}

/** A pass of prompts: its own arithmetic, and what other prompts and the steps of those that decode along add. */
function passWords(prompt: number, pass: number): string {
	const beside = pass - prompt;
	return beside > 1e-6 * pass
		? `(${seconds(prompt)} + ${seconds(beside)} for prompts and steps that share the pass)`
		: seconds(pass);
}

type Lengths = Pick<LoadPoint, "context" | "output">;

function servedFirst({ serve }: Outlook["laws"], { context, output }: Lengths, concurrency: number) {
	if (!serve?.ttft) return null;
	const load = { input: context, output, concurrency };
	const value = ttftLaw(serve.ttft, load);
	return {
		seconds: value,
		words: `clients' law of ${count(serve.ttft.n ?? serve.n)} serve points, ${serve.ttft.form}: ${describeTtftLaw(serve.ttft, load)} = ${seconds(value)}`,
	};
}

function describeTpot(
	{ laws }: Outlook,
	at: LoadPoint,
	{ load, served, carried, engine, shared }: Timing,
): string {
	const running = Math.max(1, load.running);
	const { tpot } = engine.at(running);
	if (carried) {
		const law = laws.serve && servedStep(laws.serve, carried.from, running);
		const step = carried.parts(running).tpot;
		return `${carriedWords(carried, step, law, laws, at, laws.decode?.words() ?? "")} per token`;
	}
	const byClients = served && laws.serve ? servedStep(laws.serve, at, running) : null;
	if (byClients && (byClients.seconds >= tpot * (1 - 1e-9) || !laws.decode)) return byClients.words;
	if (!laws.decode) return "no decode measurement";
	const context = at.context + at.output / 2;
	const step = predictDecode(laws.decode.fit, { batch: running, context }).seconds;
	const alone = `step of ${figure(running, 3)} ${running === 1 ? "sequence" : "sequences"} at ${count(context)} tokens: ${describeDecode(laws.decode.fit, { batch: running, context })} = ${seconds(step)}${laws.decode.words()}`;
	if (byClients)
		return `${alone}; shared with the prompts of ${others(running)}, at the pace that clients saw at the end of what they measured = ${seconds(tpot)} per token; more than the clients' law says, ${byClients.words}`;
	const passes = shared?.(running);
	if (running <= 1 || !passes) return `${alone}, per token`;
	const { besidePasses, besidePassSeconds, stepPasses, stepPassSeconds } = passes;
	return `${alone}; of ${count(at.output - 1)} passes ${figure(besidePasses)} hold prompts of ${others(running)} and take ${seconds(besidePassSeconds)}, ${figure(stepPasses)} only decode in ${seconds(stepPassSeconds)}: (${figure(besidePasses)} × ${seconds(besidePassSeconds)} + ${figure(stepPasses)} × ${seconds(stepPassSeconds)}) / ${count(at.output - 1)} = ${seconds(tpot)} per token`;
}

function servedStep(serve: ServeFit, { context, output }: Lengths, concurrency: number) {
	const load = { input: context, output, concurrency };
	const value = tpotLaw(serve, load);
	return {
		seconds: value,
		words: `clients' law of ${count(serve.n)} serve points, ${serve.form}: ${describeTpotLaw(serve, load)} = ${seconds(value)} per token`,
	};
}

/**
 * What clients saw elsewhere, and what the laws say of the way from there to here.
 * @param law the clients' law there; it does not answer alone beyond the loads that clients saw
 */
function carriedWords(
	{ from }: NonNullable<Timing["carried"]>,
	time: CarriedTime,
	law: { seconds: number; words: string } | null,
	{ seenOn }: Outlook["laws"],
	{ context, output, cached }: LoadPoint,
	moved: string,
): string {
	const where = [
		seenOn && `with ${describeSetup(seenOn.setup)} and ${describeCache(seenOn.setup)}`,
		cached > 0 && "with nothing cached",
		(context !== from.context || output !== from.output) &&
			`with prompts of ${count(Math.round(from.context))} and answers of ${count(Math.round(from.output))} tokens`,
	].filter(Boolean);
	const { seen, before, after } = time;
	const by = law?.seconds === seen ? law.words : `from what clients saw, ${seconds(seen)}`;
	return `${where.join("; ")}: ${by}; here × ${figure(changeOf(time), 3)}, the laws of prefill and decode say ${seconds(after)} in place of ${seconds(before)}${moved}; = ${seconds(seen * changeOf(time))}`;
}

const others = (running: number): string =>
	running <= 1 ? "nobody" : running === 2 ? "1 other" : `${figure(running - 1, 3)} others`;
