import { setImmediate } from "node:timers/promises";
import { type Judge, learn, learning, type Told } from "./classifier.ts";
import { noOrder } from "./mood.ts";
import type { Operation } from "./operation.ts";
import phrasings from "./phrasings.json" with { type: "json" };
import { type OrderKind, ordersOf, wordsIn } from "./words.ts";

/** How likely an operation is meant by a task, and by which words. */
export interface Suited {
	operation: Operation;
	probability: number;
	words: string[];
}

/**
 * What a task means: one operation, with the `others` that it may mean less likely, or several that it could be, best
 * first, or none. `doubt`: the words by which it may order nothing, though it speaks of a change.
 */
export type Routed =
	| { kind: "one"; operation: Operation; words: string[]; others: string[]; exact: boolean }
	| { kind: "several"; candidates: Suited[]; doubt: string | null }
	| { kind: "none" };

/**
 * How much likelier than the next the likeliest has to be: where it reads, where it reads and little was said, where it
 * changes something, and where it takes something out, which is asked back about in any case.
 */
const MARGIN = { reads: 0.3, readsByLittle: 0.6, changes: 0.8, deletes: 0.5 };
/** Words below which little was said. */
const LITTLE = 4;
/** An operation so likely is named beside the likeliest. */
const LEAST_BESIDE = 0.1;
/** A candidate is named from here on. */
const LEAST = 0.02;
/** The same where it is likelier that nothing of ours is meant. */
const LEAST_BESIDE_NOTHING = 0.1;
const MOST_CANDIDATES = 4;
/** The phrasings of what is none of ours. */
const NOTHING = "nothing";

/**
 * The operation that a task in words means. An exact name wins; words that could mean several, or nothing, are for the
 * caller to ask back about.
 * @param task in English or Russian
 */
export function routeTask(task: string, operations: readonly Operation[]): Routed {
	return knownRouter(operations)(task);
}

/** Learns before the first task comes, while others are answered. */
export async function learnAhead(operations: readonly Operation[]): Promise<void> {
	if (routers.has(operations) || underWay.has(operations)) return;
	underWay.add(operations);
	const learner = learning(kindsOf(operations, phrasings));
	for (let step = learner.next(); ; step = learner.next()) {
		if (step.done) return void routers.set(operations, routerBy(step.value, operations));
		await setImmediate();
		// A task came and could not wait.
		if (routers.has(operations)) return;
	}
}

function knownRouter(operations: readonly Operation[]): Router {
	const known = routers.get(operations);
	const route = known ?? routerOf(operations, phrasings);
	if (!known) routers.set(operations, route);
	return route;
}

type Router = (task: string) => Routed;
const routers = new WeakMap<readonly Operation[], Router>();
/** Those that are being learned. */
const underWay = new WeakSet<readonly Operation[]>();

/** Routes as the given phrasings of each operation teach. */
export function routerOf(
	operations: readonly Operation[],
	texts: Readonly<Record<string, readonly string[]>>,
): Router {
	return routerBy(learn(kindsOf(operations, texts)), operations);
}

function routerBy(judge: Judge, operations: readonly Operation[]): Router {
	return (task) => {
		const named = namedExactly(task, operations);
		if (named) return { kind: "one", operation: named, words: [named.name], others: [], exact: true };
		return routeWords(task, operations, judge(task));
	};
}

/** @param told of every operation and of nothing, likeliest first */
function routeWords(task: string, operations: readonly Operation[], told: readonly Told[]): Routed {
	const [first, second] = told;
	if (!first) return { kind: "none" };
	const least = first.name === NOTHING ? LEAST_BESIDE_NOTHING : LEAST;
	const suited = told.flatMap(({ name, ...rest }) => {
		const operation = operations.find((one) => one.name === name);
		return operation ? [{ operation, ...rest }] : [];
	});
	const candidates = suited.slice(0, MOST_CANDIDATES).filter(({ probability }) => probability >= least);
	const [best] = candidates;
	if (!best) return { kind: "none" };
	const { operation, words } = best;
	const changes = operation.scope !== null && operation.method !== "GET";
	const orders = changes ? ordersOf(task, orderFor(operation)) : [];
	const doubt = changes ? noOrder(task, orders) : null;
	const margin = best.probability - (second?.probability ?? 0);
	const sure = first.name === best.operation.name && margin >= marginFor(operation, task);
	if (doubt === null && sure && (!changes || orders.length > 0)) {
		const others = candidates.slice(1).filter(({ probability }) => probability >= LEAST_BESIDE);
		return {
			...{ kind: "one", operation, words, exact: false },
			others: others.map(({ operation: { name } }) => name),
		};
	}
	return { kind: "several", candidates, doubt };
}

function marginFor({ scope, method }: Operation, task: string): number {
	if (scope === null || method === "GET")
		return wordsIn(task).length < LITTLE ? MARGIN.readsByLittle : MARGIN.reads;
	return method === "DELETE" ? MARGIN.deletes : MARGIN.changes;
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

/** Operations as kinds of tasks; one without phrasings is still known by its summary. */
function kindsOf(operations: readonly Operation[], texts: Readonly<Record<string, readonly string[]>>) {
	const kinds = operations.map((operation) => ({
		name: operation.name,
		traits: traitsOf(operation),
		texts: [operation.summary, ...(texts[operation.name] ?? [])],
	}));
	return [...kinds, { name: NOTHING, traits: [], texts: texts[NOTHING] ?? [] }];
}

/** What an operation has in common with others: what it is about, what it does to it, whether it changes something. */
function traitsOf(operation: Operation): string[] {
	const { path, scope } = operation;
	const [, subject = ""] = path.split("/");
	const about = path.includes("/measurements") ? "measurements" : subject;
	return [`about ${about}`, `does ${deedOf(operation)}`, scope === null ? "reads" : "changes"];
}

function deedOf({ method, path, pages, scope }: Operation): string {
	if (path.endsWith("/restore")) return "restore";
	if (method !== "GET") return scope === null ? "answer" : method;
	if (pages) return "list";
	return path.endsWith("}") ? "one" : "answer";
}

/** What has to be ordered for an operation that changes something. */
function orderFor({ method, path }: Operation): OrderKind {
	if (path.endsWith("/restore")) return "restore";
	if (method === "DELETE") return "delete";
	if (method === "POST") return "add";
	return path.includes("/measurements") ? "exclude" : "change";
}
