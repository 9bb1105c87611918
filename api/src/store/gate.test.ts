import { expect, it } from "vitest";
import { Gate } from "./gate.ts";

/** A task that ends when it is told to. */
function task() {
	const state = { running: false, end: () => {}, fail: () => {} };
	const work = () =>
		new Promise<void>((resolve, reject) => {
			state.running = true;
			state.end = resolve;
			state.fail = () => reject(new Error("failed"));
		});
	return { state, work };
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

it("runs no more tasks than it has places, in the order they came, and goes on after a failure", async () => {
	const gate = new Gate(2);
	const tasks = [task(), task(), task(), task()];
	const running = () => tasks.map(({ state }) => state.running);
	const results = tasks.map(({ work }) => gate.pass(work).catch((error: Error) => error.message));
	await settle();
	expect(running()).toEqual([true, true, false, false]);
	tasks[1]?.state.fail();
	await settle();
	expect(running()).toEqual([true, true, true, false]);
	tasks[0]?.state.end();
	await settle();
	expect(running()).toEqual([true, true, true, true]);
	tasks[2]?.state.end();
	tasks[3]?.state.end();
	expect(await Promise.all(results)).toEqual([undefined, "failed", undefined, undefined]);
	const after = task();
	void gate.pass(after.work);
	await settle();
	expect(after.state.running).toBe(true);
});
