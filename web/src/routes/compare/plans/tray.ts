import { type Wanted, wantedOf } from "./wanted.ts";

const KEY = "plimsoll.plans";

/** The plans that were last held side by side in this window: Plan adds to them. */
export function readTray(): Wanted[] {
	try {
		return wantedOf(new URLSearchParams(sessionStorage.getItem(KEY) ?? "")).wanted;
	} catch {
		// A browser that keeps nothing has an empty tray.
		return [];
	}
}

/** Remembers what an address of the comparison holds. */
export function keepTray(search: string): void {
	try {
		sessionStorage.setItem(KEY, search);
	} catch {
		// A browser that keeps nothing has an empty tray.
	}
}
