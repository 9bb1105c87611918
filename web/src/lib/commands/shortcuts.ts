import { PAGES, type PageLink, pageAt } from "../pages.ts";

export type ShortcutId = "search-all" | "search-page" | "keys" | "undo" | "redo" | "reset";

interface Shortcut {
	id: ShortcutId;
	/** Keys that do the same; "Mod" is Ctrl, on a Mac ⌘. */
	keys: readonly string[];
	/** The page it works on; left out: everywhere. */
	on?: string;
}

/** Every key that the whole of a page listens to. What they do in words stands in key-words.ts, fetched with the sheet. */
export const SHORTCUTS: readonly Shortcut[] = [
	{ id: "search-all", keys: ["Mod+K"] },
	{ id: "search-page", keys: ["/"] },
	{ id: "keys", keys: ["?"] },
	{ id: "undo", on: "/", keys: ["Mod+Z"] },
	{ id: "redo", on: "/", keys: ["Mod+Shift+Z", "Mod+Y"] },
	{ id: "reset", on: "/", keys: ["Shift+R"] },
];

/** What a key stroke says of itself; a KeyboardEvent is one. */
export type Stroke = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

/** Whether a stroke is the keys; a sign such as "?" is itself, however the keyboard makes it. */
function strikes({ key, ctrlKey, metaKey, shiftKey, altKey }: Stroke, keys: string): boolean {
	const parts = keys.split("+");
	const last = parts.at(-1) ?? "";
	const isSign = !/^\w+$/.test(last);
	return (
		key.toLowerCase() === last.toLowerCase() &&
		(ctrlKey || metaKey) === parts.includes("Mod") &&
		!altKey &&
		(isSign || shiftKey === parts.includes("Shift"))
	);
}

/** What a stroke does on a page; null: nothing. */
export function shortcutOf(stroke: Stroke, pathname: string): ShortcutId | null {
	const found = SHORTCUTS.find(
		({ on, keys }) =>
			(on === undefined || pageAt(pathname)?.href === on) && keys.some((some) => strikes(stroke, some)),
	);
	return found?.id ?? null;
}

/** Where a letter after g leads. */
export const pageOfKey = (key: string): PageLink | undefined =>
	PAGES.find((page) => page.key === key.toLowerCase());

const PRESSED_ONLY = new Set(["range", "checkbox", "radio", "button", "submit", "reset", "file", "color"]);

/** Whether a stroke belongs to the field that has the focus: it takes letters, as text or to choose by. */
export function isTyping({ target, ctrlKey, metaKey }: KeyboardEvent): boolean {
	if (!(target instanceof HTMLElement)) return false;
	if (target instanceof HTMLInputElement) return !PRESSED_ONLY.has(target.type);
	// A list of choices takes letters, and nothing together with Ctrl.
	if (target instanceof HTMLSelectElement) return !(ctrlKey || metaKey);
	return target instanceof HTMLTextAreaElement || target.isContentEditable;
}

const SINGLE_KEYS_OFF = "plimsoll.single-keys-off";

/** Whether keys without Ctrl act: a person who speaks to the machine, or types by accident, turns them off. */
export const singleKeys = {
	get on(): boolean {
		try {
			return localStorage.getItem(SINGLE_KEYS_OFF) === null;
		} catch {
			return true;
		}
	},
	set on(on: boolean) {
		try {
			if (on) localStorage.removeItem(SINGLE_KEYS_OFF);
			else localStorage.setItem(SINGLE_KEYS_OFF, "1");
		} catch {
			// Storage can be forbidden; the keys then act.
		}
	},
};
