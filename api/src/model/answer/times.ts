import { describeDecode } from "../time/decode.ts";
import type { LoadState } from "../time/load.ts";
import { saturationConcurrency, throughput } from "../time/load.ts";
import { describePrefill } from "../time/prefill.ts";
import { count, figure, seconds } from "../trust/figures.ts";
import { type Evidence, type Quantity, type Unit, weakest } from "../trust/quantity.ts";
import { state, type Wording } from "../trust/statement.ts";
import type { LoadPoint, Outlook, Timing } from "./outlook.ts";
import type { Plan } from "./plan.ts";

/** A quantity with its interval; an endless wait is null with the reason. */
function banded(
	{ load, low, high }: Timing,
	of: (state: LoadState) => number,
	unit: Unit,
	evidence: Evidence,
	words: () => string,
	{ laws }: Outlook,
	wording: Wording,
): Quantity {
	const quantity = state(of(load), unit, evidence, words, wording, laws.sources);
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
	if (!timing) {
		const unknown = (unit: Unit) =>
			state(null, unit, "assumed", () => missingTimes(outlook), wording, laws.sources);
		return { ttft: unknown("seconds"), tpot: unknown("seconds/token"), e2e: unknown("seconds") };
	}
	const { load, ttftEvidence, tpotEvidence } = timing;
	const e2e = weakest(ttftEvidence, tpotEvidence);
	return {
		ttft: banded(
			timing,
			(s) => s.ttftSeconds,
			"seconds",
			ttftEvidence,
			() => describeTtft(outlook, at, timing),
			outlook,
			wording,
		),
		tpot: banded(
			timing,
			(s) => s.tpotSeconds,
			"seconds/token",
			tpotEvidence,
			() => describeTpot(outlook, at, timing),
			outlook,
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
			outlook,
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
	const served = load.requestsPerSecond * resolved.asked.replicas;
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
		others > 1e-9 ? ` + ${seconds(others)} behind the prefills of ${figure(load.running - 1, 3)} others` : "",
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
		? `${alone}, shared with the prefills of ${figure(running - 1, 3)} others (${seconds(prefill.seconds)} each, one per request) = ${seconds(tpot)} per token`
		: `${alone} = ${seconds(tpot)} per token`;
}

/** Throughput, the share of the highest throughput that is used, and where more users stop to help. */
export function loadOf(
	outlook: Outlook,
	at: LoadPoint,
	timing: Timing | null,
	wording: Wording,
): Plan["load"] {
	const { laws, resolved } = outlook;
	const { replicas } = resolved.asked;
	if (!timing || timing.fits === 0) {
		const why = () => (timing ? "nothing runs: not one sequence fits in the cache" : missingTimes(outlook));
		const unknown = (unit: Unit) => state(null, unit, "assumed", why, wording, laws.sources);
		return {
			outputTokensPerSecond: unknown("tokens/s"),
			requestsPerSecond: unknown("requests/s"),
			utilisation: unknown("ratio"),
			saturationConcurrency: unknown("requests"),
		};
	}
	const { load, engine, slots } = timing;
	const evidence = weakest(timing.ttftEvidence, timing.tpotEvidence);
	const most = throughput(engine, slots) * replicas;
	const requests = load.requestsPerSecond * replicas;
	const saturation = saturationConcurrency(engine) * replicas;
	const times = replicas > 1 ? ` × ${replicas} replicas` : "";
	const rate = (of: LoadState) => of.requestsPerSecond * replicas;
	const per =
		at.rate === null
			? `${figure(load.running + load.waiting)} requests in flight / ${seconds(load.e2eSeconds)} each${times}`
			: `${figure(at.rate)} requests/s offered`;
	const limit = timing.fits === null ? `${slots} sequences, memory not known` : `${count(slots)} sequences`;
	return {
		outputTokensPerSecond: banded(
			timing,
			(s) => rate(s) * at.output,
			"tokens/s",
			evidence,
			() =>
				`${figure(requests)} requests/s × ${count(at.output)} tokens = ${figure(requests * at.output)} tokens/s`,
			outlook,
			wording,
		),
		requestsPerSecond: banded(
			timing,
			rate,
			"requests/s",
			evidence,
			() => `${per} = ${figure(requests)} requests/s`,
			outlook,
			wording,
		),
		utilisation: state(
			Math.min(1, requests / most),
			"ratio",
			evidence,
			() => `${figure(requests)} of at most ${figure(most)} requests/s, reached with ${limit}${times}`,
			wording,
			laws.sources,
		),
		saturationConcurrency: state(
			saturation,
			"requests",
			weakest(evidence, "estimated"),
			() =>
				saturation >= slots * replicas
					? `${count(saturation)}: the cache is full (${limit}) before throughput flattens`
					: `from ${count(saturation)} on, twice as many users raise requests/s by less than 10 %`,
			wording,
			laws.sources,
		),
	};
}
