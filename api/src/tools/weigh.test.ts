import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { apportioned } from "./apportioned.ts";
import { countedText, oneLine } from "./counted.ts";
import { readToolList } from "./read.ts";
import { counter } from "./tokenizers.ts";
import { type ReadTool, UnreadableTools } from "./tool-list.ts";
import { weighTools } from "./weigh.ts";
import { workedExample } from "./worked-example.ts";

const count = await counter();
const listOf = (tools: object[]) => readToolList(JSON.stringify(tools));
const tool = (name: string, description: string) => ({ name, description, inputSchema: { type: "object" } });

describe("tokens", () => {
	// Published with the tokenizers: the OpenAI cookbook's comparison of encodings, and the README of the Mistral one.
	it.each([
		["antidisestablishmentarianism", 6],
		["2 + 2 = 4", 7],
		["お誕生日おめでとう", 8],
	])("%s is %i of o200k", (text, tokens) => {
		expect(count(text).o200k).toBe(tokens);
	});

	it("are those of Mistral without the mark of a beginning", () => {
		// encode("Hello world!") is [1, 22557, 1526, 28808]: the mark and three tokens, the first with its blank.
		expect(count(" Hello world!").mistral).toBe(3);
	});

	it("are more in Russian than in English for what means the same", () => {
		const [english, russian] = [count("The order was not found"), count("Заказ не найден, проверьте номер")];
		expect(russian.mistral / russian.o200k).toBeGreaterThan(english.mistral / english.o200k);
	});

	it("take marks of a tokenizer for plain text", () => {
		expect(count("<|endoftext|>").o200k).toBeGreaterThan(1);
	});
});

describe("a weighed list", () => {
	it("counts the compact JSON of an OpenAI function, whatever form the tool came in", async () => {
		const text =
			'{"type":"function","function":{"name":"now","description":"The time.","parameters":{"type":"object"}}}';
		expect(countedText({ name: "now", description: "The time.", schema: { type: "object" } })).toBe(text);
		const { tools } = await weighTools(await listOf([tool("now", "The time.")]));
		expect(tools[0]?.tokens).toEqual(count(text));
		const openai = await readToolList(text);
		expect((await weighTools(openai)).tokens).toEqual(count(text));
	});

	it("is the sum of its parts, in any order, and lighter without one of them", async () => {
		const names = fc.uniqueArray(fc.stringMatching(/^[a-z_]{1,12}$/), { minLength: 2, maxLength: 5 });
		await fc.assert(
			fc.asyncProperty(names, fc.string({ maxLength: 60 }), async (all, words) => {
				const entries = all.map((name, i) => tool(name, words.repeat(i)));
				const whole = await weighTools(await listOf(entries));
				const sum = whole.tools.reduce((total, { tokens }) => total + tokens.o200k, 0);
				expect(whole.tokens.o200k).toBe(sum);
				const turned = await weighTools(await listOf([...entries].reverse()));
				expect(turned.tokens).toEqual(whole.tokens);
				const fewer = await weighTools(await listOf(entries.slice(1)));
				expect(fewer.tokens.o200k).toBeLessThan(whole.tokens.o200k);
				expect(fewer.deferred.mistral).toBeLessThan(whole.deferred.mistral);
				expect(fewer.gateway).toEqual(whole.gateway);
			}),
			{ numRuns: 25 },
		);
	});

	it("leaves out what no tokenizer can count in time, and says so", async () => {
		const { tools, unreadable } = await weighTools(
			await listOf([
				tool("endless", "a".repeat(1001)),
				tool("long", "word ".repeat(30_000)),
				tool("sound", "Fine."),
			]),
		);
		expect(tools.map(({ name }) => name)).toEqual(["sound"]);
		expect(unreadable.map(({ at }) => at)).toEqual(['[1] "endless"', '[2] "long"']);
	});

	it("stands for a tool with its name and first sentence", () => {
		const line = (description: string) => oneLine({ name: "a", description } as ReadTool);
		expect(line("Finds orders. Returns a page.")).toBe("a: Finds orders.");
		expect(line("Costs 1.5 seconds\nin all")).toBe("a: Costs 1.5 seconds in all");
		expect(line("")).toBe("a");
		expect(line("x".repeat(500)).length).toBeLessThan(170);
	});

	it("has an example that is read whole", async () => {
		const list = await readToolList(JSON.stringify(workedExample));
		expect(list).toMatchObject({ form: "MCP tools/list", unreadable: [], notes: [] });
		expect(list.tools).toHaveLength(14);
	});
});

describe("whatever is sent", () => {
	const json = fc.json({ maxDepth: 4 });
	const toolLike = fc
		.json({ maxDepth: 3 })
		.map((schema) => `[{"name":"a","description":"b","inputSchema":${schema}}]`);
	const openApi = fc
		.json({ maxDepth: 4 })
		.map(
			(operation) =>
				`{"openapi":"3.1.0","paths":{"/a":{"get":${operation},"post":{"parameters":${operation}}}}}`,
		);

	it("is weighed, or refused in words", async () => {
		await fc.assert(
			fc.asyncProperty(fc.oneof(fc.string(), json, toolLike, openApi), fc.nat(200), async (text, cut) => {
				for (const sent of [text, text.slice(0, cut)])
					try {
						const { tools, tokens } = await weighTools(await readToolList(sent));
						expect(tokens.o200k).toBeGreaterThanOrEqual(tools.length);
					} catch (error) {
						expect(error, sent).toBeInstanceOf(UnreadableTools);
					}
			}),
			{ numRuns: 300 },
		);
	});
});

describe("parts of a whole", () => {
	it("add up, and lie within one of their share", () => {
		fc.assert(
			fc.property(fc.array(fc.nat(1000), { minLength: 1 }), fc.nat(100_000), (weights, total) => {
				fc.pre(weights.some((weight) => weight > 0));
				const parts = apportioned(weights, total);
				const sum = weights.reduce((a, b) => a + b);
				expect(parts.reduce((a, b) => a + b)).toBe(total);
				for (const [i, part] of parts.entries())
					expect(Math.abs(part - ((weights[i] ?? 0) * total) / sum)).toBeLessThan(1);
			}),
		);
		expect(apportioned([1, 1, 1], 4)).toEqual([2, 1, 1]);
	});
});
