import {
	count,
	figure,
	type PlanFacts,
	priceToolSet,
	priceTools,
	type Quantity,
	type Scenario,
	type ToolsCost,
} from "../model/index.ts";
import type { InputError } from "../problem.ts";
import { apportioned } from "./apportioned.ts";
import type { Finding } from "./schema-findings.ts";
import {
	addCounts,
	NO_TOKENS,
	TOKENIZERS,
	type TokenCounts,
	type TokenizerId,
	type TokenizerName,
} from "./tokenizers.ts";
import type { ToolForm } from "./tool-list.ts";
import type { WeighedList, WeighedTool } from "./weigh.ts";

/** What a weighed list is held against. */
export interface ListQuestion {
	windowTokens: number;
	/** Rules and task beside the tools. */
	otherTokens: number;
	answerTokens: number;
	requestsPerDay: number;
	/** Whose counts are priced. */
	tokenizer: TokenizerId;
	/** Positions of tools that a profile does not show. */
	leftOut: ReadonlySet<number>;
	/** Prompt tokens that the server itself counted, with all tools and without; null: not measured. */
	measured: { withTools: number; withoutTools: number } | null;
}

/** What every request would carry in place of all schemas. */
export interface Composition {
	id: "all" | "forbidden" | "removed" | "profile" | "deferred" | "gateway";
	/** Tools whose schemas every request carries. */
	tools: number;
	counts: TokenCounts;
	cost: ToolsCost;
	/** Tokens that each tool in use adds, on average: its schema, once it is asked for. null: none. */
	addsPerTool: number | null;
	/** Tools in use up to which it stays smaller than all of them; null: nothing is added. */
	worthUpTo: number | null;
}

export interface PricedTool extends Pick<WeighedTool, "position" | "at" | "name" | "characters" | "leftOut"> {
	counts: TokenCounts;
	tokens: Quantity;
	/** What leaving it out saves. */
	cost: ToolsCost;
	findings: Finding[];
}

/** A list of tools with what it costs. */
export interface PricedList {
	form: ToolForm;
	/** Which text was counted. */
	counted: string;
	tokenizer: TokenizerId;
	tokenizers: TokenizerName[];
	question: Pick<ListQuestion, "windowTokens" | "otherTokens" | "answerTokens" | "requestsPerDay">;
	/** Tokens that the server counted over those counted here; null: nothing was measured. */
	scale: Quantity | null;
	tokens: Quantity;
	/** What the window has left for a history; below 0: the request does not fit. */
	spare: Quantity;
	counts: TokenCounts;
	/** Heaviest first. */
	tools: PricedTool[];
	unreadable: InputError[];
	notes: string[];
	all: ToolsCost;
	ttft: Quantity;
	ttftWithout: Quantity;
	firstTokenCached: Quantity;
	usdPerMonthCached: Quantity;
	compositions: Composition[];
}

const COUNTED =
	'compact JSON of each tool in the form of an OpenAI function, {"type":"function","function":{name, description, parameters}}; the template of a server adds marks of its own, or writes it otherwise';

/** Prices a weighed list on a setup, tool by tool, and what else could stand in its place. */
export function priceList(
	list: WeighedList,
	question: ListQuestion,
	setup: Scenario,
	facts: PlanFacts,
): PricedList {
	const { tokenizer, windowTokens, otherTokens, answerTokens, requestsPerDay } = question;
	const scenario = { ...setup, output: answerTokens };
	const scale = new Scale(list, question);
	const weights = scale.each();
	const asked = { windowTokens, otherTokens, requestsPerDay, evidence: scale.evidence };
	const priced = priceTools({ ...asked, tools: weights }, scenario, facts);
	const { all, each, ...whole } = priced;
	const tools = list.tools.map(({ tokens: counts, ...tool }, at): PricedTool => {
		const cost = each[at] as ToolsCost;
		return { ...tool, counts, tokens: scale.ofTool(counts, cost.tokens, tool.characters), cost };
	});
	const set = (tokens: number) => priceToolSet(tokens, asked, scenario, facts);
	return {
		...{ form: list.form, counted: COUNTED, tokenizer, tokenizers: TOKENIZERS },
		question: { windowTokens, otherTokens, answerTokens, requestsPerDay },
		...{ scale: scale.quantity(), tokens: scale.ofAll(), counts: list.tokens },
		spare: spareOf(question, scale, all.tokens),
		tools: tools.sort((a, b) => b.cost.tokens - a.cost.tokens || a.position - b.position),
		...{ unreadable: list.unreadable, notes: list.notes, all, ...whole },
		compositions: compositionsOf(list, question, scale, all, set),
	};
}

