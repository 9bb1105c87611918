/** Requests that wait for a place: first come, first served, those that were thrown out before all others. */
export class WaitingLine {
	private readonly came: Int32Array;
	private served = 0;
	private last = 0;
	private readonly thrownOut: number[] = [];

	/** @param requests how many there are in all */
	constructor(requests: number) {
		this.came = new Int32Array(requests);
	}

	get length(): number {
		return this.last - this.served + this.thrownOut.length;
	}

	/** Whose turn it is; only where somebody waits. */
	get first(): number {
		return this.thrownOut[this.thrownOut.length - 1] ?? this.came[this.served] ?? -1;
	}

	/** A request comes, once. */
	add(request: number): void {
		this.came[this.last++] = request;
	}

	/** A request that ran goes back to the front. */
	return(request: number): void {
		this.thrownOut.push(request);
	}

	removeFirst(): void {
		if (this.thrownOut.pop() === undefined) this.served++;
	}
}
