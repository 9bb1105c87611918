import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import gpuSeeds from "../seed/gpus.json" with { type: "json" };
import modelSeeds from "../seed/models.json" with { type: "json" };
import { exampleFiles } from "./examples.ts";

interface Point {
	phase: string;
	tokens: number;
	cached: number;
	batch: number;
	context: number;
	seconds: number[];
	input: number;
	output: number;
	concurrency: number;
	ttft: { mean: number };
	tpot: { mean: number };
}

const examples = [...exampleFiles()];
const published = examples
	.filter(({ origin }) => origin === "published")
	.map((example) => ({ ...example, content: JSON.parse(Buffer.from(example.bytes).toString("utf8")) }));

const pointsOf = (fileName: string, phase: string): Point[] =>
	published
		.find((example) => example.fileName === fileName)
		?.content.measurements.filter((point: Point) => point.phase === phase) ?? [];

test("the index lists every example file, and nothing else", () => {
	const folder = fileURLToPath(new URL("../seed/examples", import.meta.url));
	const files = readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && entry.name !== "index.json")
		.map(({ name }) => name);
	expect(examples.map(({ fileName }) => fileName).sort()).toEqual(files.sort());
});

test("every published example says by whom, where, when and under which terms, and that we did not measure it", () => {
	for (const { content, attribution, fileName } of published) {
		expect(content.plimsoll, fileName).toBe(1);
		expect(content.origin, fileName).toBe("published");
		expect(content.attribution, fileName).toBe(attribution);
		expect(attribution, fileName).toMatch(/^published by .+, not measured by you$/);
		expect(content.source, fileName).toMatch(/^https:\/\//);
		expect(content.date, fileName).toMatch(/^\d{4}-\d{2}-\d{2}$/);
		expect(content.licence, fileName).not.toBe("");
	}
});

test("every published example names a GPU and a model of the catalogs", () => {
	const known = (seeds: { facts: { name: string }; aliases: string[] }[]) =>
		new Set(seeds.flatMap(({ facts, aliases }) => [facts.name.toLowerCase(), ...aliases]));
	const gpus = known(gpuSeeds);
	const models = known(modelSeeds);
	for (const { content, fileName } of published) {
		expect(gpus.has(content.gpu.toLowerCase()), fileName).toBe(true);
		expect(models.has(content.model.toLowerCase()), fileName).toBe(true);
	}
});

test("times are positive and grow with the work", () => {
	for (const { fileName } of published) {
		for (const { seconds } of [...pointsOf(fileName, "prefill"), ...pointsOf(fileName, "decode")])
			expect(Math.min(...seconds), fileName).toBeGreaterThan(0);
		const whole = pointsOf(fileName, "prefill").filter(
			({ cached, batch, tokens }) => !cached && batch === 1 && tokens >= 512,
		);
		const times = whole.sort((a, b) => a.tokens - b.tokens).map(({ seconds }) => seconds[0] ?? 0);
		expect(times, fileName).toEqual([...times].sort((a, b) => a - b));
	}
});

test("prefill of whole prompts follows a·s + b·s² through its first and last point within 5 %", () => {
	for (const fileName of [
		"rtx-4090-gpt-oss-20b.json",
		"rtx-5090-gpt-oss-20b.json",
		"h100-llama-3.1-405b-8-gpus.json",
	]) {
		const points = pointsOf(fileName, "prefill").map(({ tokens, seconds }) => ({
			s: tokens,
			t: seconds[0] ?? 0,
		}));
		const [first, last] = [points[0], points.at(-1)];
		if (!first || !last) throw new Error(`${fileName} has no prefill points`);
		const b = (last.t / last.s - first.t / first.s) / (last.s - first.s);
		const a = first.t / first.s - b * first.s;
		for (const { s, t } of points)
			expect(Math.abs((a * s + b * s * s) / t - 1), `${fileName} at ${s}`).toBeLessThan(0.05);
	}
});

// Read off the publications by eye, to catch a slip in a unit or a column.
test("a few figures are those of the publications", () => {
	const prefill = (fileName: string, tokens: number, batch = 1, cached = 0) =>
		pointsOf(fileName, "prefill").find((p) => p.tokens === tokens && p.batch === batch && p.cached === cached)
			?.seconds[0];
	const decode = (fileName: string, batch: number, context: number) =>
		pointsOf(fileName, "decode").find((p) => p.batch === batch && p.context === context)?.seconds[0];
	// Splitwise: 136.7974 ms for 2,048 tokens on 8 H100; 64 sequences of 512 tokens and 128 generated: 50.1608 ms a step.
	expect(prefill("h100-llama-2-70b-tp8.json", 2048)).toBeCloseTo(0.136797, 6);
	expect(decode("h100-llama-2-70b-tp8.json", 64, 575.5)).toBeCloseTo(0.0501608, 7);
	// arXiv 2411.01783: 3.8 s at 128K and 77 s at 1M on 128 H100.
	expect(prefill("h100-llama-3.1-405b-128-gpus.json", 128_000)).toBe(3.8);
	expect(prefill("h100-llama-3.1-405b-128-gpus.json", 1_000_000)).toBe(77);
	// llama.cpp guide to gpt-oss, RTX 4090: 5,112.35 tokens/s over 32,768 tokens, 221.95 generated tokens/s.
	expect(prefill("rtx-4090-gpt-oss-20b.json", 32_768)).toBeCloseTo(32_768 / 5112.35, 4);
	expect(decode("rtx-4090-gpt-oss-20b.json", 1, 63.5)).toBeCloseTo(1 / 221.95, 7);
	// ik_llama.cpp pull request 370, GLM-Z1-32B on mainline: 0.389 s for the first 512 tokens, 128 tokens in 3.340 s.
	expect(prefill("rtx-3090-ti-glm-z1-32b.json", 512)).toBeCloseTo(0.389, 3);
	expect(decode("rtx-3090-ti-glm-z1-32b.json", 1, 63.5)).toBeCloseTo(3.34 / 128, 5);
});

test("under load, more clients wait longer for each token and for the first one", () => {
	const points = pointsOf("h100-llama-3.1-70b-serve-tp4.json", "serve");
	expect(points).toHaveLength(15);
	for (const [input, output] of [
		[1024, 1024],
		[1024, 8192],
		[8192, 1024],
	]) {
		const shape = points.filter((point) => point.input === input && point.output === output);
		shape.sort((a, b) => a.concurrency - b.concurrency);
		for (const times of [shape.map(({ ttft }) => ttft.mean), shape.map(({ tpot }) => tpot.mean)])
			expect(times).toEqual([...times].sort((a, b) => a - b));
	}
});
