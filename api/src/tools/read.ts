import { isRecord } from "../ingest/fields.ts";
import type { InputError } from "../problem.ts";
import { type ReadDocument, readDocument } from "./document.ts";
import { isOpenApi, openApiTools } from "./openapi.ts";
import { MOST_TOOLS, type ReadTool, type ToolForm, type ToolList, UnreadableTools } from "./tool-list.ts";

/**
 * Reads a list of tools: an MCP tools/list answer (envelope, result or bare array), the tools or functions of an OpenAI
 * request, or an OpenAPI document, as JSON or YAML. Entries that are no tool are said, the others stay.
 * @throws UnreadableTools where there is no list, or none of its entries is a tool
 */
export async function readToolList(text: string): Promise<ToolList> {
	const document = await readDocument(text);
	const list = isOpenApi(document.value) ? openApiTools(document.value) : listedTools(document);
	const { fault } = document;
	const unreadable = fault ? [...list.unreadable, fault] : list.unreadable;
	if (list.tools.length === 0)
		throw new UnreadableTools(
			unreadable.length > 0
				? unreadable
				: [{ at: list.form, reason: "the list is empty: it weighs nothing" }],
		);
	if (list.tools.length > MOST_TOOLS)
		throw new UnreadableTools([
			{ at: list.form, reason: `${list.tools.length} tools; send at most ${MOST_TOOLS} at a time` },
		]);
	return { ...list, unreadable, notes: [...list.notes, ...namesTwice(list.tools)] };
}

/** The array of a document and where it stands. */
function arrayOf(value: unknown): { entries: unknown[]; at: string; notes: string[] } {
	if (Array.isArray(value)) return { entries: value, at: "", notes: [] };
	const outer = isRecord(value) ? value : {};
	if (isRecord(outer.error) && outer.result === undefined)
		throw new UnreadableTools([
			{
				at: "error",
				reason: `the server answered an error instead of tools: ${String(outer.error.message)}`,
			},
		]);
	const [inner, at] = isRecord(outer.result) ? [outer.result, "result.tools"] : [outer, "tools"];
	const notes =
		typeof inner.nextCursor === "string" && inner.nextCursor !== ""
			? ["The answer has a nextCursor: the server has more tools than this page of its list."]
			: [];
	if (Array.isArray(inner.tools)) return { entries: inner.tools, at, notes };
	if (Array.isArray(inner.functions)) return { entries: inner.functions, at: "functions", notes };
	if (typeof inner.name === "string" || isRecord(inner.function))
		return { entries: [inner], at: "the tool", notes };
	const keys = Object.keys(inner).slice(0, 5).join(", ");
	throw new UnreadableTools([
		{
			at: "the body",
			reason: `no tools array, result.tools, functions or paths is in it${keys === "" ? "" : `, but ${keys}`}: send the answer to tools/list, a tools array, or an OpenAPI file`,
		},
	]);
}

function listedTools({ value, open }: ReadDocument): ToolList {
	const { entries, at, notes } = arrayOf(value);
	const tools: ReadTool[] = [];
	const unreadable: InputError[] = [];
	const forms = new Set<ToolForm>();
	for (const [index, entry] of entries.entries()) {
		const place = `${at}[${index + 1}]`;
		const read = open.has(entry) ? "is cut: the text breaks inside it" : toolOf(entry, place);
		if (typeof read === "string") unreadable.push({ at: named(place, entry), reason: read });
		else {
			const { form, ...tool } = read;
			forms.add(form);
			tools.push({ position: index + 1, ...tool });
		}
	}
	const [form = "MCP tools/list"] = forms;
	return { form, tools, unreadable, notes };
}

const named = (place: string, entry: unknown): string =>
	isRecord(entry) && typeof entry.name === "string" ? `${place} "${entry.name.slice(0, 80)}"` : place;

/** Names as a model can be told them; a longer one is no name. */
const MOST_NAME = 256;

type Found = Omit<ReadTool, "position"> & { form: ToolForm };

/** A tool, or why the entry is none. */
function toolOf(entry: unknown, at: string): Found | string {
	if (!isRecord(entry)) return `must be an object with a name, not ${kindOf(entry)}`;
	const wrapped = isRecord(entry.function);
	const fields: Record<string, unknown> = wrapped ? (entry.function as Record<string, unknown>) : entry;
	const { name, description } = fields;
	if (typeof name !== "string" || name.trim() === "") {
		if (typeof entry.type === "string" && entry.type !== "function")
			return `a tool of type "${entry.type.slice(0, 40)}" that the provider holds itself: its text is not here, so it cannot be counted`;
		return "has no name: every tool needs one, as text";
	}
	if (name.length > MOST_NAME) return `its name has ${name.length} characters; at most ${MOST_NAME} are read`;
	if (description !== undefined && description !== null && typeof description !== "string")
		return `its description must be text, not ${kindOf(description)}`;
	const [form, key] = formOf(fields, wrapped);
	const schema = fields[key] ?? null;
	if (schema !== null && !isRecord(schema) && typeof schema !== "boolean")
		return `its ${key} must be a JSON Schema, an object, not ${kindOf(schema)}`;
	const counted = new Set(["name", "description", key, "type", "strict"]);
	const leftOut = Object.keys(fields).filter((field) => !counted.has(field));
	return { form, at: named(at, fields), name, description: description ?? "", schema, leftOut };
}

function formOf(fields: Record<string, unknown>, wrapped: boolean): [ToolForm, string] {
	if (wrapped) return ["OpenAI tools", "parameters"];
	if ("inputSchema" in fields) return ["MCP tools/list", "inputSchema"];
	if ("input_schema" in fields) return ["MCP tools/list", "input_schema"];
	if (fields.type === "function") return ["OpenAI tools", "parameters"];
	return "parameters" in fields ? ["OpenAI functions", "parameters"] : ["MCP tools/list", "inputSchema"];
}

function kindOf(value: unknown): string {
	if (value === null) return "null";
	if (Array.isArray(value)) return "a list";
	return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** A request with two tools of one name is refused by most servers. */
function namesTwice(tools: readonly ReadTool[]): string[] {
	const seen = new Set<string>();
	const twice = new Set<string>();
	for (const { name } of tools) (seen.has(name) ? twice : seen).add(name);
	if (twice.size === 0) return [];
	return [
		`More than one tool is called ${[...twice].slice(0, 5).join(", ")}: many servers refuse such a request.`,
	];
}
