import {
	bitsPerWeight,
	type ConfigurationFacts,
	type DecodeFit,
	type GpuFacts,
	kvBytesPerToken,
	kvTypeOf,
	type ModelFacts,
	type PrefillFit,
	type Quantity,
	type ServeFit,
	type Unit,
} from "@plimsoll/api/model";
import { counted, formatCount, formatSignificant, roundTo } from "#lib/format.ts";
import { percent } from "../fit-words.ts";

/** One coefficient of a law: its value, and what it means on this hardware. */
export interface Coefficient {
	symbol: string;
	quantity: Quantity;
	/** What physical thing it is, and what it amounts to. */
	meaning: string;
}

/** What the catalog knows; null parts leave the shares of peak and bandwidth out. */
export interface Hardware {
	configuration: Pick<ConfigurationFacts, "gpus" | "tp" | "weights" | "kvK" | "kvV">;
	gpu: GpuFacts | null;
	model: ModelFacts | null;
}

const times = (value: number) => formatSignificant(value);
/** "7,300 tokens/s", "10.6M tokens/s" */
const speed = (tokensPerSecond: number) =>
	tokensPerSecond < 1e6
		? `${formatCount(Math.round(roundTo(tokensPerSecond, 3)))} tokens/s`
		: `${times(tokensPerSecond / 1e6)}M tokens/s`;
const tera = (flops: number) => `${times(flops / 1e12)} TFLOP/s`;
const rate = (bytesPerSecond: number) => `${times(bytesPerSecond / 1e9)} GB/s`;

function known(
	value: number,
	unit: Unit,
	{ evidence }: PrefillFit | DecodeFit | ServeFit,
	arithmetic: string,
): Quantity {
	return { value, unit, evidence, arithmetic };
}

function cards({ configuration: { gpus, tp } }: Hardware): number {
	return Math.max(1, gpus ?? tp ?? 1);
}

/** The physical meaning of the prefill coefficients. Those that are zero are left out: the law has no such part. */
export function prefillCoefficients(fit: PrefillFit, hardware: Hardware): Coefficient[] {
	const { a, b, f, k } = fit.coefficients;
	const from = `fitted to ${counted(fit.n, "point")}: ${fit.form}`;
	const all: (Coefficient & { value: number })[] = [
		{
			symbol: "a",
			value: a,
			quantity: known(a, "seconds/token", fit, from),
			meaning: `the pass through the weights: ${speed(1 / a)} where attention costs little${shareOfPeak(a, hardware)}`,
		},
		{
			symbol: "b",
			value: b,
			quantity: known(b, "seconds/token²", fit, from),
			meaning:
				a > 0 ? `attention: as long as the weights at ${formatCount(roundTo(a / b, 2))} tokens` : "attention",
		},
		{
			symbol: "f",
			value: f,
			quantity: known(f, "seconds", fit, from),
			meaning: "the floor: launches and the first read of the weights, whatever the length",
		},
		{
			symbol: "k",
			value: k,
			quantity: known(Math.round(k), "tokens", fit, from),
			meaning: "the knee: up to here the floor hides the pass through the weights",
		},
	];
	return all.filter(({ value }) => value > 0);
}

/** ", 25% of the peak …": 2 operations per active parameter and token over the cards' dense peak. */
function shareOfPeak(a: number, hardware: Hardware): string {
	const { gpu, model, configuration } = hardware;
	const active = model?.paramsActive ?? model?.paramsTotal;
	const eightBit = /fp8|e4m3/i.test(configuration.weights ?? "");
	const bits = eightBit && gpu?.fp8DenseFlops ? 8 : 16;
	const peak = bits === 8 ? gpu?.fp8DenseFlops : gpu?.bf16DenseFlops;
	if (!active || !peak) return "";
	const total = cards(hardware) * peak;
	return `, ${percent((2 * active) / a / total)} of the ${tera(total)} of dense ${bits}-bit peak`;
}

