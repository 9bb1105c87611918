import { baseName, emptyConditions, finite } from "../fields.ts";
import type { Conditions } from "../record.ts";
import { batchedFlags } from "./batched-bench.ts";
import { buildName, flashAttention, modelType } from "./bench-settings.ts";
import type { LlamaCommand } from "./command.ts";
import { backendOfLine, deviceNames, noteDevice } from "./devices.ts";
import { LlamaMemory, type LlamaMemoryFacts } from "./memory.ts";

/** What start-up lines, headings and command lines say about one run of a llama.cpp tool. */
export class LlamaRun {
	readonly devices: string[] = [];
	readonly memory = new LlamaMemory();
	/** Set when rows, timings or a failure of this run were seen. */
	busy = false;
	/** -m of the command line or the file that was loaded. */
	model: string | null = null;
	/** A page heading such as "CPU build" or "Vulkan build". */
	heading: string | null = null;
	private backend: string | null = null;
	private cpu: string | null = null;
	private build: string | null = null;
	private weights: string | null = null;
	private params: number | null = null;
	private bytes: number | null = null;
	private kvK: string | null = null;
	private kvV: string | null = null;
	private fork = false;
	private readonly flags: Conditions["flags"] = {};
	private made: Conditions | null = null;
	private readonly inherited: readonly string[];

	/** @param inherited devices of earlier runs on the same machine, for tools that name none */
	constructor(inherited: readonly string[] = []) {
		this.inherited = inherited;
	}

	/** Devices this run names, else those of the machine. */
	get machine(): readonly string[] {
		return this.devices.length > 0 ? this.devices : this.inherited;
	}

	/** Settings only start-up lines print and that tell runs of one table apart. */
	get driver(): Conditions["flags"] {
		const { matrix_cores } = this.flags;
		return matrix_cores === undefined ? {} : { matrix_cores };
	}

	/** Whether lines of this run were seen that another run may not share. */
	get begun(): boolean {
		return this.busy || this.memory.seen || this.devices.length > 0 || this.model !== null;
	}

	command(command: LlamaCommand): void {
		this.model = command.model ?? this.model;
		this.kvK = command.kvK;
		this.kvV = command.kvV;
		Object.assign(this.flags, command.flags);
	}

	/** "main: n_kv_max = 8192, n_batch = 2048, …" of batched-bench and sweep-bench. */
	header(fields: Record<string, string>): void {
		Object.assign(this.flags, batchedFlags(fields));
	}

	take(line: string): void {
		noteDevice(line, this.devices);
		this.backend ??= backendOfLine(line);
		// Vulkan is much faster where the driver offers matrix units, and they differ by driver.
		const matrix = /ggml_vulkan: \d+ = .*\| matrix cores: (\w+)/.exec(line)?.[1];
		if (matrix !== undefined && matrix !== "none") this.flags.matrix_cores = matrix;
		this.memory.take(line);
		this.identity(line);
		this.settings(line);
	}

	private identity(line: string): void {
		const file = /(?:loaded meta data with .* from|loading model|local path) '?([^']+?\.gguf)\b/.exec(
			line,
		)?.[1];
		if (file !== undefined) this.model = baseName(file);
		if (/\b(?:fused_moe|mla_attn|attn_max_b)\s+=/.test(line) || /buffer type overriden/.test(line))
			this.fork = true;
		this.cpu ??= /device_info:|- CPU\s+: (.+?) \(\d+ MiB/.exec(line)?.[1] ?? null;
		this.build ??= buildOfLine(line);
		const [, name, value] =
			/(?:print_info|print_meta): (model params|model size|file size|model ftype|file type)\s+= (.+?)\s*$/.exec(
				line,
			) ?? [];
		if (value === undefined) return;
		if (name === "model params") this.params = rounded(value);
		else if (name === "model size" || name === "file size") this.bytes = rounded(value);
		else this.weights = modelType(`x ${value}`).weights ?? value;
	}

	private settings(line: string): void {
		const [, name, value] =
			/llama_(?:context|new_context_with_model|init_from_model): (n_batch|n_ubatch|flash_attn)\s+= (\S+)/.exec(
				line,
			) ?? [];
		if (name === "flash_attn") this.flags.flash_attn = flashAttention(value) ?? "auto";
		else if (name !== undefined) this.flags[name] = Number(value);
		const [, on, all] = /offloaded (\d+)\/(\d+) layers to GPU/.exec(line) ?? [];
		if (on !== undefined && on !== all) this.flags.n_gpu_layers = Number(on);
		const threads = /system_info: n_threads = (\d+)/.exec(line)?.[1];
		if (threads !== undefined) this.flags.n_threads ??= Number(threads);
	}

	/** The conditions of every row of this run: one object. */
	conditions(): Conditions {
		this.made ??= this.make();
		return this.made;
	}

	facts(): LlamaMemoryFacts | null {
		return this.memory.facts();
	}

	private make(): Conditions {
		const { kvK, kvV, gpuDevices, onlyCpu } = this.memory;
		const cpu = gpuDevices === 0 && (onlyCpu || this.flags.n_gpu_layers === 0 || this.heading === "CPU");
		if (cpu) delete this.flags.n_gpu_layers;
		const gpus = cpu ? 0 : gpuDevices || this.machine.length || null;
		return {
			...emptyConditions(
				this.fork || "fmoe" in this.flags || "rtr" in this.flags ? "ik_llama.cpp" : "llama.cpp",
			),
			engineVersion: this.build,
			backend: this.memory.backend ?? (cpu ? "CPU" : this.backend) ?? this.heading,
			gpu: cpu ? this.cpu && `CPU: ${this.cpu}` : deviceNames(this.machine),
			gpus,
			gpusBasis: gpus === null ? null : cpu || gpuDevices > 0 ? "stated" : "inferred",
			model: this.model,
			modelParams: this.params,
			modelBytes: this.bytes,
			weights: this.weights,
			kvK: kvK ?? this.kvK,
			kvV: kvV ?? this.kvV,
			flags: this.flags,
		};
	}
}

/** The build in a start-up line, in any of the four spellings. */
function buildOfLine(line: string): string | null {
	const [, number, hash] =
		/\bbuild:? (\d+) \(([0-9a-f]{7,9})\) with/.exec(line) ??
		/build=(\d+) commit="([0-9a-f]+)"/.exec(line) ??
		[];
	if (number !== undefined) return buildName(number, hash);
	const [, tag, commit] = /\bbuild(?:_info)?: (b\d+)-([0-9a-f]{7,9})\b/.exec(line) ?? [];
	return tag === undefined ? null : buildName(tag.slice(1), commit);
}

const SCALES: Record<string, number> = {
	K: 1e3,
	M: 1e6,
	B: 1e9,
	T: 1e12,
	KiB: 2 ** 10,
	MiB: 2 ** 20,
	GiB: 2 ** 30,
	TiB: 2 ** 40,
};

/** "8.03 B" parameters or "4.58 GiB" as a whole number, as exact as the print; null for other text. */
export function rounded(printed: string): number | null {
	const [, number, unit] = /^([\d.]+)\s*(KiB|MiB|GiB|TiB|[KMBT])\b/.exec(printed.trim()) ?? [];
	const value = finite(number);
	const scale = unit === undefined ? undefined : SCALES[unit];
	return value === null || scale === undefined ? null : Math.round(value * scale);
}
