import { format, formatCount, formatMoment, formatSignificant } from "#lib/format.ts";

/** One fact that was recorded around a benchmark, in words. */
export interface RecordedFact {
	name: string;
	value: string;
}

/** One GPU, before and after. */
export interface RecordedGpu {
	id: string;
	name: string;
	driver: string;
	powerLimit: string;
	power: string;
	clock: string;
	temperature: string;
	memory: string;
}

/** What the sender of a run recorded of its machine. */
export interface RecordedConditions {
	/** What recorded it, "plimsoll 0.1.0"; null: not said. */
	by: string | null;
	command: string | null;
	facts: RecordedFact[];
	gpus: RecordedGpu[];
	/** GPUs that were left out to keep the record short. */
	gpusLeftOut: number;
}

export const NOT_RECORDED = "not recorded";
const NBSP = "\u00a0";
const ARROW = "→";

/**
 * A sender's record in words; what it lacks is "not recorded". Any program may send one: what has another form than
 * the command `plimsoll run` gives it counts as lacking.
 */
export function recordedConditions(record: unknown): RecordedConditions {
	const devices = listOf(at(record, "gpus", "devices"));
	const [before, after] = [listOf(at(record, "before", "gpus")), listOf(at(record, "after", "gpus"))];
	return {
		by: textOf(at(record, "recordedBy")),
		command: commandOf(record),
		facts: factsOf(record, devices.length),
		gpus: devices.map((device, index) => gpuOf(device, before[index], after[index], index)),
		gpusLeftOut: numberOf(at(record, "gpus", "leftOut")) ?? 0,
	};
}

function commandOf(record: unknown): string | null {
	const words = listOf(at(record, "command")).filter((word) => typeof word === "string");
	return words.map(quoted).join(" ") || null;
}

function factsOf(record: unknown, devices: number): RecordedFact[] {
	const host = at(record, "host");
	const loads = [at(record, "before", "loadAverage"), at(record, "after", "loadAverage")].map(numberOf);
	const facts: [name: string, value: string | null][] = [
		["Ran", ranOf(record)],
		["Ended", endOf(record)],
		["Host", textOf(at(host, "name"))],
		["Processor", processorOf(host)],
		["Memory of the host", bytesOf(at(host, "memoryBytes"))],
		["System", systemOf(host)],
		[
			"Load of the host",
			loads.every((load) => load === null) ? null : change(loads[0], loads[1], (load) => load.toFixed(2)),
		],
		...chosenOf(record),
		...(devices === 0 ? [["GPUs", null] as [string, null]] : []),
	];
	return facts.map(([name, value]) => ({ name, value: value ?? NOT_RECORDED }));
}

function ranOf(record: unknown): string | null {
	const [from, to] = [textOf(at(record, "startedAt")), textOf(at(record, "endedAt"))];
	if (from === null) return null;
	const seconds = to === null ? Number.NaN : (Date.parse(to) - Date.parse(from)) / 1000;
	return seconds >= 0 ? `${formatMoment(from)}, for ${format(seconds, "seconds").text}` : formatMoment(from);
}

function endOf(record: unknown): string | null {
	const [code, signal] = [numberOf(at(record, "exitCode")), textOf(at(record, "signal"))];
	if (signal !== null) return `stopped by ${signal}`;
	return code === null ? null : code === 0 ? "well" : `with the error code ${code}`;
}

function processorOf(host: unknown): string | null {
	const [name, count] = [textOf(at(host, "cpu")), numberOf(at(host, "cpus"))];
	return joined([name, count && `${formatCount(count)} logical ${count === 1 ? "core" : "cores"}`]);
}

function systemOf(host: unknown): string | null {
	return joined(["distribution", "system", "architecture"].map((name) => textOf(at(host, name))));
}

/** The variables that chose the GPUs, which may be none. */
function chosenOf(record: unknown): [string, string][] {
	const environment = at(record, "environment");
	if (!isRecord(environment)) return [];
	const words = Object.entries(environment).map(
		([name, value]) => `${name}=${textOf(value) ?? NOT_RECORDED}`,
	);
	return words.length === 0 ? [] : [["Chosen GPUs", words.join(", ")]];
}

function gpuOf(device: unknown, before: unknown, after: unknown, index: number): RecordedGpu {
	const both = (key: string, words: (value: number) => string) =>
		change(numberOf(at(before, key)), numberOf(at(after, key)), words);
	const fastest = numberOf(at(device, "maxSmClockMhz"));
	const clock = both("smClockMhz", megahertz);
	const size = bytesOf(at(device, "memoryBytes"));
	const used = both("memoryUsedBytes", (bytes) => format(bytes, "bytes").text);
	return {
		id: String(index),
		name: textOf(at(device, "name")) ?? NOT_RECORDED,
		driver: textOf(at(device, "driver")) ?? NOT_RECORDED,
		powerLimit: both("powerLimitWatts", watts),
		power: both("powerWatts", watts),
		clock: fastest === null ? clock : `${clock}, at most ${megahertz(fastest)}`,
		temperature: both("temperatureCelsius", (degrees) => `${formatCount(degrees)}${NBSP}°C`),
		memory: size === null ? used : `${used}, of ${size}`,
	};
}

/** "34 °C → 71 °C"; once where both are equal; "not recorded" for a side that is missing while the other is there. */
function change(
	before: number | null | undefined,
	after: number | null | undefined,
	words: (value: number) => string,
): string {
	const [first, last] = [before, after].map((value) => (value == null ? NOT_RECORDED : words(value)));
	return first === last ? String(first) : `${first} ${ARROW} ${last}`;
}

const watts = (value: number) => `${formatSignificant(value)}${NBSP}W`;
const megahertz = (value: number) => `${formatCount(value)}${NBSP}MHz`;
const bytesOf = (value: unknown): string | null => {
	const bytes = numberOf(value);
	return bytes === null ? null : format(bytes, "bytes").text;
};

/** An argument as it would be typed. */
const quoted = (word: string): string =>
	/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
const joined = (parts: readonly (string | number | null)[]): string | null =>
	parts.filter((part) => part !== null && part !== 0).join(" · ") || null;
const textOf = (value: unknown): string | null =>
	typeof value === "string" && value.trim() ? value.trim() : null;
const numberOf = (value: unknown): number | null =>
	typeof value === "number" && Number.isFinite(value) ? value : null;
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === "object" && value !== null && !Array.isArray(value);
const at = (value: unknown, ...path: string[]): unknown =>
	path.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), value);
