import fc from "fast-check";
import { expect, it } from "vitest";
import { digest, selected } from "./digest.ts";

const quantity = (value: number | null) => ({
	...{ value, unit: "seconds", evidence: "fitted", arithmetic: "a × s = 1".repeat(20) },
	sources: [{ label: "run" }],
});
const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

it("leaves a short answer as it is", () => {
	const answer = { ttft: quantity(null), note: null };
	expect(digest(answer)).toEqual({ answer, cut: false });
});

it("shortens the longest list first and says how many are left out", () => {
	const answer = { chart: Array.from({ length: 5000 }, (_, at) => at), ttft: quantity(1) };
	const { answer: short, cut } = digest(answer) as {
		answer: { chart: unknown[]; ttft: object };
		cut: boolean;
	};
	expect(cut).toBe(true);
	const left = 5000 - (short.chart.length - 1);
	expect(short.chart.at(-1)).toBe(`… ${left} more in the resource`);
	expect(short.ttft).toMatchObject({ evidence: "fitted", arithmetic: quantity(1).arithmetic });
});

it("keeps the value and its evidence longer than the arithmetic", () => {
	const answer = {
		options: Array.from({ length: 3 }, () =>
			Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`f${at}`, quantity(at)])),
		),
	};
	const { answer: short } = digest(answer) as { answer: typeof answer };
	expect(short.options[0]?.f7).toEqual({ value: 7, unit: "seconds", evidence: "fitted" });
});

it("keeps every item of a page, with its plain fields", () => {
	const items = Array.from({ length: 100 }, (_, at) => ({
		id: `id-${at}`,
		name: "n".repeat(60),
		deep: { x: "y".repeat(500) },
	}));
	const { answer: short } = digest({ items, nextCursor: null }, true) as { answer: { items: object[] } };
	expect(short.items).toEqual(items.map(({ id, name }) => ({ id, name })));
});

it("is short whatever the answer", () => {
	fc.assert(
		fc.property(fc.jsonValue({ maxDepth: 4 }), fc.integer({ min: 1, max: 400 }), (value, copies) => {
			const { answer } = digest({ all: Array.from({ length: copies }, () => value) });
			expect(bytes(answer)).toBeLessThan(10 * 1024);
		}),
		{ numRuns: 50 },
	);
});

it("selects parts by path, and names paths that lead nowhere", () => {
	const answer = { cost: { usdPerMonth: quantity(1) }, list: [{ a: 1 }] };
	expect(selected(answer, ["cost.usdPerMonth.value", "list.0.a", "cost.x", "constructor"])).toEqual({
		...{ parts: { "cost.usdPerMonth.value": 1, "list.0.a": 1 }, unknown: ["cost.x", "constructor"] },
	});
});
