import type { Answered } from "./call.ts";

/** What an agent reads of one answer, about two thousand tokens. */
const READABLE_BYTES = 9 * 1024;
/** Pages are asked for by their length, and may take more before items are left out. */
const PAGE_BYTES = 24 * 1024;

type Json = unknown;
type JsonRecord = Record<string, Json>;

const isRecord = (value: Json): value is JsonRecord =>
	typeof value === "object" && value !== null && !Array.isArray(value);
const isQuantity = (value: JsonRecord) => "evidence" in value && "value" in value;
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

/**
 * An answer that an agent can read: as it is where it is short; else without nulls, sources and the depth of list items;
 * then the longest lists give way, then the arithmetic. What was left out stands in the resource.
 * @returns the shorter answer, and whether anything but nulls is missing
 */
export function digest(answer: Json, pages = false): { answer: Json; cut: boolean } {
	if (bytesOf(answer) <= READABLE_BYTES) return { answer, cut: false };
	const said = mapped(answer, withoutNulls);
	if (bytesOf(said) <= READABLE_BYTES) return { answer: said, cut: false };
	const sourceless = mapped(said, (record) => (isQuantity(record) ? without(record, ["sources"]) : record));
	const bare = pages ? withPlainItems(sourceless) : sourceless;
	const brief = mapped(bare, (record) => (isQuantity(record) ? without(record, ["arithmetic"]) : record));
	const most = pages ? PAGE_BYTES : READABLE_BYTES;
	const shorter = [
		() => bare,
		() => listsCut(bare, most, 3),
		() => listsCut(brief, most, 3),
		() => listsCut(brief, most, 1),
		() => outline(brief, 3),
		() => outline(brief, 1),
	];
	for (const make of shorter) {
		const made = make();
		if (bytesOf(made) <= most) return { answer: made, cut: true };
	}
	return { answer: `${JSON.stringify(outline(brief, 1)).slice(0, most)}…`, cut: true };
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
function withPlainItems(value: Json): Json {
	if (!isRecord(value) || !Array.isArray(value.items)) return value;
	return { ...value, items: value.items.map((item) => (isRecord(item) ? plainFields(item) : item)) };
}

const plainFields = (item: JsonRecord): JsonRecord =>
	Object.fromEntries(Object.entries(item).filter(([, part]) => typeof part !== "object" || part === null));

/** The value with its longest lists cut in half, over and over, until it is short enough or none has more than `least`. */
function listsCut(value: Json, most: number, least: number): Json {
	const copy: Json = structuredClone(value);
	while (bytesOf(copy) > most) {
		const longest = listsIn(copy)
			.filter((list) => keptOf(list) > least)
			.map((list) => ({ list, bytes: bytesOf(list) }))
			.sort((a, b) => b.bytes - a.bytes)[0];
		if (!longest) break;
		cutInHalf(longest.list, least);
	}
	return copy;
}

const MORE = /^… (\d+) more in the resource$/;
const moreOf = (list: readonly Json[]): number => Number(MORE.exec(String(list.at(-1)))?.[1] ?? 0);
const keptOf = (list: readonly Json[]): number => list.length - (moreOf(list) > 0 ? 1 : 0);

/** Its last item says how many were cut off. */
function cutInHalf(list: Json[], least: number): void {
	const kept = Math.max(least, Math.floor(keptOf(list) / 2));
	const more = moreOf(list) + keptOf(list) - kept;
	list.splice(kept, list.length, `… ${more} more in the resource`);
}

function listsIn(value: Json): Json[][] {
	if (Array.isArray(value)) return [value, ...value.flatMap(listsIn)];
	return isRecord(value) ? Object.values(value).flatMap(listsIn) : [];
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
