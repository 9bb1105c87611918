import { stepOf } from "../answer/banded.ts";
import type { PlanFacts } from "../answer/question.ts";
import { COMMITMENTS } from "../money/choice.ts";
import { count, figure, percent, seconds } from "../trust/figures.ts";
import { type Evidence, weakest } from "../trust/quantity.ts";
import type { DemandFigures } from "./demand.ts";
import type { FleetBinding } from "./replica.ts";
import type { SizedOption } from "./sized.ts";
import { sizingFor } from "./sizing.ts";
import type { FleetQuestion } from "./sweep.ts";

/** How the number of replicas came about, in words. */
export function countingOf(
	{ sizing, largest }: SizedOption,
	{ demand, policy }: FleetQuestion,
	figures: DemandFigures,
	counted: "needed" | "fixed",
	slow: SizedOption | null,
): string {
	const { working, peakRequestsPerSecond } = sizing;
	const needed = sizingFor(demand, figures, policy, largest).working;
	const sum = `⌈${figure(peakRequestsPerSecond)} requests/s in the busiest hour / ${figure(largest.requestsPerSecond)} of one replica⌉`;
	const spare = policy.spareReplicas > 0 ? ` + ${policy.spareReplicas} spare` : "";
	if (counted === "fixed") return `${sum} or more = ${count(working)}${spare}`;
	const endless = slow ? "" : "; at the slow end of its times no number holds the limits";
	return working === needed
		? `${sum} = ${count(working)}${spare}${endless}`
		: `${sum} = ${count(needed)} in closed form; ${count(working)} by the simulator${spare}${endless}`;
}

/** What one replica carries at most, and what keeps it from more. */
export function describeLargest(
	{ candidate, largest, limit }: SizedOption,
	{ limits, policy }: FleetQuestion,
): string {
	const slo = [
		limits.ttftSeconds === null ? "" : `the first token in ${seconds(limits.ttftSeconds)}`,
		limits.tpotSeconds === null ? "" : `each further one in ${seconds(limits.tpotSeconds)}`,
	].filter(Boolean);
	const held =
		slo.length > 0
			? `with ${slo.join(" and ")} for ${figure(limits.percentile * 100)} % of requests`
			: "without limits of time";
	const bound: Record<FleetBinding, string> = {
		memory: `${percent(policy.utilisationCeiling)} of ${figure(limit)} requests/s: more places in the cache would bring more`,
		sequences: `${percent(policy.utilisationCeiling)} of ${figure(limit)} requests/s: started for ${count(candidate.maxSequences)} sequences, more would bring more`,
		throughput: `${percent(policy.utilisationCeiling)} of ${figure(limit)} requests/s, which is what its speed allows`,
		ttft: "the first token binds",
		tpot: "the time per token binds",
	};
	return `${figure(largest.requestsPerSecond)} requests/s ${held}: ${bound[candidate.binding]}`;
}

/** The names of an option: what it is, of which measurements, on which GPU. */
export function namesOf({ candidate: { kind, maxSequences }, sizing }: SizedOption) {
	const { facts, outlook } = kind;
	const { asked, scenario, engine } = outlook.resolved;
	const { configuration } = facts;
	const gpu = { id: facts.gpu?.id ?? configuration?.gpuId ?? null, name: gpuNameOf(facts) };
	const split = asked.gpus === 1 ? "" : ` on ${asked.gpus} GPUs each`;
	const parts = [`${gpu.name} × ${count(sizing.replicas * asked.gpus)}`, engine ?? "engine not said"];
	const formats = [
		`${scenario.weights} weights`,
		`${scenario.kvK} cache`,
		`${count(maxSequences)} sequences`,
	];
	const own = configuration
		? { id: configuration.id, label: configuration.label, attribution: configuration.attribution }
		: null;
	return {
		id: [
			gpu.id,
			engine,
			asked.gpus,
			asked.tp,
			scenario.weights,
			scenario.kvK,
			maxSequences,
			own?.id ?? "",
			kind.scenario.tp ?? "",
		].join("~"),
		label: `${parts.join(" · ")} · ${count(sizing.replicas)} replicas${split} · ${formats.join(", ")}`,
		configuration: own,
		gpu,
		engine,
	};
}

/** How the times are known at the load that the fleet really has, and how far that lies beyond what was measured. */
export function groundOf({ candidate: { kind }, state }: SizedOption): {
	basis: Evidence;
	outsideBy: number;
} {
	const { timing, outlook, scenario } = kind;
	const { decode } = outlook.laws;
	if (timing.served || !decode)
		return { basis: weakest(kind.basis, timing.ttftEvidence, timing.tpotEvidence), outsideBy: 1 };
	const context = scenario.context + scenario.output / 2;
	const step = stepOf(decode, { batch: Math.max(1, state.running), context });
	const outsideBy = Math.max(step.outsideBy, timing.prefill?.outsideBy ?? 1);
	return { basis: weakest(kind.basis, step.evidence), outsideBy };
}

/** What a reader of the option should know besides. */
export function notesOf(
	{ candidate: { kind } }: SizedOption,
	slow: SizedOption | null,
	basis: Evidence,
	outsideBy: number,
): string[] {
	const notes: string[] = [];
	if (basis === "estimated")
		notes.push(
			"No measurement: estimated from the card's peak and bandwidth, right within a factor of about two.",
		);
	if (basis === "transferred") notes.push("Carried over from another setup that was measured.");
	if (outsideBy > 1)
		notes.push(
			`At its load ${figure(outsideBy, 2)} times beyond the batches and lengths that were measured.`,
		);
	if (!slow) notes.push("At the slow end of its times it does not hold the limits at any load.");
	if (kind.fits === null)
		notes.push("Memory was not checked: something about the card or the model is not known.");
	const { price } = kind.outlook;
	const commitment = price?.kind ? COMMITMENTS[price.kind] : undefined;
	if (commitment) notes.push(commitment);
	return notes;
}

/** Name of the GPU that facts are about. */
export const gpuNameOf = ({ gpu, configuration }: Pick<PlanFacts, "gpu" | "configuration">): string =>
	gpu?.name ?? configuration?.gpuName ?? "unnamed GPU";
