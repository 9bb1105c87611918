import { countedText, oneLine } from "./counted.ts";
import type { ReadTool } from "./tool-list.ts";

/** Asks for the schema of a tool that only its name and line were shown of. */
const LOADER = {
	name: "load_tool",
	description:
		"Returns the full description and JSON Schema of a tool from the list. Call it before the first use of a tool.",
	schema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
};

/** Three commands in front of any number of operations. */
const GATEWAY = [
	{
		name: "find_operation",
		description:
			"Takes a task in plain words and returns the one operation that fits, with its JSON Schema, or a question.",
		schema: { type: "object", properties: { task: { type: "string" } }, required: ["task"] },
	},
	{
		name: "run_operation",
		description:
			"Checks the arguments against the operation's schema and runs it. Returns the first page of the result.",
		schema: {
			type: "object",
			properties: { operation: { type: "string" }, arguments: { type: "object" } },
			required: ["operation", "arguments"],
		},
	},
	{
		name: "continue_operation",
		description: "Returns the next page of a result, or the state of an operation that is still running.",
		schema: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
	},
];

/** The texts that stand for the tools in every request: a loader with names and lines. */
export const deferredTexts = (tools: readonly ReadTool[]): string[] => [
	countedText(LOADER),
	...tools.map((tool) => `${oneLine(tool)}\n`),
];

/** The same of a gateway, however many tools are behind it. */
export const gatewayTexts = (): string[] => GATEWAY.map(countedText);
