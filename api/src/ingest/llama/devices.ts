/** Names and counts of the devices of a llama.cpp run, from its own fields and start-up lines. */

export interface Device {
	gpu: string | null;
	gpus: number | null;
	gpusBasis: "stated" | "inferred" | null;
}

export interface DeviceClues {
	/** The field gpu_info: all visible devices. */
	gpuInfo: string;
	cpuInfo: string;
	/** Comma list of back ends, "CUDA,RPC"; null: not said. */
	backend: string | null;
	gpuLayers: number | null;
	/** "auto" or "CUDA0/CUDA1". */
	devices: string;
	splitMode: string;
	/** "0.00" or "0.50/0.50". */
	tensorSplit: string;
	/** Names from start-up lines, for builds that leave gpu_info empty. */
	startup: readonly string[];
}

/** Graphics inside a processor: listed beside the real GPU, and not used with it. */
const INTEGRATED = /\b(?:UHD|Iris|HD) Graphics\b|Radeon(?:\(TM\))? Graphics\b|\bRAPHAEL\b|\bllvmpipe\b/i;
const NOT_GPU = new Set(["CPU", "BLAS", "NONE", ""]);

/**
 * The devices a run used. gpu_info names what was visible; devices, split_mode, tensor_split and n_gpu_layers
 * decide, and where they do not, the number of names stands as "inferred". A run on the processor has gpus 0
 * and the processor as its device, "CPU: AMD EPYC".
 */
export function usedDevices(clues: DeviceClues): Device {
	if (onProcessor(clues)) {
		return { gpu: clues.cpuInfo === "" ? null : `CPU: ${clues.cpuInfo}`, gpus: 0, gpusBasis: "stated" };
	}
	const visible = visibleNames(clues);
	const stated = statedCount(clues);
	const used = chosen(visible, clues.devices) ?? (stated === null ? visible : visible.slice(0, stated));
	const gpus = stated ?? (visible.length > 0 ? visible.length : null);
	return {
		gpu: deviceNames(used.length > 0 ? used : visible),
		gpus,
		gpusBasis: gpus === null ? null : stated === null ? "inferred" : "stated",
	};
}

function onProcessor({ backend, gpuLayers, devices }: DeviceClues): boolean {
	if (gpuLayers === 0 || devices === "none") return true;
	if (backend === null || /RPC/i.test(backend)) return false;
	return backend.split(",").every((name) => NOT_GPU.has(name.trim().toUpperCase()));
}

function visibleNames({ gpuInfo, startup, backend, cpuInfo }: DeviceClues): string[] {
	const names = gpuInfo === "" ? [...startup] : splitNames(gpuInfo);
	// Metal builds name no device; the chip is the device.
	if (names.length === 0 && /\b(?:Metal|MTL)\b/i.test(backend ?? "") && /^Apple /.test(cpuInfo))
		return [cpuInfo];
	const discrete = names.filter((name) => !INTEGRATED.test(name));
	return discrete.length > 0 ? discrete : names.slice(0, 1);
}

/** Names are joined by ", " or, in old builds, by "/" (which also occurs inside a name). */
function splitNames(gpuInfo: string): string[] {
	const names = gpuInfo.split(/,\s+/).filter((name) => name !== "");
	const [only] = names;
	if (names.length !== 1 || only === undefined) return names;
	const parts = only.split("/");
	return parts.every((part) => /^[A-Za-z]\S* \S/.test(part)) ? parts : names;
}

function statedCount({ devices, splitMode, tensorSplit }: DeviceClues): number | null {
	if (devices !== "" && devices !== "auto") return devices.split("/").length;
	if (splitMode === "none") return 1;
	const shares = tensorSplit.split("/").filter((share) => Number(share) > 0);
	return shares.length > 1 ? shares.length : null;
}

/** The visible names that "CUDA0/CUDA2" picks; null where it does not say or the numbers do not fit. */
function chosen(visible: string[], devices: string): string[] | null {
	if (devices === "" || devices === "auto") return null;
	const picked = devices.split("/").map((device) => visible[Number(device.match(/\d+$/)?.[0] ?? Number.NaN)]);
	return picked.every((name) => name !== undefined) ? picked : null;
}

/** One name for a set of devices: "RTX 5090 + 2× RTX 4090"; null for none. */
export function deviceNames(names: readonly string[]): string | null {
	const counts = new Map<string, number>();
	for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
	const [first] = counts.keys();
	if (first === undefined) return null;
	if (counts.size === 1) return first;
	return [...counts].map(([name, n]) => (n > 1 ? `${n}× ${name}` : name)).join(" + ");
}

/** Adds the device a line names. Metal names its one device in two lines. */
export function noteDevice(line: string, devices: string[]): void {
	const name = deviceOfLine(line);
	if (name !== null && !(name.startsWith("Apple ") && devices.includes(name))) devices.push(name);
}

const DEVICE_LINES = [
	/^\s*Device \d+: (.+?), (?:compute capability|gfx|CC )/,
	// The driver stands in brackets behind the name, which may hold brackets of its own.
	/ggml_vulkan: \d+ = (.+?) \([^()]*\) \| /,
	/ggml_vulkan: \d+ = (.+?) \| /,
	/ggml_vulkan: \d+ = (.+?)\s*$/,
	/ggml_metal_(?:device_)?init: (?:GPU name:|found device:)\s*(.+?)\s*$/,
	/\[SYCL\d*\]\s*\|?\s*(?:Intel.*?)\s*\|/,
];

/** The device that a start-up line names ("  Device 0: NVIDIA GeForce RTX 4090, compute capability 8.9, …"). */
function deviceOfLine(line: string): string | null {
	if (!/Device \d|ggml_/.test(line)) return null;
	for (const pattern of DEVICE_LINES) {
		const name = pattern.exec(line)?.[1];
		if (name !== undefined && !/^MTL\d|^Metal$/.test(name)) return name;
	}
	return null;
}

/** The back end whose start-up line this is; null for other lines. */
export function backendOfLine(line: string): string | null {
	const [, init, found] =
		/ggml_(cuda_init|vulkan|metal_init|metal_device_init|sycl_init|opencl): .*?(?:found \d+ (CUDA|ROCm|MUSA) devices|$)/i.exec(
			line,
		) ?? [];
	if (init === undefined) return null;
	if (init === "cuda_init") return found ?? null;
	const name = init.split("_")[0] ?? init;
	return { vulkan: "Vulkan", metal: "Metal", sycl: "SYCL", opencl: "OpenCL" }[name] ?? null;
}
