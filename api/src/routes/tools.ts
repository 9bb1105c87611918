import { createRoute, z } from "@hono/zod-openapi";
import type { AppDeps } from "../deps.ts";
import { BLANK_SCENARIO, type PlanFacts, type ToolsCost } from "../model/index.ts";
import { invalidInput } from "../problem.ts";
import { readFactsOfScenario } from "../store/facts.ts";
import {
	listToolSeries,
	readToolSeries,
	type ToolSeriesItem,
	type ToolSeriesPoint,
} from "../store/tool-series.ts";
import { languageWeights } from "../tools/languages.ts";
import { type Composition, type ListQuestion, type PricedList, priceList } from "../tools/priced-list.ts";
import { readToolList } from "../tools/read.ts";
import { TOKENIZER_IDS } from "../tools/tokenizers.ts";
import { UnreadableTools } from "../tools/tool-list.ts";
import { weighTools } from "../tools/weigh.ts";
import { workedExample } from "../tools/worked-example.ts";
import { scenarioOf } from "./asked.ts";
import { amountText, countText } from "./number-schema.ts";
import { scenarioQuery, scenarioSchema } from "./plan-schema.ts";
import { answers, problems } from "./problem-schema.ts";
import { quantitySchema } from "./quantity-schema.ts";
import { router } from "./router.ts";
import { idText } from "./text-schema.ts";
import { LEAST_WINDOW_TOKENS, windowSize } from "./window.ts";

const toolsKeys = {
	window: countText(1, 1e8, { description: "Tokens of the window; left out: the model's", example: 200_000 }),
	system: countText(0, 1e8, { description: "System rules, sent with every request", example: 1000 }),
	message: countText(0, 1e8, { description: "The task: what else a request holds", example: 200 }),
	answer: countText(1, 1e8, { description: "Tokens of an answer", example: 300 }),
	requests: amountText(1e9, { description: "Requests a day that carry these tools", example: 1000 }),
	tokenizer: z.enum(TOKENIZER_IDS).optional().openapi({ description: "Whose counts are priced" }),
	leaveOut: z
		.string()
		.regex(/^[0-9]{1,5}(,[0-9]{1,5})*$/, "must be positions in the list: 3,5,8")
		.optional()
		.openapi({ description: "Positions of tools that a profile does not show, from 1 on", example: "3,5" }),
	measuredWith: countText(1, 1e8, {
		description: "Prompt tokens that your server counted for a request with all tools",
	}),
	measuredWithout: countText(0, 1e8, {
		description: "Prompt tokens that it counted for the same request without tools",
	}),
};

const query = scenarioQuery
	.omit({ context: true, output: true, cached: true, rate: true })
	.extend(toolsKeys)
	.openapi("ToolsQuery");
export type ToolsAsked = z.output<z.ZodObject<typeof toolsKeys>>;

const countsSchema = z
	.object({ o200k: z.number(), mistral: z.number() })
	.openapi("TokenCounts", { description: "Tokens by tokenizer" });

const costSchema = z
	.object({
		tokens: z.number(),
		share: quantitySchema.openapi({ description: "Of the window" }),
		firstToken: quantitySchema.openapi({ description: "Of the time to the first token, computed anew" }),
		kvBytes: quantitySchema.openapi({ description: "Of one sequence, per GPU" }),
		displaced: quantitySchema.openapi({ description: "Sequences that no longer fit at once" }),
		usdPerMonth: quantitySchema,
	})
	.openapi("ToolsCost") satisfies z.ZodType<ToolsCost>;

const issueSchema = z.object({ at: z.string(), reason: z.string() });

const findingSchema = z
	.object({
		severity: z.enum(["fails", "slow", "check"]),
		at: z.string(),
		what: z.string(),
		known: z.string(),
		advice: z.string(),
	})
	.openapi("SchemaFinding");

const compositionSchema = z.object({
	id: z.enum(["all", "forbidden", "removed", "profile", "deferred", "gateway"]),
	tools: z.number().openapi({ description: "Whose schemas every request carries" }),
	counts: countsSchema,
	cost: costSchema,
	addsPerTool: z
		.number()
		.nullable()
		.openapi({ description: "Tokens that each tool in use adds, on average" }),
	worthUpTo: z
		.number()
		.nullable()
		.openapi({ description: "Tools in use up to which it stays smaller than all" }),
}) satisfies z.ZodType<Composition>;

