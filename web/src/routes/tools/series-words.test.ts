import type { ToolSeries } from "@plimsoll/api";
import { describe, expect, it } from "vitest";
import { toolSeriesOption } from "#lib/chart/options/tool-series.ts";
import { failureWords, grammarWords } from "./series-words.ts";

type Point = ToolSeries["points"][number];
const point = (tools: number, seconds: number | null, more: Partial<Point> = {}): Point => ({
	...{
		tools,
		seconds,
		low: seconds,
		high: seconds,
		schema: null,
		callable: true,
		cached: false,
		failed: false,
	},
	...{ n: 1, headersSeconds: null, tokens: null, reason: null },
	...more,
});
/** As reported of one server: four numbers of tools without a failure, two with. */
const reported = [
	...[point(0, 1.23, { callable: false }), point(9, 0.98), point(27, 6.21)],
	...[83, 96].map((tools) =>
		point(tools, tools === 83 ? 123.84 : 142.94, { failed: true, reason: "failed to parse grammar" }),
	),
];
const plain = (words: string[]) => words.map((text) => text.replaceAll("\u00a0", " "));

describe("a measured series of tools", () => {
	it("says where the server broke, after how long and why", () => {
		expect(plain(failureWords(reported))).toEqual([
			"tools: 2 requests with 83 to 96 tools failed after 2.06 min to 2.38 min: failed to parse grammar.",
		]);
		expect(failureWords(reported.slice(0, 3))).toEqual([]);
		expect(plain(failureWords([point(5, null, { failed: true })]))).toEqual([
			"tools: 1 request with 5 tools failed: the server did not say why.",
		]);
	});

	it("tells the grammar's part only from requests that differ in nothing else", () => {
		const held = { cached: true, schema: "mi-900" };
		const series = [
			point(96, 0.27, held),
			point(27, 0.06, held),
			point(96, 0.1, { ...held, callable: false }),
			point(96, 7.6, { schema: "mi-900" }),
		];
		expect(plain(grammarWords(series))).toEqual([
			"mi-900: 96 tools take 270 ms, without a grammar 100 ms; 170 ms are the grammar's.",
		]);
		expect(grammarWords(reported)).toEqual([]);
		expect(grammarWords(series.slice(0, 2))).toEqual([]);
	});

	it("is drawn with its failures apart, and from no tools on", () => {
		const { xAxis, yAxis, series } = toolSeriesOption({ points: reported, cached: false });
		expect(series.map(({ id, name }) => `${id}: ${name}`)).toEqual([
			"bare: no tool callable, so no grammar",
			"schema null: tools",
			"failed null: tools: failed after",
		]);
		expect(series.map(({ points }) => points.length)).toEqual([1, 2, 2]);
		expect([xAxis.from, xAxis.ticks.at(-1)]).toEqual([0, 96]);
		expect(yAxis.to).toBeGreaterThanOrEqual(142.94);
		expect(yAxis.from).toBeLessThanOrEqual(0.98);
	});
});
