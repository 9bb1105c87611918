/** Hours of a month that bills are made with: 8,760 / 12. Some sellers count 720. */
export const HOURS_PER_MONTH = 730;

/**
 * Price of a million tokens on rented or owned GPUs; idle capacity is charged.
 * gpus · usdPerGpuHour / (tokensPerSecond · 3600 · utilisation) · 10⁶
 * @param gpus number of GPUs paid for
 * @param usdPerGpuHour USD per GPU and hour
 * @param tokensPerSecond tokens per second of the whole configuration while it is busy, > 0
 * @param utilisation share of the paid hours in which it is busy, 0…1
 * @returns USD per million tokens; null where the price is not known
 * @source DESIGN 2.8
 */
export function usdPerMillionTokens(
	gpus: number,
	usdPerGpuHour: number | null,
	tokensPerSecond: number,
	utilisation = 1,
): number | null {
	if (usdPerGpuHour === null) return null;
	return ((gpus * usdPerGpuHour) / (tokensPerSecond * 3600 * utilisation)) * 1e6;
}

/** USD of a month: gpus · price · 730 hours. */
export const usdPerMonth = (gpus: number, usdPerGpuHour: number, hours = HOURS_PER_MONTH): number =>
	gpus * usdPerGpuHour * hours;

/** USD of one request: gpus · price / 3600 / (requests per second · busy). */
export const usdPerRequest = (
	gpus: number,
	usdPerGpuHour: number,
	requestsPerSecond: number,
	busy = 1,
): number => (gpus * usdPerGpuHour) / 3600 / (requestsPerSecond * busy);

/** USD of some tokens at a price per million. */
export const tokenCostUsd = (tokens: number, usdPerMillion: number): number => (tokens * usdPerMillion) / 1e6;

/** Tokens per second of each GPU when prompts and output run on GPUs of their own; cost always takes all of them. */
export function splitRates(split: {
	prefillGpus: number;
	decodeGpus: number;
	inputTokensPerSecond: number;
	outputTokensPerSecond: number;
}): { inputPerPrefillGpu: number; outputPerDecodeGpu: number; inputPerGpu: number; outputPerGpu: number } {
	const gpus = split.prefillGpus + split.decodeGpus;
	return {
		inputPerPrefillGpu: split.inputTokensPerSecond / split.prefillGpus,
		outputPerDecodeGpu: split.outputTokensPerSecond / split.decodeGpus,
		inputPerGpu: split.inputTokensPerSecond / gpus,
		outputPerGpu: split.outputTokensPerSecond / gpus,
	};
}
