import { describe, expect, it } from "vitest";
import {
	DEFAULT_QUESTION,
	type LoadQuestionForm,
	queryOf,
	questionOf,
	readLengths,
	writeLengths,
} from "./load-question.ts";

const read = (query: string) => questionOf(new URLSearchParams(query));

describe("the address of a load", () => {
	it("leaves defaults out", () => {
		expect(queryOf(DEFAULT_QUESTION).toString()).toBe("");
		expect(read("").question).toEqual(DEFAULT_QUESTION);
	});

	const questions: Partial<LoadQuestionForm>[] = [
		{ configuration: "abc", ttftSlo: 2, tpotSlo: 0.05, requests: 500, seed: 7 },
		{ arrivals: { kind: "rate", requestsPerSecond: 3.5, burstiness: 0.5 } },
		{ arrivals: { kind: "users", users: 64, thinkSeconds: 2 }, prompt: { kind: "fixed", tokens: 4096 } },
		{
			arrivals: { kind: "burst", requests: 8, everySeconds: 5 },
			output: { kind: "uniform", from: 10, to: 90 },
		},
		{
			arrivals: { kind: "trace", speed: 2 },
			...{ trace: "mine", prompt: { kind: "trace" }, output: { kind: "trace" }, cached: "trace" },
		},
		{
			arrivals: { kind: "rate", requestsPerSecond: 1 },
			prompt: { kind: "trace" },
			trace: "mooncake-conversation",
		},
		{ maxSequences: 32, chunkTokens: 512, kvTokens: 200_000, acceptanceLength: 2.5, cached: 0.4 },
	];
	it.each(questions)("gives the same question back: %j", (change) => {
		const question = { ...DEFAULT_QUESTION, ...change };
		expect(questionOf(queryOf(question))).toEqual({ question, dropped: [] });
	});

	it("takes users without further words, and a trace with its own lengths", () => {
		expect(read("users=16").question.arrivals).toEqual({ kind: "users", users: 16, thinkSeconds: 0 });
		const { question } = read("arrivals=trace");
		expect([question.trace, question.prompt.kind, question.output.kind]).toEqual([
			"azure-2023-conversation",
			"trace",
			"trace",
		]);
	});

	it("names what it does not understand, and goes on with the default", () => {
		const { question, dropped } = read("rate=fast&requests=-3&prompt=9000~100&cached=2&arrivals=storm");
		expect(question).toEqual(DEFAULT_QUESTION);
		expect(dropped.map(({ at }) => at).sort()).toEqual(["arrivals", "cached", "prompt", "rate", "requests"]);
	});
});

describe("lengths as a word", () => {
	it.each([
		["1000", { kind: "fixed", tokens: 1000 }],
		["16k", { kind: "fixed", tokens: 16_000 }],
		["1000~4000", { kind: "lognormal", median: 1000, p95: 4000 }],
		["500..1500", { kind: "uniform", from: 500, to: 1500 }],
		["trace", { kind: "trace" }],
	] as const)("%s", (text, lengths) => {
		expect(readLengths(text)).toEqual(lengths);
		expect(readLengths(writeLengths(lengths))).toEqual(lengths);
	});

	it.each(["", "0", "-5", "4000~1000", "1000~", "many"])("refuses '%s'", (text) => {
		expect(readLengths(text)).toBeNull();
	});
});
