import { finite, positive } from "../fields.ts";
import type { Fill } from "../file.ts";
import type { Conditions, ServeMeasurement } from "../record.ts";
import { conditionsOf } from "../said.ts";
import { conditionsOfArguments } from "./arguments.ts";

/**
 * Folders of `vllm bench sweep serve`: `SERVE--k=v-k=v-BENCH--k=v/run=N.json`, and of its relatives `SLA--…`.
 * What was swept stands in their names, for the server (SERVE) and for the client (BENCH, SLA).
 */
type Parameters = Record<string, string | number | boolean>;

const SWEEP_FOLDER = /^(?:SERVE|BENCH|SLA)--/;
const RUN = /(?:^|\/)run=\d+\.json$/;
const SUMMARY = /(?:^|\/)summary\.json$/;

export function isRunOfSweep(path: string): boolean {
	return RUN.test(path);
}

export function isSummaryOfSweep(path: string): boolean {
	return SUMMARY.test(path);
}

/** Fills what a file does not say from the names of the folders above it; null where they say nothing. */
export function folderFacts(path: string): Fill | null {
	const folders = path
		.split("/")
		.slice(0, -1)
		.filter((name) => SWEEP_FOLDER.test(name));
	if (folders.length === 0) return null;
	const { server, client } = parametersOf(folders);
	const done = new WeakSet<Conditions>();
	return (item) => {
		const conditions = conditionsOf(item);
		if (conditions !== null && !done.has(conditions)) {
			done.add(conditions);
			fillConditions(conditions, server);
		}
		if (item.kind === "measurement" && item.measurement.phase === "serve") fillLoad(item.measurement, client);
	};
}

function parametersOf(folders: readonly string[]): { server: Parameters; client: Parameters } {
	const server: Parameters = {};
	const client: Parameters = {};
	for (const folder of folders) {
		for (const [, section, pairs = ""] of folder.matchAll(
			/(?:^|-)(SERVE|BENCH|SLA)--(.*?)(?=-(?:SERVE|BENCH|SLA)--|$)/g,
		))
			Object.assign(section === "SERVE" ? server : client, pairsOf(pairs));
	}
	return { server, client };
}

/** "max_num_seqs=4-model=a-b" → {max_num_seqs: 4, model: "a-b"}: a name follows the dash that separates. */
function pairsOf(text: string): Parameters {
	const parameters: Parameters = {};
	for (const pair of text.split(/-(?=[A-Za-z_][\w.]*=)/)) {
		const [, name, value] = /^([\w.-]+?)=(.*)$/.exec(pair) ?? [];
		if (name !== undefined && value !== undefined) parameters[name.replaceAll("-", "_")] = swept(value);
	}
	return parameters;
}

function swept(text: string): string | number | boolean {
	const word = text.toLowerCase();
	if (word === "true" || word === "false") return word === "true";
	return finite(text) ?? text;
}

/** Fields of their own for what has one; every other swept argument decides speed, else it were not swept. */
const PLACED = new Set(
	(
		"model model_tag quantization dtype kv_cache_dtype tensor_parallel_size pipeline_parallel_size " +
		"data_parallel_size"
	).split(" "),
);

function fillConditions(conditions: Conditions, server: Parameters): void {
	const { flags: _, ...said } = conditionsOfArguments(server);
	for (const [name, value] of Object.entries(said) as [keyof Conditions, never][]) conditions[name] ??= value;
	for (const [name, value] of Object.entries(server)) if (!PLACED.has(name)) conditions.flags[name] ??= value;
}

function fillLoad(measurement: ServeMeasurement, client: Parameters): void {
	const limit = positive(client.max_concurrency);
	measurement.concurrencyLimit ??= limit;
	if (measurement.concurrency === null && limit !== null) {
		measurement.concurrency = limit;
		measurement.concurrencyBasis = "limit";
	}
	measurement.rate ??= positive(client.request_rate);
}
