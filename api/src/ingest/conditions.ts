import type { Conditions, Measurement } from "./record.ts";

/** Settings that only shape loading: kept with the configuration, no part of its key. */
const LOADING = new Set(["use_mmap", "use_direct_io", "load_mode", "lazy_mode", "no_warmup"]);

const KV_NAMES: Record<string, string> = {
	half: "f16",
	fp16: "f16",
	float16: "f16",
	bfloat16: "bf16",
	fp32: "f32",
	float: "f32",
	float32: "f32",
	fp8_e4m3: "fp8",
	fp8_e4m3fn: "fp8",
	fp8_e5m2: "fp8",
};

/** The one spelling of a cache type: "float16" and "fp16" are "f16"; unknown names stay, in lower case. */
export function kvTypeName(name: string): string {
	const lower = name.trim().toLowerCase();
	return Object.hasOwn(KV_NAMES, lower) ? String(KV_NAMES[lower]) : lower;
}

/**
 * Canonical text of everything that decides speed: equal keys are one configuration.
 * Facts that are not known are left out, and so is how the GPU count is known.
 */
export function configurationKey(conditions: Conditions): string {
	return JSON.stringify([...knownConditions(conditions)]);
}

/** The facts that decide speed and are known, by name, in the order of names. */
export function knownConditions(conditions: Conditions): Map<string, unknown> {
	const { gpusBasis: _, flags, kvK, kvV, ...facts } = conditions;
	const entries: [string, unknown][] = Object.entries(facts);
	entries.push(
		["kvK", kvK === null ? null : kvTypeName(kvK)],
		["kvV", kvV === null ? null : kvTypeName(kvV)],
	);
	for (const [name, value] of Object.entries(flags)) {
		if (!LOADING.has(name)) entries.push([`flags.${name}`, value]);
	}
	const stated = entries.filter(([, value]) => value !== null && value !== undefined && value !== "");
	stated.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
	return new Map(stated.map(([name, value]) => [name, plain(value)]));
}

/** Case and blanks of a name do not make another configuration. */
function plain(value: unknown): unknown {
	return typeof value === "string" ? value.trim().replace(/\s+/g, " ").toLowerCase() : value;
}

/** Names of the conditions in which two configurations differ, and of those that one of them does not know. */
export function compareConditions(a: Conditions, b: Conditions): { differing: string[]; unknown: string[] } {
	const [left, right] = [knownConditions(a), knownConditions(b)];
	const differing: string[] = [];
	const unknown: string[] = [];
	for (const name of new Set([...left.keys(), ...right.keys()])) {
		if (!left.has(name) || !right.has(name)) unknown.push(name);
		else if (left.get(name) !== right.get(name)) differing.push(name);
	}
	return { differing: differing.sort(), unknown: unknown.sort() };
}

/** A short name for people: "RTX 4090 · llama-3.1-8b Q4_K_M · llama.cpp b5606 · kv f16". */
export function configurationLabel(conditions: Conditions): string {
	const parts = [
		deviceLabel(conditions),
		modelLabel(conditions),
		engineLabel(conditions),
		kvLabel(conditions),
		...settingLabels(conditions),
	];
	return parts.filter((part) => part !== "").join(" · ");
}

function deviceLabel({ gpu, gpus }: Conditions): string {
	if (gpu === null) return gpus === 0 ? "CPU" : "unknown GPU";
	const cards = gpu.split(" + ").map(shortDevice);
	if (cards.length > 1) return mixedLabel(cards, gpus);
	const name = cards.join().replace(/^CPU: (.*)$/, "$1 (CPU)");
	return gpus !== null && gpus > 1 ? `${gpus}× ${name}` : name;
}

const shortDevice = (name: string): string =>
	name.replace(/^(\d+× )?NVIDIA (?:GeForce )?/i, (_, times = "") => times);

/** Cards that differ carry their counts themselves; "2 of …" where fewer of them worked than are named. */
function mixedLabel(cards: readonly string[], gpus: number | null): string {
	const named = cards.reduce((sum, card) => sum + Number(/^(\d+)× /.exec(card)?.[1] ?? 1), 0);
	const names = cards.join(" + ");
	return gpus === null || gpus === named ? names : `${gpus} of ${names}`;
}

function modelLabel({ model, weights }: Conditions): string {
	const base = (model ?? "unknown model")
		.replace(/\.gguf$/i, "")
		.replace(/-\d{5}-of-\d{5}$/, "")
		.replace(/^.*\//, "");
	const squeezed = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "");
	return weights === null || squeezed(base).includes(squeezed(weights)) ? base : `${base} ${weights}`;
}

function engineLabel({ engine, engineVersion, backend }: Conditions): string {
	if (engine === null) return "";
	// CUDA goes without saying, the processor is the device; other back ends run the same device differently.
	const path = backend === null || /^(?:CUDA|CPU)\b/.test(backend) ? "" : ` ${backend}`;
	// "b5606 247e5c6e": the build number names the build, the hash follows from it.
	const version = engineVersion?.match(/^b\d{2,}(?= )/)?.[0] ?? engineVersion;
	return `${engine}${version === null ? "" : ` ${version}`}${path}`;
}

function kvLabel({ kvK, kvV }: Conditions): string {
	if (kvK === null && kvV === null) return "";
	const [k, v] = [kvTypeName(kvK ?? "?"), kvTypeName(kvV ?? "?")];
	return k === v ? `kv ${k}` : `kv ${k}/${v}`;
}

function settingLabels({ tp, gpus, flags }: Conditions): string[] {
	const labels: string[] = [];
	if (tp !== null && tp > 1 && tp !== gpus) labels.push(`tp ${tp}`);
	if (gpus === 0 && typeof flags.n_threads === "number")
		labels.push(flags.n_threads === 1 ? "1 thread" : `${flags.n_threads} threads`);
	if (flags.flash_attn === "off") labels.push("no fa");
	if (typeof flags.n_batch === "number" && flags.n_batch !== 2048) labels.push(`b ${flags.n_batch}`);
	if (typeof flags.n_ubatch === "number" && flags.n_ubatch !== 512) labels.push(`ub ${flags.n_ubatch}`);
	if (flags.matrix_cores !== undefined) labels.push(String(flags.matrix_cores));
	if (flags.speculative !== undefined) labels.push("speculative");
	if (typeof flags.n_cpu_moe === "number") labels.push(`cpu-moe ${flags.n_cpu_moe}`);
	return labels;
}

/**
 * The shape of a measurement, under which repeats of it are summarised: "prefill 512+0×1".
 * null for mixed rows and requests with tools, which are no point of any curve. Serve points are told apart by the client's limit, as
 * the measured concurrency of no two runs is equal.
 */
export function pointKey(measurement: Measurement): string | null {
	switch (measurement.phase) {
		case "prefill":
			return `prefill ${measurement.tokens}+${measurement.cached}×${measurement.batch}`;
		case "decode":
			return `decode @${measurement.context}×${measurement.batch}`;
		case "mixed":
		case "tools":
			return null;
		case "serve": {
			const lengths = `${Math.round(measurement.input)}→${Math.round(measurement.output)}`;
			const clients = measurement.concurrencyLimit ?? measurement.concurrency;
			const load = clients === null ? "" : ` c${Number(clients.toPrecision(3))}`;
			return `serve ${lengths}${load}${measurement.rate === null ? "" : ` r${measurement.rate}`}`;
		}
	}
}
