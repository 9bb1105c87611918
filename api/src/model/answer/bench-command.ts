import { type BenchRun, promptsOf, REPETITIONS, STEPS } from "./bench-tool.ts";
import type { ConfigurationFacts } from "./question.ts";

/** What the commands need to know of a setup: measured, or only asked about. */
export type CommandSubject = Pick<
	ConfigurationFacts,
	"gpuName" | "gpus" | "engine" | "engineVersion" | "modelName" | "weights" | "kvK" | "kvV" | "tp" | "flags"
>;

/** Where results are posted: the server's address, or a shell variable that holds it. */
export interface PostTo {
	server: string;
}

/** Text as one word of a POSIX shell. */
export const shellWord = (text: string): string =>
	/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** The command of a run with its upload, for the setup that is given. */
export function benchCommand(
	runs: readonly [BenchRun, ...BenchRun[]],
	subject: CommandSubject,
	to: PostTo,
): string {
	const [run] = runs;
	switch (run.kind) {
		case "prompt":
		case "steps":
			return `${llamaBench(runs, subject)} \\\n  | ${post("-", subject, to, [])}`;
		case "batch":
			return `${batchedBench(runs, subject)} \\\n  | ${post("-", subject, to, BATCHED_SAYS_NOT)}`;
		case "load":
			return loadCommand(run, subject, to);
	}
}

const distinct = (values: readonly number[]): string => [...new Set(values)].sort((a, b) => a - b).join(",");
const joined = (...parts: (string | null)[]): string => parts.filter(Boolean).join(" ");

/** Arguments of llama-bench by the field of its results that each fills. */
const BENCH_ARGUMENTS: Readonly<Record<string, string>> = {
	n_batch: "-b",
	n_ubatch: "-ub",
	n_threads: "-t",
	n_gpu_layers: "-ngl",
	flash_attn: "-fa",
	split_mode: "-sm",
	main_gpu: "-mg",
	no_kv_offload: "-nkvo",
	tensor_split: "-ts",
	devices: "-dev",
	n_cpu_moe: "-ncmoe",
	tensor_buft_overrides: "-ot",
	no_op_offload: "-nopo",
	use_mmap: "-mmp",
	embeddings: "-embd",
	cpu_mask: "-C",
	poll: "--poll",
};

/** The settings that have an argument, in the order of the arguments. */
function settings(flags: Record<string, unknown>, names: Readonly<Record<string, string>>): string {
	const chosen = Object.entries(names).flatMap(([field, name]) => {
		const value = flags[field];
		// Below 0 layers on the GPU stands for all of them, which is the default.
		if (value === undefined || value === null || (field === "n_gpu_layers" && Number(value) < 0)) return [];
		return [`${name} ${shellWord(typeof value === "boolean" ? String(Number(value)) : String(value))}`];
	});
	return chosen.join(" ");
}

const modelFile = ({ modelName }: CommandSubject): string => {
	const name = modelName ?? "model.gguf";
	return shellWord(/\.gguf$/i.test(name) ? name : `${name}.gguf`);
};

const cacheTypes = ({ kvK, kvV }: CommandSubject): string =>
	joined(
		kvK && kvK !== "f16" ? `-ctk ${shellWord(kvK)}` : null,
		kvV && kvV !== "f16" ? `-ctv ${shellWord(kvV)}` : null,
	);

function llamaBench(runs: readonly BenchRun[], subject: CommandSubject): string {
	const prompts = runs.flatMap((run) => (run.kind === "prompt" ? [run] : []));
	const depths = runs.flatMap((run) => (run.kind === "steps" ? [run.depth] : []));
	const cached = prompts.map((run) => run.cached).filter((tokens) => tokens > 0);
	const shape =
		prompts.length > 0
			? joined(
					`-p ${distinct(prompts.map((run) => run.tokens))} -n 0`,
					cached.length > 0 ? `-d ${distinct(cached)}` : null,
				)
			: `-p 0 -n ${STEPS} -d ${distinct(depths)}`;
	return joined(
		`llama-bench -m ${modelFile(subject)}`,
		shape,
		`-r ${REPETITIONS}`,
		cacheTypes(subject),
		settings(subject.flags, BENCH_ARGUMENTS),
		"-o jsonl",
	);
}

