import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type FileReading, readText } from "../support/reading.ts";

const folder = join(import.meta.dirname, "../fixtures/llama-cpp-cpu");
const linesOf = (name: string): string[] =>
	readFileSync(join(folder, name), "utf8").trimEnd().split("\n").slice(0, 4);

/** Four results of one client, appended to one file; nothing in them was measured. */
const served = (others: Record<string, unknown>): string[] =>
	[1, 2, 4, 8].map((clients) =>
		JSON.stringify({
			...{ backend: "vllm", request_rate: "inf", max_concurrency: clients, duration: 10 * clients },
			...{ completed: 40, num_prompts: 40, total_input_tokens: 20_480, total_output_tokens: 5120 },
			...{ mean_ttft_ms: 80 + clients, mean_tpot_ms: 9 + clients, mean_itl_ms: 9 + clients, ...others },
		}),
	);

const FILES: Record<string, string[]> = {
	"llama-bench jsonl": linesOf("formats/short.jsonl"),
	"llama-batched-bench jsonl": linesOf("batched-gqa-f16-armA.jsonl"),
	"llama-server jsonl": linesOf("server/closed-loop-c1.jsonl"),
	"vllm-serve json": served({ model_id: "org/Model-8B", mean_e2el_ms: 1200 }),
	"sglang-serve jsonl": served({ tag: "org/Model-8B", mean_e2e_latency_ms: 1200 }),
};

/** What the rows say, whatever their places are. */
const values = ({ measurements }: FileReading) =>
	measurements
		.filter(({ status }) => status === "ok")
		.map(({ phase, secondsMean, conditions }) => ({ phase, secondsMean, model: conditions.model }));

/** A cut row ends as a rejection; a result that was cut behind its statistics may stay, marked. */
const cutRows = ({ items, measurements }: FileReading): number =>
	items.filter(({ kind }) => kind === "rejected").length +
	new Set(measurements.filter(({ status }) => status === "partial")).size;

describe.each(Object.entries(FILES))("%s", (format, lines) => {
	it.each([0, 2])(
		"whose line with index %i is cut anywhere before its end loses that row alone",
		async (index) => {
			const truth = values(await readText(`${lines.toSpliced(index, 1).join("\n")}\n`));
			expect(truth.length).toBeGreaterThanOrEqual(3);
			const line = lines[index] ?? "";
			for (let length = 1; length < line.length; length++) {
				const reading = await readText(`${lines.with(index, line.slice(0, length)).join("\n")}\n`);
				const where = line.slice(0, length);
				expect(reading.format, where).toBe(format);
				expect(values(reading), where).toEqual(truth);
				expect(cutRows(reading), where).toBe(1);
			}
		},
	);

	it("holds all rows where no line ends part them, or some of them", async () => {
		const truth = values(await readText(lines.join("\n")));
		for (const [first, second, third] of [
			["", "", ""],
			["", "\n", ""],
			["\n", "", " "],
		]) {
			const text = `${lines[0]}${first}${lines[1]}${second}${lines[2]}${third}${lines[3]}`;
			const reading = await readText(text);
			expect(reading.format).toBe(format);
			expect(values(reading)).toEqual(truth);
			expect(cutRows(reading)).toBe(0);
		}
	});

	it("to which the next run was appended right behind a cut row loses that row alone", async () => {
		const [first = "", ...others] = lines;
		const truth = values(await readText(others.join("\n")));
		// The brace alone is no row, nor is a first field that two rows of the file could share.
		const any = fc.integer({ min: 2, max: first.length - 1 });
		await fc.assert(
			fc.asyncProperty(any, async (length) => {
				const reading = await readText(`${first.slice(0, length)}${others.join("\n")}\n`);
				expect(reading.format).toBe(format);
				expect(values(reading)).toEqual(truth);
				expect(cutRows(reading)).toBe(1);
			}),
			{ numRuns: 100 },
		);
	});
});

it("a file whose beginning is missing names the rest of the first row", async () => {
	const [first = "", ...others] = FILES["llama-bench jsonl"] ?? [];
	const { items, measurements } = await readText([first.slice(300), ...others].join("\n"));
	expect(measurements).toHaveLength(others.length);
	expect(items[0]).toMatchObject({
		kind: "rejected",
		at: "line 1",
		reason: expect.stringMatching(/beginning/),
	});
});
