import {
	answerLoad,
	type LoadAnswer,
	type LoadAsk,
	type PlanFacts,
	type Scenario,
	type ServePoint,
} from "@plimsoll/api/model";

/** One simulation for the worker. */
export interface LoadTask {
	scenario: Scenario;
	facts: PlanFacts;
	ask: LoadAsk;
	points: ServePoint[];
}

/** What the worker tells: how far it is, then the answer or why there is none. */
export type LoadTold = { share: number } | { answer: LoadAnswer } | { problem: string };

/** Told at most so often. */
const EVERY_MS = 50;

const tell = (message: LoadTold) => self.postMessage(message);

self.addEventListener("message", ({ data }: MessageEvent<LoadTask>) => {
	let told = 0;
	const share = (done: number) => {
		const now = performance.now();
		if (now - told < EVERY_MS) return;
		told = now;
		tell({ share: done });
	};
	try {
		tell({ answer: answerLoad(data.scenario, data.facts, data.ask, data.points, share) });
	} catch (error) {
		tell({ problem: error instanceof Error ? error.message : String(error) });
	}
});
