/** How well the laws told public measurements that they were not shown, as computed on one day. Figures in per cent. */
export interface AccuracyRecord {
	/** ISO day on which it was computed. */
	computedOn: string;
	/** The command that computes it anew. */
	command: string;
	regimes: AccuracyRegime[];
	/** What one further measurement did to the error, chosen as it is advised. */
	advice: AdviceRegime[];
}

/** Errors over all points of one kind of question to one kind of data. */
export interface AccuracyRegime {
	/** Key of ACCURACY_SOURCES. */
	group: string;
	/** "prefill-inside", "prefill-x4", "decode", "serve-tpot", … */
	regime: string;
	/** Configurations that were fitted. */
	series: number;
	points: number;
	median: number;
	p90: number;
	mean: number;
	/** Share of the points inside their 95 % interval. */
	held: number;
	/** Median half-width of the interval. */
	halfWidth: number;
}

/** Mean errors at points that were asked about: before, with the advised, and with any further measurement. */
export interface AdviceRegime {
	group: string;
	regime: string;
	trials: number;
	before: number;
	advised: number;
	random: number;
}

/** Where measurements come from that the laws are held against. */
export interface AccuracySource {
	group: string;
	/** What was timed, on what. */
	what: string;
	label: string;
	href: string;
	licence: string;
}

/** The public data of the record. Only figures computed from it are kept here, never the data itself. */
export const ACCURACY_SOURCES: readonly AccuracySource[] = [
	{
		group: "sweep_bench",
		what: "whole models in llama.cpp, 512 to 131,072 tokens, GPUs, processors and both together",
		label: "ikawrakow/ik_llama.cpp, llama-sweep-bench tables",
		href: "https://github.com/ikawrakow/ik_llama.cpp",
		licence: "MIT",
	},
	{
		group: "splitwise",
		what: "Llama-2-70B and BLOOM-176B on eight A100 or H100",
		label: "Mutinifni/splitwise-sim",
		href: "https://github.com/Mutinifni/splitwise-sim",
		licence: "MIT",
	},
	{
		group: "sglang_grid",
		what: "Qwen3-4B in SGLang on one A100",
		label: "vikranth22446/llm_execution_time_predictor",
		href: "https://github.com/vikranth22446/llm_execution_time_predictor",
		licence: "MIT",
	},
	{
		group: "kernel_composed",
		what: "sums of measured kernels of an 8B model, A100 to B200: no launch gaps, steps at tile edges",
		label: "ai-dynamo/aiconfigurator, measured kernels",
		href: "https://github.com/ai-dynamo/aiconfigurator",
		licence: "Apache-2.0",
	},
	{
		group: "serving",
		what: "vLLM, SGLang and TensorRT-LLM under load as clients saw them, H100 to GB300",
		label: "SemiAnalysis InferenceMAX in ai-dynamo/aiconfigurator",
		href: "https://github.com/ai-dynamo/aiconfigurator",
		licence: "Apache-2.0",
	},
];

/** What another tool says of its own accuracy, or what it was found to do. */
export interface PeerClaim {
	tool: string;
	/** In their words, or as found. */
	says: string;
	/** Who says so: the tool's authors of themselves, or the planner's authors who ran it. */
	by: "themselves" | "run for comparison";
	/** The regimes of the record that come nearest: "group regime". */
	beside: string[];
	href?: string;
}

/** Claims of public tools. None of them says anything of lengths beyond those that were measured. */
export const PEER_CLAIMS: readonly PeerClaim[] = [
	{
		tool: "Vidur",
		says: "below 9 % latency error on its own models",
		by: "themselves",
		beside: ["kernel_composed prefill-inside", "kernel_composed decode"],
		href: "https://arxiv.org/abs/2405.05465",
	},
	{
		tool: "AIConfigurator",
		says: "TPOT off by 7.8 % on average",
		by: "themselves",
		beside: ["serving serve-tpot"],
		href: "https://github.com/ai-dynamo/aiconfigurator",
	},
	{
		tool: "AIConfigurator",
		says: "TTFT off by 17 to 22 % on average",
		by: "themselves",
		beside: ["serving serve-ttft"],
		href: "https://github.com/ai-dynamo/aiconfigurator",
	},
	{
		tool: "Splitwise",
		says: "below 3 % inside its table",
		by: "themselves",
		beside: ["splitwise prefill-inside", "splitwise decode"],
		href: "https://arxiv.org/abs/2311.18677",
	},
	{
		tool: "Six public planners",
		says: "prefill of Llama-2-70B on eight H100, unmeasured, between −69 % and +108 % of the measured time",
		by: "run for comparison",
		beside: [],
	},
	{
		tool: "Six public planners",
		says: "two of six get the cache bytes of Llama-3.1-70B, Qwen3-4B and DeepSeek-V3 right; the others err between −61 % and 50 times",
		by: "run for comparison",
		beside: [],
	},
];