const pricedSchema = z.object({
	form: z.enum(["MCP tools/list", "OpenAI tools", "OpenAI functions", "OpenAPI"]),
	counted: z.string().openapi({ description: "The text that was counted" }),
	tokenizer: z.enum(TOKENIZER_IDS),
	tokenizers: z.array(
		z.object({ id: z.enum(TOKENIZER_IDS), name: z.string(), models: z.string(), source: z.string() }),
	),
	question: z.object({
		windowTokens: z.number(),
		otherTokens: z.number(),
		answerTokens: z.number(),
		requestsPerDay: z.number(),
	}),
	scale: quantitySchema.nullable().openapi({
		description: "Tokens that your server counted over those counted here; null: nothing was measured",
	}),
	tokens: quantitySchema.openapi({ description: "Of all tools" }),
	spare: quantitySchema.openapi({
		description: "What the window has left for a history; below 0: the request does not fit",
	}),
	counts: countsSchema,
	tools: z
		.array(
			z.object({
				position: z.number(),
				at: z.string(),
				name: z.string(),
				characters: z.number(),
				leftOut: z.array(z.string()).openapi({ description: "Fields that are not counted" }),
				counts: countsSchema,
				tokens: quantitySchema,
				cost: costSchema,
				findings: z.array(findingSchema),
			}),
		)
		.openapi({ description: "Heaviest first; the cost is what leaving it out saves" }),
	unreadable: z.array(issueSchema),
	notes: z.array(z.string()),
	all: costSchema,
	ttft: quantitySchema,
	ttftWithout: quantitySchema,
	firstTokenCached: quantitySchema,
	usdPerMonthCached: quantitySchema,
	compositions: z.array(compositionSchema),
}) satisfies z.ZodType<PricedList>;

const answerSchema = pricedSchema
	.extend({
		scenario: scenarioSchema,
		assumed: z.array(z.object({ key: z.string(), reason: z.string() })),
		languages: z.array(z.object({ language: z.string(), text: z.string(), tokens: countsSchema })),
	})
	.openapi("ToolsAnswer");
export type ToolsAnswer = z.infer<typeof answerSchema>;

const TEXT = z
	.string()
	.openapi({ example: '{"tools":[{"name":"now","description":"The time","inputSchema":{}}]}' });

const weigh = createRoute({
	method: "post",
	path: "/tools",
	tags: ["Answers"],
	summary: "What a list of tools weighs, and what it costs in every request",
	description:
		"The body is an MCP tools/list answer (envelope, result or array), the tools of an OpenAI request, or an OpenAPI " +
		"document, as JSON or YAML. Tokens are counted here, with the tokenizers that the answer names; the query takes the " +
		"keys of a scenario for the setup, the load and the price. Nothing is stored.",
	request: { query, body: { required: true, content: { "text/plain": { schema: TEXT } } } },
	responses: { 200: answers(answerSchema, "The list, heaviest first"), ...problems(400, 404, 413) },
});

const example = createRoute({
	method: "get",
	path: "/tools/example",
	tags: ["Answers"],
	summary: "A list of tools to try the scale with",
	responses: { 200: answers(z.looseObject({}).openapi("ToolsExample"), "An MCP tools/list answer") },
});

const pointSchema = z
	.object({
		tools: z.number(),
		schema: z.string().nullable().openapi({ description: "Kind of schemas, in the client's words" }),
		callable: z
			.boolean()
			.openapi({ description: "Whether a tool could be called, so that a grammar is built" }),
		cached: z.boolean().openapi({ description: "Whether the prompt came from a cache, but for a twentieth" }),
		failed: z.boolean(),
		n: z.number().openapi({ description: "Requests behind it" }),
		seconds: z.number().nullable().openapi({
			description:
				"Until the first byte, or until it failed: the median; low and high the shortest and longest",
		}),
		low: z.number().nullable(),
		high: z.number().nullable(),
		headersSeconds: z.number().nullable(),
		tokens: z.number().nullable().openapi({ description: "Prompt tokens" }),
		reason: z.string().nullable(),
	})
	.openapi("ToolSeriesPoint") satisfies z.ZodType<ToolSeriesPoint>;

const seriesSchema = z
	.object({
		configurations: z.array(
			z.object({
				id: z.string(),
				label: z.string(),
				origin: z.enum(["own", "example", "published"]),
				attribution: z.string().nullable(),
				measurements: z.number(),
				failures: z.number(),
			}) satisfies z.ZodType<ToolSeriesItem>,
		),
		shown: z.string().nullable().openapi({ description: "Configuration whose points follow; null: none" }),
		points: z.array(pointSchema),
	})
	.openapi("ToolSeries");
