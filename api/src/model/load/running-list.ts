const NONE = -1;

/** Sequences that run, in the order they were admitted: the last one is the first to be thrown out. */
export class RunningList {
	length = 0;
	/** The sequence admitted last; −1 where none runs. */
	last = NONE;
	private readonly before: Int32Array;
	private readonly after: Int32Array;

	constructor(requests: number) {
		this.before = new Int32Array(requests);
		this.after = new Int32Array(requests);
	}

	append(request: number): void {
		this.before[request] = this.last;
		this.after[request] = NONE;
		if (this.last !== NONE) this.after[this.last] = request;
		this.last = request;
		this.length++;
	}

	remove(request: number): void {
		const [before, after] = [this.before[request] ?? NONE, this.after[request] ?? NONE];
		if (before !== NONE) this.after[before] = after;
		if (after !== NONE) this.before[after] = before;
		else this.last = before;
		this.length--;
	}
}
