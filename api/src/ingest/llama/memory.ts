import type { PinnedMemory } from "../../model/memory/facts.ts";

export type LlamaMemoryFacts = Omit<PinnedMemory, "sources">;

const MIB = 2 ** 20;
const BUFFER =
	/(?:^|[\s:])([A-Za-z]\w*(?:\[[^\]]*\])?)\s+(model|KV|RS|compute|output)?\s*buffer size =\s*([\d.]+) MiB/;
const CACHE = /size =\s*([\d.]+) MiB \(\s*(\d+) cells,\s*(\d+) layers,\s*\d+\/\s*(\d+) seqs\)/;
const TYPES = /\b(?:K|c\^KV) \((\w+)\):.*?(?:\bV \((\w+)\)|not used)/;
const HOST = /_Host$|_Mapped$|^CPU|^BLAS|^Host$|REPACK|^AMX/i;

type Kind = "model" | "KV" | "RS" | "compute" | "output";

/**
 * Sums the buffers that llama.cpp prints while it loads, device by device. A second context of the same run
 * (llama-bench makes one a test) prints the same lines again: they are counted once.
 */
export class LlamaMemory {
	seen = false;
	kvK: string | null = null;
	kvV: string | null = null;
	private buffers = new Map<string, number>();
	private caches: { cells: number; streams: number; mib: number; sliding: boolean }[] = [];
	private selfSize: number | null = null;
	private sliding = false;
	private window = 0;
	private context: number | null = null;
	private perSequence: number | null = null;
	private readonly devices = new Set<string>();
	private cpuLine = false;

	take(line: string): void {
		if (/constructing llama_context|llama_new_context_with_model: n_ctx\s+=/.test(line)) this.newContext();
		if (/not compiled with GPU offload support|no usable GPU found/.test(line)) this.cpuLine = true;
		this.lengths(line);
		this.buffer(line);
		this.cache(line);
	}

	/** Longest sequence the context was made for; null: not printed. */
	get length(): number | null {
		return this.perSequence ?? this.context;
	}

	/** GPUs that hold a buffer. */
	get gpuDevices(): number {
		return this.devices.size;
	}

	/** Whether weights or caches were placed, and none of them on a GPU. */
	get onlyCpu(): boolean {
		return this.devices.size === 0 && (this.cpuLine || this.seen);
	}

	/** "CUDA", "ROCm", "Vulkan" … from the names of the devices; "CPU" where only the host holds buffers. */
	get backend(): string | null {
		const names = new Set([...this.devices].map((device) => device.replace(/[\d[].*$/, "")));
		if (names.size > 0) return [...names].join(",");
		return this.onlyCpu ? "CPU" : null;
	}

	/** Bytes per GPU (mean over unequal ones), or of the host where no GPU was used; null: nothing was printed. */
	facts(): LlamaMemoryFacts | null {
		if (!this.seen) return null;
		const full = this.caches.find((cache) => !cache.sliding);
		return {
			weightsBytes: this.perDevice("model"),
			kvPoolBytes: this.perDevice("KV") ?? this.cacheBytes(),
			kvTokens: full === undefined ? this.poolTokens() : full.cells * full.streams,
			activationBytes: this.perDevice("compute"),
			graphBytes: null,
			otherBytes: this.perDevice("RS") ?? null,
			maxModelLen: this.length,
			windowsHonoured: this.windowsHonoured(),
		};
	}

	/** "CUDA0 270 MiB, CUDA1 216 MiB": the KV buffers, where devices differ; null where they are equal. */
	unequal(): string | null {
		const parts = [...this.buffers].filter(([name]) => name.startsWith("KV ") && !HOST.test(name.slice(3)));
		const sizes = new Set(parts.map(([, mib]) => mib));
		return sizes.size < 2 ? null : parts.map(([name, mib]) => `${name.slice(3)} ${mib} MiB`).join(", ");
	}

	private newContext(): void {
		for (const name of [...this.buffers.keys()]) if (!name.startsWith("model ")) this.buffers.delete(name);
		this.caches = [];
		this.selfSize = null;
		this.sliding = false;
	}

	private lengths(line: string): void {
		const [, name, value] =
			/llama_(?:context|new_context_with_model|init_from_model): (n_ctx|n_ctx_per_seq|n_ctx_seq)\s+= (\d+)/.exec(
				line,
			) ?? [];
		if (name === "n_ctx") this.context = Number(value);
		else if (name !== undefined) this.perSequence = Number(value);
		const window = /(?:print_info|print_meta): n_swa\s+= (\d+)/.exec(line)?.[1];
		if (window !== undefined) this.window = Number(window);
		if (/creating non-SWA KV cache/.test(line)) this.sliding = false;
		else if (/creating\s+SWA KV cache/.test(line)) this.sliding = true;
	}

	private buffer(line: string): void {
		const [, device, named, size] = BUFFER.exec(line) ?? [];
		if (device === undefined || size === undefined) return;
		// Builds before 2025 wrote "CUDA0 buffer size" for weights.
		const kind: Kind = (named as Kind | undefined) ?? "model";
		if (named === undefined && !/load_tensors/.test(line)) return;
		const name = `${kind} ${device}`;
		this.seen = true;
		if (!HOST.test(device)) this.devices.add(device);
		// Two caches on one device (full and sliding layers) add up; weights of a file are printed once.
		this.buffers.set(name, (this.buffers.get(name) ?? 0) + Number(size));
	}

	private cache(line: string): void {
		const [, mib, cells, , streams] = CACHE.exec(line) ?? [];
		if (mib !== undefined && /KV|kv_cache|K \(/.test(line)) {
			this.caches.push({
				cells: Number(cells),
				streams: Number(streams),
				mib: Number(mib),
				sliding: this.sliding,
			});
		}
		const self = /KV self size\s+=\s*([\d.]+) MiB/.exec(line)?.[1];
		if (self !== undefined) this.selfSize = Number(self);
		const types = TYPES.exec(line);
		if (types !== null) {
			this.kvK = types[1] ?? null;
			this.kvV = types[2] ?? this.kvK;
		}
	}

	/** The KV lines that are sums over devices; used only where no buffer line was printed. */
	private cacheBytes(): number | null {
		const mib =
			this.caches.length > 0 ? this.caches.reduce((sum, cache) => sum + cache.mib, 0) : this.selfSize;
		return mib === null ? null : Math.round((mib * MIB) / Math.max(1, this.devices.size));
	}

	private perDevice(kind: Kind): number | null {
		const parts = [...this.buffers].filter(([name]) => name.startsWith(`${kind} `));
		const onGpu = parts.filter(([name]) => !HOST.test(name.slice(kind.length + 1)));
		if (this.devices.size > 0) return onGpu.length === 0 ? null : Math.round(sum(onGpu) / this.devices.size);
		return parts.length === 0 ? null : sum(parts);
	}

	private poolTokens(): number | null {
		const hasCache =
			[...this.buffers.keys()].some((name) => name.startsWith("KV ")) || this.selfSize !== null;
		return hasCache ? this.context : null;
	}

	/** Sliding layers that keep fewer cells than full ones honour their window. */
	private windowsHonoured(): boolean | null {
		const full = this.caches.find((cache) => !cache.sliding);
		const sliding = this.caches.find((cache) => cache.sliding);
		if (full !== undefined && sliding !== undefined) return sliding.cells < full.cells;
		return this.window > 0 && this.caches.length === 1 ? false : null;
	}
}

function sum(parts: [string, number][]): number {
	return Math.round(parts.reduce((total, [, mib]) => total + mib, 0) * MIB);
}
