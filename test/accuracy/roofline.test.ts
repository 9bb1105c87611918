import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import {
	type GpuFacts,
	type ModelFacts,
	predictDecode,
	predictPrefill,
	ROOFLINE_SPREAD,
	rooflineFits,
} from "@plimsoll/api/model";
import { describe, expect, test } from "vitest";

const truth = resolve(import.meta.dirname, "../../../shared/data/truth");
const seed = resolve(import.meta.dirname, "../../db/seed");

const catalog = <Facts extends { id: string }>(file: string, id: string): Facts => {
	const rows = JSON.parse(readFileSync(resolve(seed, file), "utf8")) as { facts: Facts }[];
	const found = rows.find(({ facts }) => facts.id === id);
	if (!found) throw new Error(`${id} is not in ${file}`);
	return found.facts;
};

function rows(file: string): Record<string, string>[] {
	const [head = "", ...lines] = readFileSync(resolve(truth, file), "utf8").trim().split("\n");
	const names = head.split(",");
	return lines.map((line) => Object.fromEntries(line.split(",").map((value, i) => [names[i], value])));
}

/** Model, GPU and ranks of the series that were timed as whole models on hardware of the catalog. */
function setupOf(series = ""): { model: string; gpu: string; tp: number } | null {
	const tp = Number(/tp(\d+)$/.exec(series)?.[1] ?? 1);
	if (series.startsWith("llama2-70b|"))
		return { model: "llama-2-70b", gpu: series.includes("a100") ? "a100-sxm-80gb" : "h100-sxm-80gb", tp };
	return series.startsWith("qwen3-4b bf16|a100") ? { model: "qwen3-4b", gpu: "a100-sxm-80gb", tp } : null;
}

/** ln(estimated / measured) of every row that the catalog covers. */
function misses(
	file: string,
	seconds: (fits: ReturnType<typeof rooflineFits>, row: Record<string, string>) => [number, number] | null,
): number[] {
	return rows(file).flatMap((row) => {
		const setup = setupOf(row.series);
		if (!setup) return [];
		const fits = rooflineFits(
			catalog<ModelFacts>("models.json", setup.model),
			catalog<GpuFacts>("gpus.json", setup.gpu),
			{ tp: setup.tp, weights: "bf16" },
		);
		const pair = seconds(fits, row);
		return pair ? [Math.log(pair[0] / pair[1])] : [];
	});
}

describe.skipIf(!existsSync(truth))(
	existsSync(truth) ? "roofline against whole models" : "roofline: skipped: no shared data",
	() => {
		const held = (logs: number[]) =>
			logs.filter((log) => Math.abs(log) <= Math.log(ROOFLINE_SPREAD)).length / logs.length;

		test("prefill from 512 tokens on: 95 of 100 within the stated spread", () => {
			const logs = misses("prefill_points.csv", ({ prefill }, row) => {
				const [tokens, batch] = [Number(row.new_tokens), Number(row.batch)];
				if (!prefill || tokens * batch < 512) return null;
				return [predictPrefill(prefill, { tokens, batch }).seconds, Number(row.prefill_ms) / 1e3];
			});
			expect(logs.length).toBeGreaterThan(50);
			expect(held(logs)).toBeGreaterThanOrEqual(0.95);
		});

		test("decode steps: 95 of 100 within the stated spread", () => {
			const logs = misses("decode_points.csv", ({ decode }, row) => {
				if (!decode) return null;
				const question = { batch: Number(row.batch), context: Number(row.kv_tokens) };
				return [predictDecode(decode, question).seconds, Number(row.step_ms) / 1e3];
			});
			expect(logs.length).toBeGreaterThan(50);
			expect(held(logs)).toBeGreaterThanOrEqual(0.95);
		});
	},
);
