import { isRecord } from "../ingest/fields.ts";
import type { InputError } from "../problem.ts";
import { inliner, TooLarge } from "./inline.ts";
import type { ReadTool, ToolList } from "./tool-list.ts";

type Fields = Record<string, unknown>;
type Inliner = (value: unknown) => unknown;

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;

/** Whether a document describes an API: OpenAPI 3 or Swagger 2. */
export function isOpenApi(value: unknown): value is Fields & { paths: Fields } {
	return isRecord(value) && isRecord(value.paths) && ("openapi" in value || "swagger" in value);
}

/**
 * One tool for each operation, as generators of tools make them: the name is its operationId, the description its summary
 * and description, the arguments its parameters and the fields of its JSON body, references put in.
 */
export function openApiTools(document: Fields & { paths: Fields }): ToolList {
	const tools: ReadTool[] = [];
	const unreadable: InputError[] = [];
	const nextInliner = inliner(document);
	let position = 0;
	for (const [path, item] of Object.entries(document.paths)) {
		if (!isRecord(item)) {
			unreadable.push({ at: `paths ${path}`, reason: "must be an object of operations" });
			continue;
		}
		for (const method of METHODS) {
			if (item[method] === undefined) continue;
			position++;
			const at = `${method.toUpperCase()} ${path}`;
			const operation = item[method];
			if (!isRecord(operation)) unreadable.push({ at, reason: "must be an object" });
			else
				try {
					tools.push({ position, at, ...toolOf(operation, item, method, path, nextInliner()) });
				} catch (error) {
					if (!(error instanceof TooLarge)) throw error;
					unreadable.push({ at, reason: error.message });
				}
		}
	}
	const notes = [
		"Read as one tool for each operation, its parameters and JSON body put together and references put in, as most generators do; yours may do otherwise.",
	];
	return { form: "OpenAPI", tools, unreadable, notes };
}

function toolOf(
	operation: Fields,
	item: Fields,
	method: string,
	path: string,
	resolve: Inliner,
): Pick<ReadTool, "name" | "description" | "schema" | "leftOut"> {
	const { operationId, summary, description } = operation;
	const words = [summary, description].filter((text) => typeof text === "string" && text.trim() !== "");
	return {
		name:
			typeof operationId === "string" && operationId.trim() !== ""
				? operationId
				: `${method}_${path}`.replace(/[^A-Za-z0-9]+/g, "_").replace(/^_|_$/g, ""),
		description: [...new Set(words)].join("\n"),
		schema: argumentsOf(operation, item, resolve),
		leftOut: operation.responses === undefined ? [] : ["responses"],
	};
}

function argumentsOf(operation: Fields, item: Fields, resolve: Inliner): Fields {
	const properties: Fields = {};
	const required: string[] = [];
	const listed = [item.parameters, operation.parameters].flatMap((list) => (Array.isArray(list) ? list : []));
	for (const raw of listed) {
		const parameter = resolve(raw);
		if (!isRecord(parameter) || typeof parameter.name !== "string") continue;
		const schema = isRecord(parameter.schema) ? parameter.schema : typed(parameter);
		if (parameter.in === "body" && isRecord(parameter.schema))
			addBody(parameter.schema, properties, required);
		else {
			const { description } = parameter;
			properties[parameter.name] = typeof description === "string" ? { ...schema, description } : schema;
			if (parameter.required === true) required.push(parameter.name);
		}
	}
	const body = resolve(operation.requestBody);
	const content = isRecord(body) && isRecord(body.content) ? body.content : {};
	const json = content["application/json"] ?? Object.values(content)[0];
	if (isRecord(json) && isRecord(json.schema)) addBody(json.schema, properties, required);
	return { type: "object", properties, ...(required.length > 0 ? { required: [...new Set(required)] } : {}) };
}

/** Swagger 2 writes the type beside the name. */
function typed({ name: _, in: __, required: ___, description: ____, ...schema }: Fields): Fields {
	return schema;
}

/** Fields of the body stand beside the parameters; a body that is no object stands as `body`. */
function addBody(schema: Fields, properties: Fields, required: string[]): void {
	if (!isRecord(schema.properties)) {
		properties.body = schema;
		return;
	}
	for (const [name, of] of Object.entries(schema.properties)) properties[name] ??= of;
	if (Array.isArray(schema.required))
		required.push(...schema.required.filter((name): name is string => typeof name === "string"));
}
