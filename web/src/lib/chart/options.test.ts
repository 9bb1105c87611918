import { render } from "svelte/server";
import { describe, expect, it } from "vitest";
import { coloursOf } from "#lib/design/colours.ts";
import ChartPicture from "./ChartPicture.svelte";
import { groundOf } from "./ground.ts";
import type { ChartOption } from "./option.ts";
import { costOption } from "./options/cost.ts";
import { decodeOption } from "./options/family.ts";
import { prefillOption } from "./options/prefill.ts";
import { residualOption } from "./options/residual.ts";
import { sequencesOption } from "./options/sequences.ts";
import { tpotOption } from "./options/tpot.ts";
import { trapOption } from "./options/trap.ts";
import { ttftOption } from "./options/ttft.ts";
import { plotOf } from "./plot.ts";
import { readingAt } from "./readings.ts";

/** Draws an option as the server does; gives the texts in the picture and the pixels of some places. */
function drawn(option: ChartOption, places: [x: number, y: number][] = []) {
	const plot = plotOf(option, 700, 320);
	const svg = render(ChartPicture, {
		props: { option, plot, ground: groundOf(option, plot) },
	}).body.replaceAll(/<!--.*?-->/g, "");
	const texts = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) =>
		text?.replaceAll("\u00a0", " "),
	);
	const pixels = places.map(([x, y]) => [plot.x(x), plot.y(y)] as [number, number]);
	return { svg, texts, pixels };
}

/** Llama3 405B on 128 GPUs: 3.8 s at 128K and 77 s at 1M, through the origin. @source arXiv 2411.01783 */
const LENGTHS = [1e3, 4e3, 16e3, 32e3, 128e3, 1e6];
const b = (77 / 1e6 - 3.8 / 128e3) / (1e6 - 128e3);
const a = 3.8 / 128e3 - b * 128e3;
const law = (s: number) => a * s + b * s * s;
const curve = LENGTHS.map((x) => ({
	...{ x, y: law(x), low: law(x) * 0.9, high: law(x) * 1.1 },
	evidence: x < 128e3 ? ("extrapolated" as const) : ("fitted" as const),
}));
const published = [
	{ x: 128e3, y: 3.8 },
	{ x: 1e6, y: 77 },
];

describe("ttftOption", () => {
	const option = ttftOption({
		curve,
		points: published,
		slo: 2,
		range: { from: 128e3, to: 1e6 },
	});

	it("draws ticks, the objective and the measured range, whose name is in the key alone", () => {
		const { texts } = drawn(option);
		for (const words of [
			"1K",
			"32K",
			"128K",
			"1M",
			"objective 2.00 s",
			"Prompt tokens",
			"Time to first token",
		]) {
			expect(texts).toContain(words);
		}
		expect(texts).not.toContain("measured");
		expect(option.areas?.map(({ name }) => name)).toContain("measured");
	});

	it("puts equal factors at equal distances", () => {
		const { pixels } = drawn(option, [
			[1e3, 0.1],
			[4e3, 1],
			[16e3, 10],
		]);
		const [x, y] = [0, 1].map((axis) => pixels.map((pixel) => pixel[axis] ?? Number.NaN)) as [
			number[],
			number[],
		];
		const steps = (values: number[]) => values.slice(1).map((value, i) => value - (values[i] ?? Number.NaN));
		expect(steps(x)[1]).toBeCloseTo(steps(x)[0] ?? Number.NaN, 6);
		expect(steps(y)[1]).toBeCloseTo(steps(y)[0] ?? Number.NaN, 6);
	});

	it("goes on as a dashed line outside what was measured", () => {
		const dashes = option.series.flatMap((s) => (s.kind === "line" ? [[s.name, s.dash]] : []));
		expect(dashes).toEqual([
			["Prefill alone", "solid"],
			["Prefill alone, extrapolated", "dashed"],
		]);
	});

	it("is nowhere solid, shaded or full where nothing of it was measured", () => {
		const other = ttftOption({
			curve: curve.map((point) => ({ ...point, evidence: "estimated" as const })),
			points: published,
			otherwise: "with another setup",
			slo: null,
			range: { from: 128e3, to: 1e6 },
		});
		expect(other.areas).toEqual([]);
		expect(other.series.flatMap((s) => (s.kind === "line" ? [s.dash] : []))).toEqual(["dotted"]);
		const dots = other.series.find((s) => s.kind === "dots");
		expect(dots).toMatchObject({ name: "Measured with another setup", hollow: true });
	});

	it("draws the band from low to high", () => {
		const { svg, pixels } = drawn(option, [
			[128e3, law(128e3) * 0.9],
			[128e3, law(128e3) * 1.1],
		]);
		const [[x, low], [, high]] = pixels as [[number, number], [number, number]];
		const band = [...svg.matchAll(/<path d="(M[^"]*)" fill="var\(--time\)" fill-opacity/g)][0]?.[1] ?? "";
		const ys = [...band.matchAll(/([\d.]+),([\d.]+)/g)]
			.filter(([, px]) => Math.abs(Number(px) - x) < 0.1)
			.map(([, , py]) => Number(py));
		expect(Math.max(...ys)).toBeCloseTo(low, 1);
		expect(Math.min(...ys)).toBeCloseTo(high, 1);
	});

	it("uses the page's variables for colours, and a theme's own where a file is made", () => {
		expect(drawn(option).svg).toContain("var(--time)");
		const dark = ttftOption({ curve, points: [], slo: null, range: null, theme: coloursOf("dark") });
		expect(drawn(dark).svg).not.toContain("var(--time)");
		expect(drawn(dark).svg).toContain("#7ccbe8");
	});
});

