import { describe, expect, it } from "vitest";
import { partsOf, shownText } from "./plan-parts.ts";

const read = (plan: string) => {
	const { query, dropped } = partsOf(plan);
	return { query: query?.toString() ?? null, dropped: dropped.map(({ at, value }) => `${at}=${value}`) };
};

describe("the parts of a plan", () => {
	it.each([
		["configuration=a&context=16000", "configuration=a&context=16000", []],
		["configuration=a&context=-1", "configuration=a", ["context=-1"]],
		["configuration=a&configuration=b", "configuration=a", ["configuration=b"]],
		["configuration=a&model=m&gpu=g", "configuration=a", ["model=m", "gpu=g"]],
		["model=m&gpu=g&concurrency=4&rate=2", "model=m&gpu=g&concurrency=4", ["rate=2"]],
		["gpu=g&concurrency=abc&rate=2", "gpu=g&rate=2", ["concurrency=abc"]],
		["context=8000&sprace=1", "context=8000", ["sprace=1"]],
		["kv=bits&gpu=g", "gpu=g", ["kv=bits"]],
		["x", null, ["x="]],
		["\0", null, ["\0="]],
		["context=-1", null, ["context=-1"]],
		["configuration=&context=8000", null, ["configuration="]],
	])("of %j are %j, without %j", (plan, query, dropped) => {
		expect(read(plan)).toEqual({ query, dropped });
	});

	it("are shown without what nobody sees", () => {
		expect(shownText("a\0b")).toBe("a%00b");
		expect(shownText("x".repeat(500))).toHaveLength(121);
		expect(shownText("\ud800")).toBe("%EF%BF%BD");
	});
});
