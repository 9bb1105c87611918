import type { Family } from "../family.ts";
import { emptyConditions, positive } from "../fields.ts";
import { pinnedMemory } from "../pinned.ts";
import type { Item } from "../record.ts";
import { pythonPairs } from "../text/python-literal.ts";
import { conditionsOfServer } from "./arguments.ts";

const POOL =
	/KV Cache is allocated\..*?#tokens: (\d+), (?:K size: ([\d.]+) GB, V size: ([\d.]+) GB|KV size: ([\d.]+) GB)/;
const WEIGHTS = /Load weight end\..*?mem usage=([\d.]+) GB/;
const CONTEXT = /max_total_num_tokens=(\d+),.*?context_len=(\d+)/;
/** SGLang prints GB and means 2³⁰ bytes. */
const GIB = 2 ** 30;

/** What a start printed, the smallest pool and the largest weights among its ranks. */
interface Start {
	line: number;
	arguments: Record<string, unknown>;
	tokens: number[];
	poolBytes: number[];
	weightsBytes: number[];
	contextTokens: number | null;
}

/** Start-up lines of an SGLang server: memory facts of a configuration, no measurement. */
export const sglangLog: Family = {
	name: "sglang log",
	detect: ({ text: body }) =>
		POOL.test(body) || /\bserver_args=ServerArgs\(/.test(body) || CONTEXT.test(body),
	document: (body) => logItems(body),
};

function* logItems(body: string): Generator<Item> {
	const start: Start = {
		line: 0,
		arguments: {},
		tokens: [],
		poolBytes: [],
		weightsBytes: [],
		contextTokens: null,
	};
	for (const [index, line] of body.split("\n").entries()) readLine(start, line, index + 1);
	const at = `line ${Math.max(start.line, 1)}`;
	const known = start.tokens.length + start.weightsBytes.length;
	if (known === 0) {
		return yield { kind: "aside", at, reason: "the log ends before the lines about weights and KV cache" };
	}
	yield {
		kind: "memory",
		at,
		conditions: { ...emptyConditions("sglang"), ...conditionsOfServer(start.arguments) },
		memory: pinnedMemory({
			kvTokens: start.tokens.length > 0 ? Math.min(...start.tokens) : null,
			kvPoolBytes: start.poolBytes.length > 0 ? Math.min(...start.poolBytes) : null,
			weightsBytes: start.weightsBytes.length > 0 ? Math.max(...start.weightsBytes) : null,
			maxModelLen: start.contextTokens,
		}),
	};
}

function readLine(start: Start, line: string, number: number): void {
	const args = line.indexOf("ServerArgs(");
	if (args !== -1) start.arguments = pythonPairs(line, args + "ServerArgs(".length);
	const [pool, weights, context] = [POOL.exec(line), WEIGHTS.exec(line), CONTEXT.exec(line)];
	if (start.line === 0 && (pool ?? weights ?? context) !== null) start.line = number;
	if (pool !== null) {
		start.tokens.push(Number(pool[1]));
		start.poolBytes.push(GIB * (Number(pool[2] ?? 0) + Number(pool[3] ?? 0) + Number(pool[4] ?? 0)));
	}
	if (weights !== null) start.weightsBytes.push(GIB * Number(weights[1]));
	if (context === null) return;
	if (pool === null && start.tokens.length === 0) start.tokens.push(Number(context[1]));
	start.contextTokens = positive(context[2]);
}
