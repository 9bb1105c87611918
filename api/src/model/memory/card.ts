/**
 * Memory of a card to plan with: the middle of what engines printed as its total, else what the driver reports.
 * The number on the box is neither: a CUDA context and the driver's own share are gone.
 * @param engineTotals totals that engines printed, bytes
 * @param driverTotal total that the driver reports, bytes
 */
export function usableBytes(engineTotals: readonly number[], driverTotal: number): number {
	const sorted = [...engineTotals].sort((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	const upper = sorted[middle] ?? driverTotal;
	return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}
