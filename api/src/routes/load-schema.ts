import { z } from "@hono/zod-openapi";
import { LOAD_COLUMNS, type LoadAnswer, type LoadOutcome, type LoadStatistics } from "../model/index.ts";
import { scenarioSchema } from "./plan-schema.ts";
import { evidenceSchema, quantitySchema } from "./quantity-schema.ts";
import { idText, words } from "./text-schema.ts";

/** Requests of one simulation, and of one whose load is swept too. */
const MOST_REQUESTS = 200_000;
const MOST_USERS = 100_000;
const tokens = z.number().int().min(1).max(10_000_000);
const seconds = z.number().min(0).max(1e9);
const positive = z.number().positive().max(1e6);

const arrivalsSchema = z
	.discriminatedUnion("kind", [
		z.strictObject({
			kind: z.literal("rate"),
			requestsPerSecond: positive,
			burstiness: z
				.number()
				.min(0.01)
				.max(100)
				.optional()
				.openapi({ description: "Shape of the gaps: 1 Poisson, below 1 in clumps" }),
		}),
		z.strictObject({
			kind: z.literal("burst"),
			requests: z.number().int().min(1).max(MOST_REQUESTS),
			everySeconds: seconds,
		}),
		z.strictObject({
			kind: z.literal("users"),
			users: z.number().int().min(1).max(MOST_USERS),
			thinkSeconds: seconds.optional().openapi({ description: "Mean pause between answer and next request" }),
		}),
		z.strictObject({
			kind: z.literal("trace"),
			speed: positive.optional().openapi({ description: "Times as fast as it was recorded" }),
		}),
	])
	.openapi("Arrivals");

const lengthsSchema = z
	.discriminatedUnion("kind", [
		z.strictObject({ kind: z.literal("fixed"), tokens }),
		z.strictObject({ kind: z.literal("uniform"), from: tokens, to: tokens }),
		z
			.strictObject({ kind: z.literal("lognormal"), median: tokens, p95: tokens })
			.openapi({ description: "95 % of the requests are shorter than p95" }),
		z.strictObject({ kind: z.literal("trace") }),
	])
	.openapi("Lengths");

const workloadSchema = z
	.strictObject({
		arrivals: arrivalsSchema,
		requests: z.number().int().min(1).max(MOST_REQUESTS).default(2000),
		prompt: lengthsSchema.optional().openapi({ description: "Left out with a trace: as in the trace" }),
		output: lengthsSchema.optional(),
		cachedShare: z
			.union([z.number().min(0).max(1), z.literal("trace")])
			.default(0)
			.openapi({ description: "Share of each prompt that a prefix cache holds, or as the trace says" }),
		trace: idText.optional().openapi({ description: "Id of a trace" }),
	})
	.openapi("Workload");

const number = z.number().positive().max(1e12);
const text = words().optional();

/** Engine figures, scenario keys and a workload. */
export const simulateSchema = z
	.strictObject({
		workload: workloadSchema,
		seed: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(1),
		sweep: z
			.boolean()
			.default(false)
			.openapi({ description: "Simulate a range of loads too, from an idle engine to an overloaded one" }),
		maxSequences: z.number().int().min(1).max(1_000_000).optional(),
		chunkTokens: z.number().int().min(16).max(10_000_000).optional(),
		kvTokens: number.optional(),
		blockTokens: z.number().int().min(1).max(65_536).optional(),
		acceptanceLength: z.number().min(1).max(100).optional(),
		configuration: idText.optional(),
		model: text,
		gpu: text,
		engine: text,
		gpus: z.number().int().min(1).max(1_000_000).optional(),
		tp: z.number().int().min(1).max(1_000_000).optional(),
		weights: text,
		kv: text,
		kvK: text,
		kvV: text,
		kvHeads: z.number().int().min(1).max(100_000).optional(),
		utilisation: z.number().min(0.01).max(1).optional(),
		weightsBytes: number.optional(),
		totalBytes: number.optional(),
		overheadBytes: z.number().min(0).max(1e15).optional(),
		ttftSlo: number.optional(),
		tpotSlo: number.optional(),
	})
	.openapi("SimulateRequest", {
		example: {
			configuration: "4f9d…",
			workload: {
				arrivals: { kind: "rate", requestsPerSecond: 2 },
				requests: 2000,
				prompt: { kind: "lognormal", median: 1000, p95: 8000 },
				output: { kind: "lognormal", median: 200, p95: 800 },
			},
			ttftSlo: 2,
			tpotSlo: 0.05,
			seed: 1,
		},
	});
