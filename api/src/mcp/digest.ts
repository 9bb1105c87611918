import type { Answered } from "./call.ts";

/** What an agent reads of one answer, about two thousand tokens. */
const READABLE_BYTES = 9 * 1024;
/** Pages are asked for by their length, and may take more before items are left out. */
const PAGE_BYTES = 24 * 1024;

type Json = unknown;
type JsonRecord = Record<string, Json>;

const isRecord = (value: Json): value is JsonRecord =>
	typeof value === "object" && value !== null && !Array.isArray(value);
const isQuantity = (value: JsonRecord) => "evidence" in value && "value" in value && "arithmetic" in value;
const bytesOf = (value: Json) => Buffer.byteLength(JSON.stringify(value) ?? "");

export const isJson = ({ type }: Answered) =>
	type === "application/json" || type === "application/problem+json";

export const jsonOf = ({ body }: Answered): Json =>
	body.length === 0 ? null : JSON.parse(Buffer.from(body).toString());

/** The parts of an answer at dotted paths, without nulls that mean "not said"; a path that leads nowhere is told as unknown, not as null. */
export function selected(answer: Json, paths: readonly string[]): { parts: JsonRecord; unknown: string[] } {
	const parts: JsonRecord = {};
	const unknown: string[] = [];
	for (const path of paths) {
		const value = path
			.split(".")
			.reduce<Json>(
				(at, key) =>
					typeof at === "object" && at !== null && Object.hasOwn(at, key)
						? (at as JsonRecord)[key]
						: undefined,
				answer,
			);
		if (value === undefined) unknown.push(path);
		else parts[path] = mapped(value, withoutNulls);
	}
	return { parts, unknown };
}

/** From what says least to what says most; each step holds those before it. */
const STEPS: ((value: Json) => Json)[] = [
	(value) => mapped(value, (record) => withoutNulls(record)),
	(value) => mapped(value, (record) => (isQuantity(record) ? without(record, ["sources"]) : record)),
	(value) => listOnly(value),
	(value) => mapped(value, (record) => (isQuantity(record) ? without(record, ["arithmetic"]) : record)),
	(value) => shortened(value, 20),
	(value) => shortened(value, 5),
	(value) => shortened(value, 2),
	(value) => outline(value, 3),
	(value) => outline(value, 1),
];

/** The step that keeps the plain fields of a list's items. */
const LIST_STEP = 2;

/**
 * An answer that an agent can read: as it is where it is short; else without nulls, sources, the depth of list items,
 * arithmetic, the rest of long lists, in this order, until it is short enough. What was left out stands in the resource.
 * @returns the shorter answer, and whether anything but nulls is missing
 */
export function digest(answer: Json, pages = false): { answer: Json; cut: boolean } {
	let shorter = answer;
	if (bytesOf(shorter) <= READABLE_BYTES) return { answer, cut: false };
	for (const [at, step] of STEPS.entries()) {
		shorter = step(shorter);
		const bound = pages && at >= LIST_STEP ? PAGE_BYTES : READABLE_BYTES;
		if (bytesOf(shorter) <= bound) return { answer: shorter, cut: at > 0 };
	}
	return { answer: `${JSON.stringify(shorter).slice(0, READABLE_BYTES)}…`, cut: true };
}

/** Every record inside a value, the innermost first, as `change` makes it. */
function mapped(value: Json, change: (record: JsonRecord) => JsonRecord): Json {
	if (Array.isArray(value)) return value.map((one) => mapped(one, change));
	if (!isRecord(value)) return value;
	return change(Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mapped(part, change)])));
}

/** A quantity's null is "not known", and stays. */
const withoutNulls = (record: JsonRecord): JsonRecord =>
	isQuantity(record)
		? record
		: Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));

const without = (record: JsonRecord, keys: readonly string[]): JsonRecord =>
	Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));

/** A page of a list with the plain fields of its items; each item is read whole by its id. */
function listOnly(value: Json): Json {
	if (!isRecord(value) || !Array.isArray(value.items) || !("nextCursor" in value)) return value;
	return { ...value, items: value.items.map((item) => (isRecord(item) ? plainFields(item) : item)) };
}

const plainFields = (item: JsonRecord): JsonRecord =>
	Object.fromEntries(Object.entries(item).filter(([, part]) => typeof part !== "object" || part === null));

/** Lists cut after `most` items, with a word on how many more there are. */
function shortened(value: Json, most: number): Json {
	if (Array.isArray(value)) {
		const kept = value.slice(0, most).map((one) => shortened(one, most));
		return value.length > most ? [...kept, `… ${value.length - most} more in the resource`] : kept;
	}
	if (!isRecord(value)) return value;
	return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shortened(part, most)]));
}

/** What is deeper than `depth` is told by its kind alone. */
function outline(value: Json, depth: number): Json {
	if (typeof value === "string") return value.length > 300 ? `${value.slice(0, 300)}…` : value;
	if (typeof value !== "object" || value === null) return value;
	if (!Array.isArray(value) && isQuantity(value as JsonRecord)) return value;
	if (depth === 0)
		return Array.isArray(value) ? `… ${value.length} items in the resource` : "… in the resource";
	if (Array.isArray(value)) return value.map((one) => outline(one, depth - 1));
	return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, outline(part, depth - 1)]));
}
