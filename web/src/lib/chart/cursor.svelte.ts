/** Where the reader points, shared by charts of one group: their axes show the same thing. */
class Cursor {
	group = $state<string | null>(null);
	at = $state<number | null>(null);
	/** A place that stays until it is let go; one on a page. */
	#pin = $state.raw<{ group: string; at: number } | null>(null);

	point(group: string, at: number | null): void {
		this.group = at === null ? null : group;
		this.at = at;
	}

	/** The place pointed at in a group; null where the reader points elsewhere. */
	of(group: string): number | null {
		return this.group === group ? this.at : null;
	}

	pin(group: string, at: number): void {
		this.#pin = { group, at };
	}

	/** Lets go of what is pinned in a group. */
	unpin(group: string): void {
		if (this.#pin?.group === group) this.#pin = null;
	}

	/** The place pinned in a group; null where none is. */
	pinnedIn(group: string): number | null {
		return this.#pin?.group === group ? this.#pin.at : null;
	}
}

export const cursor = new Cursor();
