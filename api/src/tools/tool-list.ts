import type { InputError } from "../problem.ts";

/** A tool as a model is shown it. */
export interface ReadTool {
	/** Place in the list, from 1 on. */
	position: number;
	/** Where it stands in what was sent: "tools[3]", "GET /orders/{id}". */
	at: string;
	name: string;
	description: string;
	/** JSON Schema of its arguments; null: it was sent without one. */
	schema: unknown;
	/** Fields of it that a client keeps for itself, and that are not counted. */
	leftOut: string[];
}

/** What was recognised. */
export type ToolForm = "MCP tools/list" | "OpenAI tools" | "OpenAI functions" | "OpenAPI";

export interface ToolList {
	form: ToolForm;
	tools: ReadTool[];
	/** Entries that no tool could be read of: where, and what to do. */
	unreadable: InputError[];
	/** What a reader should know of how the list was read. */
	notes: string[];
}

/** Text of which no tool list can be read: where it breaks and what to send. */
export class UnreadableTools extends Error {
	override readonly name = "UnreadableTools";
	readonly errors: InputError[];

	constructor(errors: InputError[]) {
		super(errors.map(({ at, reason }) => `${at}: ${reason}`).join("; "));
		this.errors = errors;
	}
}

/** More are no list that a model is sent: each of them is priced on its own. */
export const MOST_TOOLS = 2000;
