import { createRoute, z } from "@hono/zod-openapi";
import type { AppDeps } from "../deps.ts";
import { readBill, UnreadableBill } from "../ingest/index.ts";
import { plan, type Reconciliation, reconcile } from "../model/index.ts";
import { invalidInput } from "../problem.ts";
import { readAsked } from "./asked.ts";
import { scenarioQuery, scenarioSchema } from "./plan-schema.ts";
import { answers, problems } from "./problem-schema.ts";
import { quantitySchema } from "./quantity-schema.ts";
import { router } from "./router.ts";

/** A month of a bill beside its plan. */
export type ReconciledMonth = Reconciliation & { month: string };

const monthSchema = z.object({
	month: z.string(),
	neededGpuHours: quantitySchema.openapi({ description: "What these tokens take at the planned load" }),
	plannedGpuHours: quantitySchema.openapi({
		description: "The same with the hours that the plan leaves idle",
	}),
	actualGpuHours: quantitySchema,
	utilisation: quantitySchema.openapi({ description: "Share of the paid hours that explains the bill" }),
	plannedUtilisation: quantitySchema,
	plannedUsd: quantitySchema,
	actualUsd: quantitySchema,
	differenceUsd: quantitySchema.openapi({ description: "Actual less planned" }),
	ofHoursUsd: quantitySchema.openapi({ description: "Of the difference: more or fewer hours" }),
	ofPriceUsd: quantitySchema.openapi({ description: "Of the difference: a dearer or cheaper hour" }),
	findings: z.array(z.string()),
}) satisfies z.ZodType<ReconciledMonth>;

const reconciliationSchema = z
	.object({
		scenario: scenarioSchema.openapi({ description: "The plan, with every default filled in" }),
		months: z.array(monthSchema),
	})
	.openapi("Reconciliation");

const reconciliation = createRoute({
	method: "post",
	path: "/reports/reconciliation",
	tags: ["Reports"],
	summary: "A plan held against what months really took",
	description:
		"The body is CSV with a header: month, gpu_hours, usd (may be empty), prompt_tokens, output_tokens; cells by comma, " +
		"semicolon or tab, numbers with a decimal point or comma. The query is the plan's scenario. Nothing is stored.",
	request: {
		query: scenarioQuery,
		body: {
			required: true,
			content: {
				"text/csv": {
					schema: z.string().openapi({
						example:
							"month,gpu_hours,usd,prompt_tokens,output_tokens\n2026-10,2920,7008,9120000000,610000000\n",
					}),
				},
			},
		},
	},
	responses: { 200: answers(reconciliationSchema, "Month by month"), ...problems(400, 404, 413) },
});

/** Bills held against plans. */
export function reconciliationRoutes({ database: { sql } }: AppDeps) {
	return router().openapi(reconciliation, async (c) => {
		const query = new URL(c.req.url).searchParams;
		const { scenario: asked, facts } = await readAsked(sql, query);
		const billed = billOf(await c.req.text());
		const months = billed.map(({ month, ...actual }) => ({ month, ...reconcile(asked, facts, actual) }));
		return c.json({ scenario: plan(asked, facts, { arithmetic: false }).scenario, months }, 200);
	});
}

function billOf(text: string) {
	try {
		return readBill(text);
	} catch (error) {
		if (error instanceof UnreadableBill) throw invalidInput(error.errors);
		throw error;
	}
}
