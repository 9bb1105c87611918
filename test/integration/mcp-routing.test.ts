import { afterAll, expect, it } from "vitest";
import { type ApiDescription, operationsOf } from "../../api/src/mcp/operation.ts";
import { KNOWN_OPERATIONS } from "../../api/src/mcp/operations.ts";
import phrasings from "../../api/src/mcp/phrasings.json" with { type: "json" };
import { routeTask } from "../../api/src/mcp/route.ts";
import { FRESH, HELD_OUT, UNCLEAR } from "../fixtures/mcp-phrases.ts";
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

it("learns phrasings of operations that there are, in both languages, and of none that judge it", () => {
	const names: string[] = operations.map(({ name }) => name);
	for (const [name, texts] of Object.entries(phrasings)) {
		expect([...names, "nothing"]).toContain(name);
		const russian = texts.filter((text) => /[а-яё]/i.test(text)).length;
		expect(Math.min(russian, texts.length - russian), name).toBeGreaterThanOrEqual(3);
	}
	expect(names.filter((name) => !(name in phrasings))).toEqual([]);
	const learned = new Set(Object.values(phrasings).flat());
	expect(
		[...FRESH, ...HELD_OUT, ...UNCLEAR.map((text) => [text])].filter(([text]) => learned.has(text as string)),
	).toEqual([]);
});

it("lets an exact name win, whatever else is said", () => {
	for (const { name } of operations) {
		const routed = routeTask(name, operations);
		expect(routed.kind === "one" && routed.operation.name, name).toBe(name);
	}
	const routed = routeTask("how many users? use list_runs", operations);
	expect(routed).toMatchObject({ kind: "one", exact: true, operation: { name: "list_runs" } });
});

it.each([
	["fresh", FRESH, { right: 0.75, offered: 0.95, wrong: 0.01 }],
	["held out", HELD_OUT, { right: 0.55, offered: 0.9, wrong: 0.03 }],
] as const)("finds the operation of %s phrasings in two languages, or asks back", (which, phrases, least) => {
	const told = phrases.map(([task, meant]) => ({ task, meant, routed: routeTask(task, operations) }));
	const right = told.filter(({ meant, routed }) => routed.kind === "one" && routed.operation.name === meant);
	const offered = told.filter(
		({ meant, routed }) =>
			routed.kind === "several" && routed.candidates.some(({ operation }) => operation.name === meant),
	);
	const wrong = told.flatMap(({ task, meant, routed }) =>
		routed.kind === "one" && routed.operation.name !== meant ? [{ task, operation: routed.operation }] : [],
	);
	console.log(
		`routing, ${which}: ${right.length} of ${phrases.length} found, ${offered.length} offered, ${wrong.length} wrong`,
	);
	expect(right.length / phrases.length).toBeGreaterThanOrEqual(least.right);
	expect((right.length + offered.length) / phrases.length).toBeGreaterThanOrEqual(least.offered);
	expect(wrong.length / phrases.length).toBeLessThanOrEqual(least.wrong);
	const changing = wrong.filter(({ operation }) => operation.method !== "GET" && operation.scope !== null);
	expect(changing.map(({ task }) => task)).toEqual([]);
});

it.each(UNCLEAR)("asks back about %j", (task) => {
	expect(routeTask(task, operations).kind).not.toBe("one");
});
