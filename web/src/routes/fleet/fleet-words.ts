import type { CheckedOption } from "@plimsoll/api";
import { format } from "#lib/format.ts";

/** What keeps a replica from taking more, in words. */
const BINDING: Record<string, string> = {
	memory: "memory",
	sequences: "sequences it is started for",
	throughput: "speed",
	ttft: "first token",
	tpot: "time per token",
	unknown: "not known",
};
export const bindingWords = (binding: string): string => BINDING[binding] ?? binding;

/** "3 × MI325X in 3 replicas, $3,320 per month": the first fleet as a person would say it. */
export function headlineOf(option: CheckedOption | undefined): string | null {
	if (!option) return null;
	const gpus = option.gpus.value ?? 0;
	const replicas = option.replicas.value ?? 0;
	const split = `${replicas} ${replicas === 1 ? "replica" : "replicas"}`;
	const money =
		option.cost.usdPerMonth.value === null
			? ""
			: `, ${format(option.cost.usdPerMonth.value, "USD/month").text}`;
	return `${gpus} × ${option.gpu.name} in ${split}${money}`;
}

/** "fp8 weights, bf16 cache, 64 sequences": what tells an option from the others of its card. */
export function settingWords({ engine, weights, kv, maxSequences, gpusPerReplica }: CheckedOption): string {
	return [
		gpusPerReplica > 1 ? `${gpusPerReplica} GPUs each` : "",
		engine ?? "engine not said",
		weights && `${weights} weights`,
		kv && `${kv} cache`,
		`${maxSequences} sequences`,
	]
		.filter(Boolean)
		.join(", ");
}

/** What the simulator found of an option, in a word or two. */
export function checkedWords({ simulated }: CheckedOption): string {
	if (simulated === null) return "closed form";
	return simulated.holds ? "simulated, holds" : "simulated, does not hold";
}
