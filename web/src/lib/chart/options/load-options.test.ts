import type { LoadOutcome, Sweep, Timeline } from "@plimsoll/api/model";
import { describe, expect, it } from "vitest";
import { tableOf } from "../readings.ts";
import { sweepServedOption, sweepTimeOption } from "./sweep.ts";
import { cacheOption, queueOption } from "./timeline.ts";

const timeline: Timeline = {
	seconds: [0, 1, 2],
	running: [1, 4, 2],
	waiting: [0, 3, 0],
	kvTokens: [100, 900, 300],
};

describe("a timeline", () => {
	it("reads out what ran and what waited at every moment", () => {
		const { columns, rows } = tableOf(queueOption({ timeline, evidence: "estimated", limit: null }));
		expect(columns).toEqual(["Running", "Waiting"]);
		expect(rows.map(({ at, cells }) => [at, ...cells])).toEqual([
			[0, "1", "0"],
			[1, "4", "3"],
			[2, "2", "0"],
		]);
	});

	it("draws a limit that is near, and leaves one out that would press the lines flat", () => {
		const linesAt = (limit: number | null) =>
			cacheOption({ timeline, evidence: "estimated", limit }).lines?.map(({ at }) => at);
		expect(linesAt(1000)).toEqual([1000]);
		expect(linesAt(1_000_000)).toEqual([]);
		expect(linesAt(null)).toEqual([]);
	});
});

function point(
	load: number,
	p50: number,
	p99: number,
	served: number,
	good: number,
): Sweep["points"][number] {
	const time = { mean: p50, p50, p90: p99, p95: p99, p99, max: p99 };
	const outcome = {
		...{ ttft: time, tpot: null, requestsPerSecond: served },
		goodput: { share: good / load, requestsPerSecond: good },
	} as unknown as LoadOutcome;
	return { load, outcome };
}
const sweep: Sweep = {
	of: "rate",
	points: [point(1, 0.2, 0.5, 1, 1), point(2, 0.3, 1.5, 2, 1.9), point(4, 5, 20, 3, 0.5)],
	saturation: 3,
	best: { load: 2, requestsPerSecond: 1.9 },
};

describe("a sweep", () => {
	it("reads out median and 99 % at every load, and shades what is beyond the limit", () => {
		const option = sweepTimeOption("ttft", { sweep, evidence: "estimated", slo: 2 });
		const { columns, rows } = tableOf(option);
		expect(columns).toEqual(["99%", "Median"]);
		expect(rows.map(({ at, cells }) => [at, ...cells.map((cell) => cell.replace("\u00a0", " "))])).toEqual([
			[1, "500 ms", "200 ms"],
			[2, "1.50 s", "300 ms"],
			[4, "20.0 s", "5.00 s"],
		]);
		expect(option.lines?.map(({ at }) => at)).toEqual([2]);
		expect(option.areas?.map(({ from, to }) => [from, to])).toEqual([[3, 4]]);
	});

	it("has no curve of a time that no request has", () => {
		expect(tableOf(sweepTimeOption("tpot", { sweep, evidence: "estimated" })).rows).toEqual([]);
	});

	it("shows what is served and what of it is good enough", () => {
		const { columns, rows } = tableOf(sweepServedOption({ sweep, evidence: "estimated" }));
		expect(columns).toEqual(["Served", "Within the objectives"]);
		expect(rows.at(-1)?.cells).toEqual(["3.00 requests/s", "0.500 requests/s"]);
	});
});
