import { describe, expect, it } from "vitest";
import { schemaFindings } from "./schema-findings.ts";

const list = (maxItems: number) => ({
	type: "object",
	properties: { rows: { type: "array", items: { type: "string" }, maxItems } },
});
const text = (pattern: string) => ({ type: "object", properties: { day: { type: "string", pattern } } });
const seen = (schema: unknown) => schemaFindings(schema).map(({ severity, at }) => `${severity} ${at}`);

describe("what a grammar is hard to build of", () => {
	// What a llama.cpp server answered to each bound, one by one: shared/data/llama-cpp-cpu/server.
	it.each([
		[100, []],
		[1990, ["check properties.rows.maxItems"]],
		[1995, ["slow properties.rows.maxItems"]],
		[1998, ["fails properties.rows.maxItems"]],
		[2000, ["fails properties.rows.maxItems"]],
		[2001, ["fails properties.rows.maxItems"]],
		[2002, ["check properties.rows.maxItems"]],
		[5000, ["check properties.rows.maxItems"]],
	])("finds a list of at most %i", (bound, found) => {
		expect(seen(list(bound))).toEqual(found);
	});

	it("claims of a lower bound only what was measured", () => {
		expect(seen({ type: "array", minItems: 2000 })).toEqual(["check minItems"]);
	});

	it("finds patterns that servers refuse, or do not hold to", () => {
		expect(seen(text("^[0-9]{4}-[0-9]{2}$"))).toEqual([]);
		expect(seen(text("^\\d{4}$"))).toEqual(["slow properties.day.pattern"]);
		expect(schemaFindings(text("^\\d{4}$"))[0]).toMatchObject({
			what: expect.stringContaining("\\d"),
			advice: expect.stringContaining("[0-9]"),
		});
		expect(seen(text("[0-9]{4}"))).toEqual(["check properties.day.pattern"]);
		expect(seen(text("^(unclosed$"))).toEqual(["fails properties.day.pattern"]);
	});

	it("finds references to nothing, wherever they stand", () => {
		const schema = {
			$defs: { ok: { type: "string" }, "a/b": { type: "string" } },
			anyOf: [{ $ref: "#/$defs/ok" }, { $ref: "#/$defs/a~1b" }, { $ref: "#/definitions/missing" }],
			items: { $ref: "other.json" },
		};
		expect(seen(schema)).toEqual(["fails anyOf.2.$ref", "check items.$ref"]);
	});

	it("finds what is deep or wide, at its place, and takes names for names", () => {
		const nested = (levels: number): object =>
			levels === 0 ? { type: "string" } : { type: "object", properties: { a: nested(levels - 1) } };
		expect(seen(nested(6))).toEqual([]);
		expect(seen(nested(7))).toEqual([`check ${Array(7).fill("properties.a").join(".")}`]);
		expect(seen({ enum: Array.from({ length: 101 }, (_, i) => i) })).toEqual(["check enum"]);
		expect(seen({ oneOf: Array.from({ length: 11 }, () => ({})) })).toEqual(["check oneOf"]);
		// A property called maxItems, or text in a default, is no bound.
		expect(
			seen({ properties: { maxItems: { type: "integer", default: 2000 } }, default: { maxItems: 2000 } }),
		).toEqual([]);
	});

	it("ends on whatever it is given", () => {
		for (const odd of [null, true, 7, "text", [], { properties: 3, items: [1], anyOf: {} }])
			expect(seen(odd)).toEqual([]);
		const wide = {
			properties: Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`p${i}`, list(2000)])),
		};
		expect(schemaFindings(wide)).toHaveLength(50);
	});
});
