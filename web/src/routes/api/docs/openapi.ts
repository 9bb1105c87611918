/** The parts of JSON Schema that the API's description uses. */
export interface Schema {
	$ref?: string;
	type?: string | string[];
	enum?: unknown[];
	items?: Schema;
	prefixItems?: Schema[];
	properties?: Record<string, Schema>;
	required?: string[];
	additionalProperties?: Schema | boolean;
	oneOf?: Schema[];
	anyOf?: Schema[];
	allOf?: Schema[];
	description?: string;
}

interface Content {
	content?: Record<string, { schema?: Schema }>;
}
interface Parameter {
	$ref?: string;
	name: string;
	in: string;
	required?: boolean;
	description?: string;
	schema?: Schema;
}
interface Operation {
	tags?: string[];
	summary?: string;
	description?: string;
	parameters?: Parameter[];
	requestBody?: Content;
	responses: Record<string, Content & { description: string }>;
}
export interface OpenApi {
	info: { description?: string };
	paths: Record<string, Record<string, Operation>>;
	components: { schemas: Record<string, Schema>; parameters?: Record<string, Parameter> };
}

/** A piece of the words for a type; `ref` names the shape that it is. */
export interface TypeWord {
	text: string;
	ref?: string;
}

/** A named value: a parameter, or a property of a shape. */
export interface Field {
	name: string;
	type: TypeWord[];
	required: boolean;
	description: string | null;
}

/** Fields that belong together; `title` tells the variants of a shape apart. */
export interface FieldGroup {
	title: string | null;
	fields: Field[];
}

/** One call of the API, ready to be shown. */
export interface Call {
	id: string;
	method: string;
	path: string;
	summary: string;
	description: string | null;
	parameters: Field[];
	body: { types: string[]; type: TypeWord[]; groups: FieldGroup[] } | null;
	answers: { status: string; description: string; type: TypeWord[] }[];
	curl: string;
}

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1);

function joined(parts: readonly TypeWord[][], by: string): TypeWord[] {
	return parts.flatMap((part, i) => (i === 0 ? part : [{ text: by }, ...part]));
}

/** The type of a value in words: "list of Quantity or null". */
export function typeWords(schema: Schema | undefined): TypeWord[] {
	if (!schema) return [{ text: "anything" }];
	if (schema.$ref) return [{ text: nameOf(schema.$ref), ref: nameOf(schema.$ref) }];
	const choice = schema.oneOf ?? schema.anyOf;
	if (choice) return joined(choice.map(typeWords), " or ");
	if (schema.allOf) return joined(schema.allOf.map(typeWords), " and ");
	if (schema.enum) return [{ text: schema.enum.map((value) => JSON.stringify(value)).join(", ") }];
	const types = [schema.type ?? "anything"].flat();
	return joined(
		types.map((type) => plainType(type, schema)),
		" or ",
	);
}

function plainType(
	type: string,
	{ items, prefixItems, additionalProperties, properties }: Schema,
): TypeWord[] {
	if (type === "array" && prefixItems)
		return [{ text: "pair of " }, ...joined(prefixItems.map(typeWords), " and ")];
	if (type === "array") return [{ text: "list of " }, ...typeWords(items)];
	const byName = typeof additionalProperties === "object" && Object.keys(additionalProperties).length > 0;
	if (type === "object" && !properties && byName)
		return [{ text: "by name, " }, ...typeWords(additionalProperties as Schema)];
	return [{ text: type }];
}

/** The shape written out in place inside another: of a property, or of the members of a list. */
function inside(schema: Schema): { mark: string; schema: Schema } | null {
	if (schema.properties) return { mark: ".", schema };
	if (schema.items?.properties) return { mark: "[].", schema: schema.items };
	return null;
}

function fieldsOf({ properties = {}, required = [] }: Schema, before = ""): Field[] {
	return Object.entries(properties).flatMap(([name, schema]) => {
		const own: Field = {
			name: before + name,
			type: typeWords(schema),
			required: required.includes(name),
			description: schema.description ?? null,
		};
		const deeper = inside(schema);
		return [own, ...(deeper ? fieldsOf(deeper.schema, `${before}${name}${deeper.mark}`) : [])];
	});
}

