import type { Conditions, Item, Said } from "./record.ts";

/**
 * Fills in what the uploader said beside the file, in place, once per Conditions object.
 * What the file states stands; only a count of GPUs that was inferred gives way to a stated one.
 * @param remark told where it gives way to another count
 */
export function fillSaid(said: Said, remark: (text: string) => void): (item: Item) => void {
	const done = new WeakSet<Conditions>();
	let last: Conditions | null = null;
	return (item) => {
		const conditions = conditionsOf(item);
		// Neighbours mostly share their conditions.
		if (conditions === null || conditions === last) return;
		last = conditions;
		if (done.has(conditions)) return;
		done.add(conditions);
		fill(conditions, said, remark);
	};
}

/** The conditions an item carries; null: it carries none. */
export function conditionsOf(item: Item): Conditions | null {
	if (item.kind === "measurement") return item.measurement.conditions;
	if (item.kind === "failure") return item.failure.conditions;
	return item.kind === "memory" ? item.conditions : null;
}

function fill(conditions: Conditions, said: Said, remark: (text: string) => void): void {
	conditions.gpu ??= said.gpu ?? null;
	conditions.model ??= said.model ?? null;
	conditions.engine ??= said.engine ?? null;
	conditions.engineVersion ??= said.engineVersion ?? null;
	conditions.weights ??= said.weights ?? null;
	conditions.kvK ??= said.kv ?? null;
	conditions.kvV ??= said.kv ?? null;
	conditions.tp ??= said.tp ?? null;
	if (said.gpus !== undefined && conditions.gpusBasis !== "stated") {
		if (conditions.gpus !== null && conditions.gpus !== said.gpus)
			remark(
				`number of GPUs: the file shows ${conditions.gpus}, the upload said ${said.gpus}; the upload counts, as a file lists what is there and not what was used`,
			);
		conditions.gpus = said.gpus;
		conditions.gpusBasis = "stated";
	}
}
