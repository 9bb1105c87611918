import { baseName, count, emptyConditions, finite, text, truth } from "../fields.ts";
import type { Conditions } from "../record.ts";
import { usedDevices } from "./devices.ts";

/** Fields of a llama-bench row that are its result and shape, not its settings. */
export const RESULT_FIELDS = new Set([
	"n_prompt",
	"n_gen",
	"n_depth",
	"test",
	"test_time",
	"avg_ns",
	"stddev_ns",
	"avg_ts",
	"stddev_ts",
	"samples_ns",
	"samples_ts",
]);

/** Fields that have their own place in Conditions. */
const PLACED = new Set([
	"build_commit",
	"build_number",
	"build",
	"backends",
	"cuda",
	"opencl",
	"vulkan",
	"kompute",
	"metal",
	"sycl",
	"rpc",
	"gpu_blas",
	"blas",
	"gpu_info",
	"model_filename",
	"model_type",
	"model_size",
	"model_n_params",
	"f16_kv",
	"type_k",
	"type_v",
]);

const TRUTHS = new Set([
	"cpu_strict",
	"no_kv_offload",
	"mul_mat_q",
	"use_mmap",
	"use_direct_io",
	"embeddings",
	"no_op_offload",
	"no_host",
]);

/**
 * Values that mean "nothing special" in every build. They are left out of the flags, so that builds before
 * and after a setting was added, and layouts that print only what differs (md), describe equal runs equally.
 */
const NEUTRAL: Record<string, unknown> = {
	cpu_mask: "0x0",
	cpu_strict: false,
	poll: 50,
	split_mode: "layer",
	main_gpu: 0,
	no_kv_offload: false,
	mul_mat_q: true,
	devices: "auto",
	tensor_split: "0.00",
	tensor_buft_overrides: "none",
	defrag_thold: -1,
	embeddings: false,
	no_op_offload: false,
	no_host: false,
	n_cpu_moe: 0,
	fit_target: 0,
	fit_min_ctx: 0,
	load_mode: "auto",
	lazy_mode: "auto",
};

/** Columns only ik_llama.cpp prints: its builds count on their own and must not mix with mainline ones. */
const IK_COLUMNS = ["fmoe", "mla", "amb", "ser", "rtr"];

/** The settings of a llama-bench row, of any age and layout, as conditions. */
export function llamaBenchConditions(row: Record<string, unknown>, startup: readonly string[]): Conditions {
	const conditions = emptyConditions(IK_COLUMNS.some((name) => name in row) ? "ik_llama.cpp" : "llama.cpp");
	const backend = text(row.backends) ?? oldBackend(row);
	const devices = usedDevices({
		gpuInfo: text(row.gpu_info) ?? "",
		cpuInfo: text(row.cpu_info) ?? "",
		backend,
		gpuLayers: finite(row.n_gpu_layers),
		devices: text(row.devices) ?? "",
		splitMode: text(row.split_mode) ?? "",
		tensorSplit: text(row.tensor_split) ?? "",
		startup,
	});
	const file = text(row.model_filename);
	const type = modelType(text(row.model_type) ?? "");
	Object.assign(conditions, devices, {
		backend,
		engineVersion: buildName(row.build_number ?? row.build, row.build_commit),
		model: file === null ? type.name : baseName(file),
		modelParams: count(row.model_n_params),
		modelBytes: count(row.model_size),
		weights: type.weights,
		kvK: cacheType(row, "type_k"),
		kvV: cacheType(row, "type_v"),
		flags: llamaBenchFlags(row, devices.gpus),
	});
	return conditions;
}

/** "b5606 247e5c6e"; the hash alone for builds without a number; null where neither is known. */
export function buildName(number: unknown, commit: unknown): string | null {
	const build = count(number);
	const hash = text(commit) === "unknown" ? null : text(commit);
	if (build === null || build === 0) return hash;
	return hash === null ? `b${build}` : `b${build} ${hash}`;
}

/** Builds before `backends` had one true/false field for each. */
function oldBackend(row: Record<string, unknown>): string | null {
	const names: [field: string, name: string][] = [
		["cuda", "CUDA"],
		["metal", "Metal"],
		["vulkan", "Vulkan"],
		["kompute", "Kompute"],
		["sycl", "SYCL"],
		["opencl", "OpenCL"],
	];
	if (!names.some(([field]) => field in row)) return null;
	const used = names.filter(([field]) => truth(row[field]) === true).map(([, name]) => name);
	if (used.length > 0) return used.join(",");
	return truth(row.blas) === true ? "BLAS" : "CPU";
}

function cacheType(row: Record<string, unknown>, field: string): string | null {
	const old = truth(row.f16_kv);
	return text(row[field]) ?? (old === null ? null : old ? "f16" : "f32");
}

const QUANT =
	/\s+(?:all |mostly )?((?:UD-)?(?:I?Q\d\w*|TQ\d\w*|MXFP4|NVFP4|B?F16|F32|F64)(?: MoE)?(?: - (?:Small|Medium|Large|[\d.]+ bpw)| mix - [\d.]+ bpw)?)$/i;

/** Splits "llama 8B Q4_K - Medium" into "llama 8B" and "Q4_K_M". */
export function modelType(type: string): { name: string | null; weights: string | null } {
	const quant = QUANT.exec(type)?.[1];
	if (quant === undefined) return { name: type === "" ? null : type, weights: null };
	const weights = quant
		.replace(/ - (Small|Medium|Large)$/i, (_, size: string) => `_${size.charAt(0).toUpperCase()}`)
		.replace(/(?: mix)? - [\d.]+ bpw$/i, "")
		// There is one Q2_K; its "Medium" is a word of the print only.
		.replace(/^Q2_K_M$/i, "Q2_K");
	return {
		name: type.slice(0, type.length - quant.length).replace(/(?:\s+(?:all|mostly))?\s+$/, ""),
		weights,
	};
}

function llamaBenchFlags(row: Record<string, unknown>, gpus: number | null): Conditions["flags"] {
	const flags: Conditions["flags"] = {};
	for (const [name, given] of Object.entries(row)) {
		if (RESULT_FIELDS.has(name) || PLACED.has(name)) continue;
		// On the processor its name is the device, and layers have nowhere to go.
		if (gpus === 0 && (name === "cpu_info" || name === "n_gpu_layers")) continue;
		const value = settingValue(name, given);
		if (value !== null && value !== NEUTRAL[name]) flags[name] = value;
	}
	return flags;
}

/** CSV and SQL carry the values of JSON as text: one spelling for all. */
function settingValue(name: string, given: unknown): string | number | boolean | null {
	if (name === "flash_attn") return flashAttention(given);
	if (TRUTHS.has(name)) return truth(given);
	if (name === "tensor_split" && /^[0./]*$/.test(String(given))) return "0.00";
	// "0x0" is no number; "0.50/0.50" neither.
	return finite(given) ?? (typeof given === "boolean" ? given : text(given));
}

/** true, 1, "1" → "on"; false, 0 → "off"; -1 → "auto": the field changed its type in 2026. */
export function flashAttention(given: unknown): string | null {
	const word = String(given).toLowerCase();
	if (word === "-1" || word === "auto") return "auto";
	const on =
		word === "on" || word === "enabled" ? true : word === "off" || word === "disabled" ? false : truth(given);
	return on === null ? null : on ? "on" : "off";
}
