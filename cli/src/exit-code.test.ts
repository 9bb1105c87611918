import { expect, test } from "vitest";
import { worstOf } from "./exit-code.ts";

test("of several codes the one that needs a person first counts", () => {
	expect(worstOf([])).toBe(0);
	expect(worstOf([0, 5, 0])).toBe(5);
	expect(worstOf([5, 1, 0])).toBe(1);
	expect(worstOf([1, 3])).toBe(3);
	expect(worstOf([3, 4])).toBe(4);
});
