import { z } from "@hono/zod-openapi";
import type { ProblemBody } from "../problem.ts";

export const problemSchema = z
	.object({
		type: z.string().openapi({ example: "urn:plimsoll:problem:invalid-input" }),
		title: z.string().openapi({ example: "Invalid input" }),
		status: z.number().int().openapi({ example: 400 }),
		detail: z.string().openapi({ example: "limit: must be at most 100, not the number 1000" }),
		errors: z
			.array(z.object({ at: z.string(), reason: z.string() }))
			.optional()
			.openapi({ example: [{ at: "limit", reason: "must be at most 100, not the number 1000" }] }),
	})
	.openapi("Problem") satisfies z.ZodType<ProblemBody>;

const MEANINGS = {
	400: "The input is wrong; errors names each wrong value",
	401: "A key is needed, or the key sent is not known",
	403: "The key may not do this, or the request came from another site",
	404: "There is no such thing",
	409: "The thing is not in a state that allows this",
	413: "Too large; the limit counts unpacked bytes",
	415: "A content type or encoding that is not read here",
	422: "The content was understood but is not usable; nothing was stored",
} as const;
type Described = keyof typeof MEANINGS;

const content = { "application/problem+json": { schema: problemSchema } };

const meaningOf = (status: Described): string => MEANINGS[status];

/** Problem responses of a route, for its description. */
export function problems<S extends Described>(...statuses: S[]) {
	const described = statuses.map((status) => [status, { description: meaningOf(status), content }] as const);
	return Object.fromEntries(described) as Record<S, { description: string; content: typeof content }>;
}

/** A JSON response of a route, for its description. */
export function answers<T extends z.ZodType>(schema: T, description: string) {
	return { description, content: { "application/json": { schema } } };
}

/** A JSON request body of a route, for its description. */
export function takes<T extends z.ZodType>(schema: T) {
	return { required: true, content: { "application/json": { schema } } };
}
