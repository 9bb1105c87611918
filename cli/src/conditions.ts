import { readFile } from "node:fs/promises";
import { arch, cpus, hostname, loadavg, release, type as systemType, totalmem } from "node:os";
import manifest from "../package.json" with { type: "json" };
import type { Variables } from "./arguments.ts";
import { type GpuDevice, type GpuReading, type GpuState, readGpus } from "./gpus.ts";
import { maskCommand } from "./masking.ts";

/** What is recorded around a benchmark. null: unknown. */
export interface Conditions {
	recordedBy: string;
	/** Without secrets and folders. */
	command: string[];
	startedAt: string;
	endedAt: string;
	exitCode: number | null;
	signal: string | null;
	host: Host;
	/** Variables that choose the devices. */
	environment: Record<string, string>;
	gpus: { tool: string; devices: GpuDevice[]; leftOut?: number } | null;
	before: Moment;
	after: Moment;
}

interface Host {
	name: string;
	system: string;
	distribution: string | null;
	architecture: string;
	cpu: string | null;
	/** Logical. */
	cpus: number;
	memoryBytes: number;
}

/** Readings that change; the GPUs in the order of `devices`. */
interface Moment {
	/** Processes that ran or wanted to, on average over a minute; null where the system does not say. */
	loadAverage: number | null;
	gpus: GpuReading[];
}

const DEVICE_VARIABLES = [
	...["CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"],
	...["GGML_VK_VISIBLE_DEVICES", "ONEAPI_DEVICE_SELECTOR"],
];

/** How the command ended. */
export interface Ending {
	exitCode: number | null;
	signal: string | null;
}

/** Takes the readings before a command; the function it gives back takes those after it. */
export async function startRecord(
	command: readonly string[],
	variables: Variables,
): Promise<{ gpus: GpuState | null; finish(ending: Ending): Promise<Conditions> }> {
	const first = await readGpus();
	const before = momentOf(first);
	const startedAt = new Date().toISOString();
	const finish = async ({ exitCode, signal }: Ending): Promise<Conditions> => {
		const endedAt = new Date().toISOString();
		const last = await readGpus();
		return {
			recordedBy: `plimsoll ${manifest.version}`,
			command: maskCommand(command),
			...{ startedAt, endedAt, exitCode, signal },
			host: await describeHost(),
			environment: chosenDevices(variables),
			gpus: first && { tool: first.tool, devices: first.devices },
			before,
			after: momentOf(last),
		};
	};
	return { gpus: first, finish };
}

function momentOf(state: GpuState | null): Moment {
	// Windows has no load average and says 0.
	const load = process.platform === "win32" ? null : (loadavg()[0] ?? null);
	return { loadAverage: load, gpus: state?.readings ?? [] };
}

function chosenDevices(variables: Variables): Record<string, string> {
	const set = DEVICE_VARIABLES.map((name) => [name, variables[name]] as const);
	return Object.fromEntries(set.filter((pair): pair is [string, string] => pair[1] !== undefined));
}

async function describeHost(): Promise<Host> {
	const processors = cpus();
	return {
		name: hostname(),
		system: `${systemType()} ${release()}`,
		distribution: await readDistribution(),
		architecture: arch(),
		cpu: processors[0]?.model.trim() || null,
		cpus: processors.length,
		memoryBytes: totalmem(),
	};
}

async function readDistribution(): Promise<string | null> {
	const text = await readFile("/etc/os-release", "utf8").catch(() => "");
	return /^PRETTY_NAME="?(.+?)"?$/m.exec(text)?.[1] ?? null;
}
