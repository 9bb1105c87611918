import { seedCatalogs } from "@plimsoll/db";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canonical, testApp } from "../support/api.ts";

const { call, close, deps } = await testApp();
afterAll(close);
beforeAll(() => seedCatalogs(deps.database));

const memory = async (query: string) => (await call("GET", `/memory?${query}`)).body;

describe("counts in /memory", () => {
	const about = "model=llama-3.1-8b&gpu=rtx-4090&weights=fp8";

	it.each([
		["64k", 64_000],
		["64K", 64_000],
		["128,000", 128_000],
		["1M", 1_000_000],
		["1.5k", 1500],
	])("reads context=%s as /plan does: %i tokens", async (written, tokens) => {
		const asked = await memory(`${about}&context=${written}&batch=1k`);
		expect(asked).toEqual(await memory(`${about}&context=${tokens}&batch=1000`));
		// 131,072 bytes a token in bf16, in blocks of 16 tokens.
		expect(asked.kvBytesPerSequence.value).toBe(Math.ceil(tokens / 16) * 16 * 131_072);
		const { body } = await call("GET", `/plan?model=llama-3.1-8b&gpu=rtx-4090&context=${written}`);
		expect(body.scenario.context).toBe(tokens);
	});

	it("shows the exact number of tokens", async () => {
		const { kvBytesPerSequence } = await memory(`${about}&context=64k`);
		expect(kvBytesPerSequence.arithmetic.replaceAll(/[\s,]/g, "")).toContain("64000");
	});

	it.each(["64kk", "12.5", "-1", "0", "", "1e3"])("refuses context=%s by name", async (written) => {
		const { status, body } = await call("GET", `/memory?${about}&context=${encodeURIComponent(written)}`);
		expect([status, body.errors[0].at]).toEqual([400, "context"]);
	});
});

describe("a GPU that the catalog does not know", () => {
	let configuration: string;
	beforeAll(async () => {
		const rows = [512, 4096, 16384].map((tokens) => ({
			...{ phase: "prefill", tokens, cached: 0, batch: 1, seconds: [tokens * 1e-4] },
		}));
		const { body } = await call("POST", "/runs", canonical({ gpu: "Homebrew 9000", weights: "bf16" }, rows));
		configuration = body.configurations[0].id;
	});
	const plan = async (query: string) =>
		(await call("GET", `/plan?configuration=${configuration}&context=8k${query}`)).body;

	it("leaves the memory open and says what to do, in words", async () => {
		const { memory } = await plan("");
		expect(memory.totalBytes.value).toBeNull();
		expect(memory.maxSequences.value).toBeNull();
		expect(memory.totalBytes.arithmetic).toContain("say how much memory the card has");
	});

	it("is planned with the memory that is said, by the same sum as any other", async () => {
		const bytes = 48 * 2 ** 30;
		const said = await plan(`&totalBytes=${bytes}`);
		expect(said.scenario.totalBytes).toBe(bytes);
		expect(said.memory.totalBytes).toMatchObject({ value: bytes, evidence: "arithmetic" });
		const { poolBytes, weightsBytes, overheadBytes, maxSequences } = said.memory;
		expect(poolBytes.value).toBeCloseTo(
			bytes * said.scenario.utilisation - weightsBytes.value - overheadBytes.value,
			-1,
		);
		const perSequence = Math.ceil((8000 + said.scenario.output) / 16) * 16 * 131_072;
		expect(maxSequences.value).toBe(Math.floor(poolBytes.value / perSequence));
	});

	it("takes the said memory in place of a known card's", async () => {
		const known = "/plan?model=llama-3.1-8b&gpu=rtx-4090";
		const { body } = await call("GET", `${known}&totalBytes=48000000000`);
		expect(body.memory.totalBytes.value).toBe(48e9);
	});

	it.each(["0", "-1", "24GB", "1e16"])("refuses totalBytes=%s by name", async (written) => {
		const { status, body } = await call("GET", `/plan?totalBytes=${written}`);
		expect([status, body.errors[0].at]).toEqual([400, "totalBytes"]);
	});
});
