/** Where the reader points, shared by charts of one group: their axes show the same thing. */
class Cursor {
	group = $state<string | null>(null);
	at = $state<number | null>(null);

	point(group: string, at: number | null): void {
		this.group = at === null ? null : group;
		this.at = at;
	}

	/** The place pointed at in a group; null where the reader points elsewhere. */
	of(group: string): number | null {
		return this.group === group ? this.at : null;
	}
}

export const cursor = new Cursor();
