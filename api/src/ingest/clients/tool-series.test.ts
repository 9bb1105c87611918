import { describe, expect, it } from "vitest";
import { readText } from "../../../../test/support/reading.ts";

const rows = (...lines: object[]) => lines.map((line) => JSON.stringify(line)).join("\n");
const read = (...lines: object[]) => readText(rows(...lines));

describe("a series of requests with tools", () => {
	it("keeps answers with their time, and refusals with theirs", async () => {
		// As reported of one server: 27 tools in 6.21 s, 83 without a grammar after 123.84 s.
		const { format, counts, items } = await read(
			{
				...{
					n_tools: 27,
					schema: "mcp",
					tool_choice: "auto",
					status: 200,
					t_headers_s: 0.4,
					t_first_byte_s: 6.21,
				},
				usage: { prompt_tokens: 9677 },
				timings: { cache_n: 0, prompt_n: 9677, prompt_ms: 5800 },
			},
			{ n_tools: 83, schema: "mcp", status: 400, t_total_s: 123.84, error: "failed to parse grammar" },
		);
		expect(format).toBe("tool series jsonl");
		expect(counts).toEqual({ measurement: 1, failure: 1 });
		expect(items[0]).toMatchObject({
			kind: "measurement",
			measurement: {
				...{ phase: "tools", tools: 27, tokens: 9677, cached: 0, secondsMean: 6.21 },
				details: { schema: "mcp", toolChoice: "auto", headersSeconds: 0.4, promptSeconds: 5.8 },
			},
		});
		expect(items[1]).toMatchObject({
			kind: "failure",
			failure: { phase: "tools", batch: 83, seconds: 123.84, reason: "400 failed to parse grammar" },
		});
	});

	it("counts cached tokens by whichever the server says, and nothing where it says nothing", async () => {
		const timed = { n_tools: 1, status: 200, t_first_byte_s: 0.1 };
		const { measurements } = await read(
			{ ...timed, timings: { cache_n: 90, prompt_n: 10 } },
			{ ...timed, usage: { prompt_tokens: 100, prompt_tokens_details: { cached_tokens: 80 } } },
			timed,
		);
		expect(measurements.map((one) => one.phase === "tools" && [one.tokens, one.cached])).toEqual([
			[100, 90],
			[100, 80],
			[null, null],
		]);
	});

	it("rejects a row by its field, and keeps the others", async () => {
		const { counts, items } = await read(
			{ n_tools: 0, status: 200, t_first_byte_s: 0.1 },
			{ n_tools: -1, status: 200, t_first_byte_s: 0.1 },
			{ n_tools: 3, status: 200 },
			{ n_tools: 3, status: 503 },
		);
		expect(counts).toEqual({ measurement: 1, rejected: 2, failure: 1 });
		expect(items.flatMap((item) => (item.kind === "rejected" ? [item.reason] : []))).toEqual([
			expect.stringContaining("n_tools"),
			expect.stringContaining("t_first_byte_s"),
		]);
	});
});
