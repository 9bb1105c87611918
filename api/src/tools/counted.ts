import type { ReadTool } from "./tool-list.ts";

/**
 * The text of a tool that is counted: compact JSON of its name, description and schema in the form of an OpenAI function,
 * whatever form it came in. The template of a server adds marks of its own to it.
 */
export const countedText = ({
	name,
	description,
	schema,
}: Pick<ReadTool, "name" | "description" | "schema">) =>
	JSON.stringify({
		type: "function",
		function: {
			name,
			...(description === "" ? {} : { description }),
			...(schema === null ? {} : { parameters: schema }),
		},
	});

/** "search_orders: Finds orders by customer and day." The first sentence is what stands for a tool until it is asked for. */
export function oneLine({ name, description }: Pick<ReadTool, "name" | "description">): string {
	const first = /^[\s\S]*?[.!?。](?=\s|$)/.exec(description.trim())?.[0] ?? description.trim();
	const line = first.replace(/\s+/g, " ").trim();
	const short = line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE - 1).trimEnd()}…` : line;
	return short === "" ? name : `${name}: ${short}`;
}

const LONGEST_LINE = 160;
