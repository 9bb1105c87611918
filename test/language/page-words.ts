import { Parser } from "htmlparser2";
import { ATTRIBUTES, KEPT, VERBATIM } from "../../web/src/lib/language/places.ts";

const verbatim = new Set<string>(VERBATIM);

/** Every text of a page that is to be translated: as it is read, and as it is read out. */
export function textsOf(html: string): Set<string> {
	const texts = new Set<string>();
	const kept: number[] = [];
	let depth = 0;
	let text = "";
	const add = (said: string) => {
		const words = said.replace(/[ \t\n]+/g, " ").trim();
		if (words && kept.length === 0) texts.add(words);
	};
	const end = () => {
		add(text);
		text = "";
	};
	const parser = new Parser({
		onopentag(name, attributes) {
			end();
			depth += 1;
			if (verbatim.has(name) || attributes[KEPT.attribute] === KEPT.value) kept.push(depth);
			for (const attribute of ATTRIBUTES) if (attributes[attribute]) add(attributes[attribute]);
		},
		onclosetag() {
			end();
			if (kept.at(-1) === depth) kept.pop();
			depth -= 1;
		},
		ontext(part) {
			text += part;
		},
		oncomment: end,
	});
	parser.end(html);
	return texts;
}
