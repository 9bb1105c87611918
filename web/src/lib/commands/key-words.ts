import { SHORTCUTS, type ShortcutId } from "./shortcuts.ts";

/** A key and what it does, as the sheet of keys lists it. */
interface KeyWords {
	keys: readonly string[];
	says: string;
	/** The page it works on; left out: everywhere. */
	on?: string;
}

const SAYS: Record<ShortcutId, string> = {
	"search-all": "Search pages, configurations, models and scenarios",
	"search-page": "Go to the search of the page; where it has none, search everything",
	keys: "Show this list",
	undo: "Take the last change back",
	redo: "Make it again",
	reset: "Back to the defaults",
};

/** Keys of parts of a page, which hear them while they have the focus. */
const OF_PARTS: readonly KeyWords[] = [
	{ keys: ["Escape"], says: "Close what is open" },
	{ keys: ["ArrowLeft", "ArrowRight", "Home", "End"], says: "In a chart: read its values one by one" },
	{ keys: ["ArrowLeft", "ArrowRight"], says: "On a slider: move it a step; with Shift ten times as far" },
	{ keys: ["Enter"], says: "On a figure: show how it is known" },
	{ on: "/measurements", keys: ["Space"], says: "On a box before a run: tick it; with Shift all up to it" },
];

/** Every key that does something, page by page. */
export const KEY_WORDS: readonly KeyWords[] = [
	...SHORTCUTS.map(({ id, ...shortcut }) => ({ ...shortcut, says: SAYS[id] })),
	...OF_PARTS,
];
