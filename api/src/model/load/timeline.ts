/** What the engine held at some moments of a run. */
export interface Timeline {
	seconds: number[];
	running: number[];
	waiting: number[];
	kvTokens: number[];
}

/** Most samples that are kept. */
export const MOST_SAMPLES = 480;

/** Takes samples of a run of unknown length: where there are too many, every second is left out and time between doubles. */
export class TimelineSampler {
	private readonly kept: Timeline = { seconds: [], running: [], waiting: [], kvTokens: [] };
	private due = 0;
	private between = 1e-3;

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
		if (this.kept.seconds.length >= MOST_SAMPLES) this.thin();
		this.kept.seconds.push(seconds);
		this.kept.running.push(running);
		this.kept.waiting.push(waiting);
		this.kept.kvTokens.push(kvTokens);
	}

	private thin(): void {
		for (const list of Object.values(this.kept) as number[][]) {
			const half = list.filter((_, i) => i % 2 === 0);
			list.splice(0, list.length, ...half);
		}
		this.between *= 2;
	}
}
