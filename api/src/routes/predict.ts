import { createRoute, z } from "@hono/zod-openapi";
import type { AppDeps } from "../deps.ts";
import {
	type ConfigurationFits,
	predictDecode,
	predictPrefill,
	predictServe,
	type ServePrediction,
} from "../model/index.ts";
import { type InputError, invalidInput, Problem } from "../problem.ts";
import { readConfigurationFits } from "../store/configurations.ts";
import { answers, problems, takes } from "./problem-schema.ts";
import { evidenceSchema } from "./quantity-schema.ts";
import { router } from "./router.ts";
import { idText } from "./text-schema.ts";

const MOST_POINTS = 100_000;
const MOST_TOKENS = 1e9;

const tokens = z.number().positive().max(MOST_TOKENS);
const batch = z.number().positive().max(1e6);

const pointSchema = z.discriminatedUnion("phase", [
	z.strictObject({
		phase: z.literal("prefill"),
		tokens,
		cached: z.number().min(0).max(MOST_TOKENS).optional(),
		batch: batch.optional(),
	}),
	z.strictObject({ phase: z.literal("decode"), batch, context: z.number().min(0).max(MOST_TOKENS) }),
	z.strictObject({
		phase: z.literal("serve"),
		input: tokens,
		output: tokens,
		concurrency: batch.optional(),
		rate: z.number().positive().max(1e6).optional(),
	}),
]);
type Asked = z.infer<typeof pointSchema>;

const unknownNumber = z.number().nullable();
const servedSchema = z.object({
	mean: unknownNumber,
	p50: unknownNumber,
	p95: unknownNumber,
	p99: unknownNumber,
	low: unknownNumber,
	high: unknownNumber,
}) satisfies z.ZodType<ServePrediction>;

const timedSchema = z.object({
	seconds: z.number().openapi({ description: "prefill: of the whole batch; decode: per step" }),
	low: z.number(),
	high: z.number(),
	evidence: evidenceSchema,
	outsideBy: z.number().openapi({ description: "Factor beyond the measured range; 1 inside" }),
});
const loadedSchema = z.object({ ttft: servedSchema, tpot: servedSchema, evidence: evidenceSchema });

const predict = createRoute({
	method: "post",
	path: "/predict",
	tags: ["Answers"],
	summary: "Times of many points at once, as bare numbers",
	description:
		"Reads only, so it needs no key. Predictions come in the order of the points. They are those of the laws alone: what fits into memory and how an engine cuts prompts, which make requests wait, is what /plan and /simulate add.",
	request: {
		body: takes(
			z
				.strictObject({ configuration: idText, points: z.array(pointSchema).min(1).max(MOST_POINTS) })
				.openapi("PredictRequest", {
					example: {
						configuration: "4f9d…",
						points: [
							{ phase: "prefill", tokens: 10000, cached: 0 },
							{ phase: "decode", batch: 8, context: 4096 },
						],
					},
				}),
		),
	},
	responses: {
		200: answers(z.object({ predictions: z.array(z.union([timedSchema, loadedSchema])) }), "Predictions"),
		...problems(400, 404, 413, 422),
	},
});

/** The bulk call. */
export function predictRoutes({ database: { sql } }: AppDeps) {
	return router().openapi(predict, async (c) => {
		const { configuration, points } = c.req.valid("json");
		const fits = await readConfigurationFits(sql, configuration);
		return c.json({ predictions: predictAll(fits, points) }, 200);
	});
}

function predictAll(fits: ConfigurationFits, points: Asked[]) {
	const errors: InputError[] = [];
	const predictions = points.flatMap((point, index) => {
		const prediction = predictOne(fits, point);
		if (typeof prediction !== "string") return [prediction];
		if (errors.length < 100) errors.push({ at: `points[${index}]`, reason: prediction });
		return [];
	});
	if (errors.some((error) => error.reason === UNCLEAR_LOAD)) throw invalidInput(errors);
	if (errors.length > 0)
		throw new Problem(
			422,
			"Not measured",
			`${errors[0]?.reason} GET /plan also answers without measurements.`,
			errors,
		);
	return predictions;
}

const UNCLEAR_LOAD = "give either concurrency or rate";
const unmeasured = (what: string) => `The configuration has no ${what} measurements that could be fitted.`;

/** The prediction, or why there is none. */
function predictOne(fits: ConfigurationFits, point: Asked) {
	if (point.phase === "prefill")
		return fits.prefill ? timed(predictPrefill(fits.prefill, point)) : unmeasured("prefill");
	if (point.phase === "decode")
		return fits.decode ? timed(predictDecode(fits.decode, point)) : unmeasured("decode");
	if ((point.concurrency === undefined) === (point.rate === undefined)) return UNCLEAR_LOAD;
	if (!fits.serve && !(fits.prefill && fits.decode)) return unmeasured("serve, or prefill and decode,");
	return predictServe(fits, point);
}

function timed({ seconds, low, high, evidence, outsideBy }: ReturnType<typeof predictDecode>) {
	return { seconds, low, high, evidence, outsideBy };
}
