import { afterEach, describe, expect, it, vi } from "vitest";
import { readFromField, shownInField } from "./field.ts";

const inLanguage = (lang: string) => vi.stubGlobal("document", { documentElement: { lang } });
afterEach(() => vi.unstubAllGlobals());

describe("a field in Russian", () => {
	it.each([
		["16,384", "16\u00a0384"],
		["0.5", "0,5"],
		["64k", "64k"],
		["95%", "95%"],
		["1, 2, 4", "1, 2, 4"],
		["my run 1.5", "my run 1.5"],
	])("shows %s as %s", (english, shown) => {
		inLanguage("ru");
		expect(shownInField(english)).toBe(shown);
	});

	it.each([
		["16\u00a0384", "16384"],
		["16 384", "16384"],
		["2,5", "2.5"],
		// One and a half, as everybody who writes Russian reads it.
		["1,500", "1.500"],
		["1,5k", "1.5k"],
		["64k", "64k"],
		["65536", "65536"],
		["1,2,4", "1,2,4"],
		["abc", "abc"],
	])("reads %s as %s", (typed, english) => {
		inLanguage("ru");
		expect(readFromField(typed)).toBe(english);
	});
});

it("shows and reads English as it is", () => {
	inLanguage("en");
	expect(shownInField("16,384")).toBe("16,384");
	expect(readFromField("16,384")).toBe("16,384");
});

it("leaves texts alone on the server, which knows no page", () => {
	expect(shownInField("0.5")).toBe("0.5");
});
