import { z } from "@hono/zod-openapi";

/** Visible text: PostgreSQL holds no NUL and no half of a surrogate pair, and nobody means a control character. */
export const words = (max = 200) =>
	z
		.string()
		.trim()
		.min(1)
		.max(max)
		.regex(/^\P{Cc}*$/u, "must not hold control characters")
		.regex(/^\P{Cs}*$/u, "must not hold half a character (a lone surrogate)");

/** An id of anything. */
export const idText = z
	.string()
	.min(1)
	.max(100)
	.regex(/^[\w.:-]+$/, "must be an id");

/** Path parameters with one id. */
export const idParams = (what: string) =>
	z.object({ id: idText.openapi({ description: `Id of a ${what}` }) });
