/** Lets a limited number of tasks run at the same time; the others wait in the order they came. */
export class Gate {
	#free: number;
	readonly #waiting: (() => void)[] = [];

	/** @param places tasks at the same time */
	constructor(places: number) {
		this.#free = places;
	}

	async pass<T>(task: () => Promise<T>): Promise<T> {
		if (this.#free > 0) this.#free--;
		else await new Promise<void>((enter) => this.#waiting.push(enter));
		try {
			return await task();
		} finally {
			// The place goes straight to the next in line, so that nobody slips in between.
			const next = this.#waiting.shift();
			if (next) next();
			else this.#free++;
		}
	}
}
