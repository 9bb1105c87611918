/** A press, or a typed value, of before a part of the page could answer; kept by the script in app.html. */
interface Early {
	field: HTMLElement;
	pressed: boolean;
	/** What it was given; of a radio or a checkbox whether it was chosen then. */
	to: string | boolean | undefined;
}

/** Does again what came too early for a part that is alive now. @param place of that part; null: all that is in no late part */
export function doAgain(place: Element | null): void {
	const kept = (globalThis as { plimsollEarly?: Early[] }).plimsollEarly ?? [];
	const ours = kept.filter(({ field }) => (place ? place.contains(field) : !field.closest("[data-late]")));
	for (const early of ours) kept.splice(kept.indexOf(early), 1);
	// Of a field only what it held last counts.
	const last = new Map(ours.map((early) => [early.field, early]));
	for (const early of last.values()) if (early.field.isConnected) redo(early);
}

function redo({ field, pressed, to }: Early): void {
	const input = field as HTMLInputElement;
	if (pressed) {
		// What the browser has chosen already would change no more.
		if (typeof to === "boolean") input.checked = !to;
		field.click();
		return;
	}
	input.value = String(to);
	for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
}
