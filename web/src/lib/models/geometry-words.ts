import type { ModelFacts } from "@plimsoll/api/model";
import { formatCount, formatSignificant } from "#lib/format.ts";

const layersOf = (n: number, what: string) => (n > 0 ? [`${formatCount(n)} ${what}`] : []);

/** What the layers keep: "36 layers: 6 full, 30 of the last 1K tokens". */
export function layerWords({
	layers,
	fullLayers,
	slidingLayers,
	windowTokens,
	recurrentLayers,
}: ModelFacts): string {
	if (fullLayers === layers && recurrentLayers === 0) return `${formatCount(layers)} layers`;
	const kinds = [
		...layersOf(fullLayers, "full"),
		...layersOf(
			slidingLayers,
			windowTokens === null ? "sliding" : `of the last ${formatCount(windowTokens)} tokens`,
		),
		...layersOf(recurrentLayers, "recurrent"),
	];
	return kinds.length > 0
		? `${formatCount(layers)} layers: ${kinds.join(", ")}`
		: `${formatCount(layers)} layers without a cache`;
}

/** What a layer keeps of a token: "8 of 64 heads × 128", "a latent of 512 + 64 values". */
export function headWords({
	heads,
	kvHeads,
	headDimK,
	headDimV,
	mla,
	fullLayers,
	slidingLayers,
}: ModelFacts): string {
	if (fullLayers + slidingLayers === 0) return "no attention";
	if (mla) return `a latent of ${mla.kvLoraRank} + ${mla.qkRopeHeadDim} values`;
	const width =
		headDimK === headDimV
			? formatCount(headDimK)
			: `(${formatCount(headDimK)} + ${formatCount(headDimV)}) / 2`;
	return `${formatSignificantCount(kvHeads)} of ${formatCount(heads)} heads × ${width}`;
}

const formatSignificantCount = (n: number) => (Number.isInteger(n) ? formatCount(n) : formatSignificant(n));

/** "70.6 billion", "235 billion, 22.2 billion active", or not known. */
export function parameterWords({
	paramsTotal,
	paramsActive,
}: Pick<ModelFacts, "paramsTotal" | "paramsActive">): string {
	if (paramsTotal === null) return "not known";
	const total = scaled(paramsTotal);
	return paramsActive !== null && paramsActive < 0.99 * paramsTotal
		? `${total}, ${scaled(paramsActive)} active`
		: total;
}

function scaled(parameters: number): string {
	const [size, unit] = parameters >= 1e9 ? [1e9, "billion"] : [1e6, "million"];
	return `${formatSignificant(parameters / size)}\u00a0${unit}`;
}

const FIELDS: Readonly<Record<string, string>> = {
	fullLayers: "full layers",
	slidingLayers: "sliding layers",
	windowTokens: "window",
	recurrentLayers: "recurrent layers",
	recurrentStateBytesPerLayer: "recurrent state",
	kvHeads: "KV heads",
	headDim: "width of a head",
	headDimK: "width of K",
	headDimV: "width of V",
	slidingKvHeads: "KV heads of sliding layers",
	slidingHeadDim: "head width of sliding layers",
	mla: "latent width",
	hidden: "width",
	maxContextTokens: "longest context",
	paramsTotal: "parameters",
	paramsActive: "active parameters",
};

/** A field of the facts as a person calls it; "kvHeads of full layers" → "KV heads of full layers". */
export const fieldWords = (field: string): string => field.replace(/^\w+/, (name) => FIELDS[name] ?? name);
