/** What the API's own description does not say of a call. */
interface KnownOperation {
	name: string;
	/** When words mean it: rules of lexicon.ts. */
	words: readonly string[];
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
		words: [
			"perMillion",
			"perMillion gpu",
			"howManyUsers",
			"ttft",
			"tpot",
			"perMonth",
			"costOf",
			"whatIf",
			"holdsUsers",
			"throughput",
			"slo",
			"tokens gpu",
			"users gpu",
			"users tokens",
			"perMonth gpu",
			"perMonth users",
			"costOf perMonth",
			"costOf price",
			"costOf price gpu",
			"costOf gpu",
			"costOf tokens",
			"costOf users",
		],
		example: H100_64K,
	},
	"GET /facts": {
		name: "facts",
		words: ["facts gpu/model"],
		example: { model: "llama-3.1-8b", gpu: "h100-sxm-80gb" },
	},
	"GET /memory": {
		name: "memory",
		words: ["memory", "kvSize", "fits", "maxContext", "memory holdsUsers", "memory tokens", "fits gpu"],
		example: { model: "llama-3.1-70b", gpu: "h100-sxm-80gb", gpus: 4, context: 64000, kv: "fp8" },
	},
	"GET /window": {
		name: "window",
		words: [
			"session turns tools",
			"turns tools",
			"windowFills",
			"session turns",
			"session tools",
			"turns",
			"windowWord tools",
			"windowWord turns",
			"windowWord turns tools",
			"session tools perMonth",
			"windowWord tools tokens",
			"compaction",
			"session compaction",
			"compaction price",
			"compaction costOf",
		],
		example: { window: "200K", system: "12K", tools: 15, toolTokens: 400, turns: 50, sessions: 100 },
	},
	"POST /tools": {
		name: "weigh_tools",
		words: [
			"weigh",
			"weigh tools",
			"weigh tokens tools",
			"weigh costOf tools",
			"tools tokens",
			"tools ttft",
			"tools perMonth",
		],
		example: {
			body: '{"tools":[{"name":"now","description":"The time of day","inputSchema":{"type":"object","properties":{}}}]}',
			...{ model: "llama-3.1-8b", gpu: "h100-sxm-80gb" },
		},
	},
	"GET /tools/example": { name: "example_tools", words: [], example: {} },
	"GET /tools/series": { name: "tool_series", words: ["toolSeries", "toolSeries tools"], example: {} },
	"GET /lifts": {
		name: "lifts",
		words: ["lift", "lift users", "lift gpu", "lift users gpu"],
		example: H100_64K,
	},
	"GET /solve": {
		name: "solve",
		words: ["solveFor", "solveFor maxContext", "solveFor gpu", "solveFor price"],
		example: { ...H100_64K, for: "context" },
	},
	"GET /advice": {
		name: "advice",
		words: ["measureNext"],
		example: { context: "64K", concurrency: 8 },
	},
	"GET /configurations/{id}/advice": {
		name: "configuration_advice",
		words: [],
		example: { id: "CONFIGURATION", context: "64K" },
	},
	"GET /fleet": {
		name: "fleet",
		words: [
			"hardware rate",
			"pick hardware",
			"pick gpuNoun",
			"hardware model",
			"cheapest rate",
			"howManyGpus",
			"whichGpu",
			"fleet",
			"replicas",
			"hardware users",
			"hardware cheapest",
			"cheapest users",
			"cheapest gpuNoun",
		],
		example: { ...DEMAND, check: 0 },
		long: true,
	},
	"GET /fleet/economics": {
		name: "economics",
		words: [
			"buying api",
			"buying hostedApi",
			"renting hostedApi",
			"renting buying",
			"cheapest api",
			"buying cheapest api",
			"renting api",
			"rentOrBuy",
			"breakEven",
			"hostedApi",
			"ownership",
		],
		example: { ...DEMAND, check: 0 },
		long: true,
	},
	"GET /compare": {
		name: "compare",
		words: ["compare"],
		example: { configuration: ["CONFIGURATION", "OTHER_CONFIGURATION"] },
	},
	"GET /compare/repetitions": {
		name: "repetitions",
		words: ["repetitions", "repetitions compare"],
		example: { configuration: "CONFIGURATION", effect: 0.05 },
	},
	"POST /predict": {
		name: "predict",
		words: ["predict times", "predict points", "points times"],
		example: {
			body: { configuration: "CONFIGURATION", points: [{ phase: "prefill", tokens: 10000, cached: 0 }] },
		},
	},
	"POST /simulate": {
		name: "simulate",
		words: ["simulate", "percentile", "queue", "saturation", "bursts"],
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
		words: ["report", "report json"],
		example: H100_64K,
	},
	"GET /reports/cost-latency.csv": { name: "report_csv", words: ["report csv"], example: H100_64K },
	"GET /reports/cost-latency.xlsx": {
		name: "report_xlsx",
		words: ["report workbook", "workbook"],
		example: H100_64K,
	},
	"GET /reports/cost-latency.pdf": { name: "report_pdf", words: ["report pdf", "pdf"], example: H100_64K },
	"POST /reports/reconciliation": {
		name: "reconcile",
		words: ["reconcile", "bill plan", "bill forecast", "actuals"],
		example: {
			...H100_64K,
			body: "month,gpu_hours,usd,prompt_tokens,output_tokens\n2026-10,2920,7008,9120000000,610000000\n",
		},
	},
	"GET /runs": {
		name: "list_runs",
		words: ["uploadedLately", "list run", "latest run", "list run tag"],
		example: { limit: 5 },
	},
	"POST /runs": {
		name: "post_run",
		words: ["add run", "post run", "add measurement"],
		example: {
			body: {
				...{ plimsoll: 1, gpu: "NVIDIA H100 80GB HBM3", gpus: 1, model: "llama-3.1-8b", engine: "vllm" },
				measurements: [{ phase: "prefill", tokens: 1024, cached: 0, batch: 1, seconds: [0.123, 0.121] }],
			},
		},
	},
	"GET /runs/{id}": { name: "get_run", words: ["read run id"], example: { id: "RUN" } },
	"GET /runs/{id}/raw": { name: "run_file", words: ["raw run id", "raw run"], example: { id: "RUN" } },
	"GET /runs/{id}/measurements": {
		name: "list_run_measurements",
		words: ["list measurement run id", "list measurement ofRun"],
		example: { id: "RUN", limit: 5 },
	},
	"PATCH /runs/{id}": {
		name: "change_run",
		words: [
			"change run",
			"tag run id",
			// A run that has an id is there already.
			"add run id",
			"setTo tag run",
			"add tag run",
			"change tag run",
			"change recorded run",
			"change recorded",
		],
		example: { id: "RUN", body: { tags: ["nightly"] } },
	},
	"DELETE /runs/{id}": { name: "delete_run", words: ["delete run"], example: { id: "RUN" } },
	"POST /runs/{id}/restore": { name: "restore_run", words: ["restore run"], example: { id: "RUN" } },
	"GET /plimsoll.mjs": { name: "command_file", words: ["commandLine"], example: {} },
	"GET /configurations": {
		name: "list_configurations",
		words: ["list configuration", "whatMeasured"],
		example: { gpu: "h100-sxm-80gb" },
	},
	"GET /configurations/{id}": {
		name: "get_configuration",
		words: ["read configuration id", "details configuration", "fitOf", "fitOf configuration"],
		example: { id: "CONFIGURATION" },
	},
	"GET /configurations/{id}/facts": {
		name: "configuration_facts",
		words: ["facts configuration"],
		example: { id: "CONFIGURATION" },
	},
	"GET /configurations/{id}/measurements": {
		name: "list_measurements",
		words: ["list measurement", "list measurement configuration"],
		example: { id: "CONFIGURATION", limit: 5 },
	},
	"GET /configurations/{id}/measurements/{measurementId}": {
		name: "get_measurement",
		words: ["read measurement id"],
		example: { id: "CONFIGURATION", measurementId: "MEASUREMENT" },
	},
	"GET /configurations/{id}/decisions": {
		name: "list_decisions",
		words: ["who delete measurement", "who exclude measurement", "decisions", "who exclude"],
		example: { id: "CONFIGURATION" },
	},
	"GET /configurations/{id}/versions": {
		name: "versions",
		words: ["versions"],
		example: { id: "CONFIGURATION" },
	},
	"PATCH /configurations/{id}/measurements/{measurementId}": {
		name: "decide_measurement",
		words: ["exclude measurement", "include measurement", "exclude add measurement"],
		example: {
			...{ id: "CONFIGURATION", measurementId: "MEASUREMENT" },
			body: { included: false, reason: "the card was throttling" },
		},
	},
	"GET /forecasts": { name: "list_forecasts", words: ["forecast", "cameTrue"], example: { limit: 5 } },
	"GET /forecasts/configurations": {
		name: "forecast_records",
		words: ["forecast each configuration"],
		example: { limit: 5 },
	},
	"GET /accuracy": { name: "accuracy", words: ["accuracy"], example: {} },
	"GET /traces": { name: "list_traces", words: ["list trace", "whichTraces"], example: {} },
	"POST /traces": {
		name: "post_trace",
		words: ["add trace"],
		example: {
			name: "Ours",
			body: "arrival_s,prompt_tokens,output_tokens,prefix_cached_tokens\n0,374,44,0\n4.31,396,109,128\n",
		},
	},
	"GET /traces/{id}": {
		name: "get_trace",
		words: ["details trace", "read trace id"],
		example: { id: "TRACE" },
	},
	"DELETE /traces/{id}": { name: "delete_trace", words: ["delete trace"], example: { id: "OWN_TRACE" } },
	"GET /models": { name: "list_models", words: ["list model", "catalog model"], example: { q: "llama" } },
	"POST /models": {
		name: "post_model",
		words: ["add model", "modelFile"],
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
		words: ["geometry", "geometry model", "details model"],
		example: { id: "llama-3.1-8b" },
	},
	"DELETE /models/{id}": { name: "delete_model", words: ["delete model"], example: { id: "my-model-7b" } },
	"GET /gpus": {
		name: "list_gpus",
		words: ["list gpuNoun", "catalog gpu", "list catalog gpuNoun", "knownGpus"],
		example: { q: "H100" },
	},
	"POST /gpus": {
		name: "post_gpu",
		words: ["add gpuNoun", "add custom gpuNoun", "add catalog gpu"],
		example: { body: { name: "My GPU 48GB", totalBytes: 48000000000 } },
	},
	"GET /gpus/{id}": {
		name: "get_gpu",
		words: ["know gpu", "bandwidth", "bandwidth gpu", "details gpu"],
		example: { id: "h100-sxm-80gb" },
	},
	"GET /prices": {
		name: "list_prices",
		words: ["price", "list price", "price gpu", "perHour gpu", "perHour costOf gpu"],
		example: { gpu: "h100-sxm-80gb" },
	},
	"POST /prices": {
		name: "post_price",
		words: [
			"reprice",
			"reprice gpu",
			"raised gpu",
			"raised price",
			"add price",
			"change price",
			"setTo price",
			"add perHour price",
		],
		example: {
			body: {
				subject: "h100-sxm-80gb",
				terms: { kind: "agreed", perGpuHour: 2.1 },
				...{ source: "our contract", readOn: "2026-11-01" },
			},
		},
	},
	"GET /prices/{id}": { name: "get_price", words: ["read price id"], example: { id: "PRICE" } },
	"GET /claims": { name: "list_claims", words: ["claim", "list claim"], example: { limit: 5 } },
	"POST /claims": {
		name: "post_claim",
		words: ["add claim"],
		example: { body: { statement: "A million tokens answer in a second", kind: "folklore" } },
	},
	"GET /claims/{id}": { name: "get_claim", words: ["read claim id"], example: { id: "CLAIM" } },
	"DELETE /claims/{id}": { name: "delete_claim", words: ["delete claim"], example: { id: "OWN_CLAIM" } },
	"GET /effective-lengths": {
		name: "list_effective_lengths",
		words: ["effectiveLength", "list effectiveLength", "effectiveLength model"],
		example: { limit: 5 },
	},
	"POST /effective-lengths": {
		name: "post_effective_length",
		words: ["add effectiveLength"],
		example: {
			body: {
				...{ model: "llama-3.1-8b", task: "our contract questions", threshold: "90 % right" },
				...{ effectiveTokens: 24000, failedAtTokens: 32000, source: "our test set, 3 runs" },
			},
		},
	},
	"DELETE /effective-lengths/{id}": {
		name: "delete_effective_length",
		words: ["delete effectiveLength"],
		example: { id: "OWN_LENGTH" },
	},
	"GET /scenarios": { name: "list_scenarios", words: ["list scenario"], example: {} },
	"POST /scenarios": {
		name: "post_scenario",
		words: ["add scenario", "keep scenario", "keep plan"],
		example: {
			body: { name: "Chat at 16K", query: "context=16000&output=500&concurrency=8&model=llama-3.1-8b" },
		},
	},
	"GET /scenarios/{id}": {
		name: "get_scenario",
		words: ["details scenario", "read scenario id"],
		example: { id: "SCENARIO" },
	},
	"PATCH /scenarios/{id}": {
		name: "change_scenario",
		words: ["change scenario", "restore scenario"],
		example: { id: "SCENARIO", body: { name: "Chat, renamed" } },
	},
	"DELETE /scenarios/{id}": {
		name: "delete_scenario",
		words: ["delete scenario"],
		example: { id: "SCENARIO" },
	},
	"GET /keys": { name: "list_keys", words: ["list key"], example: {} },
	"POST /keys": {
		name: "post_key",
		words: ["add key"],
		example: { body: { name: "ci", scopes: ["ingest"] } },
	},
	"DELETE /keys/{id}": { name: "delete_key", words: ["delete key"], example: { id: "KEY" } },
	"GET /access": { name: "access", words: ["accessRules"], example: {} },
	"GET /usage": { name: "usage", words: ["usage", "usage who"], example: {} },
	"GET /examples": { name: "get_examples", words: ["read exampleData", "list exampleData"], example: {} },
	"POST /examples": {
		name: "add_examples",
		words: ["add exampleData", "restore exampleData"],
		example: {},
	},
	"DELETE /examples": { name: "delete_examples", words: ["delete exampleData"], example: {} },
};
