import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { gpusNamed, modelsNamed, type Named } from "./names.ts";

const seed = (name: string): Named[] => {
	const file = resolve(import.meta.dirname, `../../../db/seed/${name}.json`);
	const entries: { facts: Named }[] = JSON.parse(readFileSync(file, "utf8"));
	return entries.map(({ facts }) => facts);
};
const gpus = seed("gpus");
const models = seed("models");

it.each([
	["our H100s", ["h100-nvl-94gb", "h100-pcie-80gb", "h100-sxm-80gb"]],
	["H100 PCIe", ["h100-pcie-80gb"]],
	["наши Н100 SXM", ["h100-sxm-80gb"]],
	["an A100 80 GB", ["a100-pcie-80gb", "a100-sxm-80gb"]],
	["RTX 6000 Ada", ["rtx-6000-ada"]],
	["RTX 3090 Ti", ["rtx-3090-ti"]],
	["RTX 3090", ["rtx-3090"]],
	["two L4", ["l4"]],
	["L40S", ["l40s"]],
	["no card at 64K", []],
])("cards of %j", (task, ids) => expect(gpusNamed(task, gpus)).toEqual(ids));

it.each([
	["Llama-3.1-70B", ["llama-3.1-70b"]],
	["llama 3 70b", ["llama-3.1-70b", "llama-3.3-70b"]],
	["llama 70b on H100", ["llama-2-70b", "llama-3.1-70b", "llama-3.3-70b"]],
	["qwen 3 32b", ["qwen3-32b"]],
	["Qwen3-30B-A3B", ["qwen3-30b-a3b"]],
	["mixtral 8x7b", ["mixtral-8x7b"]],
	["a 70B model", []],
])("models of %j", (task, ids) => expect(modelsNamed(task, models)).toEqual(ids));

it("finds every model by its own name, alone", () => {
	for (const { id } of models) expect(modelsNamed(id, models), id).toContain(id);
	for (const { id } of gpus) expect(gpusNamed(id, gpus), id).toEqual([id]);
});
