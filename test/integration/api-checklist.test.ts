import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { canonical, testApp } from "../support/api.ts";

const { call, close } = await testApp();
afterAll(close);

interface Item {
	key: string;
	state: string;
	known: { name: string; value: string }[];
	missing: { name: string; how: string }[];
}
const header = (record: object) => ({
	"plimsoll-conditions": Buffer.from(JSON.stringify(record)).toString("base64url"),
});
const rows = [
	...[512, 4096].map((tokens) => ({
		phase: "prefill",
		tokens,
		cached: 0,
		batch: 1,
		seconds: [tokens / 1e4],
	})),
];
async function checklistOf(file: string | Uint8Array, record?: object, query = "") {
	const { body } = await call("POST", `/runs${query}`, file as string, record && header(record));
	const { checklist } = (await call("GET", `/runs/${body.id}`)).body;
	return new Map<string, Item>(checklist.map((item: Item) => [item.key, item]));
}
const states = (list: Map<string, Item>) =>
	Object.fromEntries([...list].map(([key, { state }]) => [key, state]));
const said = (list: Map<string, Item>, key: string, name: string) =>
	list.get(key)?.known.find((one) => one.name === name)?.value ?? null;

describe("the checklist of a run", () => {
	it("claims nothing that neither the file nor its sender says, and says how to record it", async () => {
		const list = await checklistOf(canonical({ engineVersion: "0.10.0" }, rows));
		expect(states(list)).toEqual({
			...{ model: "partly", sampling: "unknown", prompts: "partly", tools: "unknown", platform: "partly" },
			repetition: "partly",
		});
		expect(said(list, "model", "Model")).toBe("llama-3.1-8b");
		expect(said(list, "prompts", "Prompt shapes")).toBe("512 new; 4,096 new (tokens)");
		expect(said(list, "repetition", "Runs of these conditions")).toBe("1");
		const missing = [...list.values()].flatMap((item) => item.missing);
		expect(missing.map(({ name }) => name)).toEqual(
			expect.arrayContaining([
				...["Model snapshot", "Measured on", "Sampler", "Prompts", "Tool schemas", "Driver", "Kernel"],
				...["Spread between runs", "Raw answers"],
			]),
		);
		for (const { name, how } of missing) expect(how, name).toBeTruthy();
	});

	it("knows all six where the sender recorded them", async () => {
		const record = {
			...{ modelSnapshot: "rev 0e9e39f", sampling: { temperature: 0, seed: 7 }, code: "bench 4f2a" },
			...{ prompts: { sha256: "ab12", bytes: 3210 }, tools: "none", answers: "s3://answers/17" },
			startedAt: "2026-11-30T12:00:00.000Z",
			host: { name: "gpu-7", system: "Linux 6.1" },
			gpus: { devices: [{ driver: "550.54", maxSmClockMhz: 1980 }] },
			before: { gpus: [{ powerLimitWatts: 700 }] },
		};
		const fields = { engineVersion: "0.10.1" };
		await call("POST", "/runs?label=first", canonical(fields, rows), header(record));
		const twice = rows.map((row) => ({ ...row, seconds: [row.seconds[0], 1.02 * (row.seconds[0] ?? 0)] }));
		const list = await checklistOf(canonical(fields, twice), record);
		expect(states(list)).toEqual({
			...{ model: "known", sampling: "known", prompts: "known", tools: "known", platform: "known" },
			repetition: "known",
		});
		expect(said(list, "sampling", "Sampler")).toBe("seed 7, temperature 0");
		expect(said(list, "prompts", "Prompts")).toBe("bytes 3210, sha256 ab12");
		expect(said(list, "model", "Measured on")).toBe("2026-11-30");
		expect(said(list, "platform", "Kernel")).toBe("Linux 6.1");
		expect(said(list, "repetition", "Repetitions")).toBe("2 of each row");
		expect(said(list, "repetition", "Runs of these conditions")).toBe("2");
		expect(said(list, "repetition", "Spread between runs")).toMatch(/^prefill [\d.]+ %$/);
	});

	it("does not take a part of the sampler for all of it", async () => {
		const list = await checklistOf(canonical({ flags: { temperature: 0.7 } }, rows));
		expect(list.get("sampling")).toMatchObject({
			...{ state: "partly", known: [{ name: "Sampler", value: "temperature 0.7" }] },
			missing: [{ name: "Further sampling parameters" }],
		});
	});

	it("knows of llama-bench that it feeds random tokens: there is no text, no sampler, no tool", async () => {
		const file = readFileSync(
			join(import.meta.dirname, "../fixtures/llama-cpp-cpu/bench-prefill-gqa-f16-armA.jsonl"),
		);
		const list = await checklistOf(file);
		expect(said(list, "sampling", "Sampler")).toBe("none: tokens are not sampled");
		expect(said(list, "prompts", "Prompts")).toBe("none: random token numbers");
		expect(states(list)).toMatchObject({
			sampling: "known",
			prompts: "known",
			tools: "known",
			platform: "partly",
		});
		expect(said(list, "model", "Measured on")).toMatch(/^2026-\d{2}-\d{2}$/);
	});

	it("is what Compare holds two configurations against each other by", async () => {
		const post = async (gpu: string, record: object) =>
			(await call("POST", "/runs", canonical({ gpu }, rows), header(record))).body.configurations[0].id;
		const a = await post("Card A", { modelSnapshot: "rev 1", tools: "none", host: { system: "Linux 6.1" } });
		const b = await post("Card B", { modelSnapshot: "rev 2", host: { system: "Linux 6.1" } });
		const { conditions } = (await call("GET", `/compare?configuration=${a}&configuration=${b}`)).body;
		const row = (name: string) => conditions.find((one: { name: string }) => one.name === name);
		expect(row("Model snapshot")).toMatchObject({ values: ["rev 1", "rev 2"], state: "differs" });
		expect(row("Tool schemas")).toMatchObject({ values: ["none", null], state: "unknown" });
		expect(row("Kernel")).toMatchObject({ state: "equal" });
		expect(row("Sampler")).toBeUndefined();
	});

	it("shows the worst a sender can record as no more than words", async () => {
		const odd = { sampling: { a: [1, null, "x".repeat(500)], b: null } };
		const list = await checklistOf(canonical({ engineVersion: "odd" }, rows), odd);
		expect(said(list, "sampling", "Sampler")?.length).toBeLessThanOrEqual(300);
		expect(said(list, "sampling", "Sampler")).toMatch(/^a 1, x/);
		expect(list.get("repetition")?.missing.map(({ name }) => name)).toContain("Raw answers");
	});
});
