import type { Plan } from "@plimsoll/api/model";
import { describe, expect, it } from "vitest";
import { crossingsOf } from "./crossings.ts";

const plan = { scenario: { ttftSlo: 2, tpotSlo: 0.2, concurrency: 8 } } as Plan;
const plain = (text: string) => text.replaceAll("\u00a0", " ");
const names = (marks: readonly { name: string }[]) => marks.map(({ name }) => plain(name)).filter(Boolean);

describe("where limits are crossed along the context", () => {
	it("labels each crossing, and shades what lies beyond the first on its own chart and on the money", () => {
		const { time, memory, money } = crossingsOf({ ttft: 6100, tpot: null, memory: 55_000 }, plan, 128_000);
		expect(names(time.lines)).toEqual(["2 s at 6.10K"]);
		expect(time.areas).toMatchObject([{ from: 6100, to: 128_000 }]);
		expect(names(memory.lines)).toEqual(["8 users at 55K"]);
		expect(memory.areas).toEqual([]);
		expect(money.areas).toMatchObject([{ from: 6100, to: 128_000 }]);
	});

	it("shades the memory chart where memory is first", () => {
		const { time, memory } = crossingsOf({ ttft: 60_000, tpot: null, memory: 55_000 }, plan, 128_000);
		expect(time.areas).toEqual([]);
		expect(names(memory.areas)).toEqual(["8 do not fit"]);
	});

	it("has no chart of its own for the time per token: it stands on the chart of time", () => {
		const { time } = crossingsOf({ ttft: 60_000, tpot: 9000, memory: null }, plan, 128_000);
		expect(names(time.areas)).toEqual(["over 200 ms per token"]);
		expect(names(time.lines)).toEqual(["2 s at 60K", "9K"]);
	});

	it("draws nothing where nothing is crossed, and no line where no prompt is short enough", () => {
		const none = crossingsOf({ ttft: null, tpot: null, memory: null }, plan, 128_000);
		expect(Object.values(none).flatMap(({ areas, lines }) => [...areas, ...lines])).toEqual([]);
		const { time } = crossingsOf({ ttft: 0, tpot: null, memory: null }, plan, 128_000);
		expect(time.lines).toEqual([]);
		expect(time.areas).toMatchObject([{ from: 1 }]);
	});
});
