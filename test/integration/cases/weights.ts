import { bitsPerWeight, memoryStack, parametersFromConfig, weightBytes } from "@plimsoll/api/model";
import { GIB, type Input, type Topic } from "./case.ts";

/** Weight bytes by format and parameter count. */
export const weights: Topic = (input, field) => {
	if (input.has("rows"))
		return input.rows("rows").map((row) => row.number("tp2_gib") / row.number("tp1_gib"));
	if (input.has("num_hidden_layers")) return counted(input, field);
	if (input.has("bytes_per_param")) return resident(input, field);
	return { weights_gib: bytesOf(input) / GIB, weights_gb: bytesOf(input) / 1e9 }[field];
};

function bytesOf(input: Input): number {
	const parameters = input.has("params") ? input.number("params") : input.number("params_b") * 1e9;
	const bits = input.has("bits_per_weight") ? input.number("bits_per_weight") : input.number("fp8_bytes") * 8;
	const wide = input.optional("bf16_extra_params") ?? 0;
	return weightBytes(parameters - wide, bits) + weightBytes(wide, bitsPerWeight("bf16") ?? bits);
}

/** Every expert is in memory, whatever one token touches. */
function resident(input: Input, field: string): unknown {
	const bytes = weightBytes(input.number("total_params_b") * 1e9, input.number("bytes_per_param") * 8);
	const size = Number(/(\d+)_gb/.exec(field)?.[1] ?? 0) * 1e9;
	const pool = () =>
		memoryStack({ totalBytes: size, utilisation: 1, weightsBytes: bytes, overheadBytes: 0 }).poolBytes
			.value ?? 0;
	return field === "min_memory_gb" ? bytes / 1e9 : field.startsWith("fits_") ? pool() >= 0 : undefined;
}

function counted(input: Input, field: string): unknown {
	const count = parametersFromConfig(input.raw);
	return { params_b: (count?.total ?? 0) / 1e9, active_params_b: (count?.active ?? 0) / 1e9 }[field];
}
