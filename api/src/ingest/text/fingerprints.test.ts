import { expect, it } from "vitest";
import { Fingerprints } from "./fingerprints.ts";

it("finds exactly the rows that came before, among a hundred thousand", () => {
	const seen = new Fingerprints();
	const row = (n: number) => [n % 7, "2026-01-01T00:00:00Z", 30e6 + n, [30e6 + n, 31e6, 0.5 + n], null];
	for (let n = 0; n < 100_000; n++) expect(seen.repeated(row(n))).toBe(false);
	for (let n = 0; n < 100_000; n += 997) expect(seen.repeated(row(n))).toBe(true);
});

it("tells order, kinds and nesting apart", () => {
	const rows: unknown[][] = [
		[1, 2],
		[2, 1],
		[12],
		["1", "2"],
		["12"],
		[[1], 2],
		[1.5],
		[2 ** 40],
		[],
		[0],
		[-0.5],
		[null],
		["null", 1],
	];
	const seen = new Fingerprints();
	expect(rows.map((row) => seen.repeated(row))).toEqual(rows.map(() => false));
});
