import {
	bytesOf,
	contextLimitOf,
	numberInLine,
	tokensBehind,
	tokensOf,
	usableBytes,
} from "@plimsoll/api/model";
import { GIB, type Input, MIB, type Topic } from "./case.ts";

/** Units, labels and numbers as they are written. */
export const units: Topic = (input, field) => {
	if (input.has("gpus"))
		return input
			.rows("gpus")
			.map((gpu) => (gpu.number("nvidia_smi_mib") * MIB) / { gib: GIB, gb: 1e9 }[field as "gib" | "gb"]);
	if (input.has("logged_totals_gib")) return usable(input, field);
	if (input.has("vendor_meaning"))
		return (bytesOf(input.text("text"), input.text("vendor_meaning") as "binary") ?? Number.NaN) / GIB;
	if (input.has("labels")) return labels(input, field);
	if (input.has("inputs")) return input.texts("inputs").map(typed);
	if (input.has("tokenizer_model_max_length")) return limits(input, field);
	return input.has("texts") ? input.texts("texts").map(numberInLine) : undefined;
};

function usable(input: Input, field: string): unknown {
	const driver = input.bytes("nvidia_smi");
	const usable =
		usableBytes(
			input.numbers("logged_totals_gib").map((gib) => gib * GIB),
			driver,
		) / GIB;
	const nominal = [80, 80e9 / GIB].map((gib) => Number(gib.toFixed(1)));
	return {
		default_usable_gib: usable,
		driver_total_gib: driver / GIB,
		must_not_equal_gib: nominal.filter((reading) => Math.abs(reading - usable) > 0.1),
	}[field];
}

function labels(input: Input, field: string): unknown {
	const rate = input.number("bytes_per_token");
	if (field.startsWith("gib_at_")) return (Number(field.slice(7)) * rate) / GIB;
	const printed = input.numbers("printed_gb");
	return input.texts("labels").map((label, i) => tokensBehind(label, (printed[i] ?? 0) * GIB, rate));
}

/** Open-weight limits count in binary K, hosted ones in decimal. */
function typed(text: string): number | null {
	const [, label = text, kind = ""] = /^(.*?)\s*\((.*)\)$/.exec(text) ?? [];
	return tokensOf(label, /open weights/.test(kind) ? 1024 : 1000);
}

function limits(input: Input, field: string): unknown {
	const { tokens, note } = contextLimitOf(
		input.number("max_position_embeddings"),
		input.number("tokenizer_model_max_length"),
	);
	return { max_context: tokens, warn: note !== null }[field];
}
