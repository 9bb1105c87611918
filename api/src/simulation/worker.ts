import { parentPort } from "node:worker_threads";
import { answerLoad, type LoadAsk, type PlanFacts, type Scenario, type ServePoint } from "../model/index.ts";

/** One simulation for the worker. */
export interface Task {
	scenario: Scenario;
	facts: PlanFacts;
	ask: LoadAsk;
	points: ServePoint[];
}

/** Progress is told at most so often: a message costs more than the requests between two. */
const EVERY_MS = 100;

parentPort?.on("message", ({ scenario, facts, ask, points }: Task) => {
	let told = 0;
	const tell = (share: number) => {
		const now = performance.now();
		if (now - told < EVERY_MS) return;
		told = now;
		parentPort?.postMessage({ share });
	};
	try {
		parentPort?.postMessage({ answer: answerLoad(scenario, facts, ask, points, tell) });
	} catch (error) {
		const wrong = error instanceof RangeError;
		parentPort?.postMessage({ problem: error instanceof Error ? error.message : String(error), wrong });
	}
});
