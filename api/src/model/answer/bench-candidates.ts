import type { FailurePoint, Point } from "../time/points.ts";
import { type BenchRun, type BenchTool, STEPS, shapesOf } from "./bench-tool.ts";
import { isMeasured, isNear, type MeasurementShape } from "./measurement-shape.ts";

/** What is asked, and what bounds the measurements that could be made for it. */
export interface Asked {
	/** Prompt tokens, those of them that a prefix cache holds, and tokens generated. */
	context: number;
	cached: number;
	output: number;
	/** Sequences that run together. */
	running: number;
	/** Sequences of a length that fit in the cache; null: not known. */
	fits: (tokens: number) => number | null;
	maxContextTokens: number | null;
}

/** Shares of what is asked at which something may be measured. */
const LENGTH_STEPS = [1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2];
const CONTEXT_STEPS = [1 / 8, 1 / 2, 1, 2];
const LOAD_STEPS = [1 / 4, 1, 2];
const SHORTEST = 128;

/** Candidates for the next measurement: lengths, contexts and loads around what is asked, that fit and are not measured yet. */
export function benchCandidates(
	tool: BenchTool,
	asked: Asked,
	points: readonly Point[],
	failures: readonly FailurePoint[],
): BenchRun[] {
	const runs = distinctRuns(runsOf(tool, asked));
	return runs.filter((run) => {
		const shapes = shapesOf(run);
		return (
			shapes.every((shape) => isPossible(shape, asked, failures)) &&
			shapes.some((shape) => !isMeasured(shape, points))
		);
	});
}

function runsOf(tool: BenchTool, asked: Asked): BenchRun[] {
	const lengths = lengthsOf(asked);
	const loads = loadsOf(asked);
	switch (tool) {
		case "llama-bench":
			return [
				...lengths.map((tokens): BenchRun => ({ tool, kind: "prompt", tokens, cached: 0 })),
				...(asked.cached > 0
					? [{ tool, kind: "prompt", tokens: asked.context - asked.cached, cached: asked.cached } as const]
					: []),
				...contextsOf(asked).map((depth): BenchRun => ({ tool, kind: "steps", depth })),
			];
		case "llama-batched-bench":
			return distinctNumbers([1, ...loads]).flatMap((sequences) =>
				lengths.map((tokens): BenchRun => ({ tool, kind: "batch", tokens, sequences })),
			);
		case "vllm bench serve":
		case "sglang.bench_serving": {
			const { context, output } = asked;
			const alone = lengths.map((input): BenchRun => ({ tool, kind: "load", input, output, concurrency: 1 }));
			const loaded = loads.map(
				(concurrency): BenchRun => ({ tool, kind: "load", input: context, output, concurrency }),
			);
			return [...alone, ...loaded];
		}
	}
}

/** The length that is asked about, and round ones around it that differ from it. */
function lengthsOf({ context, cached }: Asked): number[] {
	const round = LENGTH_STEPS.map((step) => roundLength(step * (context - cached)));
	return distinctNumbers([context, ...round.filter((tokens) => !isNear(tokens, context))]);
}

const contextsOf = ({ context, output }: Asked): number[] =>
	distinctNumbers(CONTEXT_STEPS.map((step) => roundLength(step * (context + output / 2))));

const loadsOf = ({ running }: Asked): number[] =>
	distinctNumbers(LOAD_STEPS.map((step) => Math.max(1, Math.round(step * running))));

/** A length that a person would choose: the next power of two, or one and a half of it; never below the launch floor. */
export function roundLength(tokens: number): number {
	const power = 2 ** Math.floor(Math.log2(Math.max(SHORTEST, tokens)));
	return [power, 1.5 * power, 2 * power].reduce((a, b) =>
		Math.abs(Math.log(b / tokens)) < Math.abs(Math.log(a / tokens)) ? b : a,
	);
}

const distinctNumbers = (values: readonly number[]): number[] => [...new Set(values)].sort((a, b) => a - b);
const distinctRuns = (runs: readonly BenchRun[]): BenchRun[] => [
	...new Map(runs.map((run) => [JSON.stringify(run), run])).values(),
];

/** Tokens of one sequence at its end, and how many sequences there are. */
function extentOf(shape: MeasurementShape): { tokens: number; sequences: number } {
	switch (shape.phase) {
		case "prefill":
			return { tokens: shape.tokens + shape.cached, sequences: shape.batch };
		case "decode":
			return { tokens: shape.context + STEPS / 2, sequences: shape.batch };
		case "serve":
			return { tokens: shape.input + shape.output, sequences: shape.concurrency };
	}
}

/** Whether it fits the model, the memory, and lies below where the configuration was seen to stop. */
function isPossible(shape: MeasurementShape, asked: Asked, failures: readonly FailurePoint[]): boolean {
	const { tokens, sequences } = extentOf(shape);
	if (asked.maxContextTokens !== null && tokens > asked.maxContextTokens) return false;
	// A server queues what does not fit; a benchmark of the bare engine stops.
	const fits = asked.fits(tokens);
	if (fits !== null && (shape.phase === "serve" ? Math.min(1, sequences) : sequences) > fits) return false;
	return !failures.some(
		(failure) =>
			failure.phase === shape.phase &&
			failure.tokens !== null &&
			tokens >= failure.tokens &&
			sequences >= (failure.batch ?? 1),
	);
}
