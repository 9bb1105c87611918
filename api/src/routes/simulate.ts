import { createRoute, z } from "@hono/zod-openapi";
import type { TypedResponse } from "hono";
import type { AppDeps } from "../deps.ts";
import type { LoadAnswer, LoadAsk, Scenario, ServePoint, Workload } from "../model/index.ts";
import { invalidInput, Problem } from "../problem.ts";
import { simulate } from "../simulation/simulation.ts";
import type { Task } from "../simulation/worker.ts";
import { readFactsOfScenario } from "../store/facts.ts";
import { readPoints } from "../store/points.ts";
import type { Queryable } from "../store/sql.ts";
import { readTrace } from "../store/traces.ts";
import { scenarioOf } from "./asked.ts";
import { loadAnswerSchema, type SimulateRequest, simulateSchema } from "./load-schema.ts";
import { answers, problems, takes } from "./problem-schema.ts";
import { router } from "./router.ts";

const LINES = "application/x-ndjson";

const route = createRoute({
	method: "post",
	path: "/simulate",
	tags: ["Load"],
	summary: "Simulate a load: percentiles, goodput under an SLO, saturation, a timeline",
	description:
		"Iterations of continuous batching, timed by the fitted laws: arrivals from a rate, bursts, users or a trace; paged " +
		"cache with preemption; chunked prefill. The same seed gives the same answer. With accept: application/x-ndjson " +
		'lines {"progress": 0…1} come first, then {"answer": …} or {"problem": …}. Hanging up cancels. Reads only, so it ' +
		"needs no key.",
	request: { body: takes(simulateSchema) },
	responses: {
		200: {
			description: "The answer",
			content: {
				...answers(loadAnswerSchema, "").content,
				[LINES]: { schema: z.string().openapi({ description: "Progress, then the answer or a problem" }) },
			},
		},
		...problems(400, 404, 413),
	},
});

/** The simulator, in worker threads. */
export function simulateRoutes({ database: { sql }, log }: AppDeps) {
	return router().openapi(route, async (c) => {
		const task = await taskOf(sql, c.req.valid("json"));
		if (c.req.header("accept")?.includes(LINES)) {
			const lines = linesOf(task, c.req.raw.signal, log);
			const headers = { "content-type": LINES, "x-accel-buffering": "no" };
			// A stream of text is text to whoever reads it; the types know no streams.
			return c.body(lines, 200, headers) as unknown as TypedResponse<string, 200, "json">;
		}
		return c.json(await simulate(task, c.req.raw.signal), 200);
	});
}

const SCENARIO_KEYS = [
	...["configuration", "model", "gpu", "engine", "gpus", "tp", "weights", "kv", "kvK", "kvV", "kvHeads"],
	...["utilisation", "weightsBytes", "totalBytes", "overheadBytes", "ttftSlo", "tpotSlo"],
] as const;

async function taskOf(sql: Queryable, asked: SimulateRequest): Promise<Task> {
	const scenario = setupOf(asked);
	const [facts, workload] = await Promise.all([
		readFactsOfScenario(sql, scenario),
		workloadOf(sql, asked.workload),
	]);
	const id = facts.configuration?.id ?? null;
	const points = id === null ? [] : ((await readPoints(sql, [id])).get(id) ?? []);
	const { seed, sweep, maxSequences, chunkTokens, kvTokens, blockTokens, acceptanceLength } = asked;
	const engine = {
		maxSequences: maxSequences ?? null,
		chunkTokens: chunkTokens ?? null,
		kvTokens: kvTokens ?? null,
		blockTokens: blockTokens ?? null,
		acceptanceLength: acceptanceLength ?? null,
	};
	const ask: LoadAsk = { workload, seed, sweep, engine };
	const served = points.filter((point): point is ServePoint => point.phase === "serve");
	return { scenario: { ...scenario, configuration: id }, facts, ask, points: served };
}

/** @throws Problem 400 that names every key that cannot be read */
function setupOf(asked: SimulateRequest): Scenario {
	const query = new URLSearchParams();
	for (const key of SCENARIO_KEYS) {
		const value = (asked as Record<string, unknown>)[key];
		if (value !== undefined) query.set(key, String(value));
	}
	return scenarioOf(query);
}

async function workloadOf(
	sql: Queryable,
	{ trace: id, prompt, output, ...workload }: SimulateRequest["workload"],
): Promise<Workload> {
	const traced = { kind: "trace" } as const;
	const complete = { ...workload, prompt: prompt ?? traced, output: output ?? traced };
	const reads = [complete.arrivals, complete.prompt, complete.output].some(({ kind }) => kind === "trace");
	if (id !== undefined) return { ...complete, trace: (await readTrace(sql, id)).columns };
	if (reads || complete.cachedShare === "trace")
		throw invalidInput([
			{ at: "workload.trace", reason: "needed: arrivals, lengths or cachedShare are read from it" },
		]);
	return complete;
}

/** Progress, then the answer, each a line. The caller going away ends the simulation. */
function linesOf(task: Task, signal: AbortSignal, log: AppDeps["log"]): ReadableStream<Uint8Array> {
	const gone = new AbortController();
	signal.addEventListener("abort", () => gone.abort());
	const encoder = new TextEncoder();
	return new ReadableStream<Uint8Array>({
		async start(stream) {
			const send = (line: object) => {
				if (!gone.signal.aborted) stream.enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
			};
			send({ progress: 0 });
			await simulate(task, gone.signal, (progress) => send({ progress })).then(
				(answer: LoadAnswer) => send({ answer }),
				(error: unknown) => send({ problem: problemOf(error, log) }),
			);
			if (!gone.signal.aborted) stream.close();
		},
		cancel: () => gone.abort(),
	});
}

function problemOf(error: unknown, log: AppDeps["log"]) {
	if (error instanceof Problem) return error.body;
	log.error({ err: error }, "a simulation failed");
	return { title: "Simulation failed", status: 500, detail: "The simulation failed; the log says why." };
}
