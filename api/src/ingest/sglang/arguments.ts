import { kvTypeName } from "../conditions.ts";
import { positive, text } from "../fields.ts";
import type { Conditions } from "../record.ts";
import { servedModel } from "../served/served-model.ts";

/** What the arguments of an SGLang server say about its conditions, added to `flags`. */
export function conditionsOfServer(
	server: Record<string, unknown>,
	flags: Conditions["flags"] = {},
): Partial<Conditions> {
	const { model, weights } = servedModel(text(server.model_path));
	const kv = text(server.kv_cache_dtype);
	const [tp, dp] = [positive(server.tp_size), positive(server.dp_size)];
	const named = kv === null || kv === "auto" ? null : kvTypeName(kv);
	return {
		engineVersion: text(server.version),
		model,
		weights: weights ?? text(server.quantization),
		kvK: named,
		kvV: named,
		tp,
		pp: positive(server.pp_size),
		dp,
		ep: positive(server.ep_size),
		gpus: tp === null ? null : tp * (positive(server.pp_size) ?? 1),
		gpusBasis: tp === null ? null : "inferred",
		flags: { ...flags, ...settingsOf(server) },
	};
}

/** Arguments of the server that decide speed and differ from its defaults. */
function settingsOf(server: Record<string, unknown>): Conditions["flags"] {
	const settings: Conditions["flags"] = {};
	for (const key of [
		"attention_backend",
		"chunked_prefill_size",
		"max_running_requests",
		"speculative_algorithm",
	]) {
		const value = server[key];
		if (typeof value === "string" || typeof value === "number") settings[key] = value;
	}
	for (const key of ["disable_radix_cache", "disable_cuda_graph", "enable_dp_attention"]) {
		if (server[key] === true) settings[key] = true;
	}
	return settings;
}
