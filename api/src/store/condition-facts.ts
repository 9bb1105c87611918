import type { Conditions } from "../ingest/index.ts";
import type { ChecklistKey, ConditionFact } from "../model/index.ts";
import type { SenderRecord } from "./sender-record.ts";

/** What is known of how measurements came about: of one run, or of all runs of a configuration. */
export interface Circumstances {
	/** Several where the rows of a run differ. */
	conditions: readonly Conditions[];
	/** What senders recorded beside their files. */
	records: readonly SenderRecord[];
	/** Names of the formats that the measurements came in. */
	formats: readonly string[];
	/** What clients sent, in words; null: no client was at work, or nobody says. */
	shapes: string | null;
}

/** Conditions that clients decide: of interest where clients were at work, or where somebody says them. */
export const OF_CLIENTS: ReadonlySet<string> = new Set([
	...["Prompt shapes", "Data set", "Sampler", "Further sampling parameters", "Prompts", "Tool schemas"],
]);
/** What is worth a line only where somebody says it. */
export const WHERE_SAID: ReadonlySet<string> = new Set([
	...["Back end", "Bytes of the weights", "Data set", "Benchmark code"],
]);

/** Everything that must be equal for two measurements to be comparable, by what it is part of and the name that a reader sees. */
export function conditionFacts(of: Circumstances): ConditionFact[] {
	return [...engineFacts(of), ...machineFacts(of), ...modelFacts(of), ...clientFacts(of)];
}

export const RUN_RECORDS = "start the benchmark with plimsoll run -- COMMAND";
const said = (parameter: string) => `post it with ?${parameter}=…, where the file does not say`;
export const record = (key: string, example: string) =>
	`send {"${key}": ${example}} along: --conditions RECORD.json of plimsoll push and run`;

export const fact = (item: ChecklistKey, name: string, value: string | null, how: string): ConditionFact => ({
	...{ item, name, value, how },
});

function engineFacts({ conditions }: Circumstances): ConditionFact[] {
	const of = (key: keyof Conditions) => distinct(conditions.map((one) => one[key]));
	return [
		fact("platform", "GPU", of("gpu"), said("gpu")),
		fact("platform", "GPUs used", of("gpus"), said("gpus")),
		fact("platform", "Engine", of("engine"), said("engine")),
		fact("platform", "Engine build", of("engineVersion"), said("engineVersion")),
		fact("platform", "Back end", of("backend"), RUN_RECORDS),
	];
}

/** Said of the machine, where its watts are not known: "capped". */
const POWER_LIMIT = "powerLimit";

/** What senders recorded of the machine, or the file said of it; several values where runs differ. */
function machineFacts({ records, conditions }: Circumstances): ConditionFact[] {
	const devices = records.flatMap((one) => list(at(one, "gpus", "devices")));
	const readings = records.flatMap((one) => list(at(one, "before", "gpus")));
	const hosts = records.map((one) => at(one, "host"));
	const watts = all(readings, "powerLimitWatts");
	const limit = distinct(conditions.map(({ flags }) => flags[POWER_LIMIT]));
	const clocks = all(devices, "maxSmClockMhz");
	const ofCards = [
		fact("platform", "Driver", all(devices, "driver"), RUN_RECORDS),
		fact("platform", "Highest SM clock", clocks === null ? null : `${clocks} MHz`, RUN_RECORDS),
	];
	// Where no card worked there is none to describe.
	const onProcessor = conditions.length > 0 && conditions.every(({ gpus }) => gpus === 0);
	return [
		...(onProcessor ? ofCards.filter(({ value }) => value !== null) : ofCards),
		fact("platform", "Power limit", watts === null ? limit : `${watts} W`, RUN_RECORDS),
		fact("platform", "Host", all(hosts, "name"), RUN_RECORDS),
		fact("platform", "Kernel", all(hosts, "system"), RUN_RECORDS),
		fact("platform", "Benchmark code", all(records, "code"), record("code", '"its commit"')),
	];
}

const CLIENT_FLAGS = /^(dataset|temperature|top_[kp]|min_p|ignore_eos|sampl|seed)/;
const SAMPLER = /^(temperature|top_[kp]|min_p|sampl|seed)/;
const REVISION = /^(revision|model_revision)$/;

