/**
 * Divides a whole number among parts in proportion to their weights, so that the parts add up: largest remainders first.
 * @param weights ≥ 0, not all 0 @param total whole, ≥ 0
 */
export function apportioned(weights: readonly number[], total: number): number[] {
	const sum = weights.reduce((all, weight) => all + weight, 0);
	const exact = weights.map((weight) => (sum > 0 ? (weight * total) / sum : 0));
	const parts = exact.map(Math.floor);
	let left = total - parts.reduce((all, part) => all + part, 0);
	const byRemainder = exact
		.map((share, at) => ({ at, remainder: share - Math.floor(share) }))
		.sort((a, b) => b.remainder - a.remainder || a.at - b.at);
	for (const { at } of byRemainder) {
		if (left <= 0) break;
		parts[at] = (parts[at] ?? 0) + 1;
		left--;
	}
	return parts;
}
