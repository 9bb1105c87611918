import { count } from "../trust/figures.ts";
import { type Asked, roundLength } from "./bench-candidates.ts";
import { benchCommand, type CommandSubject, type PostTo } from "./bench-command.ts";
import { type BenchRun, type BenchTool, describeRun, runSeconds } from "./bench-tool.ts";
import type { Foresight } from "./measurement-shape.ts";

/** The first measurements of a setup: enough for prompt, step and load to be told apart. */
export interface FirstRuns {
	tool: BenchTool;
	runs: { what: string; seconds: number | null }[];
	/** Seconds of all of them by the laws or the roofline, without loading the model; null: not known. */
	seconds: number | null;
	/** A shell script that makes and posts them. */
	script: string;
}

/**
 * The smallest set of runs that gives a usable plan.
 * Three prompt lengths over a factor of sixteen up to the one asked about: fewer leave the interval to a stated guess, and
 * no part of the law to test; steps at two contexts, with and without the sequences that share the engine: fewer cannot
 * tell the weights, the work of a sequence and the reading of the cache apart.
 */
export function firstRuns(
	tool: BenchTool,
	asked: Asked,
	subject: CommandSubject,
	foresight: Foresight,
	to: PostTo,
): FirstRuns {
	const groups = groupsOf(tool, asked);
	const runs = groups.flat().map((run) => ({ what: describeRun(run), seconds: runSeconds(run, foresight) }));
	const total = runs.reduce<number | null>(
		(sum, { seconds }) => (sum === null || seconds === null ? null : sum + seconds),
		0,
	);
	return { tool, runs, seconds: total, script: scriptOf(tool, groups, subject, total, to) };
}

type Group = readonly [BenchRun, ...BenchRun[]];

/** Runs that one command makes together. */
function groupsOf(tool: BenchTool, { context, output, running, fits, maxContextTokens }: Asked): Group[] {
	const longest = Math.min(context, maxContextTokens ?? context);
	const short = roundLength(longest / 16);
	const middle = Math.max(short, roundLength(longest / 4));
	const lengths = [...new Set([short, middle, longest])];
	const most = Math.max(1, Math.min(running, fits(longest + output) ?? running));
	const group = (runs: BenchRun[]): Group[] => {
		const [first, ...others] = runs;
		return first ? [[first, ...others]] : [];
	};
	switch (tool) {
		case "llama-bench":
			return [
				...group(lengths.map((tokens) => ({ tool, kind: "prompt", tokens, cached: 0 }))),
				...group([...new Set([middle, longest])].map((depth) => ({ tool, kind: "steps", depth }))),
			];
		case "llama-batched-bench":
			return group(
				[...new Set([1, most])].flatMap((sequences) =>
					lengths.map((tokens): BenchRun => ({ tool, kind: "batch", tokens, sequences })),
				),
			);
		case "vllm bench serve":
		case "sglang.bench_serving": {
			const alone = lengths.map((input): Group => [{ tool, kind: "load", input, output, concurrency: 1 }]);
			const loads = [...new Set([Math.ceil(most / 4), most])].filter((concurrency) => concurrency > 1);
			return [
				...alone,
				...loads.map((concurrency): Group => [{ tool, kind: "load", input: longest, output, concurrency }]),
			];
		}
	}
}

function scriptOf(
	tool: BenchTool,
	groups: readonly Group[],
	subject: CommandSubject,
	seconds: number | null,
	to: PostTo,
): string {
	const { modelName, gpuName, gpus, tp } = subject;
	const about = seconds === null ? "" : `: about ${roughly(seconds)} once the model is loaded`;
	const server = tool.startsWith("llama")
		? []
		: [`# The server must be running, for instance: ${oneLine(serverCommand(tool, modelName, tp ?? gpus))}`];
	return [
		"#!/bin/sh",
		`# First measurements of ${oneLine(modelName ?? "a model")} on ${gpus && gpus > 1 ? `${count(gpus)} × ` : ""}${oneLine(gpuName ?? "a GPU")}${about}`,
		...server,
		"set -e",
		`PLIMSOLL="\${PLIMSOLL:-${to.server}}"`,
		...groups.map((group) => benchCommand(group, subject, { server: "$PLIMSOLL" })),
		"",
	].join("\n");
}

/** A name as a comment can hold it: a comment ends with its line. */
const oneLine = (name: string): string => name.replace(/\p{Cc}+/gu, " ");

const roughly = (seconds: number): string =>
	seconds < 100 ? `${Math.max(1, Math.round(seconds))} s` : `${count(Math.round(seconds / 60))} min`;

function serverCommand(tool: BenchTool, model: string | null, tp: number | null): string {
	const ranks = tp !== null && tp > 1 ? tp : null;
	return tool === "sglang.bench_serving"
		? `python -m sglang.launch_server --model ${model ?? "MODEL"}${ranks ? ` --tp ${ranks}` : ""}`
		: `vllm serve ${model ?? "MODEL"}${ranks ? ` --tensor-parallel-size ${ranks}` : ""}`;
}