function modelFacts({ conditions, records }: Circumstances): ConditionFact[] {
	const of = (key: keyof Conditions) => distinct(conditions.map((one) => one[key]));
	const flag = (name: string) => distinct(conditions.map(({ flags }) => flags[name]));
	const flags = [...new Set(conditions.flatMap((one) => Object.keys(one.flags)))]
		.filter((name) => !CLIENT_FLAGS.test(name) && !REVISION.test(name) && name !== POWER_LIMIT)
		.sort();
	const parallel = [
		["Tensor parallel", of("tp")],
		["Pipeline parallel", of("pp")],
		["Data parallel", of("dp")],
		["Expert parallel", of("ep")],
	] as const;
	const named = conditions.flatMap((one) => Object.entries(one.flags));
	const revision = distinct(named.flatMap(([name, value]) => (REVISION.test(name) ? [value] : [])));
	const snapshot = all(records, "modelSnapshot") ?? revision;
	const howSnapshot = record("modelSnapshot", '"revision of the hub, or SHA-256 of the file"');
	return [
		fact("model", "Model", of("model"), said("model")),
		fact("model", "Model snapshot", snapshot, howSnapshot),
		fact("model", "Weights", of("weights"), said("weights")),
		fact("model", "Bytes of the weights", of("modelBytes"), said("weights")),
		fact("platform", "KV cache, K", of("kvK"), said("kv")),
		fact("platform", "KV cache, V", of("kvV"), said("kv")),
		...parallel.flatMap(([name, value]) =>
			value === null ? [] : [fact("platform", name, value, said("tp"))],
		),
		...flags.map((name) => fact("platform", name, flag(name), RUN_RECORDS)),
	];
}

/** Benchmarks that feed random token numbers and take the next one without sampling: there is no text and no tool. */
const RAW_TOKENS = /^llama-(batched-)?bench /;
export const isRaw = (formats: readonly string[]): boolean =>
	formats.length > 0 && formats.every((format) => RAW_TOKENS.test(format));

/** What clients sent: lengths, data set, sampler, prompts, tools. */
function clientFacts({ conditions, records, formats, shapes }: Circumstances): ConditionFact[] {
	const raw = isRaw(formats);
	const sets = distinct(conditions.map(({ flags }) => flags.dataset_name ?? flags.dataset));
	const sampling = all(records, "sampling");
	const sampler = distinct(conditions.map(samplerOf));
	const prompts = all(records, "prompts") ?? (raw ? "none: random token numbers" : null);
	const tools = all(records, "tools") ?? (raw ? "none: no text is sent" : null);
	const howSampling = record("sampling", '{"temperature": 0, "top_p": 1, "seed": 7}');
	const further =
		sampling === null && sampler !== null
			? [fact("sampling", "Further sampling parameters", null, howSampling)]
			: [];
	return [
		fact("prompts", "Prompt shapes", shapes, "post a format that names input and output lengths"),
		fact("prompts", "Data set", sets, record("prompts", '{"dataset": "…", "sha256": "…"}')),
		fact(
			"sampling",
			"Sampler",
			sampling ?? sampler ?? (raw ? "none: tokens are not sampled" : null),
			howSampling,
		),
		...further,
		fact("prompts", "Prompts", prompts, record("prompts", '{"sha256": "…", "bytes": 12345}')),
		fact("tools", "Tool schemas", tools, record("tools", '{"count": 12, "sha256": "…"}')),
	];
}

function samplerOf({ flags }: Conditions): string | null {
	const set = Object.entries(flags).filter(([name]) => SAMPLER.test(name));
	return set.length === 0 ? null : set.map(([name, value]) => `${name} ${value}`).join(", ");
}

const at = (value: unknown, ...path: string[]): unknown =>
	path.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), value);
const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === "object" && value !== null && !Array.isArray(value);
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Distinct values of a key, in their order; null where none is there. */
const all = (records: readonly unknown[], key: string): string | null =>
	distinct(records.map((one) => at(one, key)));

/** Longest value that is still a condition and no document. */
const MOST_CHARACTERS = 300;

/** Distinct values in words, sorted; null where none says anything. */
function distinct(values: readonly unknown[]): string | null {
	const words = new Set(values.map(inWords).filter((text) => text !== ""));
	return words.size === 0 ? null : [...words].sort().join(", ").slice(0, MOST_CHARACTERS);
}

/** A text or a number as it is, an object as "key value, key value"; empty for what says nothing. */
function inWords(value: unknown): string {
	if (typeof value === "string") return value.trim();
	if (typeof value === "number" || typeof value === "boolean") return String(value);
	if (Array.isArray(value)) return value.map(inWords).filter(Boolean).join(", ");
	if (!isRecord(value)) return "";
	const parts = Object.entries(value).flatMap(([key, inner]) => {
		const words = inWords(inner);
		return words === "" ? [] : [`${key} ${words}`];
	});
	return parts.join(", ");
}
