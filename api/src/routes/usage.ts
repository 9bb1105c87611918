import { createRoute, z } from "@hono/zod-openapi";
import { TRANSPORTS } from "../attribution.ts";
import type { AppDeps } from "../deps.ts";
import {
	type OperationUsage,
	type Outlier,
	type ResultLog,
	readUsage,
	type Sizes,
} from "../store/results.ts";
import { TOKEN_RULE } from "../tokens.ts";
import { wholeText } from "./number-schema.ts";
import { answers, problems } from "./problem-schema.ts";
import { router } from "./router.ts";

const number = z.number();
const sizes = z.object({ p50: number, p95: number, p99: number, max: number }) satisfies z.ZodType<Sizes>;
const transport = z.enum(TRANSPORTS);
const text = z.string().nullable();
const outlier = z.object({
	...{ transport, client: z.string(), version: text, caller: text },
	...{ results: number, largestBytes: number, lastAt: z.string() },
}) satisfies z.ZodType<Outlier>;
const operation = z.object({
	...{ operation: z.string(), results: number, failed: number, bytes: sizes, tokens: sizes.nullable() },
	outliers: z.array(outlier).openapi({ description: "Who got answers from the 99th percentile on" }),
}) satisfies z.ZodType<OperationUsage>;

const usageSchema = z
	.object({
		from: text,
		to: text,
		results: number,
		transports: z.record(z.string(), number),
		tokenRule: z.string().openapi({ description: "How tokens are counted" }),
		notKept: number.openapi({
			description: "Answers of this process that came too fast to be kept, since its start",
		}),
		operations: z.array(operation),
	})
	.openapi("Usage");
export type UsageAnswer = z.infer<typeof usageSchema>;

const route = createRoute({
	method: "get",
	path: "/usage",
	tags: ["Access"],
	summary: "Size of answers by operation, and who asked for the largest",
	description:
		"Callers are named by their key and by what they say of themselves: telemetry, never a ground for a right. Of all " +
		"processes that share the database; the newest hundred thousand answers are kept.",
	request: {
		query: z.strictObject({
			hours: wholeText(1, 720, { description: "How far back, 24 where left out", example: 24 }),
		}),
	},
	responses: { 200: answers(usageSchema, "Usage"), ...problems(400) },
});

/** Who asks for how much. */
export function usageRoutes({ database: { sql } }: AppDeps, log: ResultLog) {
	return router().openapi(route, async (c) => {
		await log.flush();
		const { hours = 24 } = c.req.valid("query");
		return c.json({ ...(await readUsage(sql, hours)), tokenRule: TOKEN_RULE, notKept: log.left }, 200);
	});
}
