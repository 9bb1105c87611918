import { afterAll, expect, it } from "vitest";
import { LEXICON } from "../../api/src/mcp/lexicon.ts";
import { type ApiDescription, operationsOf } from "../../api/src/mcp/operation.ts";
import { KNOWN_OPERATIONS } from "../../api/src/mcp/operations.ts";
import { routeTask } from "../../api/src/mcp/route.ts";
import { PHRASES, UNCLEAR } from "../fixtures/mcp-phrases.ts";
import { testApp } from "../support/api.ts";

const { call, close } = await testApp();
afterAll(close);
const operations = operationsOf((await call("GET", "/openapi.json")).body as ApiDescription);

it("is derived from every call of the API, each under a name of its own", () => {
	const names = operations.map(({ name }) => name);
	expect(new Set(names).size).toBe(names.length);
	expect(names.length).toBeGreaterThanOrEqual(56);
	expect(names.filter((name) => !/^[a-z_]{3,64}$/.test(name))).toEqual([]);
	const described = operations.map(({ method, path }) => `${method} ${path}`);
	expect(Object.keys(KNOWN_OPERATIONS).filter((key) => !described.includes(key))).toEqual([]);
});

it("gives each a summary, a schema without open ends and an example that fits it", () => {
	for (const { name, summary, schema, example } of operations) {
		expect(summary, name).not.toBe("");
		expect(schema.additionalProperties, name).toBe(false);
		expect(JSON.stringify(schema), name).not.toContain("$ref");
		// Classes by a letter break grammars, and flags have no place in a pattern of JSON Schema.
		for (const [, pattern = ""] of JSON.stringify(schema).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g))
			expect(JSON.parse(pattern), name).toMatch(/^\^(?:[^\\]|\\\W)*\$$/);
		expect(Object.keys(schema.properties ?? {}), name).toEqual(expect.arrayContaining(Object.keys(example)));
		expect(Object.keys(example), name).toEqual(expect.arrayContaining(schema.required ?? []));
	}
});

it("spells every idea that a rule speaks of", () => {
	const ideas = Object.values(KNOWN_OPERATIONS).flatMap(({ words }) =>
		words.flatMap((rule) => rule.split(/[ /]/)),
	);
	expect(ideas.filter((name) => !(name in LEXICON))).toEqual([]);
});

it("lets an exact name win, whatever else is said", () => {
	for (const { name } of operations) {
		const routed = routeTask(name, operations);
		expect(routed.kind === "one" && routed.operation.name, name).toBe(name);
	}
	const routed = routeTask("how many users? use list_runs", operations);
	expect(routed).toMatchObject({ kind: "one", exact: true, operation: { name: "list_runs" } });
});

it(`finds the operation of ${PHRASES.length} phrasings in two languages, or asks back`, () => {
	const told = PHRASES.map(([task, meant]) => ({ task, meant, routed: routeTask(task, operations) }));
	const wrong = told.filter(({ meant, routed }) => routed.kind === "one" && routed.operation.name !== meant);
	expect(wrong.map(({ task }) => task)).toEqual([]);
	const right = told.filter(({ meant, routed }) => routed.kind === "one" && routed.operation.name === meant);
	console.log(
		`routing: ${right.length} of ${PHRASES.length} phrasings found, ${PHRASES.length - right.length} asked back`,
	);
	expect(right.length / PHRASES.length).toBeGreaterThanOrEqual(0.95);
	expect(PHRASES.filter(([task]) => /[а-я]/i.test(task)).length).toBeGreaterThan(30);
});

it.each(UNCLEAR)("asks back about %j", (task) => {
	expect(routeTask(task, operations).kind).not.toBe("one");
});
