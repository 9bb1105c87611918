import { afterAll, expect, it } from "vitest";
import { type ApiDescription, operationsOf } from "../../api/src/mcp/operation.ts";
import { KNOWN_OPERATIONS } from "../../api/src/mcp/operations.ts";
import phrasings from "../../api/src/mcp/phrasings.json" with { type: "json" };
import { type Routed, routerOf, routeTask } from "../../api/src/mcp/route.ts";
import { FRESH, UNCLEAR } from "../fixtures/mcp-phrases.ts";
import { TASKS } from "../fixtures/mcp-tasks.ts";
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
		[...FRESH, ...TASKS, ...UNCLEAR.map((text) => [text])].filter(([text]) => learned.has(text as string)),
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

/** How many of some phrasings are found, offered among others, or taken for another operation. */
function tally(phrases: readonly (readonly [string, string])[], route: (task: string) => Routed) {
	const told = phrases.map(([task, meant]) => ({ task, meant, routed: route(task) }));
	const right = told.filter(({ meant, routed }) =>
		routed.kind === "one" ? routed.operation.name === meant : meant === NOTHING,
	);
	const offered = told.filter(
		({ meant, routed }) =>
			routed.kind === "several" && routed.candidates.some(({ operation }) => operation.name === meant),
	);
	const wrong = told.flatMap(({ task, meant, routed }) =>
		routed.kind === "one" && routed.operation.name !== meant ? [{ task, operation: routed.operation }] : [],
	);
	// A deletion is asked back about in any case.
	const changing = wrong.filter(
		({ operation: { method, scope } }) => !["GET", "DELETE"].includes(method) && scope !== null,
	);
	return { right: right.length, offered: offered.length, wrong: wrong.length, changing };
}

/** What is none of ours. */
const NOTHING = "nothing";

it("finds the operation of phrasings that nobody learned, in two languages, or asks back", () => {
	const { right, offered, wrong, changing } = tally(FRESH, (task) => routeTask(task, operations));
	console.log(`routing, fresh: ${right} of ${FRESH.length} found, ${offered} offered, ${wrong} wrong`);
	expect(right / FRESH.length).toBeGreaterThanOrEqual(0.95);
	expect((right + offered) / FRESH.length).toBeGreaterThanOrEqual(0.99);
	expect(wrong).toBe(0);
	expect(changing).toEqual([]);
});

it("finds the operation of tasks that somebody else wrote, all operations alike, or asks back", () => {
	const { right, wrong, changing } = tally(TASKS, (task) => routeTask(task, operations));
	console.log(`routing, another hand: ${right} of ${TASKS.length} found, ${wrong} wrong`);
	expect(right / TASKS.length).toBeGreaterThanOrEqual(0.94);
	expect(wrong / TASKS.length).toBeLessThanOrEqual(0.01);
	expect(changing).toEqual([]);
});

it("finds each fifth of what is learned by the other four, or asks back", () => {
	const FOLDS = 5;
	const all = Object.entries(phrasings).flatMap(([name, texts]) =>
		texts.map((text, at) => ({ name, text, fold: at % FOLDS })),
	);
	const folds = Array.from({ length: FOLDS }, (_, fold) => {
		const texts = Object.fromEntries(
			Object.entries(phrasings).map(([name, all]) => [name, all.filter((_, at) => at % FOLDS !== fold)]),
		);
		const asked = all.filter((one) => one.fold === fold).map(({ text, name }) => [text, name] as const);
		return tally(asked, routerOf(operations, texts));
	});
	const sum = (of: "right" | "offered" | "wrong") => folds.reduce((total, fold) => total + fold[of], 0);
	const [right, offered, wrong] = [sum("right"), sum("offered"), sum("wrong")];
	console.log(`routing, each fifth: ${right} of ${all.length} found, ${offered} offered, ${wrong} wrong`);
	expect(right / all.length).toBeGreaterThanOrEqual(0.65);
	expect((right + offered) / all.length).toBeGreaterThanOrEqual(0.92);
	expect(wrong / all.length).toBeLessThanOrEqual(0.06);
	// Nothing runs on words alone: what a wrong route would change stands in its answer.
	expect(folds.flatMap(({ changing }) => changing).length / all.length).toBeLessThanOrEqual(0.002);
});

it.each(UNCLEAR)("asks back about %j", (task) => {
	expect(routeTask(task, operations).kind).not.toBe("one");
});
