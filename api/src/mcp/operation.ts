import { scopeOf } from "../routes/access.ts";
import type { Scope } from "../store/keys.ts";
import { KNOWN_OPERATIONS } from "./operations.ts";

/** JSON Schema, as far as it is looked into here. */
export interface JsonSchema {
	[key: string]: unknown;
	type?: string | string[];
	description?: string;
	example?: unknown;
	properties?: Record<string, JsonSchema>;
	required?: string[];
}

interface Parameter {
	name: string;
	in: "path" | "query" | "header";
	required?: boolean;
	schema: JsonSchema;
}

interface DescribedCall {
	summary?: string;
	description?: string;
	tags?: string[];
	parameters?: Parameter[];
	requestBody?: { required?: boolean; content: Record<string, { schema: JsonSchema }> };
}

/** What the API says of itself at /openapi.json, as far as it is read here. */
export interface ApiDescription {
	paths: Record<string, Record<string, DescribedCall>>;
	components: { schemas: Record<string, JsonSchema> };
}

/** One call of the API, as agents see it. */
export interface Operation {
	name: string;
	method: string;
	/** Below /api/v1, with {parameters}. */
	path: string;
	summary: string;
	description: string;
	tag: string;
	/** What a key needs for it; null: it reads only. */
	scope: Scope | null;
	/** May take longer than a client waits: it goes on by its operationId. */
	long: boolean;
	/** Answers in the envelope of lists. */
	pages: boolean;
	parameters: Parameter[];
	/** Type that the body is sent with; null: it takes none. */
	bodyType: string | null;
	/** Arguments in one object: parameters by name, the body as `body`. */
	schema: JsonSchema;
	example: Record<string, unknown>;
}

/** Every call that the API describes, in its order: there is no second list that could fall behind. */
export function operationsOf({ paths, components }: ApiDescription): Operation[] {
	return Object.entries(paths).flatMap(([path, calls]) =>
		Object.entries(calls).map(([method, call]) => toOperation(method.toUpperCase(), path, call, components)),
	);
}

/** Name of a call; one that the table does not know is named for its method and path. */
export function operationName(method: string, path: string): string {
	return (
		KNOWN_OPERATIONS[`${method} ${path}`]?.name ??
		[method.toLowerCase(), ...(path.replaceAll(/\{(\w+)\}/g, "by $1").match(/\w+/g) ?? [])].join("_")
	);
}

function toOperation(
	method: string,
	path: string,
	call: DescribedCall,
	components: ApiDescription["components"],
): Operation {
	const known = KNOWN_OPERATIONS[`${method} ${path}`];
	const parameters = (call.parameters ?? [])
		.filter((parameter) => parameter.in !== "header")
		.map((parameter) => ({ ...parameter, schema: resolved(parameter.schema, components) }));
	const [bodyType = null] = Object.keys(call.requestBody?.content ?? {});
	const body = bodyType === null ? undefined : call.requestBody?.content[bodyType]?.schema;
	const schema = argumentSchema(parameters, body && resolved(body, components), call.requestBody?.required);
	return {
		...{ name: operationName(method, path), method, path, bodyType, parameters, schema },
		summary: call.summary ?? path,
		description: call.description ?? "",
		tag: call.tags?.[0] ?? "",
		scope: scopeOf(method, `/api/v1${path}`),
		long: known?.long ?? false,
		pages: parameters.some(({ name }) => name === "cursor"),
		example: known?.example ?? exampleOf(schema),
	};
}

function argumentSchema(
	parameters: readonly Parameter[],
	body: JsonSchema | undefined,
	bodyRequired = true,
): JsonSchema {
	const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
	const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
	if (body) properties.body = body;
	if (body && bodyRequired) required.push("body");
	return {
		type: "object",
		properties,
		...(required.length > 0 ? { required } : {}),
		additionalProperties: false,
	};
}

const PREFIX = "#/components/schemas/";

/** A schema with the parts that it refers to put in; ours refer to nothing in a circle. */
function resolved(schema: unknown, components: ApiDescription["components"]): JsonSchema {
	const walk = (value: unknown): unknown => {
		if (Array.isArray(value)) return value.map(walk);
		if (typeof value !== "object" || value === null) return value;
		const { $ref } = value as { $ref?: unknown };
		if (typeof $ref === "string") return walk(components.schemas[$ref.slice(PREFIX.length)] ?? {});
		return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, walk(part)]));
	};
	return walk(schema) as JsonSchema;
}

/** What the schema itself gives as examples of the arguments that are needed. */
function exampleOf({ properties = {}, required = [] }: JsonSchema): Record<string, unknown> {
	return Object.fromEntries(required.map((name) => [name, properties[name]?.example ?? "ID"]));
}

/** What is shown to whom; what may be done is decided at each call, by the key. */
export const PROFILES = {
	/** Everything that changes nothing. */
	reader: ({ scope }: Operation) => scope === null,
	/** Who measures: uploads, configurations, the record of forecasts, catalogs. */
	benchmark: ({ tag, name }: Operation) =>
		["Runs", "Configurations", "Record", "Catalogs", "Load"].includes(tag) ||
		["advice", "predict", "compare", "plan", "access", "usage"].includes(name),
	/** Who pays: answers, reports, prices, kept scenarios. */
	finance: ({ tag, name }: Operation) =>
		["Answers", "Prices", "Scenarios", "Reports"].includes(tag) ||
		["list_configurations", "get_configuration", "list_gpus", "list_models", "access", "usage"].includes(
			name,
		),
	/** Everything. */
	admin: () => true,
} as const satisfies Record<string, (operation: Operation) => boolean>;
export type Profile = keyof typeof PROFILES;

export const isProfile = (name: string): name is Profile => Object.hasOwn(PROFILES, name);
