import { fitDecode, fitPrefill, type PrefillPoint } from "@plimsoll/api/model";
import { describe, expect, it } from "vitest";
import type { ChartOption } from "#lib/chart/option.ts";
import {
	chosenFew,
	decodeResiduals,
	depthChart,
	prefillChart,
	prefillResiduals,
	stepChart,
	togetherChart,
} from "./fit-charts.ts";

const about = { n: 1, betweenRuns: null, withinRun: null, measurementIds: [] };
const prompt = (tokens: number, seconds: number, cached = 0, batch = 1): PrefillPoint => ({
	...about,
	phase: "prefill",
	...{ tokens, cached, batch, seconds },
});
const law = (s: number) => 0.01 + 1e-4 * s + 1e-9 * s * s;
const prompts = [512, 1024, 2048, 4096, 8192].map((s) => prompt(s, law(s)));

function fitted() {
	const fit = fitPrefill(prompts);
	if (!fit) throw new Error("five points fit a law");
	return fit;
}
function dataOf(option: ChartOption | null, id: string): [x: number, y: number | null][] {
	const series = option?.series.find((s) => s.id === id);
	return series && series.kind !== "band" ? series.points.map(({ x, y }) => [x, y]) : [];
}

describe("prefillChart", () => {
	it("shows every whole prompt as a dot and the curve passing it", () => {
		const option = prefillChart(fitted(), prompts, []);
		expect(dataOf(option, "measured")).toEqual(prompts.map((p) => [p.tokens, p.seconds]));
		const curve = new Map(dataOf(option, "law").map(([x, y]) => [x, y]));
		for (const { tokens, seconds } of prompts) expect(curve.get(tokens)).toBeCloseTo(seconds, 6);
	});

	it("goes on to four times the longest measured prompt", () => {
		expect(dataOf(prefillChart(fitted(), prompts, []), "law:2").at(-1)?.[0]).toBe(4 * 8192);
	});

	it("marks the shortest prompt that did not come through, where the chart reaches it", () => {
		const failure = (tokens: number) => ({
			phase: "prefill" as const,
			...{ tokens, batch: 1, reason: "out of memory", measurementId: "1" },
		});
		const stops = (tokens: number) =>
			prefillChart(fitted(), prompts, [failure(tokens)])?.lines?.some(({ name }) => name === "stopped");
		expect(stops(16_384)).toBe(true);
		expect(stops(1_000_000)).toBe(false);
	});

	it("has nothing to show where only chunks over a cache were measured together with no chunk size", () => {
		expect(prefillChart(fitted(), [prompt(512, 0.1, 1024)], [])).toBeNull();
	});
});

describe("residuals", () => {
	it("are measured over law, less one, for whole prompts, chunks and batches apart", () => {
		const exact = { ...fitted(), coefficients: { a: 1e-4, b: 0, f: 0, k: 0 } };
		const option = prefillResiduals(exact, [
			prompt(1000, 0.105),
			prompt(1000, 0.095, 4000),
			prompt(500, 0.1, 0, 2),
		]);
		const at = (id: string) => dataOf(option, id).map(([x, y]) => [x, Number(y?.toFixed(9))]);
		expect(at("residual:Whole prompts")).toEqual([[1000, 0.05]]);
		expect(at("residual:Over cached tokens")).toEqual([[5000, -0.05]]);
		expect(at("residual:Prompts together")).toEqual([[500, 0]]);
	});

	it("of decode steps are grouped by batch", () => {
		const points = [1, 1, 4, 32, 128].map((batch, i) => ({
			...about,
			phase: "decode" as const,
			...{ batch, context: 1000 * (i + 1), seconds: 0.01 + batch * 1e-4 },
		}));
		const fit = fitDecode(points);
		if (!fit) throw new Error("five points fit a law");
		const ids = decodeResiduals(fit, points).series.flatMap((s) => (s.kind === "dots" ? [s.id] : []));
		expect(ids).toEqual([
			"residual:Alone",
			"residual:2–8 together",
			"residual:9–64 together",
			"residual:More together",
		]);
	});
});

describe("families", () => {
	it("show chunks of one size against their depth", () => {
		const deep = [0, 1024, 4096].map((d) => prompt(512, law(512 + d) - law(d) + 0.01, d));
		const option = depthChart(fitted(), deep);
		expect(dataOf(option, "measured:512 tokens").map(([x]) => x)).toEqual([1024, 4096]);
		expect(depthChart(fitted(), prompts)).toBeNull();
	});

	it("show batches beside prompts alone, and nothing where there were none", () => {
		const two = [512, 1024].map((s) => prompt(s, 2 * law(s), 0, 2));
		expect(dataOf(togetherChart(fitted(), [...prompts, ...two]), "measured:2 together")).toHaveLength(2);
		expect(togetherChart(fitted(), prompts)).toBeNull();
	});

	it("show one decode curve per batch, six at most, the first and the last among them", () => {
		const points = [1, 2, 3, 4, 6, 8, 12, 16, 32].flatMap((batch) =>
			[1000, 8000].map((context) => ({
				...about,
				phase: "decode" as const,
				...{ batch, context, seconds: 0.01 + batch * 1e-4 + batch * context * 1e-8 },
			})),
		);
		const fit = fitDecode(points);
		if (!fit) throw new Error("points fit a law");
		const names = stepChart(fit, points)?.series.flatMap((s) => (s.kind === "line" ? [s.name] : [])) ?? [];
		expect(names).toHaveLength(6);
		expect(names[0]).toBe("alone, law");
		expect(names.at(-1)).toBe("batch 32, law");
	});
});

it("chooses few of many, ends included", () => {
	expect(chosenFew([3, 1, 2, 2], 6)).toEqual([1, 2, 3]);
	expect(chosenFew([1, 2, 3, 4, 5, 6, 7, 8, 9], 3)).toEqual([1, 5, 9]);
});