describe("sequencesOption", () => {
	it("shades the lengths at which nothing fits and breaks the line there", () => {
		const option = sequencesOption({
			curve: [
				{ x: 8000, y: 14 },
				{ x: 32_000, y: 3 },
				{ x: 128_000, y: 0 },
				{ x: 1_000_000, y: 0 },
			],
		});
		expect(drawn(option).texts).toContain("none fits");
		expect(option.series.find((s) => s.id === "sequences")?.points).toMatchObject([
			{ x: 8000, y: 14 },
			{ x: 32_000, y: 3 },
			{ x: 128_000, y: null },
			{ x: 1_000_000, y: null },
		]);
	});
});

describe("tpotOption", () => {
	const loads = [1, 2, 4, 8, 16].map((x) => ({
		x,
		y: 0.02 + 0.002 * x,
		low: 0.019,
		high: 0.07,
		evidence: "fitted" as const,
	}));
	it("shades the load that memory does not hold", () => {
		const { texts } = drawn(tpotOption({ curve: loads, points: [], slo: 0.05, fits: 7 }));
		expect(texts).toContain("waits for memory");
		expect(texts).toContain("objective 50.0 ms");
	});
	it("does not where memory holds all of it", () => {
		const { texts } = drawn(tpotOption({ curve: loads, points: [], slo: null, fits: 16 }));
		expect(texts).not.toContain("waits for memory");
	});
});

describe("costOption", () => {
	it("writes money on the axis and tells lines apart by dash", () => {
		const points = LENGTHS.map((x) => ({ x, y: x / 1e6 }));
		const option = costOption({
			unit: "USD/request",
			lines: [
				{ id: "a", name: "One request", points },
				{ id: "b", name: "With a cached prefix", points },
			],
		});
		expect(drawn(option).texts).toEqual(expect.arrayContaining(["$0.1", "$1", "Cost per request"]));
		const dashes = option.series.map((s) => (s.kind === "line" ? s.dash : null));
		expect(new Set(dashes).size).toBe(2);
	});
});

