import { execFile } from "node:child_process";

/** What stays the same of a GPU; null: the tool does not say. */
export interface GpuDevice {
	name: string;
	driver: string | null;
	memoryBytes: number | null;
	maxSmClockMhz: number | null;
}

/** What changes; null: the tool does not say. */
export interface GpuReading {
	powerLimitWatts: number | null;
	powerWatts: number | null;
	smClockMhz: number | null;
	memoryClockMhz: number | null;
	temperatureCelsius: number | null;
	memoryUsedBytes: number | null;
	utilizationPercent: number | null;
}

export interface GpuState {
	tool: string;
	devices: GpuDevice[];
	/** In the order of the devices; empty where the tool gives names only. */
	readings: GpuReading[];
}

/** A tool may hang on a broken driver; the benchmark does not wait for it. */
const PATIENCE_MS = 15_000;

/** Columns that every driver of the last ten years knows. */
const COLUMNS = [
	...["name", "driver_version", "memory.total", "clocks.max.sm", "power.limit", "power.draw", "clocks.sm"],
	...["clocks.mem", "temperature.gpu", "memory.used", "utilization.gpu"],
];

const TOOLS: readonly { command: string; arguments: string[]; read(text: string): GpuState | null }[] = [
	{
		command: "nvidia-smi",
		arguments: [`--query-gpu=${COLUMNS.join(",")}`, "--format=csv,noheader,nounits"],
		read: readNvidia,
	},
	{ command: "amd-smi", arguments: ["static", "--asic", "--driver", "--json"], read: readAmd },
	{ command: "rocm-smi", arguments: ["--showproductname", "--showdriverversion", "--json"], read: readRocm },
];

/** The GPUs that the first tool at hand names; null: none does. */
export async function readGpus(): Promise<GpuState | null> {
	for (const tool of TOOLS) {
		const text = await outputOf(tool.command, tool.arguments);
		const state = text === null ? null : tool.read(text);
		if (state !== null) return state;
	}
	return null;
}

function outputOf(command: string, given: string[]): Promise<string | null> {
	return new Promise((resolve) => {
		execFile(command, given, { timeout: PATIENCE_MS, windowsHide: true }, (error, stdout) =>
			resolve(error ? null : stdout),
		);
	});
}

/** Lines of CSV in the order of COLUMNS; "[N/A]" and "[Not Supported]" are unknown. */
export function readNvidia(text: string): GpuState | null {
	const rows = text.split("\n").map((line) => line.split(",").map((cell) => cell.trim()));
	const whole = rows.filter((row) => row.length === COLUMNS.length && row[0]);
	if (whole.length === 0) return null;
	return { tool: "nvidia-smi", devices: whole.map(nvidiaDevice), readings: whole.map(nvidiaReading) };
}

function nvidiaDevice([name = "", driver = "", memory, clock]: string[]): GpuDevice {
	return {
		name,
		driver: /^\d/.test(driver) ? driver : null,
		memoryBytes: mebibytes(memory),
		maxSmClockMhz: number(clock),
	};
}

function nvidiaReading(row: string[]): GpuReading {
	const [limit, power, sm, memoryClock, temperature, used, utilization] = row.slice(4);
	return {
		powerLimitWatts: number(limit),
		powerWatts: number(power),
		smClockMhz: number(sm),
		memoryClockMhz: number(memoryClock),
		temperatureCelsius: number(temperature),
		memoryUsedBytes: mebibytes(used),
		utilizationPercent: number(utilization),
	};
}

function number(text = ""): number | null {
	return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : null;
}

function mebibytes(text: string | undefined): number | null {
	const value = number(text);
	return value === null ? null : value * 2 ** 20;
}

/** A list, or since ROCm 7 an object with the list as gpu_data. */
export function readAmd(text: string): GpuState | null {
	const body = parse(text);
	const list = Array.isArray(body) ? body : fieldOf(body, "gpu_data");
	if (!Array.isArray(list)) return null;
	const devices = list.map((gpu) => {
		const driver = fieldOf(gpu, "driver");
		const version = fieldOf(driver, "version") ?? fieldOf(driver, "driver_version");
		return named(fieldOf(fieldOf(gpu, "asic"), "market_name"), version);
	});
	return namesOnly("amd-smi", devices);
}

/** {"card0": {"Card Series": …}, "system": {"Driver version": …}}; older releases write "Card series". */
export function readRocm(text: string): GpuState | null {
	const body = parse(text);
	if (typeof body !== "object" || body === null) return null;
	const driver = fieldOf(fieldOf(body, "system"), "Driver version");
	const cards = Object.entries(body).filter(([key]) => /^card\d+$/.test(key));
	const devices = cards.map(([, card]) => {
		const series = fieldOf(card, "Card Series") ?? fieldOf(card, "Card series");
		return named(series ?? fieldOf(card, "Card Model") ?? fieldOf(card, "Card model"), driver);
	});
	return namesOnly("rocm-smi", devices);
}

function namesOnly(tool: string, devices: (GpuDevice | null)[]): GpuState | null {
	const known = devices.filter((device) => device !== null);
	return known.length === 0 ? null : { tool, devices: known, readings: [] };
}

function named(name: unknown, driver: unknown): GpuDevice | null {
	if (typeof name !== "string" || name.trim() === "" || name === "N/A") return null;
	const version = typeof driver === "string" && /\d/.test(driver) ? driver : null;
	return { name: name.trim(), driver: version, memoryBytes: null, maxSmClockMhz: null };
}

function fieldOf(value: unknown, name: string): unknown {
	return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}
