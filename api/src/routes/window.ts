import { createRoute, z } from "@hono/zod-openapi";
import type { AppDeps } from "../deps.ts";
import {
	BLANK_SCENARIO,
	imageTokens,
	MOST_TURNS,
	type PlanFacts,
	type PricedSession,
	priceSession,
	WINDOW_PARTS,
	type WindowBudget,
	type WindowQuestion,
	windowBudget,
	windowCautions,
} from "../model/index.ts";
import { invalidInput } from "../problem.ts";
import { readFactsOfScenario } from "../store/facts.ts";
import { scenarioOf } from "./asked.ts";
import { amountText, countText, wholeText } from "./number-schema.ts";
import { scenarioQuery, scenarioSchema } from "./plan-schema.ts";
import { answers, problems } from "./problem-schema.ts";
import { quantitySchema } from "./quantity-schema.ts";
import { router } from "./router.ts";

const tokens = (description: string, example: number) => countText(0, 1e8, { description, example });

const windowKeys = {
	window: countText(1, 1e8, { description: "Tokens of the window; left out: the model's", example: 200_000 }),
	system: tokens("System rules, sent with every request", 12_000),
	tools: wholeText(0, 10_000, {
		description: "Tools whose schemas are sent with every request",
		example: 15,
	}),
	toolTokens: tokens("Tokens of one tool's schema", 400),
	message: tokens("What is written in one turn", 200),
	result: tokens("What tools answer in one turn", 2500),
	answer: tokens("What the model answers in one turn", 300),
	images: wholeText(0, 1000, { description: "Images of one turn" }),
	imageWidth: wholeText(1, 100_000, { description: "Pixels" }),
	imageHeight: wholeText(1, 100_000, { description: "Pixels" }),
	turns: wholeText(1, MOST_TURNS, { description: "Turns of a session", example: 100 }),
	relief: z.enum(["none", "compact", "clear"]).optional().openapi({
		description:
			"What is done before the window is full: nothing, a summary by a request of its own, or throwing the history away",
	}),
	reliefAt: amountText(
		1,
		{ description: "Share of the window from which on it is done", example: 0.8 },
		0.01,
	),
	summary: tokens("Tokens of a summary", 2000),
	keep: wholeText(0, MOST_TURNS, { description: "Turns that clearing keeps" }),
	sessions: amountText(1e9, { description: "Sessions a day", example: 100 }),
};

const query = scenarioQuery
	.omit({ context: true, output: true, cached: true, rate: true })
	.extend(windowKeys)
	.openapi("WindowQuery");
type WindowAsked = z.output<z.ZodObject<typeof windowKeys>>;

const partsSchema = z.object(
	Object.fromEntries(WINDOW_PARTS.map((part) => [part, z.number()])) as Record<
		(typeof WINDOW_PARTS)[number],
		z.ZodNumber
	>,
);
const turnSchema = z.object({
	turn: z.number(),
	kind: z.enum(["turn", "compaction"]),
	promptTokens: z.number(),
	sharedTokens: z.number().openapi({ description: "Leading tokens that the request before carried too" }),
	outputTokens: z.number(),
	parts: partsSchema.openapi({ description: "What the window holds after the answer" }),
	usedTokens: z.number(),
	cleared: z.boolean(),
	ttft: quantitySchema,
	ttftUncached: quantitySchema,
	usd: quantitySchema,
	usdUncached: quantitySchema,
	kvBytes: quantitySchema,
	fits: quantitySchema,
});

const reliefSchema = z.union([
	z.object({ kind: z.literal("compact"), atShare: z.number(), summaryTokens: z.number() }),
	z.object({ kind: z.literal("clear"), atShare: z.number(), keptTurns: z.number() }),
]);

const questionSchema = z.object({
	windowTokens: z.number(),
	systemTokens: z.number(),
	tools: z.number(),
	toolTokens: z.number(),
	messageTokens: z.number(),
	resultTokens: z.number(),
	images: z.number(),
	tokensPerImage: z.number(),
	answerTokens: z.number(),
	turns: z.number(),
	relief: reliefSchema.nullable(),
}) satisfies z.ZodType<WindowQuestion>;

const answerSchema = z
	.object({
		scenario: scenarioSchema,
		question: questionSchema,
		assumed: z.array(z.object({ key: z.string(), reason: z.string() })),
		cautions: z.array(z.string()),
		budget: z.object({
			constantTokens: z.number(),
			turnTokens: z.number(),
			fullAtTurn: z.number().nullable(),
			promptTokens: z.number(),
			outputTokens: z.number(),
			sharedTokens: z.number(),
		}) satisfies z.ZodType<Omit<WindowBudget, "turns">>,
		session: z.object({
			turns: z.array(turnSchema),
			waiting: quantitySchema,
			waitingUncached: quantitySchema,
			usd: quantitySchema,
			usdUncached: quantitySchema,
			usdPerMonth: quantitySchema,
			usdPerMonthUncached: quantitySchema,
			displaced: quantitySchema,
		}) satisfies z.ZodType<PricedSession>,
	})
	.openapi("WindowAnswer");
