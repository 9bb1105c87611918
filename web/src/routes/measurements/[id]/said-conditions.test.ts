import fc from "fast-check";
import { expect, test } from "vitest";
import { correctionOf, saidIn, writtenOf } from "./said-conditions.ts";

test("names with values are written as pairs and read back", () => {
	const sampling = { temperature: 0.7, top_p: 1, ignore_eos: true, sampler: "greedy" };
	expect(writtenOf(sampling)).toBe("temperature=0.7, top_p=1, ignore_eos=true, sampler=greedy");
	expect(saidIn("sampling", "temperature = 0.7,top_p=1, ignore_eos=true, sampler=greedy")).toEqual(sampling);
});

test("a text stays a text, and what is no list of names goes to the server as it is", () => {
	expect(saidIn("tools", " none ")).toBe("none");
	expect(saidIn("code", "a=1")).toBe("a=1");
	expect(saidIn("sampling", "hot")).toBe("hot");
	expect(saidIn("sampling", "{broken")).toBe("{broken");
	expect(saidIn("answers", "  ")).toBeNull();
});

test("whatever is recorded comes back as it was", () => {
	const scalar = fc.oneof(
		fc.string(),
		fc.integer(),
		fc.double({ noNaN: true, noDefaultInfinity: true }),
		fc.boolean(),
	);
	const value = fc.dictionary(
		fc.string({ minLength: 1 }),
		fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })),
		{
			minKeys: 1,
			noNullPrototype: true,
		},
	);
	fc.assert(
		fc.property(value, (sampling) => {
			const asSent = JSON.parse(JSON.stringify(sampling));
			expect(saidIn("sampling", writtenOf(asSent))).toEqual(asSent);
		}),
	);
});

test("only what was written otherwise is corrected; an emptied field becomes not known", () => {
	const standing = { sampling: { temperature: 0.7 }, code: "4f2a", tools: "none", host: {} };
	const written = { sampling: "temperature=0", code: "", tools: "none", answers: "" };
	expect(correctionOf(standing, written)).toEqual({ sampling: { temperature: 0 }, code: null });
	expect(correctionOf(null, { answers: "s3://a" })).toEqual({ answers: "s3://a" });
});
