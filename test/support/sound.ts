import type { Item, Measurement } from "@plimsoll/api/ingest";

/** What is wrong with an item, in words; empty where every number in it is usable. */
export function faultsOf(item: Item): string[] {
	if (item.kind === "note") return item.text === "" ? ["an empty note"] : [];
	const faults = item.at === "" ? ["no place"] : [];
	if (item.kind === "rejected" || item.kind === "aside")
		return item.reason === "" ? [...faults, "no reason"] : faults;
	if (item.kind === "failure") return item.failure.reason === "" ? [...faults, "no reason"] : faults;
	if (item.kind === "memory") return [...faults, ...memoryFaults(item.memory)];
	return [...faults, ...measurementFaults(item.measurement)];
}

function memoryFaults(memory: object): string[] {
	return Object.entries(memory)
		.filter(([, value]) => typeof value === "number" && !Number.isFinite(value))
		.map(([name, value]) => `${name} is ${value}`);
}

function measurementFaults(measurement: Measurement): string[] {
	const faults: string[] = [];
	const above = (name: string, value: number | null) => {
		if (value !== null && !(Number.isFinite(value) && value > 0)) faults.push(`${name} is ${value}`);
	};
	const atLeastZero = (name: string, value: number | null) => {
		if (value !== null && !(Number.isFinite(value) && value >= 0)) faults.push(`${name} is ${value}`);
	};
	above("secondsMean", measurement.secondsMean);
	above("secondsStd", measurement.secondsStd);
	above("repetitions", measurement.repetitions);
	for (const seconds of measurement.seconds) above("a repetition", seconds);
	atLeastZero("gpus", measurement.conditions.gpus);
	switch (measurement.phase) {
		case "decode":
			above("batch", measurement.batch);
			atLeastZero("context", measurement.context);
			break;
		case "serve":
			above("input", measurement.input);
			above("output", measurement.output);
			break;
		case "tools":
			for (const key of ["tools", "tokens", "cached"] as const) atLeastZero(key, measurement[key]);
			break;
		default:
			above("batch", measurement.batch);
			above("tokens", measurement.tokens);
			atLeastZero("cached", measurement.cached);
	}
	if (
		/[/\\]/.test(measurement.conditions.model ?? "") &&
		!/^[\w.-]+\/[\w.-]+$/.test(measurement.conditions.model ?? "")
	) {
		faults.push(`the model is a path: ${measurement.conditions.model}`);
	}
	return faults;
}
