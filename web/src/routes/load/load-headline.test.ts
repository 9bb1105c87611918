import type { LoadAnswer, Quantity } from "@plimsoll/api/model";
import { describe, expect, it } from "vitest";
import { headlineOf, loadWords } from "./load-headline.ts";

describe("the load in words", () => {
	it.each([
		[{ kind: "rate", requestsPerSecond: 1 }, "Under 1 request per second"],
		[{ kind: "rate", requestsPerSecond: 2.5 }, "Under 2.5 requests per second"],
		[{ kind: "users", users: 1 }, "With one user"],
		[{ kind: "users", users: 1200 }, "With 1,200 users"],
		[{ kind: "burst", requests: 16, everySeconds: 10 }, "Under bursts of 16"],
		[{ kind: "trace", speed: 1 }, "Under my trace"],
		[{ kind: "trace", speed: 2 }, "Under my trace at 2 times its speed"],
	] as const)("%j", (arrivals, words) => {
		expect(loadWords(arrivals, "my trace")).toBe(words);
	});
});

const quantity = (value: number, unit: Quantity["unit"]): Quantity => ({
	value,
	unit,
	evidence: "estimated",
	arithmetic: "",
});

function answer(change: { saturated?: boolean; ttft?: number | null } = {}): LoadAnswer {
	const { saturated = false, ttft = 1.5 } = change;
	const times = { ttft: ttft === null ? null : { p99: quantity(ttft, "seconds") } };
	const result = { times, saturated, goodShare: quantity(0.987, "ratio") };
	return { result, sweep: { of: "rate", points: [], saturation: 3.5, best: null } } as unknown as LoadAnswer;
}

describe("the answer in a sentence", () => {
	it("says how long 99 % wait, what is good enough, and the limit", () => {
		expect(headlineOf(answer(), "Under load")).toEqual({
			subject: "Under load",
			answer: "1.50\u00a0s to the first token for 99% of requests, 98.7% within the objectives",
			more: "At most 3.50\u00a0requests/s are served in the steady state.",
		});
	});

	it("says first that more comes than is served", () => {
		const { answer: words, more } = headlineOf(answer({ saturated: true }), "Under load") ?? {};
		expect(words).toBe("more comes than is served: at most 3.50\u00a0requests/s");
		expect(more).toMatch(/grows as long as the load lasts/);
	});

	it("says that nothing was served, and nothing where nothing was simulated", () => {
		expect(headlineOf(answer({ ttft: null }), "Under load")?.answer).toBe("no request was served");
		expect(headlineOf({ ...answer(), result: null }, "Under load")).toBeNull();
	});
});