export type WindowAnswer = z.infer<typeof answerSchema>;

const window = createRoute({
	method: "get",
	path: "/window",
	tags: ["Answers"],
	summary: "What fills a context window turn after turn, and what each turn costs",
	description:
		"Each request of a session carries system rules, tools and the whole history anew. Takes the keys of a scenario for " +
		"the setup, the load and the price.",
	request: { query },
	responses: { 200: answers(answerSchema, "The session"), ...problems(400, 404) },
});

/** What a context window costs while it fills. */
export function windowRoutes({ database: { sql } }: AppDeps) {
	return router().openapi(window, async (c) => {
		const asked = c.req.valid("query");
		const rest = new URL(c.req.url).searchParams;
		for (const key of Object.keys(windowKeys)) rest.delete(key);
		const following = ["context", "output", "cached", "rate"].filter((key) => rest.has(key));
		if (following.length > 0)
			throw invalidInput(following.map((at) => ({ at, reason: "follows from the turns here" })));
		const scenario = scenarioOf(rest);
		const facts = await readFactsOfScenario(sql, scenario, LEAST_WINDOW_TOKENS);
		const { question, sessions, assumed } = questionOf(asked, facts);
		if (!rest.has("concurrency"))
			assumed.push({
				key: "concurrency",
				reason: `load not said: ${BLANK_SCENARIO.concurrency} requests at once`,
			});
		const { turns, ...budget } = windowBudget(question);
		const setup = { ...scenario, configuration: facts.configuration?.id ?? null };
		const session = priceSession({ ...budget, turns }, setup, facts, sessions);
		const cautions = windowCautions(question, { turns }, facts);
		return c.json({ scenario: setup, question, assumed, cautions, budget, session }, 200);
	});
}

/** Windows that an agent's rules and tools leave room in: the example that is taken where nothing is asked has one. */
export const LEAST_WINDOW_TOKENS = 32_768;
/** Window where neither question nor model says one. */
const USUAL_WINDOW = 200_000;

/** The window that is asked for, else the model's, else a usual one; `reason` says which where it was not asked for. */
export function windowSize(
	asked: number | undefined,
	{ model }: PlanFacts,
): { tokens: number; reason: string | null } {
	if (asked !== undefined) return { tokens: asked, reason: null };
	const limit = model?.maxContextTokens ?? null;
	return limit === null
		? { tokens: USUAL_WINDOW, reason: "a window of 200,000 tokens" }
		: { tokens: limit, reason: `the window that ${model?.name} was made for` };
}

function questionOf(asked: WindowAsked, facts: PlanFacts) {
	const assumed: { key: string; reason: string }[] = [];
	const or = (key: keyof WindowAsked, otherwise: number, reason: string): number => {
		const value = asked[key];
		if (typeof value === "number") return value;
		assumed.push({ key, reason });
		return otherwise;
	};
	const window = windowSize(undefined, facts);
	const images = asked.images ?? 0;
	const relief = reliefOf(asked);
	const question: WindowQuestion = {
		windowTokens: or("window", window.tokens, window.reason ?? ""),
		systemTokens: or("system", 12_000, "12,000 tokens of system rules"),
		tools: or("tools", 15, "15 tools"),
		toolTokens: or("toolTokens", 400, "400 tokens for a tool's schema"),
		messageTokens: or("message", 200, "200 tokens written in a turn"),
		resultTokens: or("result", 2500, "2,500 tokens of tool results in a turn"),
		images,
		tokensPerImage: images === 0 ? 0 : imageTokens(asked.imageWidth ?? 1092, asked.imageHeight ?? 1092),
		answerTokens: or("answer", 300, "300 tokens answered in a turn"),
		turns: or("turns", 100, "100 turns"),
		relief,
	};
	return { question, sessions: or("sessions", 100, "100 sessions a day"), assumed };
}

function reliefOf({ relief, reliefAt, summary, keep }: WindowAsked): WindowQuestion["relief"] {
	const atShare = reliefAt ?? 0.8;
	if (relief === "compact") return { kind: "compact", atShare, summaryTokens: summary ?? 2000 };
	return relief === "clear" ? { kind: "clear", atShare, keptTurns: keep ?? 3 } : null;
}
