/** Where words stand on a page besides its text: what is read out, shown at a pointer or in an empty field. */
export const ATTRIBUTES = [
	"aria-label",
	"title",
	"placeholder",
	"alt",
	"aria-valuetext",
	"aria-description",
] as const;

/** On a word that follows a figure in an element of its own: that figure. In many languages it chooses the word's form. */
export const COUNT = "data-count";

/** Elements whose text is not prose: code, what people type, and names, marked as HTML marks them. */
export const VERBATIM = ["code", "pre", "kbd", "script", "style", "textarea", "noscript"] as const;

/** HTML's own mark for what keeps its words in every language: names of runs, files, models. */
export const KEPT = { attribute: "translate", value: "no" } as const;