function spareOf(
	{ windowTokens, otherTokens, answerTokens }: ListQuestion,
	{ evidence }: Scale,
	toolTokens: number,
): Quantity {
	const spare = windowTokens - otherTokens - toolTokens - answerTokens;
	return {
		...{ value: spare, unit: "tokens", evidence: evidence.all },
		arithmetic: `window of ${count(windowTokens)} − ${count(otherTokens)} rules and task − ${count(toolTokens)} tools − ${count(answerTokens)} answer = ${count(spare)} tokens`,
	};
}

/** From the tokens counted here to those that the server counts. */
class Scale {
	readonly #list: WeighedList;
	readonly #id: TokenizerId;
	readonly #measured: ListQuestion["measured"];

	constructor(list: WeighedList, { tokenizer, measured }: ListQuestion) {
		this.#list = list;
		this.#id = tokenizer;
		this.#measured = measured;
	}

	get #counted(): number {
		return this.#list.tokens[this.#id];
	}
	get #toolsMeasured(): number | null {
		return this.#measured && this.#measured.withTools - this.#measured.withoutTools;
	}
	get factor(): number {
		return (this.#toolsMeasured ?? this.#counted) / this.#counted;
	}
	/** A template may write tools otherwise: only a server's own count of all of them is measured. */
	get evidence() {
		return { all: this.#measured ? "measured" : "estimated", each: "estimated" } as const;
	}

	/** Tokens of each tool; together those of all. */
	each(): number[] {
		const counts = this.#list.tools.map(({ tokens }) => tokens[this.#id]);
		return apportioned(counts, this.#toolsMeasured ?? this.#counted);
	}

	/** Tokens of another text, scaled alike. */
	of(counts: TokenCounts): number {
		return Math.round(counts[this.#id] * this.factor);
	}

	quantity(): Quantity | null {
		if (!this.#measured) return null;
		const { withTools, withoutTools } = this.#measured;
		return {
			...{ value: this.factor, unit: "ratio", evidence: "measured" },
			arithmetic: `(${count(withTools)} − ${count(withoutTools)} tokens that your server counted) / ${count(this.#counted)} counted here`,
		};
	}

	ofAll(): Quantity {
		const counted = `${this.#words} of ${count(this.#list.tools.length)} texts`;
		if (!this.#measured)
			return tokensOf(this.#counted, "estimated", `${count(this.#counted)} ${counted}${TEMPLATE}`);
		const { withTools, withoutTools } = this.#measured;
		const tokens = withTools - withoutTools;
		return tokensOf(
			tokens,
			"measured",
			`${count(withTools)} − ${count(withoutTools)} prompt tokens that your server counted; here ${count(this.#counted)} ${counted}`,
		);
	}

	ofTool(counts: TokenCounts, tokens: number, characters: number): Quantity {
		const counted = counts[this.#id];
		const here = `${count(counted)} ${this.#words} of ${count(characters)} characters`;
		return tokensOf(
			tokens,
			"estimated",
			this.#measured
				? `${here} × ${figure(this.factor)}, as your server counted all tools`
				: `${here}${TEMPLATE}`,
		);
	}

	get #words(): string {
		const name = TOKENIZERS.find(({ id }) => id === this.#id)?.name;
		return `tokens by ${name}`;
	}
}

const TEMPLATE = "; a server's template may add to it";

const tokensOf = (value: number, evidence: Quantity["evidence"], arithmetic: string): Quantity => ({
	...{ value, unit: "tokens", evidence, arithmetic },
});

/** The list as it is, and what else could stand in its place. */
function compositionsOf(
	{ tools, tokens, deferred, gateway }: WeighedList,
	{ leftOut }: ListQuestion,
	scale: Scale,
	all: ToolsCost,
	set: (tokens: number) => ToolsCost,
): Composition[] {
	const kept = (id: Composition["id"], keep: (tool: WeighedTool, at: number) => boolean): Composition => {
		const left = tools.filter(keep);
		const counts = left.map(({ tokens }) => tokens).reduce(addCounts, NO_TOKENS);
		return {
			id,
			tools: left.length,
			counts,
			cost: set(scale.of(counts)),
			addsPerTool: null,
			worthUpTo: null,
		};
	};
	const standing = (id: Composition["id"], counts: TokenCounts): Composition => {
		const cost = set(scale.of(counts));
		const mean = all.tokens / tools.length;
		return {
			...{ id, tools: 0, counts, cost, addsPerTool: Math.round(mean) },
			worthUpTo: Math.max(0, Math.ceil((all.tokens - cost.tokens) / mean) - 1),
		};
	};
	const whole = { tools: tools.length, counts: tokens, cost: all, addsPerTool: null, worthUpTo: null };
	return [
		{ id: "all", ...whole },
		...(tools.length < 2
			? []
			: [{ id: "forbidden" as const, ...whole }, kept("removed", (_, at) => at % 2 === 0)]),
		...(leftOut.size > 0 ? [kept("profile", ({ position }) => !leftOut.has(position))] : []),
		standing("deferred", deferred),
		standing("gateway", gateway),
	];
}
