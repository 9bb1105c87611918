/** One llama-bench row as the tool prints it in JSONL; eight settings, as a night of sweeps would give. */
export function benchRow(i: number): string {
	const prompt = i % 2 ? 0 : 128 + 64 * (i % 97);
	const gen = i % 2 ? 32 : 0;
	const depth = 512 * (i % 31);
	const ns = (prompt * 90_000 + gen * 8_000_000 + depth * 900) * (1 + (i % 13) / 900);
	const samples = [0.99, 1, 1.01].map((f) => Math.round(ns * f));
	const perSecond = ((prompt + gen) * 1e9) / ns;
	return JSON.stringify({
		...{ build_commit: "1af7eb3", build_number: 5606, cpu_info: "AMD EPYC 7763", backends: "CUDA" },
		...{ gpu_info: "NVIDIA GeForce RTX 4090", model_filename: "models/llama-3.1-8b-q4_k_m.gguf" },
		...{ model_type: "llama 8B Q4_K - Medium", model_size: 4_912_898_304, model_n_params: 8_030_261_312 },
		...{ n_batch: 2048, n_ubatch: 512 << (i % 4), n_threads: 16, cpu_mask: "0x0", cpu_strict: false },
		...{ poll: 50, type_k: i % 8 < 4 ? "f16" : "q8_0", type_v: "f16", n_gpu_layers: 99 },
		...{ split_mode: "layer", main_gpu: 0, no_kv_offload: false, flash_attn: true },
		...{ tensor_split: "0.00", use_mmap: true, embeddings: false },
		...{ n_prompt: prompt, n_gen: gen, n_depth: depth },
		test_time: new Date(Date.UTC(2026, 0, 1) + i * 1000).toISOString(),
		...{ avg_ns: Math.round(ns), stddev_ns: Math.round(ns / 100) },
		...{ avg_ts: perSecond, stddev_ts: perSecond / 100 },
		...{ samples_ns: samples, samples_ts: samples.map((s) => ((prompt + gen) * 1e9) / s) },
	});
}
