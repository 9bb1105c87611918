/** Whole numbers equal factors apart, both ends included, with `landmarks` between them; ascending, each once. */
export function logGrid(
	from: number,
	to: number,
	count: number,
	landmarks: readonly number[] = [],
): number[] {
	const step = (to / from) ** (1 / (count - 1));
	const even = Array.from({ length: count }, (_, i) => Math.round(from * step ** i));
	const inside = [...even, ...landmarks, from, to].filter((value) => value >= from && value <= to);
	return [...new Set(inside)].sort((a, b) => a - b);
}
