import { canonicalItem } from "./canonical-row.ts";
import type { Family } from "./family.ts";
import { emptyConditions, isRecord, modelName } from "./fields.ts";
import { impossibleGpus, MOST_GPUS } from "./impossible.ts";
import type { Conditions, Item } from "./record.ts";
import { type JsonReading, jsonValues } from "./text/json.ts";
import { cutRow } from "./text/json-lines.ts";

/**
 * Any benchmark in Plimsoll's own words: {"plimsoll": 1, …, "measurements": […]}.
 *
 * Beside `measurements`, all fields are optional. They describe the configuration of every row:
 * - text: `gpu`, `model`, `engine`, `engineVersion`, `backend`, `weights`, `kv` (or `kvK` and `kvV`)
 * - whole numbers: `gpus` (0: processor only), `tp` (at most `gpus`), `pp`, `dp`, `ep`, `modelParams`, `modelBytes`
 * - `flags`: further settings that decide speed, names to text, number, true, false or null
 * - `startedAt`: time of the rows that do not state their own, ISO 8601
 * - text kept as notes of the run: `origin`, `attribution`, `source`, `note`
 *
 * Rows (`canonical-row.ts` lists their fields) are read one by one: a row with a wrong field is rejected with
 * its place, the others are kept. A wrong field of the configuration rejects all rows, as it is part of each.
 */
export const canonical: Family = {
	name: "plimsoll",
	detect: ({ json }) => isRecord(json) && "plimsoll" in json,
	*document(text) {
		let files = 0;
		for (const reading of jsonValues(text)) {
			const place = files === 0 ? "" : `file ${files + 1} `;
			if (isRecord(reading.value)) yield* fileItems(reading.value, reading, place);
			files++;
		}
	},
};

const TEXTS = ["gpu", "engine", "engineVersion", "backend", "model", "weights", "kvK", "kvV"] as const;
/** Whole numbers with the largest that each may be. */
const COUNTS = [
	...(["gpus", "tp", "pp", "dp", "ep"] as const).map((name) => [name, MOST_GPUS] as const),
	...(["modelParams", "modelBytes"] as const).map((name) => [name, Number.MAX_SAFE_INTEGER] as const),
];
const NOTES = ["origin", "attribution", "source", "note"];

function* fileItems(file: Record<string, unknown>, reading: JsonReading, place: string): Generator<Item> {
	if (file.plimsoll !== 1) {
		yield { kind: "rejected", at: `${place}plimsoll`, reason: "the only known version of the form is 1" };
		return;
	}
	for (const name of NOTES) {
		if (typeof file[name] === "string") yield { kind: "note", text: `${name}: ${file[name]}` };
	}
	const wrong: Item[] = [];
	const conditions = readConditions(file, (name, reason) => {
		wrong.push({ kind: "rejected", at: `${place}${name}`, reason });
	});
	yield* wrong;
	yield* rowItems(file, reading, place, conditions, wrong.length > 0);
}

function* rowItems(
	file: Record<string, unknown>,
	{ open, fault }: JsonReading,
	place: string,
	conditions: Conditions,
	wrong: boolean,
): Generator<Item> {
	const rows = file.measurements;
	if (!Array.isArray(rows) || rows.length === 0) {
		yield {
			kind: "rejected",
			at: `${place}measurements`,
			reason:
				fault === null
					? "a list with at least one measurement is needed"
					: `the file breaks off before the first of them: ${fault}`,
		};
		return;
	}
	const startedAt = typeof file.startedAt === "string" ? file.startedAt : null;
	for (const [index, row] of rows.entries()) {
		const at = `${place}measurements[${index}]`;
		if (open.has(row)) yield cutRow(at, fault);
		else if (wrong)
			yield { kind: "rejected", at, reason: "a field of its configuration is wrong, see above" };
		else yield canonicalItem(row, at, conditions, startedAt);
	}
	if (fault !== null) yield { kind: "note", text: `The file is not whole: ${fault}. Whole rows were kept.` };
}

function readConditions(
	file: Record<string, unknown>,
	wrong: (name: string, reason: string) => void,
): Conditions {
	const conditions = emptyConditions(null);
	const given: Record<string, unknown> = { kvK: file.kv, kvV: file.kv, ...file };
	for (const name of TEXTS) {
		const value = given[name];
		if (value === undefined || value === null) continue;
		if (typeof value === "string" && value.trim() !== "") conditions[name] = value.trim();
		else wrong(name in file ? name : "kv", "must be text");
	}
	for (const [name, most] of COUNTS) {
		const value = given[name];
		if (value === undefined || value === null) continue;
		const least = name === "gpus" ? 0 : 1;
		if (Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most)
			conditions[name] = Number(value);
		else wrong(name, `must be a whole number from ${least} to ${most}`);
	}
	if (conditions.gpus !== null) conditions.gpusBasis = "stated";
	const misfit = impossibleGpus(conditions);
	if (misfit !== null) wrong("tp", misfit);
	if (conditions.model !== null) conditions.model = modelName(conditions.model);
	readFlags(file.flags, conditions, wrong);
	return conditions;
}

function readFlags(
	flags: unknown,
	conditions: Conditions,
	wrong: (name: string, reason: string) => void,
): void {
	if (flags === undefined || flags === null) return;
	if (!isRecord(flags)) {
		wrong("flags", "must be an object");
		return;
	}
	for (const [name, value] of Object.entries(flags)) {
		if (value === null || typeof value === "string" || typeof value === "boolean")
			conditions.flags[name] = value;
		else if (typeof value === "number" && Number.isFinite(value)) conditions.flags[name] = value;
		else wrong(`flags.${name}`, "must be text, a number, true, false or null");
	}
}
