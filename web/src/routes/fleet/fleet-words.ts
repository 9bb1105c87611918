import type { CheckedFleet, CheckedOption } from "@plimsoll/api";
import type { GrownFleet, Quantity } from "@plimsoll/api/model";
import { counted, format, formatCount, plural } from "#lib/format.ts";
import type { Named } from "#lib/records/names.ts";

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

/** The model that a fleet serves, as the catalog names it; where it has none, as the configuration is called; null: no fleet. */
export function modelName(option: CheckedOption | undefined, models: readonly Named[]): string | null {
	if (!option) return null;
	const { model } = option.scenario;
	return models.find(({ id }) => id === model)?.name ?? model ?? option.configuration?.label ?? null;
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

/** "plan of the 8 GPUs that serve; 4 are spare": what a link from a fleet opens, which is not the whole of it. */
export function planWords({
	working,
	gpusPerReplica,
	gpus,
}: Pick<CheckedOption, "working" | "gpusPerReplica" | "gpus">): string {
	const serving = working * gpusPerReplica;
	const spare = (gpus.value ?? serving) - serving;
	const plan = `plan of the ${counted(serving, "GPU")} that ${serving === 1 ? "serves" : "serve"}`;
	return spare > 0 ? `${plan}; ${formatCount(spare)} ${spare === 1 ? "is" : "are"} spare` : plan;
}

/** "12 to 16 GPUs over its interval"; null where the number is the same at both ends, or has none at one. */
export function gpuRangeWords({ low, high }: CheckedOption["gpus"]): string | null {
	if (low === undefined || high === undefined) return null;
	return `${formatCount(low)} to ${formatCount(high)} GPUs over its interval`;
}

/** A fleet now and after months of growth. */
export interface GrowthRow extends GrownFleet {
	when: string;
}

/** The first fleet beside what the demand takes as it grows; empty where it does not. */
export function growthRows(option: CheckedOption | undefined, peak: Quantity | undefined): GrowthRow[] {
	if (!option || !peak || option.ahead.length === 0) return [];
	const { replicas, gpus, cost } = option;
	return [
		{ months: 0, when: "now", peakRequestsPerSecond: peak, replicas, gpus, usdPerMonth: cost.usdPerMonth },
		...option.ahead.map((grown) => ({ ...grown, when: `month ${grown.months}` })),
	];
}

/** How long the list is and of what. */
export function listWords({
	kinds,
	listed,
	options,
}: Pick<CheckedFleet, "kinds" | "listed" | "options">): string {
	const hold = `${formatCount(kinds)} ${plural(kinds, "kind")} of replica ${kinds === 1 ? "holds" : "hold"} the limits`;
	if (listed < kinds)
		return `${hold}; below is the best of each GPU, ${options.length} of ${formatCount(listed)}.`;
	return `${hold}; the first ${options.length} are told.`;
}

/** A cheaper fleet on weaker ground, and how it is known. */
export interface CheaperFleet {
	option: CheckedOption;
	words: string;
}

const WEAKER = [
	["transferred", "Cheaper, carried over from what was measured"],
	["estimated", "Cheaper, measured by nobody"],
] as const;

/** Fleets that would cost less than the first and are not known as well: the cheapest on each ground. */
export function cheaperFleets(options: readonly CheckedOption[]): CheaperFleet[] {
	const [first] = options;
	if (!first) return [];
	const month = (option: CheckedOption) => option.cost.usdPerMonth.value ?? Number.POSITIVE_INFINITY;
	const from = WEAKER.findIndex(([basis]) => basis === first.basis) + 1;
	return WEAKER.slice(from).flatMap(([basis, words]) => {
		const [option] = options.filter((one) => one.basis === basis).sort((a, b) => month(a) - month(b));
		return option && month(option) < month(first) ? [{ option, words }] : [];
	});
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
