/**
 * Which of some points no other one beats in both: lowest cost first, each further one faster than all before it.
 * @param cost and latency of point `i`; a point whose cost or latency is not finite is never on the front
 * @returns indices, cost rising and latency falling
 */
export function paretoFront(
	points: number,
	cost: (i: number) => number,
	latency: (i: number) => number,
): number[] {
	const order: number[] = [];
	for (let i = 0; i < points; i++) if (Number.isFinite(cost(i)) && Number.isFinite(latency(i))) order.push(i);
	order.sort((a, b) => cost(a) - cost(b) || latency(a) - latency(b));
	const front: number[] = [];
	let best = Number.POSITIVE_INFINITY;
	for (const i of order) {
		if (latency(i) >= best) continue;
		best = latency(i);
		front.push(i);
	}
	return front;
}
