import { countOf, type LayerKinds } from "./config-layers.ts";
import { type ConfigReader, decide, peek, peekCount } from "./config-reader.ts";
import { recurrentStateBytes } from "./recurrent.ts";

/** Falcon-H1 has attention and a recurrent mixer side by side in every layer. */
export function recurrentLayers({ config }: ConfigReader, layers: LayerKinds): number {
	return config.model_type === "falcon_h1" ? layers.layers : countOf(layers, "recurrent");
}

const DTYPE_BYTES: Record<string, number> = {
	float32: 4,
	fp32: 4,
	f32: 4,
	float16: 2,
	bfloat16: 2,
	bf16: 2,
	f16: 2,
};

/** Bytes of recurrent state of one layer: gated delta-net or Mamba-2; null where the shape is not said. */
export function stateOf(reader: ConfigReader, layers: LayerKinds): number | null {
	if (recurrentLayers(reader, layers) === 0) return null;
	const dtype = reader.config.mamba_ssm_dtype ?? reader.config.mamba_ssm_cache_dtype;
	const stateBytes = DTYPE_BYTES[String(dtype)] ?? 4;
	const convKernel = peekCount(reader, "linear_conv_kernel_dim", "conv_kernel", "mamba_d_conv") ?? 4;
	const valueHeads = peekCount(reader, "linear_num_value_heads");
	const keyHeads = peekCount(reader, "linear_num_key_heads");
	const keyDim = peekCount(reader, "linear_key_head_dim");
	const valueDim = peekCount(reader, "linear_value_head_dim");
	if (valueHeads && keyHeads && keyDim && valueDim) {
		decide(reader, "recurrent state", `linear_… heads and widths, state of ${stateBytes} bytes per element`);
		return recurrentStateBytes({
			kind: "gated-delta",
			keyHeads,
			valueHeads,
			keyDim,
			valueDim,
			convKernel,
			stateBytes,
		});
	}
	const heads = peekCount(reader, "mamba_num_heads", "mamba_n_heads");
	const headDim = peekCount(reader, "mamba_head_dim", "mamba_d_head");
	const stateSize = peekCount(reader, "ssm_state_size", "mamba_d_state");
	if (heads && headDim && stateSize) {
		decide(reader, "recurrent state", `mamba heads, widths and state, ${stateBytes} bytes per element`);
		const groups = peekCount(reader, "n_groups", "mamba_n_groups") ?? 1;
		return recurrentStateBytes({ kind: "mamba2", heads, headDim, stateSize, groups, convKernel, stateBytes });
	}
	const other = narrowState(reader, convKernel, stateBytes);
	if (other !== null) return other;
	reader.caveats.push(
		"The size of the recurrent state is not said: KV bytes per sequence are a lower bound.",
	);
	return null;
}

/** Mamba-1 layers and short convolutions. */
function narrowState(reader: ConfigReader, convKernel: number, stateBytes: number): number | null {
	const hidden = peekCount(reader, "hidden_size", "d_model");
	const stateSize = peekCount(reader, "mamba_d_state", "state_size");
	const inner =
		peekCount(reader, "intermediate_size_mamba", "mamba_intermediate_size") ??
		(hidden ?? 0) * (peek(reader, "mamba_expand", "expand") ?? 2);
	if (hidden !== null && stateSize !== null) {
		decide(reader, "recurrent state", `Mamba-1: ${inner} channels × ${stateSize}`);
		return recurrentStateBytes({ kind: "mamba1", channels: inner, stateSize, convKernel, stateBytes });
	}
	const short = peekCount(reader, "conv_L_cache");
	if (hidden === null || short === null) return null;
	decide(reader, "recurrent state", `conv_L_cache = ${short}: a short convolution of ${hidden} channels`);
	return recurrentStateBytes({
		kind: "mamba1",
		channels: hidden,
		stateSize: 0,
		convKernel: short,
		stateBytes,
	});
}
