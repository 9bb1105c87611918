import { finite } from "../fields.ts";
import { pythonPairs } from "../text/python-literal.ts";
import type { LogLine } from "./log-lines.ts";
import type { Startup } from "./startup.ts";

const GIB = 2 ** 30;

type Reader = (startup: Startup, found: RegExpExecArray, line: LogLine) => void;

const numberIn = (written: string | undefined) => finite((written ?? "").replaceAll(",", "")) ?? Number.NaN;

/** A reader that keeps the GiB of the first group in one of the maps, by process. */
function gibInto(field: MapField): Reader {
	return (startup, [, size], { process }) => keep(startup[field], process, numberIn(size) * GIB);
}

type MapField =
	| "weightsBytes"
	| "availableBytes"
	| "graphBytes"
	| "activationBytes"
	| "nonTorchBytes"
	| "consumedBytes";

function keep(map: Map<string, number>, key: string, value: number): void {
	if (Number.isFinite(value)) map.set(key, value);
}

/** Wordings of all ages, from "# GPU blocks" of 2024 to both KV figures on one line of 2026. */
const READERS: [RegExp, Reader][] = [
	[/vLLM API server version (\S+)/, (s, [, version]) => setVersion(s, version)],
	[
		/Initializing (?:an? |the )?(?:V\d )?LLM engine \(v?([^)]+)\)/,
		(s, [, version]) => setVersion(s, version),
	],
	[/^[\s\u2580-\u259f]*\bversion (\d\S*)\s*$/, (s, [, version]) => setVersion(s, version)],
	[/^[\s\u2580-\u259f]+model {2,}(\S+)\s*$/, (s, [, model]) => addArguments(s, { model })],
	[/Starting to load model (\S+?)\.\.\./, (s, [, model]) => addArguments(s, { model })],
	[/(?:non-default args|args): (?:Namespace\(|\{)/, (s, found) => addArguments(s, pairsBehind(found))],
	[/LLM engine \([^)]*\) with config: /, (s, found) => addResolved(s, pairsBehind(found))],
	[/Using max model len (\d+)/, (s, [, length]) => setLength(s, numberIn(length))],
	[/# (?:GPU|cuda|rocm|tpu|xpu) blocks: ([\d,]+)/i, (s, [, blocks]) => setBlocks(s, numberIn(blocks))],
	[/num_gpu_blocks is\s*: ([\d,]+)/, (s, [, blocks]) => setBlocks(s, numberIn(blocks))],
	[
		/GPU KV cache size: ([\d,]+) tokens/,
		(s, [, size], line) => keep(s.kvTokens, engineOf(line), numberIn(size)),
	],
	[/Maximum concurrency for ([\d,]+) tokens per request: ([\d.,]+)x/, setConcurrency],
	[/Available KV cache memory: (-?[\d.]+) GiB/, gibInto("availableBytes")],
	[/reserved for KV Cache is (-?[\d.]+)\s?GiB/, gibInto("availableBytes")],
	[/Current kv cache memory in use is ([\d.]+) GiB/, gibInto("availableBytes")],
	[
		/Current kv cache memory in use is (\d+) bytes/,
		(s, [, size], { process }) => keep(s.availableBytes, process, numberIn(size)),
	],
	[/(?:Loading model weights took|Model loading took) ([\d.]+) Gi?B/, gibInto("weightsBytes")],
	[/model weights take ([\d.]+)\s?GiB/, gibInto("weightsBytes")],
	[/Graph capturing finished in .*?took (-?[\d.]+) GiB/, gibInto("graphBytes")],
	[/non_torch_memory takes (-?[\d.]+)\s?GiB/, gibInto("nonTorchBytes")],
	[/([\d.]+) GiB for non-torch memory/, gibInto("nonTorchBytes")],
	[/activation peak memory takes ([\d.]+)\s?GiB/, gibInto("activationBytes")],
	[/([\d.]+) GiB for peak activation/, gibInto("activationBytes")],
	[/usage is ([\d.]+) GiB for consumed memory/, gibInto("consumedBytes")],
	[/attention block size to (\d+) tokens to ensure that attention page size is >= mamba/, setHybridPage],
	[/[Hh]ybrid KV cache manager (?:is|was) disabled/, setWindowsIgnored],
	[/Using (\w+) data type to store kv cache/, setKvType],
	[/No available memory for the cache blocks/, (s) => fail(s, "no memory left for the KV cache")],
	[/(?:CUDA|HIP) out of memory|OutOfMemoryError/, (s) => fail(s, "out of memory")],
	[/max(?:imum)? (?:model|seq) len(?:gth)? \((\d+)\).*?(?:larger than|KV cache is needed)/i, failAtLength],
	[/error: (unrecognized arguments: .*)/, (s, [, words]) => fail(s, words?.trim() ?? "")],
];

/** Reads one line into `startup`; true where it held a fact. */
export function readStartupLine(startup: Startup, line: LogLine): boolean {
	noteRank(startup, line.process);
	let held = false;
	for (const [pattern, read] of READERS) {
		const found = pattern.exec(line.message);
		if (found === null) continue;
		read(startup, found, line);
		held = true;
	}
	return held;
}

/** A data-parallel engine by its rank; without one all lines are of the same engine. */
function engineOf({ process, message }: LogLine): string {
	return (/DP_?(\d+)/.exec(process) ?? /^\S*_DP_?(\d+)/.exec(message))?.[1] ?? "0";
}

function noteRank(startup: Startup, process: string): void {
	const rank = /(?:TP_?|rank=)(\d+)/.exec(process)?.[1];
	if (rank !== undefined) startup.highestRank = Math.max(startup.highestRank ?? 0, Number(rank));
}

function fail(startup: Startup, reason: string, tokens: number | null = null): void {
	startup.failure ??= { reason, tokens };
}

function failAtLength(startup: Startup, [, length]: RegExpExecArray): void {
	fail(startup, "the KV cache is too small for one request of the full length", numberIn(length));
}

function setVersion(startup: Startup, version: string | undefined): void {
	startup.version ??= version ?? null;
}

function setLength(startup: Startup, tokens: number): void {
	if (tokens > 0) startup.maxModelLen = tokens;
}

function setConcurrency(startup: Startup, [, tokens, times]: RegExpExecArray): void {
	const [length, requests] = [numberIn(tokens), numberIn(times)];
	if (length > 0 && requests > 0) startup.concurrency = { tokens: length, times: requests };
}

function setBlocks(startup: Startup, blocks: number): void {
	if (blocks > 0) startup.blocks = blocks;
}

function setHybridPage(startup: Startup, [, page]: RegExpExecArray): void {
	startup.hybridPageTokens = numberIn(page);
}

function setWindowsIgnored(startup: Startup): void {
	startup.windowsHonoured = false;
}

function setKvType(startup: Startup, [, type]: RegExpExecArray): void {
	startup.kvType = type ?? null;
}

function addArguments(startup: Startup, pairs: Record<string, unknown>): void {
	startup.arguments = { ...pairs, ...startup.arguments };
}

/** The values the engine settled on, for whatever was not asked for. */
function addResolved(startup: Startup, pairs: Record<string, unknown>): void {
	addArguments(startup, pairs);
	const length = finite(pairs.max_seq_len);
	if (length !== null && startup.maxModelLen === null) setLength(startup, length);
}

function pairsBehind(found: RegExpExecArray): Record<string, unknown> {
	return pythonPairs(found.input, found.index + found[0].length);
}
