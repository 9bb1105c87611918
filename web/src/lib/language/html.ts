import { Parser } from "htmlparser2";
import { countedWord } from "./counted-word.ts";
import { isFigure } from "./field.ts";
import { ATTRIBUTES, COUNT, KEPT, VERBATIM } from "./places.ts";
import type { Translate } from "./translate.ts";

const verbatim = new Set<string>(VERBATIM);
const attributes = new Set<string>(ATTRIBUTES);

const escapedText = (text: string) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const escapedValue = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The same HTML with its words translated; everything else stays byte by byte. */
export function translateHtml(html: string, translate: Translate): string {
	const pieces: string[] = [];
	let copied = 0;
	/** Depth of each open element that keeps its words. */
	const kept: number[] = [];
	let depth = 0;
	let text = "";
	let textFrom = -1;
	let textTo = 0;
	/** The figure that the text of the element just opened goes with. */
	let count: string | null = null;

	const put = (from: number, to: number, words: string) => {
		pieces.push(html.slice(copied, from), words);
		copied = to;
	};
	function endText(): void {
		if (textFrom >= 0 && kept.length === 0) {
			const translated = count === null ? translate(text) : countedWord(translate, count, text);
			if (translated !== null && translated !== text) put(textFrom, textTo, escapedText(translated));
		}
		text = "";
		textFrom = -1;
		count = null;
	}
	/** Attributes of the tag being read that hold words, and whether the tag keeps its words. */
	let said: { name: string; value: string; from: number; to: number }[] = [];
	let keeps = false;
	function endTag(element: string, attributes: Record<string, string>): void {
		depth += 1;
		count = attributes[COUNT] ?? null;
		if (keeps || verbatim.has(element)) kept.push(depth);
		for (const { name, value, from, to } of kept.length > 0 ? [] : said) {
			// What a field sends by its name stays as it was typed.
			if (name === "value" && (element !== "input" || "name" in attributes || !isFigure(value))) continue;
			const translated = translate(value);
			if (translated !== null && translated !== value) put(from, to, `${name}="${escapedValue(translated)}"`);
		}
		said = [];
		keeps = false;
	}
	const parser = new Parser({
		onopentagname: endText,
		onattribute(name, value) {
			if (name === KEPT.attribute && value === KEPT.value) keeps = true;
			if (name === "value" || attributes.has(name))
				said.push({ name, value, from: parser.startIndex, to: parser.endIndex });
		},
		onopentag: endTag,
		onclosetag() {
			endText();
			if (kept.at(-1) === depth) kept.pop();
			depth -= 1;
		},
		ontext(part) {
			if (textFrom < 0) textFrom = parser.startIndex;
			text += part;
			textTo = parser.endIndex + 1;
		},
		oncomment: endText,
	});
	parser.end(html);
	pieces.push(html.slice(copied));
	return pieces.join("");
}