export type ToolSeries = z.infer<typeof seriesSchema>;

const series = createRoute({
	method: "get",
	path: "/tools/series",
	tags: ["Answers"],
	summary: "Time to the first byte against the number of tools, as it was measured, failures included",
	request: {
		query: z.object({
			configuration: idText
				.optional()
				.openapi({ description: "Left out: your own, or the one measured last" }),
		}),
	},
	responses: { 200: answers(seriesSchema, "Measured series"), ...problems(400) },
});

/** What tools weigh. */
export function toolsRoutes({ database: { sql } }: AppDeps) {
	return router()
		.openapi(example, (c) => c.json({ ...workedExample }, 200))
		.openapi(series, async (c) => {
			const { configuration } = c.req.valid("query");
			const configurations = await listToolSeries(sql);
			const shown = configuration ?? configurations[0]?.id ?? null;
			const points = shown === null ? [] : await readToolSeries(sql, shown);
			return c.json({ configurations, shown, points }, 200);
		})
		.openapi(weigh, async (c) => {
			const asked = c.req.valid("query");
			const rest = new URL(c.req.url).searchParams;
			for (const key of Object.keys(toolsKeys)) rest.delete(key);
			const following = ["context", "output", "cached", "rate"].filter((key) => rest.has(key));
			if (following.length > 0)
				throw invalidInput(
					following.map((at) => ({ at, reason: "follows from the tools and the task here" })),
				);
			const scenario = scenarioOf(rest);
			const [facts, list] = await Promise.all([
				readFactsOfScenario(sql, scenario, LEAST_WINDOW_TOKENS),
				listOf(await c.req.text()),
			]);
			const setup = { ...scenario, configuration: facts.configuration?.id ?? null };
			const { question, assumed } = questionOf(asked, facts);
			if (!rest.has("concurrency"))
				assumed.push({
					key: "concurrency",
					reason: `load not said: ${BLANK_SCENARIO.concurrency} requests at once`,
				});
			const priced = priceList(list, question, setup, facts);
			return c.json({ scenario: setup, ...priced, assumed, languages: await languageWeights() }, 200);
		});
}

/** The question of a query, and what it left open. */
function questionOf(asked: ToolsAsked, facts: PlanFacts) {
	const window = windowSize(asked.window, facts);
	const assumed = window.reason === null ? [] : [{ key: "window", reason: window.reason }];
	const or = (key: keyof ToolsAsked, otherwise: number, reason: string): number => {
		const value = asked[key];
		if (typeof value === "number") return value;
		assumed.push({ key, reason });
		return otherwise;
	};
	const question: ListQuestion = {
		windowTokens: window.tokens,
		otherTokens:
			or("system", 1000, "1,000 tokens of system rules") + or("message", 200, "200 tokens of task"),
		answerTokens: or("answer", 300, "300 tokens answered"),
		requestsPerDay: or("requests", 1000, "1,000 requests a day"),
		tokenizer: asked.tokenizer ?? "o200k",
		leftOut: new Set(asked.leaveOut?.split(",").map(Number)),
		measured: measuredOf(asked),
	};
	return { question, assumed };
}

/** What the server counted for the tools. @throws Problem 400 where it is half said, or nothing */
function measuredOf({ measuredWith, measuredWithout }: ToolsAsked): ListQuestion["measured"] {
	if (measuredWith === undefined && measuredWithout === undefined) return null;
	const missing =
		measuredWith === undefined ? "measuredWith" : measuredWithout === undefined ? "measuredWithout" : null;
	if (missing)
		throw invalidInput([{ at: missing, reason: "both counts are needed: with the tools and without" }]);
	const [withTools = 0, withoutTools = 0] = [measuredWith, measuredWithout];
	if (withTools <= withoutTools)
		throw invalidInput([
			{ at: "measuredWith", reason: `must be more than the ${withoutTools} tokens without tools` },
		]);
	return { withTools, withoutTools };
}

async function listOf(text: string) {
	try {
		const list = await weighTools(await readToolList(text));
		// Where not one is weighed, what was wrong with each is the answer.
		if (list.tools.length === 0 && list.unreadable.length > 0) throw invalidInput(list.unreadable);
		return list;
	} catch (error) {
		if (error instanceof UnreadableTools) throw invalidInput(error.errors);
		throw error;
	}
}
