import { z } from "@hono/zod-openapi";
import { DEFAULT_LIMIT, MAX_LIMIT } from "../store/page.ts";
import { wholeText } from "./number-schema.ts";
import { words } from "./text-schema.ts";

/** Query of every list: a key that a list does not know is refused, as a misspelt filter would show the whole list. */
export const pageQuery = z.strictObject({
	limit: wholeText(1, MAX_LIMIT, {
		description: `Items per page, ${DEFAULT_LIMIT} where left out`,
		example: DEFAULT_LIMIT,
	}),
	cursor: z
		.string()
		.max(500)
		.optional()
		.openapi({ description: "nextCursor of the page before; left out: the first page" }),
});

/** Words to search a list for. */
export const searched = (where: string) =>
	words(200)
		.optional()
		.openapi({
			description: `Words, upper or lower case, each of which has to stand in ${where}`,
			example: "H100",
		});

/** Whose measurements. */
export const originFilter = z
	.enum(["own", "example", "published"])
	.optional()
	.openapi({ description: "Only those posted here (own), our own examples, or published by others" });

/** Query of the lists of models and GPUs. */
export const catalogQuery = pageQuery.extend({
	q: searched("a spelling of the name, the family, the vendor or a source"),
	origin: z
		.enum(["seed", "user"])
		.optional()
		.openapi({ description: "Only those that come with Plimsoll (seed), or were added here (user)" }),
});

/** The envelope of every list. */
export const envelope = <T extends z.ZodType>(item: T) =>
	z.object({
		items: z.array(item),
		totalCount: z.number().int().openapi({ description: "Items of the whole list" }),
		returned: z.number().int().openapi({ description: "Items on this page" }),
		offset: z.number().int().openapi({ description: "Items on the pages before this one" }),
		truncated: z.boolean().openapi({ description: "Whether there are more items behind this page" }),
		nextCursor: z.string().nullable().openapi({ description: "Opaque; null on the last page" }),
	});
