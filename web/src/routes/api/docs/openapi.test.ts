import { describe, expect, it } from "vitest";
import { groupsOf, type OpenApi, type Schema, sectionsOf, shapesOf, typeWords } from "./openapi.ts";

const words = (schema: Schema) =>
	typeWords(schema)
		.map(({ text }) => text)
		.join("");

describe("a type in words", () => {
	it.each<[Schema, string]>([
		[{ type: "string" }, "string"],
		[{ type: ["number", "null"] }, "number or null"],
		[{ type: "array", items: { $ref: "#/components/schemas/Point" } }, "list of Point"],
		[{ type: "array", prefixItems: [{ type: "number" }, { type: "number" }] }, "pair of number and number"],
		[{ enum: ["own", "example"] }, '"own", "example"'],
		[{ oneOf: [{ $ref: "#/a/A" }, { type: "null" }] }, "A or null"],
		[{ type: "object", additionalProperties: { type: "integer" } }, "by name, integer"],
		[{ type: "object", additionalProperties: {} }, "object"],
		[{}, "anything"],
	])("%j", (schema, said) => expect(words(schema)).toBe(said));

	it("links a shape to its place", () => {
		expect(typeWords({ $ref: "#/components/schemas/Run" })).toEqual([{ text: "Run", ref: "Run" }]);
	});
});

describe("the fields of a shape", () => {
	it("are written out where they stand in place, by their path", () => {
		const [group] = groupsOf({
			type: "object",
			required: ["id"],
			properties: {
				id: { type: "string", description: "Its name" },
				rejected: { type: "array", items: { type: "object", properties: { at: { type: "string" } } } },
			},
		});
		expect(group?.fields.map(({ name, required }) => [name, required])).toEqual([
			["id", true],
			["rejected", false],
			["rejected[].at", false],
		]);
		expect(group?.fields[0]?.description).toBe("Its name");
	});

	it("stand by variant, named by the value that tells it apart", () => {
		const variant = (kind: string) => ({ type: "object", properties: { kind: { enum: [kind] } } });
		expect(groupsOf({ oneOf: [variant("fixed"), variant("trace")] }).map(({ title }) => title)).toEqual([
			"kind: fixed",
			"kind: trace",
		]);
	});
});

const api: OpenApi = {
	info: {},
	paths: {
		"/runs": {
			get: {
				tags: ["Runs"],
				summary: "List",
				parameters: [{ $ref: "#/components/parameters/Limit", name: "", in: "" }],
				responses: { 200: { description: "Runs" } },
			},
			post: {
				tags: ["Runs"],
				requestBody: { content: { "application/octet-stream": {} } },
				responses: { 201: { description: "Stored" } },
			},
		},
		"/runs/{id}": { delete: { tags: ["Runs"], responses: { 204: { description: "Gone" } } } },
		"/keys": {
			post: { tags: ["Access"], requestBody: { content: { "application/json": {} } }, responses: {} },
		},
	},
	components: {
		schemas: { Zone: { type: "string" }, Area: { type: "object" } },
		parameters: { Limit: { name: "limit", in: "query", schema: { type: "integer" } } },
	},
};

describe("the calls", () => {
	const sections = sectionsOf(api, "http://planner");
	const calls = sections.flatMap((section) => section.calls);

	it("stand in the sections of the description, each with an id of its own", () => {
		expect(sections.map(({ title, calls: own }) => [title, own.length])).toEqual([
			["Runs", 3],
			["Access", 1],
		]);
		expect(new Set(calls.map(({ id }) => id)).size).toBe(4);
	});

	it("have commands that make them", () => {
		expect(calls.map(({ curl }) => curl)).toEqual([
			"curl 'http://planner/api/v1/runs'",
			"curl --data-binary @FILE 'http://planner/api/v1/runs'",
			"curl -X DELETE 'http://planner/api/v1/runs/ID'",
			"curl -H 'content-type: application/json' --data-binary @body.json 'http://planner/api/v1/keys'",
		]);
	});

	it("name shared parameters", () => {
		expect(calls[0]?.parameters.map(({ name }) => name)).toEqual(["limit"]);
	});
});

it("lists the shapes by name", () => {
	expect(shapesOf(api).map(({ name }) => name)).toEqual(["Area", "Zone"]);
});