describe("the charts beside the time", () => {
	const points = LENGTHS.map((x) => ({ x, y: x / 1e6 }));
	const lines = [{ id: "a", name: "One request", points }];
	const of = (prompts: { from: number; to: number } | null) => [
		costOption({ unit: "USD/request", lines, prompts }),
		sequencesOption({ curve: LENGTHS.map((x) => ({ x, y: 1e6 / x })), prompts }),
	];

	it("shade the lengths whose prompts were measured, and none where none were", () => {
		for (const { areas } of of({ from: 1000, to: 4000 }))
			expect(areas).toMatchObject([
				{ axis: "x", from: 1000, to: 4000, name: "prompts measured", keyed: true },
			]);
		for (const { areas } of of(null)) expect(areas).toEqual([]);
	});
});

describe("prefillOption", () => {
	it("marks the length at which it stopped and the power law beside the law", () => {
		const { texts, svg } = drawn(
			prefillOption({
				curve,
				points: published,
				range: { from: 128e3, to: 1e6 },
				powerLaw: { exponent: 1.464, points: LENGTHS.map((x) => ({ x, y: 3.8 * (x / 128e3) ** 1.464 })) },
				stoppedAt: 1e6,
			}),
		);
		expect(texts).toContain("stopped");
		expect(svg).toContain("var(--ink-soft)");
	});
});

describe("decodeOption", () => {
	it("names each batch at its line and gives each its own marker", () => {
		const option = decodeOption(
			[1, 8, 32].map((batch) => ({
				name: `batch ${batch}`,
				curve: LENGTHS.map((x) => ({ x, y: 0.01 + batch * 1e-4 + batch * x * 1e-8 })),
				points: [{ x: 4e3, y: 0.01 + batch * 1e-4 + batch * 4e-5 }],
			})),
		);
		expect(drawn(option).texts).toEqual(expect.arrayContaining(["batch 1", "batch 8", "batch 32"]));
		const symbols = option.series.flatMap((s) => (s.kind === "dots" ? [s.symbol] : []));
		expect(new Set(symbols).size).toBe(3);
	});
});

describe("residualOption", () => {
	const option = residualOption({
		groups: [
			{
				name: "Prefill",
				points: [
					{ x: 1000, y: 0.031 },
					{ x: 4000, y: -0.012 },
				],
			},
		],
		noise: 0.02,
		xName: "Tokens",
	});

	it("puts zero in the middle", () => {
		const { pixels } = drawn(option, [
			[1000, 0.02],
			[1000, 0],
			[1000, -0.02],
		]);
		const [up, zero, down] = pixels.map(([, y]) => y) as [number, number, number];
		expect(zero - up).toBeGreaterThan(10);
		expect(zero - up).toBeCloseTo(down - zero, 6);
	});

	it("holds every point against the noise floor", () => {
		expect(readingAt(option, 4000).lines).toEqual([
			{ name: "Noise floor ±2%", text: "−2% – +2%" },
			{ name: "Prefill", text: "−1.2%" },
		]);
	});
});

describe("trapOption", () => {
	it("grows from one: between 128K and 1M money ×7.8 and time ×20.3", () => {
		const option = trapOption({
			curve: [128e3, 1e6].map((context) => ({
				context,
				asMeasured: true,
				prefill: {
					seconds: law(context),
					low: law(context),
					high: law(context),
					evidence: "fitted" as const,
				},
				ttft: null,
				kvBytes: context * 327_680,
				maxSequences: null,
				usdPerRequest: null,
			})),
		});
		const last = (id: string) => {
			const line = option.series.find((s) => s.id === id);
			return line?.kind === "line" ? line.points.at(-1)?.y : undefined;
		};
		expect(last("time")).toBeCloseTo(20.26, 1);
		expect(last("money")).toBeCloseTo(7.8125, 4);
		expect(last("memory")).toBeCloseTo(7.8125, 4);
	});
});

it("draws every chart without a value as an empty one, not as an error", () => {
	const empty = [
		ttftOption({ curve: [], points: [], slo: null, range: null }),
		sequencesOption({ curve: [] }),
		tpotOption({ curve: [], points: [], slo: null }),
		costOption({ lines: [], unit: "USD/request" }),
		decodeOption([]),
		residualOption({ groups: [], noise: null, xName: "Tokens" }),
		trapOption({ curve: [] }),
	];
	for (const option of empty) expect(drawn(option).svg).toContain("</svg>");
});
