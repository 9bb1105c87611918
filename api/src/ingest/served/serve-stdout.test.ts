import { describe, expect, it } from "vitest";
import { cleanText } from "../text/text.ts";
import { serveStdout } from "./serve-stdout.ts";

const read = (text: string) => [...(serveStdout.document?.(cleanText(text), {}) ?? [])];
const serves = (text: string) =>
	read(text).flatMap((item) =>
		item.kind === "measurement" && item.measurement.phase === "serve" ? [item.measurement] : [],
	);

/** 100 requests of 512 + 129 tokens in 40 s, 16 clients: e2e = 0.4 + 128 · 0.04688 = 6.4 s. */
const VLLM = `Namespace(backend='vllm', model='org/m-fp8', dataset_name='random', random_input_len=512, request_rate=inf, max_concurrency=16, base_url='http://10.0.0.7:8000')
Traffic request rate: inf
============ Serving Benchmark Result ============
Successful requests:                     100
Benchmark duration (s):                  40.00
Total input tokens:                      51200
Total generated tokens:                  12900
Request throughput (req/s):              2.50
Output token throughput (tok/s):         322.50
---------------Time to First Token----------------
Mean TTFT (ms):                          400.00
Median TTFT (ms):                        390.00
P99 TTFT (ms):                           700.00
-----Time per Output Token (excl. 1st token)------
Mean TPOT (ms):                          46.88
Median TPOT (ms):                        46.90
P99 TPOT (ms):                           50.00
---------------Inter-token Latency----------------
Mean ITL (ms):                           46.88
Median ITL (ms):                         45.00
P99 ITL (ms):                            90.00
==================================================
`;

const SGLANG = `============ Serving Benchmark Result ============
Backend:                                 sglang
Traffic request rate:                    4.0
Max request concurrency:                 not set
Successful requests:                     60
Benchmark duration (s):                  20.00
Total input tokens:                      60000
Total generated tokens:                  6000
Total generated tokens (retokenized):    5990
Request throughput (req/s):              3.00
Concurrency:                             5.40
----------------End-to-End Latency----------------
Mean E2E Latency (ms):                   1800.00
Median E2E Latency (ms):                 1790.00
---------------Time to First Token----------------
Mean TTFT (ms):                          90.00
Median TTFT (ms):                        88.00
P99 TTFT (ms):                           150.00
==================================================
`;

describe("the block that a serving benchmark prints", () => {
	it("becomes a serve point with the client's arguments", () => {
		const [serve] = serves(VLLM);
		expect(serve).toMatchObject({
			input: 512,
			output: 129,
			rate: null,
			concurrencyLimit: 16,
			suspicions: [],
		});
		expect(serve?.concurrency).toBeCloseTo(2.5 * (0.4 + 128 * 0.04688), 9);
		expect(serve?.conditions).toMatchObject({ model: "org/m-fp8", weights: "fp8", engine: null });
		expect(serve?.ttft?.p99).toBeCloseTo(0.7, 12);
		expect(JSON.stringify(serve)).not.toContain("10.0.0.7");
	});

	it("is read from SGLang too, whose concurrency is measured", () => {
		const [serve] = serves(SGLANG);
		expect(serve).toMatchObject({
			concurrency: 5.4,
			concurrencyBasis: "measured",
			rate: 4,
			input: 1000,
			output: 100,
		});
		expect(serve?.e2e?.mean).toBeCloseTo(1.8, 12);
		// (1.8 − 0.09) / 99
		expect(serve?.tpot?.mean).toBeCloseTo(0.0172727, 6);
	});

	it("is read as the comment of a script, and several of them one after the other", () => {
		const commented = VLLM.split("\n").map((line) => `# ${line}`);
		expect(serves(commented.join("\n"))).toHaveLength(1);
		expect(serves(VLLM + SGLANG).map((serve) => serve.completed)).toEqual([100, 60]);
	});

	it("is partial where the text ends inside it", () => {
		const cut = VLLM.slice(0, VLLM.indexOf("P99 TPOT"));
		expect(serves(cut)[0]).toMatchObject({ status: "partial", input: 512 });
	});

	it("says so where prompts are not as long as they were asked to be", () => {
		const [serve] = serves(VLLM.replace("random_input_len=512", "random_input_len=10000"));
		expect(serve?.notes.join()).toContain("flag and data disagree: 10000 input tokens were asked for, 512");
	});

	it("takes the engine from a server's start in the same text", () => {
		const start =
			"INFO 06-01 10:00:00 [core.py:9] Initializing a V1 LLM engine (v0.9.2) with config: model='org/m-fp8', tensor_parallel_size=2\nINFO 06-01 10:00:20 [kv.py:1] GPU KV cache size: 638,976 tokens\n";
		const [serve] = serves(start + VLLM);
		expect(serve?.conditions).toMatchObject({
			engine: "vllm",
			engineVersion: "0.9.2",
			tp: 2,
			model: "org/m-fp8",
		});
		expect(read(start + VLLM).map((item) => item.kind)).toEqual(["measurement", "memory"]);
	});
});