const BATCHED_ARGUMENTS: Readonly<Record<string, string>> = {
	n_batch: "-b",
	n_ubatch: "-ub",
	n_threads: "-t",
	n_threads_batch: "-tb",
	n_gpu_layers: "-ngl",
	flash_attn: "-fa",
};

function batchedBench(runs: readonly BenchRun[], subject: CommandSubject): string {
	const batches = runs.flatMap((run) => (run.kind === "batch" ? [run] : []));
	const cells = Math.max(...batches.map((run) => run.sequences * (run.tokens + STEPS)));
	return joined(
		`llama-batched-bench -m ${modelFile(subject)}`,
		`-npp ${distinct(batches.map((run) => run.tokens))} -ntg ${STEPS}`,
		`-npl ${distinct(batches.map((run) => run.sequences))} -c ${cells}`,
		cacheTypes(subject),
		settings(subject.flags, BATCHED_ARGUMENTS),
		"--output-format jsonl",
	);
}

function loadCommand(run: Extract<BenchRun, { kind: "load" }>, subject: CommandSubject, to: PostTo): string {
	const model = shellWord(subject.modelName ?? "MODEL");
	const load = `--num-prompts ${promptsOf(run.concurrency)} --max-concurrency ${run.concurrency}`;
	const lengths = `--dataset-name random --random-input-len ${run.input} --random-output-len ${run.output}`;
	if (run.tool === "sglang.bench_serving")
		return joined(
			`python -m sglang.bench_serving --backend sglang --model ${model} ${lengths} --random-range-ratio 1 ${load}`,
			`--output-file plimsoll.jsonl \\\n  && ${post("plimsoll.jsonl", subject, to, SERVED_SAYS_NOT)}`,
		);
	const backend = /vllm/i.test(subject.engine ?? "vllm") ? null : "--backend openai";
	return joined(
		`vllm bench serve ${joined(backend, `--model ${model}`)} ${lengths} --ignore-eos ${load}`,
		metadata(subject.flags),
		`--save-result --result-filename plimsoll.json \\\n  && ${post("plimsoll.json", subject, to, SERVED_SAYS_NOT)}`,
	);
}

/** Settings of the server, which the client's result would not name. */
function metadata(flags: Record<string, unknown>): string | null {
	const pairs = Object.entries(flags).map(([name, value]) => shellWord(`${name}=${value}`));
	return pairs.length > 0 ? `--metadata ${pairs.join(" ")}` : null;
}

type Said = "gpu" | "gpus" | "model" | "engine" | "engineVersion" | "weights" | "kv" | "tp";
/** What the files of each tool do not say, and the upload must. */
const BATCHED_SAYS_NOT: readonly Said[] = ["gpu", "gpus", "model", "engineVersion", "weights", "kv"];
const SERVED_SAYS_NOT: readonly Said[] = ["gpu", "gpus", "engine", "engineVersion", "weights", "kv", "tp"];

function post(file: string, subject: CommandSubject, { server }: PostTo, says: readonly Said[]): string {
	const { gpuName: gpu, gpus, modelName: model, engine, engineVersion, weights, kvK, kvV, tp } = subject;
	const all: Record<Said, string | number | null> = {
		...{ gpu, gpus, model, engine, engineVersion, weights, tp },
		kv: kvK === kvV ? kvK : null,
	};
	const query = says.flatMap((key) => {
		const value = all[key];
		return value === null ? [] : [`${key}=${encoded(String(value))}`];
	});
	return `curl --data-binary @${file} "${server}/api/v1/runs${query.length > 0 ? `?${query.join("&")}` : ""}"`;
}

/** Percent-encoding, so that nothing in a name means something to a shell between double quotes. */
const encoded = (text: string): string => encodeURIComponent(text).replaceAll("!", "%21");
