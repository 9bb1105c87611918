import type { Family } from "../family.ts";
import { count, emptyConditions, finite, isRecord, positive, text } from "../fields.ts";
import type { Conditions, Item, Statistics } from "../record.ts";
import { flatStatistics } from "../served/run-fields.ts";
import { serveItems } from "../served/serve-items.ts";
import { emptyRun } from "../served/serve-run.ts";
import { jsonValues } from "../text/json.ts";

type Row = Record<string, unknown>;

const GPU_NAME = /\b(?:[ABHLVT]\d{1,3}[SG]?|GB\d+|GH\d+|MI\d+X?|RTX|Gaudi|TPU)\b/i;

/**
 * The tables of vLLM's own benchmark runs, as JSON (a list of rows, or columns by kind of test) or as
 * markdown. Request and token throughput together give the lengths of the requests.
 */
export const vllmCiTable: Family = {
	name: "vllm ci-table",
	detect: ({ json, text: body }) => rowsIn(json).length > 0 || /^\|\s*Test name\s*\|/m.test(body),
	document: function* (body) {
		const table = [...markdownRows(body)];
		for (const { row, at } of table) yield* rowItems(row, at);
		let number = 0;
		for (const { value } of jsonValues(body)) {
			for (const row of rowsIn(value)) {
				const at = `row ${++number}`;
				if (table.length === 0) yield* rowItems(row, at);
				else yield { kind: "aside", at: `json ${at}`, reason: "the table above holds the same row" };
			}
		}
	},
};

function isRow(value: unknown): value is Row {
	return isRecord(value) && "Test name" in value && "GPU" in value;
}

function rowsIn(value: unknown): Row[] {
	if (Array.isArray(value)) return value.filter(isRow);
	if (!isRecord(value)) return [];
	return ["latency", "throughput", "serving"].flatMap((kind) => rowsOfColumns(value[kind]));
}

/** `{"GPU": {"0": …, "1": …}, …}`, as pandas writes a table. */
function rowsOfColumns(columns: unknown): Row[] {
	if (!isRecord(columns) || !isRecord(columns["Test name"])) return [];
	return Object.keys(columns["Test name"]).map((index) =>
		Object.fromEntries(
			Object.entries(columns).map(([name, cells]) => [name, isRecord(cells) ? cells[index] : null]),
		),
	);
}

function* markdownRows(body: string): Generator<{ row: Row; at: string }> {
	let header: string[] | null = null;
	for (const [index, line] of body.split("\n").entries()) {
		if (!line.trimStart().startsWith("|")) {
			header = null;
			continue;
		}
		const cells = line
			.trim()
			.slice(1, -1)
			.split("|")
			.map((cell) => cell.trim());
		if (cells[0] === "Test name") header = cells;
		else if (header !== null && !/^:?-+:?$/.test(cells[0] ?? "")) {
			yield { row: Object.fromEntries(header.map((name, at) => [name, cells[at]])), at: `line ${index + 1}` };
		}
	}
}

function* rowItems(row: Row, at: string): Generator<Item> {
	const perSecond = positive(row["Tput (req/s)"]);
	const [output, total] = [positive(row["Output Tput (tok/s)"]), positive(row["Total Tput (tok/s)"])];
	if (perSecond === null || output === null || total === null || !("Mean TTFT (ms)" in row)) {
		const name = text(row["Test name"]) ?? "";
		return yield {
			kind: "aside",
			at,
			reason: `${name}: the table names neither lengths nor batch of this test`,
		};
	}
	const completed = count(row["# of req."]);
	yield* serveItems({
		...emptyRun(at, conditionsOf(row)),
		input: (total - output) / perSecond,
		output: output / perSecond,
		requested: completed,
		completed,
		durationSeconds: completed === null ? null : completed / perSecond,
		requestsPerSecond: perSecond,
		rate: rateIn(row),
		atOnce: /qps_inf/.test(text(row["Test name"]) ?? ""),
		ttft: timesOf(row, "TTFT"),
		tpot: timesOf(row, "TPOT"),
		itl: timesOf(row, "ITL"),
		outputTokensPerSecond: output,
		details: { "Test name": text(row["Test name"]), GPU: text(row.GPU) },
		notes: gpuRemarks(row),
	});
}

const COLUMN_NAMES: Record<string, string> = { mean: "Mean", median: "Median", std: "Std" };

function timesOf(row: Row, quantity: string): Statistics | null {
	return flatStatistics(row, (name) => `${COLUMN_NAMES[name] ?? name.toUpperCase()} ${quantity} (ms)`, 0.001);
}

/** "tp8_pp1_qps_04" was offered 4 requests a second, "…_qps_inf" all at once. */
function rateIn(row: Row): number | null {
	return finite(/qps_([\d.]+)/.exec(text(row["Test name"]) ?? "")?.[1]);
}

function conditionsOf(row: Row): Conditions {
	const name = text(row["Test name"]) ?? "";
	const [tp, pp] = [positive(/(?:^|_)tp(\d+)/.exec(name)?.[1]), positive(/(?:^|_)pp(\d+)/.exec(name)?.[1])];
	const device = deviceOf(row);
	return {
		...emptyConditions("vllm"),
		gpu: device?.name ?? null,
		gpus: device?.count ?? (tp === null ? null : tp * (pp ?? 1)),
		gpusBasis: device === null && tp === null ? null : device === null ? "inferred" : "stated",
		tp,
		pp,
	};
}

/** "8xH100"; what is no GPU (the type of a virtual machine) names no device. */
function deviceOf(row: Row): { count: number; name: string } | null {
	const found = /^(\d+)x(.+?)(?: x \d+)?$/.exec(text(row.GPU) ?? "");
	const name = found?.[2] ?? "";
	return found === null || !GPU_NAME.test(name) ? null : { count: Number(found[1]), name };
}

function gpuRemarks(row: Row): string[] {
	const given = text(row.GPU);
	return given === null || deviceOf(row) !== null
		? []
		: [`The table calls the GPU "${given}", which names no GPU.`];
}
