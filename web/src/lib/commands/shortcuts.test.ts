import { describe, expect, it } from "vitest";
import { KEY_WORDS } from "./key-words.ts";
import { pageOfKey, SHORTCUTS, type Stroke, shortcutOf } from "./shortcuts.ts";

const stroke = (key: string, held: Partial<Stroke> = {}): Stroke => ({
	...{ key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...held },
});

describe("a key stroke", () => {
	it.each([
		["k", { ctrlKey: true }, "/fleet", "search-all"],
		["K", { metaKey: true }, "/", "search-all"],
		["k", {}, "/", null],
		["/", {}, "/models", "search-page"],
		// A German keyboard makes it with Shift.
		["/", { shiftKey: true }, "/models", "search-page"],
		["?", { shiftKey: true }, "/", "keys"],
		["?", { altKey: true }, "/", null],
		["z", { ctrlKey: true }, "/", "undo"],
		["Z", { ctrlKey: true, shiftKey: true }, "/", "redo"],
		["y", { ctrlKey: true }, "/", "redo"],
		["z", { ctrlKey: true }, "/fleet", null],
		["R", { shiftKey: true }, "/", "reset"],
		["r", {}, "/", null],
		["r", { ctrlKey: true, shiftKey: true }, "/", null],
		["z", { ctrlKey: true, altKey: true }, "/", null],
	] as const)("%s with %j on %s is %s", (key, held, pathname, id) => {
		expect(shortcutOf(stroke(key, held), pathname)).toBe(id);
	});

	it("after g leads to a page", () => {
		expect(pageOfKey("p")?.href).toBe("/");
		expect(pageOfKey("F")?.href).toBe("/fleet");
		expect(pageOfKey("q")).toBeUndefined();
	});
});

it("lists every key with what it does", () => {
	for (const { keys } of SHORTCUTS) expect(KEY_WORDS.map((words) => words.keys)).toContain(keys);
	for (const { says } of KEY_WORDS) expect(says.length).toBeGreaterThan(8);
});
