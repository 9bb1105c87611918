import { baseName, finite } from "../fields.ts";
import { flashAttention } from "./bench-settings.ts";

/** What a llama.cpp command line says about the run below it. */
export interface LlamaCommand {
	/** "bench", "batched-bench", "sweep-bench", "server", "cli" … */
	tool: string;
	/** Base name of the model, when there is exactly one. */
	model: string | null;
	kvK: string | null;
	kvV: string | null;
	/** Settings under the names llama-bench uses. */
	flags: Record<string, string | number | boolean>;
}

const COMMAND =
	/(?:^|[\s/\\`>!])llama-(bench|batched-bench|sweep-bench|server|cli|perplexity)(?:\.exe)?\s+(-.*)$/;

const NUMBERS: Record<string, string> = {
	"-ngl": "n_gpu_layers",
	"--n-gpu-layers": "n_gpu_layers",
	"--gpu-layers": "n_gpu_layers",
	"-b": "n_batch",
	"--batch-size": "n_batch",
	"-ub": "n_ubatch",
	"--ubatch-size": "n_ubatch",
	"-t": "n_threads",
	"--threads": "n_threads",
	"-ncmoe": "n_cpu_moe",
	"--n-cpu-moe": "n_cpu_moe",
	"-mla": "mla",
	"-amb": "amb",
};

const WORDS: Record<string, string> = {
	"-sm": "split_mode",
	"--split-mode": "split_mode",
	"-ts": "tensor_split",
	"--tensor-split": "tensor_split",
	"-ot": "tensor_buft_overrides",
	"--override-tensor": "tensor_buft_overrides",
};

const SWITCHES: Record<string, string> = { "-rtr": "rtr", "-fmoe": "fmoe", "-nkvo": "no_kv_offload" };

/** Reads "llama-batched-bench -m model.gguf -ngl 99 …" wherever it stands in a line; null for other lines. */
export function llamaCommand(line: string): LlamaCommand | null {
	const [, tool, rest] = COMMAND.exec(line) ?? [];
	if (tool === undefined || rest === undefined) return null;
	const command: LlamaCommand = { tool, model: null, kvK: null, kvV: null, flags: {} };
	const words = rest.replace(/`.*$/, "").match(/'[^']*'|"[^"]*"|\S+/g) ?? [];
	const models: string[] = [];
	for (let at = 0; at < words.length; at++) {
		const option = words[at] ?? "";
		const value = (words[at + 1] ?? "").replace(/^['"]|['"]$/g, "");
		if (option === "-m" || option === "--model") models.push(value);
		else if (option === "-hf" || option === "--hf-repo") models.push(value);
		else take(command, option, value);
	}
	// Unlike the other settings, the default of both cache types never changed.
	command.kvK ??= "f16";
	command.kvV ??= "f16";
	const [only] = models;
	command.model = models.length === 1 && only !== undefined && only !== "" ? baseName(only) : null;
	return command;
}

function take(command: LlamaCommand, option: string, value: string): void {
	const { flags } = command;
	const number = NUMBERS[option];
	const word = WORDS[option];
	const toggle = SWITCHES[option];
	// A list ("-ngl 0,1") runs several settings: then none of them is that of all rows.
	if (number !== undefined && finite(value) !== null) flags[number] = Number(value);
	else if (word !== undefined) flags[word] = word in flags ? `${flags[word]};${value}` : value;
	else if (toggle !== undefined) flags[toggle] = true;
	else if (option === "-fa" || option === "--flash-attn") flags.flash_attn = flashAttention(value) ?? "on";
	else if (option === "-ctk" || option === "--cache-type-k") command.kvK = value;
	else if (option === "-ctv" || option === "--cache-type-v") command.kvV = value;
}