/** What tells a variant apart: the property that can have one value only. */
function variantTitle({ properties = {} }: Schema): string | null {
	const fixed = Object.entries(properties).find(([, { enum: values }]) => values?.length === 1);
	return fixed ? `${fixed[0]}: ${fixed[1].enum?.[0]}` : null;
}

/** The fields of a shape, by variant where it has several. */
export function groupsOf(schema: Schema): FieldGroup[] {
	const variants = schema.oneOf ?? schema.anyOf ?? schema.allOf;
	if (variants)
		return variants.flatMap((variant) =>
			groupsOf(variant).map((group) => ({ ...group, title: variantTitle(variant) ?? group.title })),
		);
	const members = schema.items ? groupsOf(schema.items) : [];
	const fields = fieldsOf(schema);
	return fields.length > 0 ? [{ title: null, fields }] : members;
}

function resolved({ components }: OpenApi, parameter: Parameter): Parameter {
	return (parameter.$ref && components.parameters?.[nameOf(parameter.$ref)]) || parameter;
}

const quoted = (text: string) => `'${text}'`;

/** A command that makes the call: places of the path stand in capitals. */
function curlOf(method: string, path: string, types: readonly string[], origin: string): string {
	const address = `${origin}/api/v1${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase())}`;
	const json = types.includes("application/json");
	return [
		"curl",
		...(method === "GET" || (method === "POST" && types.length > 0) ? [] : [`-X ${method}`]),
		...(json ? ["-H 'content-type: application/json'"] : []),
		...(types.length > 0 ? [`--data-binary @${json ? "body.json" : "FILE"}`] : []),
		quoted(address),
	].join(" ");
}

function callOf(api: OpenApi, path: string, verb: string, operation: Operation, origin: string): Call {
	const method = verb.toUpperCase();
	const content = Object.entries(operation.requestBody?.content ?? {});
	const types = content.map(([type]) => type);
	const schema = content[0]?.[1].schema;
	return {
		id: `${verb}-${path
			.slice(1)
			.replaceAll(/[^\w]+/g, "-")
			.replace(/-$/, "")}`,
		...{ method, path },
		summary: operation.summary ?? "",
		description: operation.description ?? null,
		parameters: (operation.parameters ?? [])
			.map((parameter) => resolved(api, parameter))
			.map(({ name, schema: of, required = false, description = null }) => ({
				...{ name, required, description },
				type: typeWords(of),
			})),
		body:
			content.length === 0
				? null
				: { types, type: typeWords(schema), groups: schema ? groupsOf(schema) : [] },
		answers: Object.entries(operation.responses).map(([status, { description, content: answer }]) => {
			const of = Object.values(answer ?? {})[0]?.schema;
			return { status, description, type: of ? typeWords(of) : [] };
		}),
		curl: curlOf(method, path, types, origin),
	};
}

/** All calls by the section that they belong to, in the order of the description. @param origin where the API is, for commands */
export function sectionsOf(api: OpenApi, origin: string): { title: string; calls: Call[] }[] {
	const all = Object.entries(api.paths).flatMap(([path, operations]) =>
		Object.entries(operations).map(([verb, operation]) => ({
			title: operation.tags?.[0] ?? "Others",
			call: callOf(api, path, verb, operation, origin),
		})),
	);
	const grouped = Map.groupBy(all, ({ title }) => title);
	return [...grouped].map(([title, members]) => ({ title, calls: members.map(({ call }) => call) }));
}

/** All named shapes, by name. */
export function shapesOf({ components }: OpenApi) {
	return Object.entries(components.schemas)
		.map(([name, schema]) => ({
			name,
			description: schema.description ?? null,
			type: typeWords(schema),
			groups: groupsOf(schema),
		}))
		.sort((a, b) => a.name.localeCompare(b.name, "en"));
}
