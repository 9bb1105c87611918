const precedes = (key: number, id: number, otherKey: number, otherId: number): boolean =>
	key < otherKey || (key === otherKey && id < otherId);

/** Numbered things by when they are due, soonest first, equal ones by number: a binary heap. */
export class Soonest {
	private keys = new Float64Array(64);
	private ids = new Int32Array(64);
	private count = 0;

	/** When the first one is due; endless where there is none. */
	get next(): number {
		return this.count > 0 ? this.key(0) : Number.POSITIVE_INFINITY;
	}

	/** The number of the first one; only where there is one. */
	get first(): number {
		return this.id(0);
	}

	push(key: number, id: number): void {
		if (this.count === this.keys.length) this.widen();
		let at = this.count++;
		while (at > 0) {
			const parent = (at - 1) >> 1;
			if (!precedes(key, id, this.key(parent), this.id(parent))) break;
			this.put(this.key(parent), this.id(parent), at);
			at = parent;
		}
		this.put(key, id, at);
	}

	/** Takes the first one out. */
	pop(): void {
		const last = --this.count;
		const [key, id] = [this.key(last), this.id(last)];
		let at = 0;
		for (let child = this.sooner(1); child < last; child = this.sooner(2 * at + 1)) {
			if (!precedes(this.key(child), this.id(child), key, id)) break;
			this.put(this.key(child), this.id(child), at);
			at = child;
		}
		this.put(key, id, at);
	}

	/** The sooner of the entries `at` and `at + 1`. */
	private sooner(at: number): number {
		const other = at + 1;
		const both = other < this.count;
		return both && precedes(this.key(other), this.id(other), this.key(at), this.id(at)) ? other : at;
	}

	private key(at: number): number {
		return this.keys[at] ?? 0;
	}

	private id(at: number): number {
		return this.ids[at] ?? -1;
	}

	private put(key: number, id: number, at: number): void {
		this.keys[at] = key;
		this.ids[at] = id;
	}

	private widen(): void {
		const [keys, ids] = [this.keys, this.ids];
		this.keys = new Float64Array(2 * keys.length);
		this.keys.set(keys);
		this.ids = new Int32Array(2 * ids.length);
		this.ids.set(ids);
	}
}