/** The physical meaning of the decode coefficients. Those that are zero are left out. */
export function decodeCoefficients(fit: DecodeFit, hardware: Hardware): Coefficient[] {
	const { c0, c1, c2, c3 } = fit.coefficients;
	const from = `fitted to ${counted(fit.n, "point")}: ${fit.form}`;
	const sparse = fit.g === "log2" || fit.g === "experts";
	const weights = sparse ? c0 : c0 + c3;
	// The read of the weights is in the larger of both parts; the other may be no more than a remainder.
	const inGrowth = !sparse && c3 > c0;
	const all: (Coefficient & { value: number })[] = [
		{
			symbol: "c0",
			value: c0,
			quantity: known(c0, "seconds", fit, from),
			meaning: `what every step pays, whatever the batch: reading the weights${inGrowth ? "" : weightRead(weights, hardware)}`,
		},
		{
			symbol: "c1",
			value: c1,
			quantity: known(c1, "seconds", fit, from),
			meaning: "what each sequence of the batch adds",
		},
		{
			symbol: "c2",
			value: c2,
			quantity: known(c2, "seconds/token", fit, from),
			meaning: `reading the cache, per token of each sequence: ${speed(1 / c2)}${cacheRead(c2, hardware)}`,
		},
		{
			symbol: "c3",
			value: c3,
			quantity: known(c3, "seconds", fit, from),
			meaning: `${GROWTH[fit.g]}${inGrowth ? weightRead(weights, hardware) : ""}`,
		},
	];
	return all.filter(({ value }) => value > 0);
}

const GROWTH: Record<DecodeFit["g"], string> = {
	none: "",
	roofline: "from reading the weights to computing with them, as the batch grows",
	sqrt: "grows with the root of the batch: more experts are read",
	log2: "each doubling of the batch reads more experts",
	experts: "reading all weights; a batch reads those of the experts that its sequences choose",
};

/** "; 2,010 GB/s of weights, 60% of the bandwidth" */
function weightRead(seconds: number, hardware: Hardware): string {
	const { gpu, model, configuration } = hardware;
	const bits = bitsPerWeight(configuration.weights);
	const active = model?.paramsActive ?? model?.paramsTotal;
	const bandwidth = gpu?.bandwidthBytesPerSecond;
	if (bits === null || !active || !bandwidth || seconds <= 0) return "";
	const bytesPerSecond = (active * bits) / 8 / seconds / cards(hardware);
	return `; ${rate(bytesPerSecond)} of weights per GPU, ${percent(bytesPerSecond / bandwidth)} of its bandwidth`;
}

function cacheRead(c2: number, { gpu, model, configuration }: Hardware): string {
	const kvK = kvTypeOf(configuration.kvK);
	const bandwidth = gpu?.bandwidthBytesPerSecond;
	if (!model || !bandwidth || !kvK) return "";
	const storage = { kvK, kvV: kvTypeOf(configuration.kvV) ?? kvK, tp: configuration.tp ?? 1 };
	const bytesPerSecond = kvBytesPerToken(model, storage) / c2;
	return `; ${rate(bytesPerSecond)} of cache per GPU, ${percent(bytesPerSecond / bandwidth)} of its bandwidth`;
}

/** The coefficients of the time per token that clients see. Those that are zero are left out. */
export function serveCoefficients(fit: ServeFit): Coefficient[] {
	const from = `fitted to ${counted(fit.n, "load")}: ${fit.form}`;
	const meanings: [keyof ServeFit["coefficients"], Unit, string][] = [
		["c0", "seconds", "what every step pays: reading the weights"],
		["c1", "seconds", "what each request in flight adds"],
		["c2", "seconds/token", "reading the cache, per token of each request"],
		["c3", "seconds", "other people's prefill: per concurrency × input/output"],
		["c4", "seconds", "grows with the root of the concurrency"],
	];
	return meanings.flatMap(([symbol, unit, meaning]) => {
		const value = fit.coefficients[symbol];
		return value > 0 ? [{ symbol, quantity: known(value, unit, fit, from), meaning }] : [];
	});
}
