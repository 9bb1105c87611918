/** What the API's own description does not say of a call. */
interface KnownOperation {
	name: string;
	/** Arguments that work; words in capitals stand for ids. */
	example?: Record<string, unknown>;
	long?: boolean;
}

const H100_64K = { context: "64K", kv: "fp8", gpu: "h100-sxm-80gb", gpus: 8, model: "llama-3.1-70b" };
const DEMAND = { model: "llama-3.1-8b", context: 1200, output: 250, rate: 20, gpu: "h100-sxm-80gb" };

/** By method and path of the API. What is not here is an operation all the same, under a name made of both. */
export const KNOWN_OPERATIONS: Readonly<Record<string, KnownOperation>> = {
	"GET /plan": {
		name: "plan",
		example: H100_64K,
	},
	"GET /facts": {
		name: "facts",
		example: { model: "llama-3.1-8b", gpu: "h100-sxm-80gb" },
	},
	"GET /memory": {
		name: "memory",
		example: { model: "llama-3.1-70b", gpu: "h100-sxm-80gb", gpus: 4, context: 64000, kv: "fp8" },
	},
	"GET /window": {
		name: "window",
		example: { window: "200K", system: "12K", tools: 15, toolTokens: 400, turns: 50, sessions: 100 },
	},
	"POST /tools": {
		name: "weigh_tools",
		example: {
			body: '{"tools":[{"name":"now","description":"The time of day","inputSchema":{"type":"object","properties":{}}}]}',
			...{ model: "llama-3.1-8b", gpu: "h100-sxm-80gb" },
		},
	},
	"GET /tools/example": { name: "example_tools", example: {} },
	"GET /tools/series": { name: "tool_series", example: {} },
	"GET /lifts": {
		name: "lifts",
		example: H100_64K,
	},
	"GET /solve": {
		name: "solve",
		example: { ...H100_64K, for: "context" },
	},
	"GET /advice": {
		name: "advice",
		example: { context: "64K", concurrency: 8 },
	},
	"GET /configurations/{id}/advice": {
		name: "configuration_advice",
		example: { id: "CONFIGURATION", context: "64K" },
	},
	"GET /fleet": {
		name: "fleet",
		example: { ...DEMAND, check: 0 },
		long: true,
	},
	"GET /fleet/economics": {
		name: "economics",
		example: { ...DEMAND, check: 0 },
		long: true,
	},
	"GET /compare": {
		name: "compare",
		example: { configuration: ["CONFIGURATION", "OTHER_CONFIGURATION"] },
	},
	"GET /compare/repetitions": {
		name: "repetitions",
		example: { configuration: "CONFIGURATION", effect: 0.05 },
	},
	"POST /predict": {
		name: "predict",
		example: {
			body: { configuration: "CONFIGURATION", points: [{ phase: "prefill", tokens: 10000, cached: 0 }] },
		},
	},
	"POST /simulate": {
		name: "simulate",
		example: {
			body: {
				configuration: "CONFIGURATION",
				workload: {
					arrivals: { kind: "rate", requestsPerSecond: 1 },
					requests: 100,
					prompt: { kind: "fixed", tokens: 1000 },
					output: { kind: "fixed", tokens: 100 },
				},
			},
		},
		long: true,
	},
	"GET /reports/cost-latency.json": {
		name: "report_json",
		example: H100_64K,
	},
	"GET /reports/cost-latency.csv": { name: "report_csv", example: H100_64K },
	"GET /reports/cost-latency.xlsx": {
		name: "report_xlsx",
		example: H100_64K,
	},
	"GET /reports/cost-latency.pdf": { name: "report_pdf", example: H100_64K },
	"POST /reports/reconciliation": {
		name: "reconcile",
		example: {
			...H100_64K,
			body: "month,gpu_hours,usd,prompt_tokens,output_tokens\n2026-10,2920,7008,9120000000,610000000\n",
		},
	},
	"GET /runs": {
		name: "list_runs",
		example: { limit: 5 },
	},
	"POST /runs": {
		name: "post_run",
		example: {
			body: {
				...{ plimsoll: 1, gpu: "NVIDIA H100 80GB HBM3", gpus: 1, model: "llama-3.1-8b", engine: "vllm" },
				measurements: [{ phase: "prefill", tokens: 1024, cached: 0, batch: 1, seconds: [0.123, 0.121] }],
			},
		},
	},
	"GET /runs/{id}": { name: "get_run", example: { id: "RUN" } },
	"GET /runs/{id}/raw": { name: "run_file", example: { id: "RUN" } },
	"GET /runs/{id}/measurements": {
		name: "list_run_measurements",
		example: { id: "RUN", limit: 5 },
	},
	"PATCH /runs/{id}": {
		name: "change_run",
		example: { id: "RUN", body: { tags: ["nightly"] } },
	},
	"DELETE /runs/{id}": { name: "delete_run", example: { id: "RUN" } },
	"POST /runs/{id}/restore": { name: "restore_run", example: { id: "RUN" } },
	"GET /plimsoll.mjs": { name: "command_file", example: {} },
	"GET /configurations": {
		name: "list_configurations",
		example: { gpu: "h100-sxm-80gb" },
	},
	"GET /configurations/{id}": {
		name: "get_configuration",
		example: { id: "CONFIGURATION" },
	},
	"GET /configurations/{id}/facts": {
		name: "configuration_facts",
		example: { id: "CONFIGURATION" },
	},
	"GET /configurations/{id}/measurements": {
		name: "list_measurements",
		example: { id: "CONFIGURATION", limit: 5 },
	},
	"GET /configurations/{id}/measurements/{measurementId}": {
		name: "get_measurement",
		example: { id: "CONFIGURATION", measurementId: "MEASUREMENT" },
	},
	"GET /configurations/{id}/decisions": {
		name: "list_decisions",
		example: { id: "CONFIGURATION" },
	},
	"GET /configurations/{id}/versions": {
		name: "versions",
		example: { id: "CONFIGURATION" },
	},
	"PATCH /configurations/{id}/measurements/{measurementId}": {
		name: "decide_measurement",
		example: {
			...{ id: "CONFIGURATION", measurementId: "MEASUREMENT" },
			body: { included: false, reason: "the card was throttling" },
		},
	},
	"GET /forecasts": { name: "list_forecasts", example: { limit: 5 } },
	"GET /forecasts/configurations": {
		name: "forecast_records",
		example: { limit: 5 },
	},
	"GET /accuracy": { name: "accuracy", example: {} },
	"GET /traces": { name: "list_traces", example: {} },
	"POST /traces": {
		name: "post_trace",
		example: {
			name: "Ours",
			body: "arrival_s,prompt_tokens,output_tokens,prefix_cached_tokens\n0,374,44,0\n4.31,396,109,128\n",
		},
	},
	"GET /traces/{id}": {
		name: "get_trace",
		example: { id: "TRACE" },
	},
	"DELETE /traces/{id}": { name: "delete_trace", example: { id: "OWN_TRACE" } },
	"GET /models": { name: "list_models", example: { q: "llama" } },
	"POST /models": {
		name: "post_model",
		example: {
			name: "My-Model-7B",
			body: {
				...{ model_type: "llama", hidden_size: 4096, num_hidden_layers: 32, num_attention_heads: 32 },
				...{ num_key_value_heads: 8, intermediate_size: 11008, vocab_size: 32000 },
			},
		},
	},
	"GET /models/{id}": {
		name: "get_model",
		example: { id: "llama-3.1-8b" },
	},
	"DELETE /models/{id}": { name: "delete_model", example: { id: "my-model-7b" } },
	"GET /gpus": {
		name: "list_gpus",
		example: { q: "H100" },
	},
	"POST /gpus": {
		name: "post_gpu",
		example: { body: { name: "My GPU 48GB", totalBytes: 48000000000 } },
	},
	"GET /gpus/{id}": {
		name: "get_gpu",
		example: { id: "h100-sxm-80gb" },
	},
	"GET /prices": {
		name: "list_prices",
		example: { gpu: "h100-sxm-80gb" },
	},
	"POST /prices": {
		name: "post_price",
		example: {
			body: {
				subject: "h100-sxm-80gb",
				terms: { kind: "agreed", perGpuHour: 2.1 },
				...{ source: "our contract", readOn: "2026-11-01" },
			},
		},
	},
	"GET /prices/{id}": { name: "get_price", example: { id: "PRICE" } },
	"GET /claims": { name: "list_claims", example: { limit: 5 } },
	"POST /claims": {
		name: "post_claim",
		example: { body: { statement: "A million tokens answer in a second", kind: "folklore" } },
	},
	"GET /claims/{id}": { name: "get_claim", example: { id: "CLAIM" } },
	"DELETE /claims/{id}": { name: "delete_claim", example: { id: "OWN_CLAIM" } },
	"GET /effective-lengths": {
		name: "list_effective_lengths",
		example: { limit: 5 },
	},
	"POST /effective-lengths": {
		name: "post_effective_length",
		example: {
			body: {
				...{ model: "llama-3.1-8b", task: "our contract questions", threshold: "90 % right" },
				...{ effectiveTokens: 24000, failedAtTokens: 32000, source: "our test set, 3 runs" },
			},
		},
	},
	"DELETE /effective-lengths/{id}": {
		name: "delete_effective_length",
		example: { id: "OWN_LENGTH" },
	},
	"GET /scenarios": { name: "list_scenarios", example: {} },
	"POST /scenarios": {
		name: "post_scenario",
		example: {
			body: { name: "Chat at 16K", query: "context=16000&output=500&concurrency=8&model=llama-3.1-8b" },
		},
	},
	"GET /scenarios/{id}": {
		name: "get_scenario",
		example: { id: "SCENARIO" },
	},
	"PATCH /scenarios/{id}": {
		name: "change_scenario",
		example: { id: "SCENARIO", body: { name: "Chat, renamed" } },
	},
	"DELETE /scenarios/{id}": {
		name: "delete_scenario",
		example: { id: "SCENARIO" },
	},
	"GET /keys": { name: "list_keys", example: {} },
	"POST /keys": {
		name: "post_key",
		example: { body: { name: "ci", scopes: ["ingest"] } },
	},
	"DELETE /keys/{id}": { name: "delete_key", example: { id: "KEY" } },
	"GET /access": { name: "access", example: {} },
	"GET /usage": { name: "usage", example: {} },
	"GET /examples": { name: "get_examples", example: {} },
	"POST /examples": {
		name: "add_examples",
		example: {},
	},
	"DELETE /examples": { name: "delete_examples", example: {} },
};
