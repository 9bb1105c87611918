import type { Scenario } from "@plimsoll/api/model";

/** Scenarios before and after the present one. Plain data: every step gives a new value. */
export interface ScenarioHistory {
	past: Scenario[];
	present: Scenario;
	future: Scenario[];
}

const LONGEST = 100;

const equal = (a: Scenario, b: Scenario) => JSON.stringify(a) === JSON.stringify(b);

export const startHistory = (present: Scenario): ScenarioHistory => ({ past: [], present, future: [] });

/** A finished change; the same scenario again is none. */
export function record(history: ScenarioHistory, next: Scenario): ScenarioHistory {
	if (equal(history.present, next)) return history;
	return { past: [...history.past, history.present].slice(-LONGEST), present: next, future: [] };
}

export function undo(history: ScenarioHistory): ScenarioHistory {
	const present = history.past.at(-1);
	if (!present) return history;
	return { past: history.past.slice(0, -1), present, future: [history.present, ...history.future] };
}

export function redo(history: ScenarioHistory): ScenarioHistory {
	const [present, ...future] = history.future;
	if (!present) return history;
	return { past: [...history.past, history.present], present, future };
}
