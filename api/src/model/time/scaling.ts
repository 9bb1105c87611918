/** One measured time at a number of ranks. */
export interface RankTime {
	ranks: number;
	seconds: number;
}

/** Speed-up over the fewest ranks measured, and the share of it that more ranks should give at best. */
export interface RankScaling extends RankTime {
	/** seconds of the fewest ranks / seconds. */
	speedup: number;
	/** speedup / (ranks / fewest ranks). */
	efficiency: number;
}

/** How measured times scale with ranks: never taken to be linear. @param times at least one */
export function rankScaling(times: readonly RankTime[]): RankScaling[] {
	const least = times.reduce((a, b) => (b.ranks < a.ranks ? b : a));
	return times.map(({ ranks, seconds }) => {
		const speedup = least.seconds / seconds;
		return { ranks, seconds, speedup, efficiency: speedup / (ranks / least.ranks) };
	});
}
