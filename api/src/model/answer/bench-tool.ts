import { isLlamaCpp } from "../memory/defaults.ts";
import type { Point } from "../time/points.ts";
import { count } from "../trust/figures.ts";
import type { Expected, Foresight, MeasurementShape } from "./measurement-shape.ts";

/** A program that measures, and whose file is read here. */
export type BenchTool = "llama-bench" | "llama-batched-bench" | "vllm bench serve" | "sglang.bench_serving";

/** One run of a tool. */
export type BenchRun =
	| { tool: "llama-bench"; kind: "prompt"; tokens: number; cached: number }
	| { tool: "llama-bench"; kind: "steps"; depth: number }
	| { tool: "llama-batched-bench"; kind: "batch"; tokens: number; sequences: number }
	| {
			tool: "vllm bench serve" | "sglang.bench_serving";
			kind: "load";
			input: number;
			output: number;
			concurrency: number;
	  };

/** Tokens that a run generates to time its steps. */
export const STEPS = 64;
/** Repetitions that llama-bench is asked for, after one to warm up. */
export const REPETITIONS = 3;
/** Requests of a load for each place, and at least. */
const PROMPTS_PER_PLACE = 5;
const LEAST_PROMPTS = 10;
export const promptsOf = (concurrency: number): number =>
	Math.max(LEAST_PROMPTS, Math.ceil(PROMPTS_PER_PLACE * concurrency));

/**
 * The tool whose results belong to the measurements that are there: those of llama-bench and of llama-batched-bench name
 * different settings and do not share a curve.
 * @param batched whether several sequences together were, or are to be, measured
 */
export function toolOf(engine: string | null, batched: boolean): BenchTool {
	if (isLlamaCpp(engine)) return batched ? "llama-batched-bench" : "llama-bench";
	return /sglang/i.test(engine ?? "") ? "sglang.bench_serving" : "vllm bench serve";
}

/** Whether several sequences were measured together by the engine itself. */
export const isBatched = (points: readonly Point[]): boolean =>
	points.some((point) => point.phase !== "serve" && point.batch > 1);

/** What a run leaves: the shapes that are read from its file. */
export function shapesOf(run: BenchRun): MeasurementShape[] {
	switch (run.kind) {
		case "prompt":
			return [{ phase: "prefill", tokens: run.tokens, cached: run.cached, batch: 1 }];
		case "steps":
			return [{ phase: "decode", batch: 1, context: run.depth + (STEPS - 1) / 2 }];
		case "batch":
			return [
				{ phase: "prefill", tokens: run.tokens, cached: 0, batch: run.sequences },
				{ phase: "decode", batch: run.sequences, context: run.tokens + (STEPS - 1) / 2 },
			];
		case "load":
			return loadShapes(run);
	}
}

/** Requests that have the server to themselves tell prompt and step apart. */
function loadShapes({ input, output, concurrency }: Extract<BenchRun, { kind: "load" }>): MeasurementShape[] {
	const serve: MeasurementShape = { phase: "serve", input, output, concurrency };
	if (concurrency > 1) return [serve];
	return [
		{ phase: "prefill", tokens: input, cached: 0, batch: 1 },
		{ phase: "decode", batch: 1, context: input + output / 2 },
		serve,
	];
}

/**
 * Seconds that a run takes by the laws, without loading the model.
 * @returns null where no law tells
 */
export function runSeconds(run: BenchRun, foresight: Foresight): number | null {
	switch (run.kind) {
		case "prompt": {
			const depth = run.cached > 0 ? prompt(foresight, run.cached, 1) : 0;
			return added((REPETITIONS + 1) * prompt(foresight, run.tokens, 1, run.cached), depth);
		}
		case "steps":
			return added(
				run.depth > 0 ? prompt(foresight, run.depth, 1) : 0,
				REPETITIONS * STEPS * step(foresight, 1, run.depth),
			);
		case "batch":
			return added(
				prompt(foresight, run.tokens, run.sequences),
				STEPS * step(foresight, run.sequences, run.tokens),
			);
		case "load": {
			const times = foresight.serve({ ...run, phase: "serve" });
			if (!times) return null;
			const each = times.ttft.seconds + (run.output - 1) * times.tpot.seconds;
			return added((promptsOf(run.concurrency) / run.concurrency) * each, 0);
		}
	}
}

const secondsOf = (expected: Expected | null): number => expected?.seconds ?? Number.NaN;
const prompt = (foresight: Foresight, tokens: number, batch: number, cached = 0): number =>
	secondsOf(foresight.prefill({ phase: "prefill", tokens, cached, batch }));
const step = (foresight: Foresight, batch: number, context: number): number =>
	secondsOf(foresight.decode({ phase: "decode", batch, context }));
const added = (a: number, b: number): number | null => (Number.isFinite(a + b) ? a + b : null);

/** What a run measures, in words. */
export function describeRun(run: BenchRun): string {
	switch (run.kind) {
		case "prompt":
			return `a prompt of ${count(run.tokens)} tokens${run.cached > 0 ? ` on ${count(run.cached)} cached` : ""}`;
		case "steps":
			return `${STEPS} tokens one by one at ${count(run.depth)} tokens of context`;
		case "batch":
			return `${count(run.sequences)} ${run.sequences === 1 ? "sequence" : "sequences together"} of ${count(run.tokens)} + ${STEPS} tokens`;
		case "load":
			return `${run.concurrency === 1 ? "requests one at a time" : `${count(run.concurrency)} requests in flight`}, ${count(run.input)} + ${count(run.output)} tokens`;
	}
}
