/** Requests as they really came: one entry each, in the order of their arrival. */
export interface Trace {
	/** Seconds since the first request, not falling. */
	arrivalSeconds: ArrayLike<number>;
	promptTokens: ArrayLike<number>;
	outputTokens: ArrayLike<number>;
	/** Leading tokens of the prompt that a prefix cache can hold already; absent where the source does not say. */
	cachedTokens?: ArrayLike<number>;
}

/** Seconds from the start of a trace to the start of its repetition: the last gap is the mean one. */
export function periodSeconds({ arrivalSeconds }: Trace): number {
	const count = arrivalSeconds.length;
	const last = arrivalSeconds[count - 1] ?? 0;
	return count > 1 ? (last * count) / (count - 1) : last;
}
