import { type IdeaName, ideasIn, LEXICON, plainWords } from "./lexicon.ts";
import { noOrder } from "./mood.ts";
import type { Operation } from "./operation.ts";

/** How well an operation suits a task, and by which words. */
export interface Suited {
	operation: Operation;
	score: number;
	words: string[];
}

/**
 * What a task means: one operation, or several that it could be, best first, or none. `doubt`: the words by which it
 * may order nothing, though it speaks of a change.
 */
export type Routed =
	| { kind: "one"; operation: Operation; words: string[]; exact: boolean }
	| { kind: "several"; candidates: Suited[]; doubt: string | null }
	| { kind: "none" };

/** The least that words have to weigh to mean anything. */
const LEAST = 2;
/** How much more than the next the best has to weigh. */
const MARGIN = 0.75;
const MOST_CANDIDATES = 4;

/**
 * The operation that a task in words means. An exact name wins; words that could mean several, or nothing, are for the
 * caller to ask back about.
 * @param task in English or Russian
 */
export function routeTask(task: string, operations: readonly Operation[]): Routed {
	const named = namedExactly(task, operations);
	if (named) return { kind: "one", operation: named, words: [named.name], exact: true };
	const suited = suitedTo(task, operations);
	const [best, next] = suited;
	if (!best) return { kind: "none" };
	const doubt = best.operation.scope === null ? null : noOrder(task, best.words);
	if (doubt !== null) return { kind: "several", candidates: suited.slice(0, MOST_CANDIDATES), doubt };
	if (!next || best.score - next.score >= MARGIN)
		return { kind: "one", operation: best.operation, words: best.words, exact: false };
	const near = suited.filter(({ score }) => best.score - score < MARGIN);
	return { kind: "several", candidates: near.slice(0, MOST_CANDIDATES), doubt: null };
}

/**
 * The operation whose name stands in the task: as all of it, as its first word before arguments, or anywhere where the
 * name is no ordinary word.
 */
function namedExactly(task: string, operations: readonly Operation[]): Operation | null {
	const plain = task.trim().toLowerCase();
	const whole = operations.find(({ name }) => plain === name);
	if (whole) return whole;
	const [, quoted] = /`(\w+)`|^(?:operation|операция)\s+(\w+)/.exec(plain)?.filter(Boolean) ?? [];
	const tokens = new Set(plain.match(/[a-z_]+/g) ?? []);
	const found = operations.filter(({ name }) => name === quoted || (name.includes("_") && tokens.has(name)));
	return found.length === 1 ? (found[0] ?? null) : null;
}

function suitedTo(task: string, operations: readonly Operation[]): Suited[] {
	const ideas = ideasIn(task);
	const plain = plainWords(task);
	const unknown = operations.filter(({ words }) => words.length === 0);
	return [
		...operations.map((operation) => ({ operation, ...scoreOf(operation.words, ideas) })),
		...unknown.map((operation) => ({ operation, ...scoreOfSummary(operation, plain) })),
	]
		.filter(({ score }) => score >= LEAST)
		.sort((a, b) => b.score - a.score);
}

/** The best rule of an operation: all of its ideas have to be there, and weigh together. */
function scoreOf(rules: readonly string[], ideas: ReadonlyMap<IdeaName, string>) {
	let best = { score: 0, words: [] as string[] };
	for (const rule of rules) {
		const said = rule.split(" ").map((part) => part.split("/").find((name) => ideas.has(name as IdeaName)));
		if (said.includes(undefined)) continue;
		const names = said as IdeaName[];
		const score = names.reduce((sum, name) => sum + LEXICON[name].weight, 0);
		if (score > best.score) best = { score, words: names.map((name) => ideas.get(name) ?? "") };
	}
	return best;
}

/** A call that no rule knows is found by the words of its own name. */
function scoreOfSummary({ path }: Operation, plain: string) {
	const nouns = (path.replaceAll(/\{\w+\}/g, "").match(/[a-z]{4,}/g) ?? []).map((word) =>
		word.replace(/s$/, ""),
	);
	const words = nouns.filter((noun) => new RegExp(`(?<![a-z])${noun}`).test(plain));
	return { score: nouns.length > 0 && words.length === nouns.length ? LEAST + words.length - 1 : 0, words };
}
