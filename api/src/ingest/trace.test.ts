import { describe, expect, it } from "vitest";
import { readTrace, UnreadableTrace } from "./trace.ts";

const errorsOf = (text: string) => {
	try {
		readTrace(text);
	} catch (error) {
		if (error instanceof UnreadableTrace) return error.errors;
		throw error;
	}
	return [];
};

describe("readTrace", () => {
	it("reads our own columns", () => {
		const text =
			"arrival_s,prompt_tokens,output_tokens,prefix_cached_tokens\n0,374,44,0\n4.3146,396,109,128\n";
		expect(readTrace(text)).toEqual({
			columns: {
				arrivalSeconds: [0, 4.3146],
				promptTokens: [374, 396],
				outputTokens: [44, 109],
				cachedTokens: [0, 128],
			},
			notes: [],
		});
	});

	it("reads the columns of Azure's published file, whose clock counts ten millionths", () => {
		const text =
			"TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46.6805900,374,44\n2023-11-16 18:15:50.9951690,396,109\n";
		const { columns, notes } = readTrace(text);
		expect(columns.arrivalSeconds).toEqual([0, 4.314579]);
		expect(columns.promptTokens).toEqual([374, 396]);
		expect(columns.cachedTokens).toBeUndefined();
		expect(notes).toEqual(["arrivals are counted from the first request on"]);
	});

	it("reads decimal commas where semicolons set the cells apart, and asks where a comma may group thousands", () => {
		const text = "arrival_s;prompt_tokens;output_tokens\n0,5;374;44\n4,75;396;109\n";
		expect(readTrace(text).columns.arrivalSeconds).toEqual([0, 4.25]);
		expect(errorsOf(`${text}1,234;1;1\n`)[0]?.reason).toContain('"1,234"');
	});

	it("reads milliseconds, other separators, other names, marks and blank lines", () => {
		const text =
			"\uFEFF# a recording\r\nnum_decode_tokens;num_prefill_tokens;timestamp_ms\r\n7;100;1500\r\n\r\n8;200;2750\r\n";
		expect(readTrace(text).columns).toEqual({
			arrivalSeconds: [0, 1.25],
			promptTokens: [100, 200],
			outputTokens: [7, 8],
		});
	});

	it("sorts rows that are out of order, and says so", () => {
		const { columns, notes } = readTrace("arrival_s,prompt_tokens,output_tokens\n5,1,1\n0,2,2\n");
		expect(columns.promptTokens).toEqual([2, 1]);
		expect(notes).toEqual(["rows were sorted by arrival"]);
	});

	it("names every wrong line, as it is counted in the file", () => {
		const text = "arrival_s,prompt_tokens,output_tokens\n0,10,5\nsoon,10,5\n2,10,0\n3,1.5,5\n4,10\n";
		expect(errorsOf(text)).toEqual([
			{ at: "line 3", reason: 'arrival "soon" is neither a number nor an instant' },
			{ at: "line 4", reason: 'output_tokens "0" must be a whole number from 1 to 10000000' },
			{ at: "line 5", reason: 'prompt_tokens "1.5" must be a whole number from 1 to 10000000' },
			{ at: "line 6", reason: 'output_tokens "" must be a whole number from 1 to 10000000' },
		]);
	});

	it("refuses a request with more tokens in the cache than in its prompt; all of them may be there", () => {
		const text = "arrival_s,prompt_tokens,output_tokens,prefix_cached_tokens\n0,10,10,10\n1,10,10,50\n";
		expect(errorsOf(text)).toEqual([
			{
				at: "line 3",
				reason: "prefix_cached_tokens 50 cannot exceed the prompt_tokens 10 that they are a part of",
			},
		]);
	});

	it("names the columns that a header lacks", () => {
		expect(errorsOf("when,prompt_tokens\n0,1\n")[0]).toMatchObject({
			at: "line 1",
			reason: expect.stringMatching(
				/^no column arrival_s, output_tokens; the header has "when", "prompt_tokens"/,
			),
		});
	});

	it("refuses what holds no request", () => {
		expect(errorsOf("")).toEqual([{ at: "file", reason: "is empty" }]);
		expect(errorsOf("arrival_s,prompt_tokens,output_tokens\n")).toEqual([
			{ at: "file", reason: "holds a header and no request" },
		]);
	});

	it("stops at a hundred wrong lines", () => {
		const text = `arrival_s,prompt_tokens,output_tokens\n${"x,1,1\n".repeat(5000)}`;
		expect(errorsOf(text)).toHaveLength(100);
	});
});
