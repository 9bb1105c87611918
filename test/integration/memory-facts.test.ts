import { readFileSync } from "node:fs";
import { join } from "node:path";
import { seedCatalogs } from "@plimsoll/db";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canonical, testApp } from "../support/api.ts";
import { sharedFolder } from "../support/reading.ts";

const { call, close, deps } = await testApp();
afterAll(close);
beforeAll(() => seedCatalogs(deps.database));

const logs = sharedFolder(
	"formats/vllm-logs",
	process.env.PLIMSOLL_FORMATS && `${process.env.PLIMSOLL_FORMATS}/vllm-logs`,
);
const log = (name: string) => readFileSync(join(logs ?? "", name));

/** What a client measured: it knows model and GPU, and nothing of the engine's flags. */
const loads = [1, 8, 32].map((concurrency) => ({
	...{ phase: "serve", input: 1024, output: 256, concurrency },
	...{ tpot: { mean: 0.012 + 0.0004 * concurrency }, ttft: { mean: 0.08 * concurrency } },
}));
async function served(fields: Record<string, unknown>): Promise<string> {
	const said = { weights: null, kv: null, tp: null, gpus: null, ...fields };
	const { status, body } = await call("POST", "/runs", canonical(said, loads));
	expect(status).toBe(201);
	return body.configurations[0].id;
}
const memoryOf = async (configuration: string, query = "") =>
	(await call("GET", `/plan?configuration=${configuration}${query}`)).body.memory;
const pinnedOf = async (configuration: string) =>
	(await call("GET", `/configurations/${configuration}`)).body.pinned;

describe.skipIf(logs === null)(
	logs === null ? "memory of real start-up logs (skipped: no shared data)" : "memory of real start-up logs",
	() => {
		it("turns a plan's memory from assumed into measured, by a log of the same GPU and model", async () => {
			const b200 = await served({ gpu: "NVIDIA B200", gpus: 1, model: "nvidia/Llama-3.3-70B-Instruct-FP4" });
			const before = await memoryOf(b200, "&context=131000&output=72");
			expect([before.overheadBytes.evidence, before.poolBytes.evidence]).toEqual(["assumed", "assumed"]);

			const { status, body: run } = await call(
				"POST",
				"/runs?gpu=NVIDIA%20B200&fileName=b200.log",
				log("b200-llama3.3-70b-fp4-tp1-v0.15.0.log"),
			);
			expect(status).toBe(201);
			expect(run.memory).toMatchObject([{ countsFor: [{ id: b200 }], figures: { kvTokens: 782_160 } }]);

			const after = await memoryOf(b200, "&context=131000&output=72");
			// "Available KV cache memory: 119.35 GiB", "Model loading took 39.89 GiB".
			expect(after.poolBytes).toMatchObject({ evidence: "measured" });
			expect(after.poolBytes.value / 2 ** 30).toBeCloseTo(119.35, 2);
			expect(after.weightsBytes.value / 2 ** 30).toBeCloseTo(39.89, 2);
			expect(after.poolBytes.sources.map(({ href }: { href: string }) => href)).toContain(
				`/measurements/${run.id}`,
			);
			// The log says "Maximum concurrency for 131,072 tokens per request: 5.97x": five whole ones.
			expect(after.maxSequences).toMatchObject({ value: 5, evidence: "measured" });
			// Its cache is fp8, which the client could not say.
			expect((await call("GET", `/plan?configuration=${b200}`)).body.scenario.kvK).toBe("fp8");
		});

		it("leaves another GPU, another model and another cache type alone", async () => {
			const model = "nvidia/Llama-3.3-70B-Instruct-FP4";
			const others = await Promise.all([
				served({ gpu: "NVIDIA H200", gpus: 1, model }),
				served({ gpu: "NVIDIA B200", gpus: 1, model: "meta-llama/Llama-3.1-70B-Instruct" }),
				served({ gpu: "NVIDIA B200", gpus: 1, model, kv: "bf16" }),
				served({ gpu: "NVIDIA B200", gpus: 2, tp: 2, model }),
				served({ gpu: "NVIDIA B200", gpus: 1, model, engineVersion: "0.11.0" }),
			]);
			for (const other of others) expect(await pinnedOf(other)).toBeNull();
		});

		it("says what a log without its GPU could not be held against, and keeps it from cards it does not fill", async () => {
			const model = "Qwen2-7B-Instruct";
			const a100 = await served({ gpu: "A100 SXM 80GB", gpus: 1, model });
			const h200 = await served({ gpu: "H200 SXM", gpus: 1, model });
			await call("POST", "/runs", log("a100-80gb-qwen2-7b-v0.10.1.1-hard-wrapped.log"));
			const pinned = await pinnedOf(a100);
			expect(pinned).toMatchObject({ kvTokens: 464_848, utilisation: 0.5 });
			expect(pinned.unknown).toContain("GPU");
			const { body: plan } = await call("GET", `/plan?configuration=${a100}`);
			expect(plan.memory.weightsBytes.arithmetic).toContain("not said on both sides: GPU");
			// The start was given half of the card: that is no default of ours.
			expect(plan.assumed.map(({ key }: { key: string }) => key)).not.toContain("utilisation");
			expect(await pinnedOf(h200)).toBeNull();
		});

		it("shows what a log says against itself", async () => {
			const { body: run } = await call(
				"POST",
				"/runs?gpu=NVIDIA%20RTX%20A6000&model=qwen3.5-35b-a3b",
				log("compose-two-services-qwen3.5-35b-hybrid-v0.17.log"),
			);
			const pinned = await pinnedOf(run.memory[0].configurationId);
			expect(pinned.remarks.join()).toMatch(/contradict each other/);
			expect(pinned.kvTokens).toBeNull();
		});

		it("lets go of the figures when the log is deleted, and takes them back with it", async () => {
			const own = await served({ gpu: "NVIDIA B200", gpus: 4, tp: 4, model: "nvidia/DeepSeek-R1-0528-FP4" });
			const body = log("b200x4-dsr1-fp4-tp4-ep4-v0.19.1.log");
			const { id } = (await call("POST", "/runs?gpu=NVIDIA%20B200", body)).body;
			expect((await pinnedOf(own)).kvTokens).toBe(1_901_888);
			await call("DELETE", `/runs/${id}`);
			expect(await pinnedOf(own)).toBeNull();
			await call("POST", `/runs/${id}/restore`);
			expect((await pinnedOf(own)).kvTokens).toBe(1_901_888);
		});
	},
);

