import { z } from "@hono/zod-openapi";

/** Numbers in a query string. An empty text is no number, and never 0. */

interface Described {
	description: string;
	example?: number;
}

/** A whole number from `from` to `to`. */
export const wholeText = (from: number, to: number, described: Described) =>
	z
		.string()
		.trim()
		.regex(/^\d+$/, "must be a whole number")
		.transform(Number)
		.pipe(z.number().int().min(from).max(to))
		.optional()
		.openapi({ type: "integer", minimum: from, maximum: to, ...described });

/** A number above or equal to 0, at most `to`. */
export const amountText = (to: number, described: Described) =>
	z
		.string()
		.trim()
		.regex(/^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i, "must be a number")
		.transform(Number)
		.pipe(z.number().min(0).max(to))
		.optional()
		.openapi({ type: "number", minimum: 0, maximum: to, ...described });
