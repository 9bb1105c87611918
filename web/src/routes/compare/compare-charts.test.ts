import {
	type DecodePoint,
	fitConfiguration,
	type Point,
	type PrefillPoint,
	type ServePoint,
} from "@plimsoll/api/model";
import { describe, expect, it } from "vitest";
import { tableOf } from "#lib/chart/readings.ts";
import type { Drawn } from "./+page.server.ts";
import { commonBatches, commonLengths, loadsChart, promptsChart, stepsChart } from "./compare-charts.ts";

const base = { n: 1, betweenRuns: null, withinRun: null, measurementIds: [] };
const prefill = (tokens: number, factor = 1): PrefillPoint => ({
	...{ ...base, phase: "prefill", tokens, cached: 0, batch: 1, seconds: factor * (0.01 + 1e-4 * tokens) },
});
const decode = (batch: number, context: number): DecodePoint => ({
	...{ ...base, phase: "decode", batch, context, seconds: 0.01 + 1e-4 * batch + 1e-8 * batch * context },
});
const serve = (input: number, concurrency: number): ServePoint => ({
	...{
		...base,
		phase: "serve",
		input,
		output: 128,
		concurrency,
		rate: null,
		tpotSeconds: 0.01 + 1e-4 * concurrency,
	},
	...{
		ttftSeconds: null,
		ttftP50Seconds: null,
		ttftP99Seconds: null,
		tpotP50Seconds: null,
		tpotP99Seconds: null,
	},
	outputTokensPerSecond: null,
});
const drawn = (name: string, points: Point[]): Drawn => ({
	...{ id: name, name, points, fits: fitConfiguration(points) },
});
const columnsOf = (option: Parameters<typeof tableOf>[0] | null) => (option ? tableOf(option).columns : null);

describe("curves side by side", () => {
	const lengths = [512, 1024, 2048, 4096, 8192];
	const a = drawn(
		"A",
		lengths.map((tokens) => prefill(tokens)),
	);
	const b = drawn(
		"B",
		lengths.map((tokens) => prefill(tokens, 2)),
	);

	it("are one law and its dots for each that measured prompts", () => {
		expect(columnsOf(promptsChart([a, b, drawn("C", [decode(1, 1024)])]))).toEqual([
			...["A, law", "A, measured", "B, law", "B, measured"],
		]);
		expect(promptsChart([drawn("C", [decode(1, 1024)])])).toBeNull();
	});

	it("keep to what each measured", () => {
		const short = drawn("B", [prefill(512), prefill(1024)]);
		const chart = promptsChart([a, short]);
		const table = chart ? tableOf(chart) : { columns: [], rows: [] };
		const law = table.columns.indexOf("B, law");
		const beyond = table.rows.filter(({ at }) => at > 1024).map(({ cells }) => cells[law]);
		expect(beyond.length).toBeGreaterThan(0);
		expect(new Set(beyond)).toEqual(new Set([""]));
	});

	it("of steps are drawn for the batches that two of them tell", () => {
		const wide = drawn(
			"A",
			[1, 8, 64].flatMap((batch) => [1024, 8192].map((context) => decode(batch, context))),
		);
		const narrow = drawn(
			"B",
			[1, 8].flatMap((batch) => [1024, 8192].map((context) => decode(batch, context))),
		);
		expect(commonBatches([wide, narrow])).toEqual([1, 8]);
		expect(columnsOf(stepsChart([wide, narrow], 8))).toEqual([
			"A, law",
			"A, measured",
			"B, law",
			"B, measured",
		]);
		expect(stepsChart([drawn("A", [decode(1, 1024)])], 1)).toBeNull();
	});

	it("of loads are drawn for the lengths that most of them sent", () => {
		const both = drawn(
			"A",
			[1, 8].flatMap((clients) => [serve(1024, clients), serve(4096, clients)]),
		);
		const one = drawn(
			"B",
			[1, 8, 32].map((clients) => serve(1020, clients)),
		);
		expect(commonLengths([both, one]).map(({ name }) => name)).toEqual([
			"1,024 → 128 tokens",
			"4,096 → 128 tokens",
		]);
		const [most] = commonLengths([both, one]);
		expect(columnsOf(most ? loadsChart([both, one], most) : null)).toEqual([
			...["A, law", "A, measured", "B, law", "B, measured"],
		]);
	});
});
