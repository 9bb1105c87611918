import { describe, expect, it } from "vitest";
import { readToolList } from "./read.ts";

const order = {
	type: "object",
	properties: { sku: { type: "string" }, pieces: { type: "integer" } },
	required: ["sku"],
};
const document = {
	openapi: "3.1.0",
	info: { title: "Shop", version: "1" },
	paths: {
		"/orders": {
			parameters: [{ name: "shop", in: "header", required: true, schema: { type: "string" } }],
			post: {
				operationId: "placeOrder",
				summary: "Places an order",
				requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Order" } } } },
				responses: { 201: { description: "placed" } },
			},
		},
		"/orders/{id}": {
			get: { parameters: [{ $ref: "#/components/parameters/Id" }], summary: "One order" },
			delete: "gone",
		},
		"/trees": {
			put: {
				operationId: "putTree",
				requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Tree" } } } },
			},
		},
	},
	components: {
		schemas: {
			Order: order,
			Tree: { type: "object", properties: { left: { $ref: "#/components/schemas/Tree" } } },
		},
		parameters: {
			Id: { name: "id", in: "path", required: true, description: "Number", schema: { type: "integer" } },
		},
	},
};

describe("an OpenAPI document", () => {
	it("is one tool for each operation, references put in", async () => {
		const { form, tools, unreadable } = await readToolList(JSON.stringify(document));
		expect(form).toBe("OpenAPI");
		expect(tools.map(({ name, at }) => [name, at])).toEqual([
			["placeOrder", "POST /orders"],
			["get_orders_id", "GET /orders/{id}"],
			["putTree", "PUT /trees"],
		]);
		expect(tools[0]).toMatchObject({
			description: "Places an order",
			schema: {
				type: "object",
				properties: { shop: { type: "string" }, sku: { type: "string" }, pieces: { type: "integer" } },
				required: ["shop", "sku"],
			},
			leftOut: ["responses"],
		});
		expect(tools[1]?.schema).toMatchObject({
			properties: { id: { type: "integer", description: "Number" } },
		});
		// What refers to itself is put in once and stays a reference inside.
		expect(tools[2]?.schema).toMatchObject({ properties: { left: { $ref: "#/components/schemas/Tree" } } });
		expect(unreadable).toEqual([{ at: "DELETE /orders/{id}", reason: "must be an object" }]);
	});

	it("says which operation grows without bound, and reads the others", async () => {
		const levels = Array.from({ length: 20 }, (_, i) => [
			`L${i}`,
			{
				type: "object",
				properties: {
					a: { $ref: `#/components/schemas/L${i + 1}` },
					b: { $ref: `#/components/schemas/L${i + 1}` },
				},
			},
		]);
		const { tools, unreadable } = await readToolList(
			JSON.stringify({
				...document,
				paths: {
					...document.paths,
					"/wide": {
						post: {
							requestBody: {
								content: { "application/json": { schema: { $ref: "#/components/schemas/L0" } } },
							},
						},
					},
				},
				components: {
					...document.components,
					schemas: { ...document.components.schemas, ...Object.fromEntries(levels), L20: {} },
				},
			}),
		);
		expect(tools).toHaveLength(3);
		expect(unreadable.find(({ at }) => at === "POST /wide")?.reason).toMatch(/grows beyond/);
	});

	it("reads Swagger 2 and YAML", async () => {
		const { tools } = await readToolList(
			"swagger: '2.0'\npaths:\n  /pets:\n    get:\n      summary: Lists pets\n      parameters:\n        - {name: limit, in: query, type: integer, description: How many}\n",
		);
		expect(tools[0]).toMatchObject({
			name: "get_pets",
			schema: { properties: { limit: { type: "integer", description: "How many" } } },
		});
	});
});
