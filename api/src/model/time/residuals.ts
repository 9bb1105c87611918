/** ln(measured / law) at a place of an axis. */
export interface Residual {
	at: number;
	log: number;
}

/** The residual at a place: straight in the log of the axis between the fitted ones, level beyond them, 0 where there are none. */
export function residualAt(residuals: readonly Residual[], place: number): number {
	let [low, high] = [0, residuals.length - 1];
	while (high - low > 1) {
		const middle = (low + high) >> 1;
		if ((residuals[middle]?.at ?? 0) <= place) low = middle;
		else high = middle;
	}
	const [from, to] = [residuals[low], residuals[high]];
	if (!from || !to) return 0;
	if (place <= from.at) return from.log;
	if (place >= to.at) return to.log;
	return from.log + (to.log - from.log) * (Math.log(place / from.at) / Math.log(to.at / from.at));
}
