import { expect, it } from "vitest";
import { chosenOf, compareAddress } from "./chosen-configurations.ts";

it("takes each configuration once, empty choices not at all, and at most four", () => {
	const params = new URLSearchParams(
		"configuration=a&configuration=b&configuration=a&configuration=&other=x",
	);
	expect(chosenOf(params)).toEqual({ ids: ["a", "b"], dropped: 0 });
	const many = new URLSearchParams(["a", "b", "c", "d", "e", "f"].map((id) => ["configuration", id]));
	expect(chosenOf(many)).toEqual({ ids: ["a", "b", "c", "d"], dropped: 2 });
	expect(chosenOf(new URLSearchParams())).toEqual({ ids: [], dropped: 0 });
});

it("writes an address that it reads again", () => {
	const ids = ["a b", "c&d"];
	expect(chosenOf(new URL(compareAddress(ids), "http://x").searchParams).ids).toEqual(ids);
	expect(compareAddress([])).toBe("/compare");
});
