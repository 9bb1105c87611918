import { z } from "@hono/zod-openapi";

/** Visible text: PostgreSQL holds no NUL and no half of a surrogate pair, and nobody means a control character. */
export const words = (max = 200) =>
	z
		.string()
		.trim()
		.min(1)
		.max(max)
		// No patterns: their flags are lost in descriptions, and a \p in a tool's schema breaks grammars.
		.refine((text) => !/\p{Cc}/u.test(text), "must not hold control characters")
		.refine((text) => !/\p{Cs}/u.test(text), "must not hold half a character (a lone surrogate)");

/** An id of anything. */
export const idText = z
	.string()
	.min(1)
	.max(100)
	.regex(/^[A-Za-z0-9_.:-]+$/, "must be an id");

/** Path parameters with one id. */
export const idParams = (what: string) =>
	z.object({ id: idText.openapi({ description: `Id of a ${what}` }) });
