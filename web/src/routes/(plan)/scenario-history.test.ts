import type { Scenario } from "@plimsoll/api/model";
import { describe, expect, it } from "vitest";
import { record, redo, startHistory, undo } from "./scenario-history.ts";

const scenario = (context: number) => ({ context }) as Scenario;
const contexts = (list: Scenario[]) => list.map((s) => s.context);

describe("the history of a scenario", () => {
	const three = [2, 3].reduce((h, c) => record(h, scenario(c)), startHistory(scenario(1)));

	it("goes back and forth without losing a step", () => {
		const back = undo(undo(three));
		expect(back.present.context).toBe(1);
		expect(contexts(back.future)).toEqual([2, 3]);
		expect(redo(redo(back))).toEqual(three);
	});

	it("stays where it is at both ends", () => {
		expect(redo(three)).toBe(three);
		const start = startHistory(scenario(1));
		expect(undo(start)).toBe(start);
	});

	it("takes no note of a change that changes nothing", () => {
		expect(record(three, scenario(3))).toBe(three);
	});

	it("drops what was undone when something new is done", () => {
		const branched = record(undo(three), scenario(9));
		expect(branched.future).toEqual([]);
		expect(contexts(branched.past)).toEqual([1, 2]);
	});
});
