import { describe, expect, it } from "vitest";
import { vllmMetrics } from "./metrics.ts";

const read = (text: string) => [...(vllmMetrics.document?.(text, {}) ?? [])];

const PAGE = `# HELP vllm:num_requests_running Number of requests in model execution batches.
# TYPE vllm:num_requests_running gauge
vllm:num_requests_running{engine="0",model_name="org/m-fp8"} 3.0
vllm:request_success_total{engine="0",finished_reason="stop",model_name="org/m-fp8"} 10.0
vllm:request_success_total{engine="0",finished_reason="length",model_name="org/m-fp8"} 30.0
vllm:time_to_first_token_seconds_count{engine="0",model_name="org/m-fp8"} 40.0
vllm:time_to_first_token_seconds_sum{engine="0",model_name="org/m-fp8"} 8.0
vllm:time_to_first_token_seconds_bucket{engine="0",le="0.1",model_name="org/m-fp8"} 5.0
vllm:cache_config_info{block_size="16",cache_dtype="fp8_e4m3",engine="0",kv_cache_size_tokens="None",num_gpu_blocks="1000"} 1.0
vllm:cache_config_info{block_size="16",cache_dtype="fp8_e4m3",engine="1",kv_cache_size_tokens="20000",num_gpu_blocks="1000"} 1.0
`;

describe("a /metrics page of vLLM", () => {
	it("pins the pool of each engine: tokens where they are given, else blocks times size", () => {
		const memories = read(PAGE).flatMap((item) => (item.kind === "memory" ? [item] : []));
		expect(memories.map(({ at, memory }) => [at, memory.kvTokens])).toEqual([
			["engine 0", 16_000],
			["engine 1", 20_000],
		]);
		expect(memories[0]?.conditions).toMatchObject({
			engine: "vllm",
			model: "org/m-fp8",
			weights: "fp8",
			kvK: "fp8",
		});
	});

	it("sets its counters aside, with what they say", () => {
		const asides = read(PAGE).flatMap((item) => (item.kind === "aside" ? [item.reason] : []));
		expect(asides).toHaveLength(2);
		expect(asides[0]).toMatch(/over 40 requests.*TTFT 0\.2 s/);
	});
});
