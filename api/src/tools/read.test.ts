import { describe, expect, it } from "vitest";
import { readToolList } from "./read.ts";
import { UnreadableTools } from "./tool-list.ts";

const schema = { type: "object", properties: { day: { type: "string" } } };
const mcp = { name: "weather", description: "The weather of a day", inputSchema: schema };
const read = (value: unknown) => readToolList(typeof value === "string" ? value : JSON.stringify(value));

/** What was wrong with a list of which nothing could be read. */
async function refusal(text: string) {
	const error = await readToolList(text).catch((thrown: unknown) => thrown);
	if (!(error instanceof UnreadableTools)) throw new Error(`read: ${JSON.stringify(error)}`);
	return error.errors;
}

describe("a list of tools", () => {
	it.each([
		["an MCP envelope", "MCP tools/list", { jsonrpc: "2.0", id: 1, result: { tools: [mcp] } }],
		["an MCP result", "MCP tools/list", { tools: [mcp] }],
		["a bare array", "MCP tools/list", [mcp]],
		[
			"a chat completion's tools",
			"OpenAI tools",
			[{ type: "function", function: { name: "weather", description: mcp.description, parameters: schema } }],
		],
		[
			"a response's tools",
			"OpenAI tools",
			{
				model: "x",
				tools: [{ type: "function", name: "weather", description: mcp.description, parameters: schema }],
			},
		],
		[
			"functions",
			"OpenAI functions",
			{ functions: [{ ...mcp, inputSchema: undefined, parameters: schema }] },
		],
	])("is read from %s", async (_, form, value) => {
		const list = await read(value);
		expect(list.form).toBe(form);
		expect(list.tools).toMatchObject([
			{ position: 1, name: "weather", description: mcp.description, schema },
		]);
		expect(list.unreadable).toEqual([]);
	});

	it("is read from YAML", async () => {
		const list = await read(
			"tools:\n  - name: weather\n    description: The weather\n    inputSchema:\n      type: object\n",
		);
		expect(list.tools).toMatchObject([{ name: "weather", schema: { type: "object" } }]);
	});

	it("is read from an event stream, and from answers that follow each other", async () => {
		const line = JSON.stringify({ jsonrpc: "2.0", id: 2, result: { tools: [mcp] } });
		const hello = JSON.stringify({ jsonrpc: "2.0", id: 1, result: { protocolVersion: "2025-06-18" } });
		for (const text of [`event: message\ndata: ${line}\n\n`, `${hello}\n${line}\n`])
			expect((await read(text)).tools, text).toMatchObject([{ name: "weather" }]);
	});

	it("keeps what is sound and says which entries are not, and why", async () => {
		const list = await read([
			mcp,
			7,
			{ description: "nameless" },
			{ name: "odd", inputSchema: "text" },
			{ type: "web_search" },
		]);
		expect(list.tools.map(({ name }) => name)).toEqual(["weather"]);
		expect(list.unreadable.map(({ at }) => at)).toEqual(["[2]", "[3]", '[4] "odd"', "[5]"]);
		expect(list.unreadable[0]?.reason).toMatch(/object with a name, not a number/);
		expect(list.unreadable[1]?.reason).toMatch(/no name/);
		expect(list.unreadable[2]?.reason).toMatch(/inputSchema must be a JSON Schema/);
		expect(list.unreadable[3]?.reason).toMatch(/web_search/);
	});

	it("reads up to where the text breaks, and says at which line and character", async () => {
		const list = await read('{"tools": [\n{"name": "whole"},\n{"name": "broken" "inputSchema": {}}]}');
		expect(list.tools.map(({ name }) => name)).toEqual(["whole"]);
		expect(list.unreadable).toEqual([
			{ at: 'tools[2] "broken"', reason: expect.stringContaining("cut") },
			{ at: "line 3, character 18", reason: expect.stringContaining("Mend it there") },
		]);
	});

	it("says what a client keeps for itself, that a page is not the whole list, and names that come twice", async () => {
		const list = await read({
			tools: [{ ...mcp, annotations: { readOnlyHint: true }, outputSchema: {} }, mcp],
			nextCursor: "2",
		});
		expect(list.tools[0]?.leftOut).toEqual(["annotations", "outputSchema"]);
		expect(list.notes).toEqual([expect.stringContaining("nextCursor"), expect.stringContaining("weather")]);
	});

	it.each([
		["", "the body", /empty/],
		["hello", "the body", /holds no list/],
		["{'tools': []}", "the body", /no JSON/],
		["a: [1", "line 1, character 6", /neither JSON nor YAML/],
		['{"model": "x"}', "the body", /but model/],
		['{"tools": []}', "MCP tools/list", /empty/],
		['{"error": {"code": -32601, "message": "Method not found"}}', "error", /Method not found/],
		["[".repeat(300_000), "[1]", /cut/],
	])("is not read from %.30j", async (text, at, reason) => {
		const [first] = await refusal(text);
		expect(first?.at).toBe(at);
		expect(first?.reason).toMatch(reason);
	});

	it("does not unfold aliases without end", async () => {
		const levels = Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}, *a${i}]`);
		const [first] = await refusal(`a0: &a0 [x]\n${levels.join("\n")}\n`);
		expect(first?.reason).toMatch(/unfolded/);
	});
});
