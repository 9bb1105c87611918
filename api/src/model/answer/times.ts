import { describeDecode } from "../time/decode.ts";
import type { LoadState } from "../time/load.ts";
import { describePrefill } from "../time/prefill.ts";
import { count, figure, seconds } from "../trust/figures.ts";
import { type Evidence, type Quantity, type Source, type Unit, weakest } from "../trust/quantity.ts";
import { state, type Wording } from "../trust/statement.ts";
import type { Plan } from "./answer.ts";
import type { LoadPoint, Outlook, Timing } from "./outlook.ts";
import { sourcesOf } from "./sources.ts";

/** A quantity with its interval; an endless wait is null with the reason. */
export function banded(
	{ load, low, high }: Timing,
	of: (state: LoadState) => number,
	unit: Unit,
	evidence: Evidence,
	words: () => string,
	sources: readonly Source[],
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
	const both = sourcesOf(outlook, timing, "prefill", "decode");
	return {
		ttft: banded(
			timing,
			(s) => s.ttftSeconds,
			"seconds",
			ttftEvidence,
			() => describeTtft(outlook, at, timing),
			sourcesOf(outlook, timing, "prefill"),
			wording,
		),
		tpot: banded(
			timing,
			(s) => s.tpotSeconds,
			"seconds/token",
			tpotEvidence,
			() => describeTpot(outlook, at, timing),
			load.running > 1 ? both : sourcesOf(outlook, timing, "decode"),
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
	const { laws } = outlook;
	const { load, prefill, served } = timing;
	if (!load.stable) return endless(outlook, at, timing);
	if (served)
		return `client-side law of ${laws.serve?.n ?? 0} serve points at ${figure(load.running)} requests in flight: ${seconds(load.ttftSeconds)}`;
	if (!laws.prefill || !prefill) return missingTimes(outlook);
	const cached = Math.min(at.context - 1, Math.round(at.cached * at.context));
	const alone = `prefill of ${count(at.context - cached)} tokens${cached ? ` over ${count(cached)} cached` : ""}: ${describePrefill(laws.prefill.fit, { tokens: at.context - cached, cached })} = ${seconds(prefill.seconds)}${laws.prefill.words()}`;
	const { first } = timing.engine.at(Math.max(1, load.running));
	const queue = load.ttftSeconds - first;
	const others = first - prefill.seconds;
	return [
		alone,
		others > 1e-9 ? ` + ${seconds(others)} behind ${othersPrefills(load.running)}` : "",
		queue > 1e-9
			? ` + ${seconds(queue)} queueing: ${figure(load.waiting, 3)} wait for ${count(timing.slots)} places`
			: "",
		others > 1e-9 || queue > 1e-9 ? ` = ${seconds(load.ttftSeconds)}` : "",
	].join("");
}

function describeTpot({ laws }: Outlook, at: LoadPoint, { load, served, engine, prefill }: Timing): string {
	const running = Math.max(1, load.running);
	if (served)
		return `client-side law of ${laws.serve?.n ?? 0} serve points at ${figure(running)} requests in flight: ${seconds(load.tpotSeconds)} per token`;
	if (!laws.decode) return "no decode measurement";
	const context = at.context + at.output / 2;
	const alone = `step of ${figure(running, 3)} sequences at ${count(context)} tokens: ${describeDecode(laws.decode.fit, { batch: running, context })}${laws.decode.words()}`;
	const { tpot } = engine.at(running);
	return running > 1 && prefill
		? `${alone}, shared with ${othersPrefills(running)} (${seconds(prefill.seconds)} each, one per request) = ${seconds(tpot)} per token`
		: `${alone} = ${seconds(tpot)} per token`;
}

const othersPrefills = (running: number): string =>
	running === 2 ? "the prefill of 1 other" : `the prefills of ${figure(running - 1, 3)} others`;
