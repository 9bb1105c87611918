import { setImmediate } from "node:timers/promises";
import { count } from "../model/index.ts";
import type { InputError } from "../problem.ts";
import { deferredTexts, gatewayTexts } from "./compositions.ts";
import { countedText } from "./counted.ts";
import { type Finding, schemaFindings } from "./schema-findings.ts";
import { addCounts, counter, hasEndlessRun, LONGEST_RUN, NO_TOKENS, type TokenCounts } from "./tokenizers.ts";
import type { ReadTool, ToolList } from "./tool-list.ts";

/** A tool with its weight. */
export interface WeighedTool extends Pick<ReadTool, "position" | "at" | "name" | "leftOut"> {
	tokens: TokenCounts;
	/** Characters of the counted text. */
	characters: number;
	findings: Finding[];
}

export interface WeighedList {
	form: ToolList["form"];
	/** In the order in which they were sent. */
	tools: WeighedTool[];
	unreadable: InputError[];
	notes: string[];
	/** Of all tools: the sum of the parts. */
	tokens: TokenCounts;
	/** Names and first sentences with one tool that loads a schema. */
	deferred: TokenCounts;
	/** Three commands in front of all tools. */
	gateway: TokenCounts;
}

/** Counts every tool of a list with every tokenizer; other requests are answered in between. */
export async function weighTools(list: ToolList): Promise<WeighedList> {
	const tokensOf = await counter();
	const tools: WeighedTool[] = [];
	const readable: ReadTool[] = [];
	const unreadable = [...list.unreadable];
	let left = MOST_CHARACTERS_IN_ALL;
	for (const tool of list.tools) {
		const text = textOf(tool, left);
		if (typeof text !== "string") unreadable.push({ at: tool.at, reason: text.reason });
		else {
			const { position, at, name, leftOut } = tool;
			left -= text.length;
			tools.push({
				...{ position, at, name, leftOut, characters: text.length },
				tokens: tokensOf(text),
				findings: schemaFindings(tool.schema),
			});
			readable.push(tool);
		}
		await setImmediate();
	}
	const of = (texts: readonly string[]) => sumOf(texts.map(tokensOf));
	return {
		...{ form: list.form, tools, unreadable, notes: list.notes },
		tokens: sumOf(tools.map(({ tokens }) => tokens)),
		deferred: of(deferredTexts(readable)),
		gateway: of(gatewayTexts()),
	};
}

/** Characters of one tool that are counted: nothing else is answered meanwhile. */
const MOST_CHARACTERS = 100_000;
/** A million takes some seconds. */
const MOST_CHARACTERS_IN_ALL = 2_000_000;

/** The counted text of a tool, or why it cannot be counted. */
function textOf(tool: ReadTool, left: number): string | { reason: string } {
	const text = countedText(tool);
	if (text.length > MOST_CHARACTERS)
		return {
			reason: `it has ${count(text.length)} characters; at most ${count(MOST_CHARACTERS)} are counted, and no model should be sent more: shorten it`,
		};
	if (text.length > left)
		return {
			reason: `the tools before it fill ${count(MOST_CHARACTERS_IN_ALL)} characters: send fewer tools at a time`,
		};
	if (hasEndlessRun(text))
		return {
			reason: `it has a run of more than ${count(LONGEST_RUN)} letters or signs without a break, which is no text for a model: shorten it`,
		};
	return text;
}

const sumOf = (counts: readonly TokenCounts[]): TokenCounts => counts.reduce(addCounts, NO_TOKENS);
