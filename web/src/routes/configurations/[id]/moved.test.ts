import type { Quantity } from "@plimsoll/api/model";
import { expect, test } from "vitest";
import { movedWords, type Times } from "./moved.ts";

const seconds = (value: number | null): Quantity => ({
	...{ value, unit: "seconds", evidence: "fitted", arithmetic: "" },
});
const times = (ttft: number | null, tpot: number): Times => ({ ttft: seconds(ttft), tpot: seconds(tpot) });
const plain = (text: string) => text.replaceAll("\u00a0", " ");

test("an answer that moves says from where to where, one that stays says so, and what is not known is no figure", () => {
	expect(plain(movedWords(times(0.57, 0.048), times(0.57, 0.045)))).toBe(
		"First token 570 ms → 570 ms; per token 48.0 ms → 45.0 ms.",
	);
	expect(movedWords(times(0.57, 0.048), times(0.57, 0.048))).toBe("The answer does not move.");
	expect(plain(movedWords(times(0.57, 0.048), times(null, 0.048)))).toContain("570 ms → not known");
	expect(movedWords(null, times(1, 1))).toBe("");
});
