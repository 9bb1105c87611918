import { describe, expect, it } from "vitest";
import { detailsOf, groundsOf, intervalOf } from "../details.ts";
import { prefillOption } from "../options/prefill.ts";
import { fillOption } from "../options/window.ts";
import { tableOf } from "../readings.ts";
import { chartCsv } from "./csv.ts";
import { layoutOf, wrapped } from "./layout.ts";
import { fileName, type Provenance } from "./provenance.ts";

/** Dots at 1,000 twice and at 4,000; a law known to 4,000 tokens and carried on to 16,000. */
const option = prefillOption({
	curve: [
		{ x: 1000, y: 0.1, low: 0.09, high: 0.11, evidence: "fitted" },
		{ x: 4000, y: 0.5, low: 0.45, high: 0.56, evidence: "fitted" },
		{ x: 16_000, y: 3.2, low: 2.2, high: 4.7, evidence: "extrapolated" },
	],
	points: [
		{ x: 1000, y: 0.101, n: 3, source: { configuration: "c1", measurement: "7" } },
		{ x: 1000, y: 0.104 },
		{ x: 4000, y: 0.49 },
	],
	range: { from: 1000, to: 4000 },
	powerLaw: null,
});
const from: Provenance = {
	title: "H100 · Llama",
	label: "Prefill time, against prompt tokens.",
	address: "/?configuration=c1&context=16000",
	day: "2026-11-30",
};

/** Rows of a CSV without its comment; no cell of these has a quote in it. */
function rowsOf(csv: string): string[][] {
	const lines = csv.split("\r\n").slice(1, -1);
	return lines.map((line) =>
		[...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g)].map(([, a, b]) => a ?? b ?? ""),
	);
}

describe("the values of a chart with what is known of them", () => {
	it("are those of its table, one by one, the interval beside its line", () => {
		const { columns, rows } = tableOf(option);
		const told = rows.flatMap(({ at, cells }) =>
			columns.flatMap((name, i) => (cells[i] && name !== "95% interval" ? [[at, name, cells[i]]] : [])),
		);
		const details = Map.groupBy(detailsOf(option), ({ at, name }) => `${at} ${name}`);
		const written = [...details.values()].map((own) => [
			own[0]?.at,
			own[0]?.name,
			own.map(({ value, write }) => write(value ?? Number.NaN)).join(", "),
		]);
		expect(written).toEqual(told);
		const intervals = rows.flatMap(({ cells }) => cells[columns.indexOf("95% interval")] ?? []);
		const lines = detailsOf(option).filter(({ name }) => name.startsWith("Fitted law"));
		expect(lines.map(intervalOf)).toEqual(intervals);
	});

	it("say how they are known, from strong to weak", () => {
		expect(groundsOf(option)).toEqual(["measured", "fitted", "extrapolated"]);
	});

	it("say which end of an interval is open", () => {
		const write = (value: number) => `${value} s`;
		expect(intervalOf({ low: 1, high: null, write })).toBe("from 1 s, no upper end");
		expect(intervalOf({ low: null, high: 2, write })).toBe("up to 2 s");
		expect(intervalOf({ low: null, high: null, write })).toBeNull();
	});

	it("of a stack are the parts themselves", () => {
		const parts = { system: 100, tools: 50, summary: 0, messages: 0, results: 0, images: 0, answers: 0 };
		const stack = fillOption({ turns: [{ parts }], windowTokens: 1000 });
		expect(detailsOf(stack).map(({ name, low, high }) => [name, low, high])).toEqual([
			["System rules", 0, 100],
			["Tool schemas", 100, 150],
		]);
	});
});

describe("a chart as CSV", () => {
	const csv = chartCsv(option, from);
	it("begins with where it comes from, in one line", () => {
		expect(csv.split("\r\n")[0]).toBe(
			"# H100 · Llama · Prefill time, against prompt tokens. · Plimsoll · Evidence: measured, fitted, extrapolated · /?configuration=c1&context=16000 · 30 Nov 2026",
		);
	});

	it("has plain numbers in base units with bounds and evidence", () => {
		const [heading, ...rows] = rowsOf(csv);
		expect(heading).toEqual([
			"Prompt tokens (tokens)",
			...["series", "value", "unit", "low", "high", "evidence", "measurements", "configuration"],
		]);
		expect(rows[0]).toEqual(["1000", "Fitted law", "0.1", "seconds", "0.09", "0.11", "fitted", "", ""]);
		expect(rows[1]).toEqual(["1000", "Measured", "0.101", "seconds", "", "", "measured", "3", "c1"]);
		expect(rows.at(-1)?.slice(0, 3)).toEqual(["16000", "Fitted law, extrapolated", "3.2"]);
		expect(rows).toHaveLength(6);
	});

	it("says its words in the language of the page, and its numbers plainly", () => {
		const say = (english: string) => `«${english}»`;
		const [comment, heading, , row] = chartCsv(option, { ...from, say }).split("\r\n");
		expect(comment).toBe(
			"# H100 · Llama · «Prefill time, against prompt tokens.» · Plimsoll · «Evidence: measured, fitted, extrapolated» · /?configuration=c1&context=16000 · «30 Nov 2026»",
		);
		expect(heading).toContain("«Prompt tokens» («tokens»),«series»,«value»");
		expect(row).toBe("1000,«Measured»,0.101,«seconds»,,,«measured»,3,c1");
	});

	it("is no formula in a spreadsheet", () => {
		const [line] = option.series;
		if (!line) throw new Error("no series");
		const named = { ...option, series: option.series.map((one) => ({ ...one, name: '=HYPERLINK("x")' })) };
		expect(chartCsv(named, from)).toContain(`"'=HYPERLINK(""x"")"`);
	});
});

describe("a file of a chart", () => {
	it("has a name that every system takes", () => {
		expect(fileName(from, "svg")).toBe("plimsoll-prefill-time-against-prompt-tokens.svg");
		expect(fileName({ ...from, label: "…" }, "csv")).toBe("plimsoll-chart.csv");
	});

	it("wraps words, and cuts what has no blank", () => {
		expect(wrapped("one two three", 7)).toEqual(["one two", "three"]);
		expect(wrapped("see /?a=1234567890", 8)).toEqual(["see", "/?a=1234", "567890"]);
		expect(wrapped("", 8)).toEqual([]);
	});

	it("has nothing over something else, and all of it inside", () => {
		const layout = layoutOf(option, { ...from, address: `/?${"x".repeat(400)}` });
		const feet = [layout.title, layout.label, layout.provenance].flatMap(({ lines }) =>
			lines.map(({ y }) => y),
		);
		const [heading, below] = [feet.filter((y) => y < layout.top), feet.filter((y) => y >= layout.top)];
		expect(feet).toEqual(feet.toSorted((a, b) => a - b));
		expect(Math.max(...heading)).toBeLessThan(Math.min(...layout.key.map(({ y }) => y)));
		expect(Math.min(...below)).toBeGreaterThan(layout.top + layout.plot.height);
		expect(Math.max(...below)).toBeLessThan(layout.height);
		expect(below.length).toBeGreaterThan(1);
	});
});
