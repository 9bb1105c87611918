import type { PinnedMemory } from "../../model/memory/facts.ts";
import type { Family } from "../family.ts";
import { emptyConditions, positive } from "../fields.ts";
import type { Conditions, Item } from "../record.ts";
import { conditionsOfArguments } from "./arguments.ts";
import { logLines } from "./log-lines.ts";
import { emptyStartup, type Startup } from "./startup.ts";
import { readStartupLine } from "./startup-lines.ts";

/** Tokens of a block where the log does not name another size. */
const BLOCK_TOKENS = 16;
/** Not in a row of a table or in code inside a sentence, where a text quotes a log. */
const SIGNS =
	/^(?!\s*\|)[^`\n]*?(?:vLLM API server version|non-default args: \{|LLM engine \(v|GPU KV cache size:|# (?:GPU|cuda) blocks: \d|Available KV cache memory:|Model loading took [\d.]+ Gi?B|vllm: error:|Maximum concurrency for [\d,]+ tokens)/m;
/** The line with which a server begins, also the second one of a log that holds two. */
const BEGINS = /(?:vLLM API server version|non-default args:|\bversion \d\S*\s*$)/;

/**
 * Start-up logs of vLLM: no measurement, but the memory facts of a configuration as the engine printed them.
 * Lines that every tensor-parallel rank repeats count once; ranks that differ give their smallest pool.
 */
export const vllmLog: Family = {
	name: "vllm log",
	detect: ({ text }) => SIGNS.test(text),
	document: (body) => startupLogItems(body),
};

/** Items of the start-up lines in a text, none where it holds none. */
export function* startupLogItems(body: string): Generator<Item> {
	if (!SIGNS.test(body)) return;
	for (const [service, startups] of startupsOf(body)) {
		for (const startup of startups) yield* startupItems(startup, service);
	}
}

/** The starts in a log, by service, in the order of the log. */
export function startupsOf(body: string): Map<string, Startup[]> {
	const services = new Map<string, Startup[]>();
	for (const line of logLines(body)) {
		const startups = services.get(line.service) ?? [];
		let current = startups.at(-1);
		if (current === undefined || (BEGINS.test(line.message) && isComplete(current))) {
			current = emptyStartup(line.number);
			startups.push(current);
		}
		if (readStartupLine(current, line)) services.set(line.service, startups);
		else if (current !== undefined && !services.has(line.service)) startups.pop();
	}
	return services;
}

/** A start that came to its KV cache, or failed, is over: what begins next is another one. */
function isComplete(startup: Startup): boolean {
	return startup.kvTokens.size > 0 || startup.failure !== null;
}

function* startupItems(startup: Startup, service: string): Generator<Item> {
	const at = service === "" ? `line ${startup.number}` : `line ${startup.number}, service ${service}`;
	const conditions = conditionsOf(startup);
	if (startup.failure !== null) yield failureItem(at, startup, conditions);
	const said = [...remarks(startup)];
	const memory = { ...memoryOf(startup), ...(said.length > 0 ? { remarks: said } : {}) };
	const known = [memory.kvTokens, memory.kvPoolBytes, memory.weightsBytes].some((value) => value !== null);
	if (known) yield { kind: "memory", at, conditions, memory };
	else if (startup.failure === null) {
		yield { kind: "aside", at, reason: "the log ends before the lines about weights and KV cache" };
	}
	for (const text of said) yield { kind: "note", text };
}

function failureItem(at: string, startup: Startup, conditions: Conditions): Item {
	const { reason, tokens } = startup.failure ?? { reason: "", tokens: null };
	if (reason.startsWith("unrecognized"))
		return { kind: "rejected", at, reason: `the server did not start: ${reason}` };
	return {
		kind: "failure",
		at,
		failure: { conditions, phase: "serve", tokens, batch: null, reason, startedAt: null },
	};
}

function conditionsOf(startup: Startup): Conditions {
	const conditions: Conditions = {
		...emptyConditions("vllm"),
		engineVersion: startup.version?.replace(/^v(?=\d)/, "") ?? null,
		...conditionsOfArguments({ kv_cache_dtype: startup.kvType, ...startup.arguments }),
	};
	if (conditions.dp === null && startup.kvTokens.size > 1) conditions.dp = startup.kvTokens.size;
	if (conditions.tp === null && startup.highestRank !== null) {
		conditions.tp = startup.highestRank + 1;
		Object.assign(conditions, { gpus: conditions.tp * (conditions.dp ?? 1), gpusBasis: "inferred" });
	}
	return conditions;
}

/** Facts per GPU: the smallest pool among ranks, and the largest of what lies beside it. */
function memoryOf(startup: Startup): Omit<PinnedMemory, "sources"> {
	const weights = largest(startup.weightsBytes);
	const consumed = largest(startup.consumedBytes);
	const utilisation = positive(startup.arguments.gpu_memory_utilization);
	return {
		weightsBytes: weights,
		kvPoolBytes: positive(smallest(startup.availableBytes)),
		kvTokens: pagesAreNotTokens(startup) ? null : smallest(kvTokensOf(startup)),
		activationBytes: largest(startup.activationBytes),
		graphBytes: positive(largest(startup.graphBytes)),
		otherBytes:
			largest(startup.nonTorchBytes) ??
			(weights !== null && consumed !== null ? positive(consumed - weights) : null),
		maxModelLen: startup.maxModelLen ?? startup.concurrency?.tokens ?? null,
		windowsHonoured: startup.windowsHonoured ?? (pagesAreNotTokens(startup) ? true : null),
		...(utilisation === null ? {} : { utilisation }),
	};
}

/** Tokens of each data-parallel engine; of old logs, blocks times the block size. */
function kvTokensOf({ kvTokens, blocks, arguments: args }: Startup): Map<string, number> {
	if (kvTokens.size > 0 || blocks === null) return kvTokens;
	return new Map([["0", blocks * (positive(args.block_size) ?? BLOCK_TOKENS)]]);
}

/** Tokens of the whole deployment: data-parallel engines have a pool each. null: the log does not say. */
export function deploymentKvTokens(startup: Startup): number | null {
	const engines = [...kvTokensOf(startup).values()];
	return engines.length === 0 ? null : engines.reduce((sum, tokens) => sum + tokens, 0);
}

/**
 * "Maximum concurrency" is bytes over bytes of one full request. Where it exceeds tokens over length, some
 * layers keep less than the context (windows, recurrent state): the token figure counts pages, not tokens.
 */
function pagesAreNotTokens(startup: Startup): boolean {
	const ratio = concurrencyRatio(startup);
	return ratio !== null && ratio > 1.02;
}

function concurrencyRatio(startup: Startup): number | null {
	const tokens = smallest(kvTokensOf(startup));
	if (tokens === null || startup.concurrency === null) return null;
	return startup.concurrency.times / (tokens / startup.concurrency.tokens);
}

function* remarks(startup: Startup): Generator<string> {
	const ratio = concurrencyRatio(startup);
	const tokens = smallest(kvTokensOf(startup));
	if (startup.concurrency !== null && tokens !== null && ratio !== null && Math.abs(ratio - 1) > 0.02) {
		yield `The log says ${tokens} tokens of KV cache and ${startup.concurrency.times} requests of ` +
			`${startup.concurrency.tokens} tokens, which contradict each other (${round(tokens / startup.concurrency.tokens)}): ` +
			(ratio > 1
				? "layers that keep less than the context, so the token figure counts pages and is not used."
				: "the token figure is larger than what whole requests can use.");
	}
	if (startup.hybridPageTokens !== null) {
		yield `Recurrent layers share the pool: a request takes whole pages of ${startup.hybridPageTokens} tokens.`;
	}
	const utilisation = positive(startup.arguments.gpu_memory_utilization);
	if (utilisation !== null) yield `Started with gpu_memory_utilization ${utilisation}.`;
	yield* differences(startup);
	if (startup.kvTokens.size > 1) {
		yield `${startup.kvTokens.size} data-parallel engines hold ${deploymentKvTokens(startup)} tokens together.`;
	}
}

function* differences({ availableBytes, graphBytes }: Startup): Generator<string> {
	const [low, high] = [smallest(availableBytes), largest(availableBytes)];
	if (low !== null && high !== null && high > low) {
		yield `Ranks differ in memory for the KV cache (${gib(low)} to ${gib(high)} GiB): the smallest is used.`;
	}
	const graphs = largest(graphBytes);
	if (graphs !== null && graphs <= 0) {
		yield `The log says that graphs took ${gib(graphs)} GiB, which cannot be: that figure is not used.`;
	}
}

function smallest(map: ReadonlyMap<string, number>): number | null {
	return map.size === 0 ? null : Math.min(...map.values());
}

function largest(map: ReadonlyMap<string, number>): number | null {
	return map.size === 0 ? null : Math.max(...map.values());
}

function gib(bytes: number): number {
	return round(bytes / 2 ** 30);
}

function round(value: number): number {
	return Number(value.toFixed(2));
}