export type SimulateRequest = z.output<typeof simulateSchema>;

const plain = z.number();
const statisticsSchema = z
	.object({ mean: plain, p50: plain, p90: plain, p95: plain, p99: plain, max: plain })
	.nullable() satisfies z.ZodType<LoadStatistics | null>;
const level = z.object({ mean: plain, peak: plain });
const outcomeSchema = z.object({
	requests: z.object({ asked: plain, completed: plain, rejected: plain }),
	durationSeconds: plain,
	ttft: statisticsSchema,
	tpot: statisticsSchema,
	e2e: statisticsSchema,
	queue: statisticsSchema,
	requestsPerSecond: plain,
	outputTokensPerSecond: plain,
	promptTokensPerSecond: plain,
	goodput: z.object({ share: plain, requestsPerSecond: plain }),
	saturated: z.boolean(),
	busyShare: plain,
	running: level,
	waiting: level,
	kvTokens: level,
	preemptions: plain,
	iterations: plain,
}) satisfies z.ZodType<Omit<LoadOutcome, "timeline">>;

const columns = Object.fromEntries(LOAD_COLUMNS.map((column) => [column, quantitySchema])) as Record<
	(typeof LOAD_COLUMNS)[number],
	typeof quantitySchema
>;
const timesSchema = z.object(columns).nullable();
const series = z.array(plain);
const resultSchema = z.object({
	times: z.object({ ttft: timesSchema, tpot: timesSchema, e2e: timesSchema, queue: timesSchema }),
	requestsPerSecond: quantitySchema,
	outputTokensPerSecond: quantitySchema,
	promptTokensPerSecond: quantitySchema,
	goodShare: quantitySchema,
	goodRequestsPerSecond: quantitySchema,
	running: quantitySchema,
	waiting: quantitySchema,
	kvTokens: quantitySchema,
	busyShare: quantitySchema,
	completed: plain,
	rejected: plain.openapi({ description: "Requests longer than the whole cache" }),
	preemptions: plain,
	saturated: z.boolean().openapi({ description: "Whether the line was still growing at the end" }),
	durationSeconds: plain,
	timeline: z
		.object({ seconds: series, running: series, waiting: series, kvTokens: series })
		.openapi({ description: "Moments of one engine, 480 at most" }),
});

export const loadAnswerSchema = z
	.object({
		scenario: scenarioSchema,
		assumed: z.array(z.object({ key: scenarioSchema.keyof(), reason: z.string() })),
		engine: z.object({
			kvTokens: quantitySchema,
			maxSequences: quantitySchema,
			chunkTokens: quantitySchema,
			copies: plain,
			acceptanceLength: plain,
		}),
		laws: z.object({ prefill: z.string(), decode: z.string() }),
		evidence: evidenceSchema,
		result: resultSchema.nullable(),
		reason: z.string().nullable().openapi({ description: "Why there is no result" }),
		remarks: z.array(z.string()).openapi({ description: "What to know before the result is used" }),
		sweep: z
			.object({
				of: z.enum(["rate", "users"]),
				points: z.array(z.object({ load: plain, outcome: outcomeSchema })),
				saturation: plain.nullable(),
				best: z.object({ load: plain, requestsPerSecond: plain }).nullable(),
			})
			.nullable()
			.openapi({ description: "Outcomes of one engine at rising loads" }),
	})
	.openapi("LoadAnswer") satisfies z.ZodType<LoadAnswer>;
