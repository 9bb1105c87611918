import type { Item } from "../record.ts";

/** Lines that a terminal may have broken one row into, at most. */
const MOST_PIECES = 40;

/** Puts rows together that a terminal broke at its width: what follows an unfinished row goes on with it. */
export class BrokenRow {
	readonly #read: (line: string, at: string) => Item;
	#pending: { text: string; at: string; pieces: number } | null = null;

	/** @param read turns a row into an item, a cut one into a rejection */
	constructor(read: (line: string, at: string) => Item) {
		this.#read = read;
	}

	/** A line that begins a row and does not end it: what was unfinished before it was cut. */
	begin(text: string, at: string): Iterable<Item> {
		const cut = this.end();
		this.#pending = { text, at, pieces: 1 };
		return cut;
	}

	/** A line that may go on with the unfinished row; null: there is none. */
	goOn(text: string, isWhole: (joined: string) => boolean): Iterable<Item> | null {
		const pending = this.#pending;
		if (pending === null) return null;
		pending.text += text;
		pending.pieces++;
		return isWhole(pending.text) || pending.pieces === MOST_PIECES ? this.end() : [];
	}

	/** The unfinished row as it stands. */
	end(): Item[] {
		const pending = this.#pending;
		this.#pending = null;
		return pending === null ? [] : [this.#read(pending.text, pending.at)];
	}
}
