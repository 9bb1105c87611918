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

/** Says where the fleets of a list are not paid alike: hours at will beside hours of a term; null where they are. */
export function mixedPrices(options: readonly Pick<CheckedOption, "priceKind">[]): string | null {
	const kinds = new Map<string, number>();
	for (const { priceKind } of options) if (priceKind) kinds.set(priceKind, (kinds.get(priceKind) ?? 0) + 1);
	if (kinds.size < 2) return null;
	const counted = [...kinds].map(([kind, n]) => `${n} ${kind}`).join(", ");
	return `Not all are paid alike (${counted}): each says which. For a like comparison add prices of one kind to the price book, or enter one price above.`;
}

/** What the simulator found of an option, in a word or two. */
export function checkedWords({ simulated }: CheckedOption): string {
	if (simulated === null) return "closed form";
	return simulated.holds ? "simulated, holds" : "simulated, does not hold";
}