describe("a log written for this test", () => {
	const START = (pool: string, tokens: string) =>
		[
			"INFO 06-01 10:00:00 [api_server.py:1805] vLLM API server version 0.9.2",
			"INFO 06-01 10:00:00 [utils.py:326] non-default args: {'model': 'org/Tiny-8B', 'tensor_parallel_size': 2}",
			"(VllmWorker rank=0 pid=11) INFO 06-01 10:00:09 [r.py:1] Model loading took 7.5000 GiB and 3.1 seconds",
			`(VllmWorker rank=0 pid=11) INFO 06-01 10:00:20 [w.py:1] Available KV cache memory: ${pool} GiB`,
			`(VllmWorker rank=1 pid=12) INFO 06-01 10:00:20 [w.py:1] Available KV cache memory: 60.00 GiB`,
			`INFO 06-01 10:00:20 [k.py:1] GPU KV cache size: ${tokens} tokens`,
		].join("\n");

	it("of starts that differ the smallest cache counts, of ranks too", async () => {
		const own = await served({ gpu: "NVIDIA H100 80GB HBM3", gpus: 2, tp: 2, model: "org/Tiny-8B" });
		for (const [pool, tokens] of [
			["58.00", "900,000"],
			["57.00", "880,000"],
			["59.00", "915,000"],
		] as const)
			await call("POST", "/runs?gpu=NVIDIA%20H100%2080GB%20HBM3", START(pool, tokens));
		const pinned = await pinnedOf(own);
		expect(pinned.kvPoolBytes / 2 ** 30).toBeCloseTo(57, 9);
		expect(pinned.kvTokens).toBe(880_000);
		expect(pinned.sources).toHaveLength(3);
		expect(pinned.remarks.join()).toMatch(
			/Starts differ in the tokens of the cache \(880,000 tokens to 915,000 tokens\)/,
		);
	});

	it("says why a log counts for nothing yet, and what it leaves open", async () => {
		const of = (model: string) => START("55.00", "850,000").replace("org/Tiny-8B", model);
		const notesOf = async (query: string, body: string) => {
			const { id } = (await call("POST", `/runs${query}`, body)).body;
			return async () => (await call("GET", `/runs/${id}`)).body.notes.join();
		};
		const silent = await notesOf("", of("org/Other-8B"));
		expect(await silent()).toMatch(
			/count for no measured configuration yet: no measurement of org\/Other-8B with vllm is here; the file does not name the GPU: send it with gpu=NAME/,
		);
		const elsewhere = await notesOf("?gpu=NVIDIA%20H200", of("org/Third-8B"));
		expect(await elsewhere()).toMatch(/no measurement of org\/Third-8B on NVIDIA H200 with vllm is here$/);
		await served({ gpu: "NVIDIA B200", gpus: 2, tp: 2, model: "org/Third-8B" });
		expect(await elsewhere()).toMatch(/the nearest, 2× B200 · Third-8B.*, differs in GPU$/);
		await served({ gpu: "NVIDIA H200", gpus: 2, tp: 2, model: "org/Third-8B" });
		expect(await elsewhere()).not.toContain("count for no measured configuration");
	});
});
