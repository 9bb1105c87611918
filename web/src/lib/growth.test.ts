import { expect, test } from "vitest";
import { growthInPercent, withGrowthAsShare } from "./growth.ts";

const at = (query: string) => new URL(`http://x/fleet?${query}`);

test.each([
	["5", "0.05"],
	["5 %", "0.05"],
	["0.5 %", "0.005"],
	["0,5", "0.005"],
	["100", "1"],
	["120", "120%"],
	["much", "much"],
])("%s in the field for per cent is growth=%s in the address", (typed, growth) => {
	const address = withGrowthAsShare(at(new URLSearchParams({ rate: "2", growthPercent: typed }).toString()));
	expect(address).toBe(`/fleet?${new URLSearchParams({ rate: "2", growth })}`);
});

test("an empty field asks for no growth, and an address without the field stays", () => {
	expect(withGrowthAsShare(at("growthPercent=&growth=0.05"))).toBe("/fleet");
	expect(withGrowthAsShare(at("growth=0.05"))).toBeNull();
});

test.each([
	["growth=0.05", "5"],
	["growth=0.07", "7"],
	["growth=5%25", "5"],
	["growth=much", "much"],
	["", ""],
])("the field shows the growth of %s in per cent: %s", (query, shown) => {
	expect(growthInPercent(at(query).searchParams)).toBe(shown);
});
