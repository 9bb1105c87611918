import { createRoute, z } from "@hono/zod-openapi";
import {
	ACCURACY_SOURCES,
	type AccuracyRecord,
	type AccuracySource,
	PEER_CLAIMS,
	type PeerClaim,
} from "../model/index.ts";
import kept from "../model/trust/record.json" with { type: "json" };
import { answers } from "./problem-schema.ts";
import { router } from "./router.ts";

const percent = z.number().openapi({ description: "Per cent" });
const count = z.number().int();

/** The record with its sources and what other tools say beside it. */
export interface AccuracyAnswer extends AccuracyRecord {
	sources: AccuracySource[];
	claims: PeerClaim[];
}

const answer: AccuracyAnswer = { ...kept, sources: [...ACCURACY_SOURCES], claims: [...PEER_CLAIMS] };

const accuracySchema = z
	.object({
		computedOn: z.string(),
		command: z.string(),
		regimes: z.array(
			z.object({
				group: z.string(),
				regime: z.string(),
				series: count,
				points: count,
				median: percent,
				p90: percent,
				mean: percent,
				held: percent,
				halfWidth: percent,
			}),
		),
		advice: z.array(
			z.object({
				group: z.string(),
				regime: z.string(),
				trials: count,
				before: percent,
				advised: percent,
				random: percent,
			}),
		),
		sources: z.array(
			z.object({
				group: z.string(),
				what: z.string(),
				label: z.string(),
				href: z.string(),
				licence: z.string(),
			}),
		),
		claims: z.array(
			z.object({
				tool: z.string(),
				says: z.string(),
				by: z.enum(["themselves", "run for comparison"]),
				beside: z.array(z.string()),
				href: z.string().optional(),
			}),
		),
	})
	.openapi("Accuracy", {
		description: "How well the laws told public measurements that they were not shown",
	});

const read = createRoute({
	method: "get",
	path: "/accuracy",
	tags: ["Record"],
	summary: "How well the laws tell public measurements that they were not shown",
	responses: { 200: answers(accuracySchema, "The record, as computed on its day") },
});

/** The record on public data; it is computed with the product and changes only with it. */
export function accuracyRoutes() {
	return router().openapi(read, (c) => c.json(answer, 200));
}
