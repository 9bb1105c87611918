type SheetName = "search" | "keys";

/** Which sheet lies over the page; one at a time. Shown by Commands.svelte in the layout. */
class Sheet {
	shown = $state<SheetName | null>(null);
	/** What was typed between the call for the search and its field. */
	early = "";

	show(name: SheetName): void {
		this.early = "";
		this.shown = name;
	}
	close(): void {
		this.shown = null;
	}
}

export const sheet = new Sheet();
