import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parsed } from "./router.ts";

const SCHEMA = z.strictObject({
	name: z.string().min(3).max(5).optional(),
	gpus: z.number().int().min(1).max(8).optional(),
	kind: z.enum(["owned", "spot"]).optional(),
	list: z.array(z.number()).min(1).optional(),
	on: z.boolean().optional(),
	day: z.iso.date().optional(),
	either: z.union([z.string(), z.number()]).optional(),
	point: z
		.discriminatedUnion("phase", [
			z.object({ phase: z.literal("prefill") }),
			z.object({ phase: z.literal("decode") }),
		])
		.optional(),
});

/** The first wrong place and its reason. */
function wrong(value: unknown, schema: z.ZodType = SCHEMA): string {
	try {
		parsed(schema, value);
	} catch (problem) {
		const { errors } = problem as { errors: { at: string; reason: string }[] };
		return `${errors[0]?.at}: ${errors[0]?.reason}`;
	}
	return "nothing is wrong";
}

describe("what is wrong with an input", () => {
	it.each<[value: unknown, words: string]>([
		[{ name: 5 }, "name: must be text, not the number 5"],
		[{ name: "ab" }, "name: must be text of at least 3 characters, not the text “ab”"],
		[{ name: "abcdef" }, "name: must be text of at most 5 characters, not the text “abcdef”"],
		[{ gpus: "two" }, "gpus: must be a number, not the text “two”"],
		[{ gpus: 2.5 }, "gpus: must be a whole number, not the number 2.5"],
		[{ gpus: 9 }, "gpus: must be at most 8, not the number 9"],
		[{ gpus: null }, "gpus: must be a number, not null"],
		[{ kind: "rented" }, "kind: must be “owned” or “spot”, not the text “rented”"],
		[{ list: [] }, "list: must be a list of at least 1 entry, not an empty list"],
		[{ list: [1, "x"] }, "list[1]: must be a number, not the text “x”"],
		[{ on: "yes" }, "on: must be true or false, not the text “yes”"],
		[{ day: "today" }, "day: must be a day like 2026-11-30, not the text “today”"],
		[{ either: true }, "either: must be text or a number, not true"],
		[{ point: { phase: "serve" } }, "point.phase: must be “prefill” or “decode”, not the text “serve”"],
		[{ what: 1 }, "what: unknown here"],
		[[], "the body: must be an object {…}, not an empty list"],
	])("%j is said as %s", (value, words) => {
		expect(wrong(value)).toBe(words);
	});

	it("is that something is missing", () => {
		expect(wrong({}, z.object({ source: z.string() }))).toBe("source: is missing; it must be text");
	});

	it("is told in the words of the place where it has its own, and without control characters", () => {
		expect(wrong({ a: "x" }, z.object({ a: z.string().regex(/^\d+$/, "must be digits") }))).toBe(
			"a: must be digits",
		);
		expect(wrong({ on: "\u0000\u001b[31m" })).toBe(
			"on: must be true or false, not the text “\uFFFD\uFFFD[31m”",
		);
	});
});
