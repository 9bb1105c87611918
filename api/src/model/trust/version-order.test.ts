import fc from "fast-check";
import { expect, test } from "vitest";
import { versionOrder } from "./version-order.ts";

test.each([
	["0.6.3", "0.10.0"],
	["0.10", "0.10.1"],
	["0.10.0rc1", "0.10.0"],
	["0.10.0.dev3+g1a2b", "0.10.0rc1"],
	["0.10.0", "0.10.0.post1"],
	["v0.9.2", "0.10.0+cu128"],
	["b999 1a2b3c4", "b5606 247e5c6e"],
	["nightly", "0.1"],
])("%s is older than %s", (older, newer) => {
	expect(versionOrder(older, newer)).toBeLessThan(0);
	expect(versionOrder(newer, older)).toBeGreaterThan(0);
});

test("is an order: what comes first does not depend on where one begins", () => {
	const version = fc.tuple(
		fc.array(fc.nat(30), { minLength: 1, maxLength: 3 }),
		fc.constantFrom("", "rc1", ".post1", "+cu128", ".dev2"),
	);
	fc.assert(
		fc.property(fc.array(version, { maxLength: 8 }), (made) => {
			const versions = made.map(([numbers, rest]) => numbers.join(".") + rest);
			const sorted = [...versions].sort(versionOrder);
			const again = [...versions].reverse().sort(versionOrder);
			// "0.1" and "0.1.0" are one release: their places may be exchanged.
			for (const [i, one] of sorted.entries()) expect(versionOrder(one, again[i] ?? "")).toBe(0);
		}),
	);
});
