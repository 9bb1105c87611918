import { z } from "@hono/zod-openapi";
import { figure, shareOf, tokensOf } from "../model/index.ts";

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
		.regex(/^[0-9]+$/, "must be a whole number")
		.transform(Number)
		.pipe(z.number().int().min(from).max(to))
		.optional()
		.openapi({ type: "integer", minimum: from, maximum: to, ...described });

/** A count as people write it, like in a scenario: 65536, "128,000", "64k" (× 1000), "1M". */
export const countText = (from: number, to: number, described: Described) =>
	z
		.string()
		.transform((text, context) => {
			const count = tokensOf(text);
			if (count === null) context.addIssue("must be a whole number: 65536, 128000 or 128K (× 1000)");
			return count ?? z.NEVER;
		})
		.pipe(z.number().int().min(from).max(to))
		.optional()
		.openapi({
			type: "string",
			...described,
			...(described.example !== undefined && { example: String(described.example) }),
		});

/** A number from `from`, which is 0 or above, to `to`. */
export const amountText = (to: number, described: Described, from = 0) =>
	z
		.string()
		.trim()
		.regex(/^([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?$/i, `must be a number from ${from} to ${to}`)
		.transform(Number)
		.pipe(z.number().min(from).max(to))
		.optional()
		.openapi({ type: "number", minimum: from, maximum: to, ...described });

/** A share as people write it: 0.05, "5%", "-5 %"; from `from` to `to`, the ends included. */
export const shareText = (from: number, to: number, described: Described) =>
	z
		.string()
		.trim()
		.transform((text) => text.replace(",", "."))
		.pipe(z.string().regex(/^-?([0-9]+\.?[0-9]*|\.[0-9]+) *%?$/, "must be a share: 0.05 or 5%"))
		.transform((text) => (text.endsWith("%") ? Number(text.slice(0, -1)) / 100 : Number(text)))
		.pipe(z.number().min(from).max(to))
		.optional()
		.openapi({
			type: "string",
			...described,
			...(described.example !== undefined && { example: String(described.example) }),
		});

/** Growth from one month to the next: a share up to 1, or as many per cent. */
export const growthText = (described: Described) =>
	z
		.string()
		.transform((text, context) => {
			const share = shareOf(text);
			if (share === null)
				context.addIssue("must be a share or a percentage: 0.05 and 5% are both 5 % a month");
			else if (share > 1)
				context.addIssue(text.includes("%") ? tooFast(share) : `${tooFast(share)}${meant(share)}`);
			return share ?? z.NEVER;
		})
		.optional()
		.openapi({ type: "string", ...described, example: "0.05" });

const tooFast = (share: number) =>
	`must be at most 1, which is 100 % a month: ${figure(share)} would be ${figure(share * 100)} % a month`;

/** Whoever writes 5 thinks of 5 %. */
const meant = (share: number) =>
	share > 100 ? "" : `; for ${figure(share)} % a month write ${figure(share / 100)} or ${figure(share)}%`;
