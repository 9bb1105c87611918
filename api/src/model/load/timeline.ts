/** What the engine held at some moments of a run. */
export interface Timeline {
	seconds: number[];
	running: number[];
	waiting: number[];
	kvTokens: number[];
}

/** Most samples that are kept. */
export const MOST_SAMPLES = 480;

/**
 * Takes samples of a run of unknown length: where there are too many, those that stand closer than two shares of the time
 * passed are left out.
 */
export class TimelineSampler {
	private readonly kept: Timeline = { seconds: [], running: [], waiting: [], kvTokens: [] };
	private due = 0;
	private between = 0;

	/** Keeps a sample when one is due. */
	sample(seconds: number, running: number, waiting: number, kvTokens: number): void {
		if (seconds < this.due) return;
		this.keep(seconds, running, waiting, kvTokens);
		this.due = seconds + this.between;
	}

	/** The samples, closed by the last moment. */
	end(seconds: number, running: number, waiting: number, kvTokens: number): Timeline {
		this.keep(seconds, running, waiting, kvTokens);
		return this.kept;
	}

	private keep(seconds: number, running: number, waiting: number, kvTokens: number): void {
		if (this.kept.seconds.length >= MOST_SAMPLES) this.thin(seconds);
		this.kept.seconds.push(seconds);
		this.kept.running.push(running);
		this.kept.waiting.push(waiting);
		this.kept.kvTokens.push(kvTokens);
	}

	private thin(now: number): void {
		const { seconds } = this.kept;
		const start = seconds[0] ?? 0;
		this.between = (2 * (now - start)) / MOST_SAMPLES;
		let next = start;
		const stays = seconds.map((at) => {
			if (at < next) return false;
			next = at + this.between;
			return true;
		});
		for (const list of Object.values(this.kept) as number[][]) {
			const left = list.filter((_, i) => stays[i]);
			list.splice(0, list.length, ...left);
		}
	}
}
