import fc from "fast-check";
import { expect, it } from "vitest";
import { BlockPool } from "./block-pool.ts";

const cases = fc.record({
	blockTokens: fc.constantFrom(1, 3, 16),
	contexts: fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 12 }),
	grown: fc.nat({ max: 60 }),
	more: fc.nat({ max: 60 }),
	spare: fc.nat({ max: 40 }),
});

it("counts blocks as counting every sequence does", () => {
	fc.assert(
		fc.property(cases, ({ blockTokens, contexts, grown, more, spare }) => {
			const held = (extra: number) =>
				contexts.reduce((sum, c) => sum + Math.ceil((c + extra) / blockTokens), 0);
			const pool = new BlockPool((held(grown) + spare) * blockTokens, blockTokens);
			for (const context of contexts) {
				expect(pool.take(context)).toBe(true);
				pool.join(context);
			}
			pool.grow(grown);
			expect(pool.used).toBe(held(grown));
			expect(pool.growth(more)).toBe(held(grown + more) - held(grown));
			let room = 0;
			while (held(grown + room + 1) <= pool.blocks) room++;
			expect(pool.room()).toBe(room);
			for (const context of contexts) pool.leave(context + grown);
			expect(pool.used).toBe(0);
		}),
	);
});

it("refuses a prompt for which no blocks are free", () => {
	const pool = new BlockPool(64, 16);
	expect(pool.take(49)).toBe(true);
	expect(pool.take(1)).toBe(false);
	pool.give(49);
	expect(pool.take(64)).toBe(true);
});
