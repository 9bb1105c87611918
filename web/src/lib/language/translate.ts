/**
 * English sentences, each with its translation. `{name}` in a sentence stands for anything that is known by itself
 * (a figure, a name, another sentence), `{#name}` for a figure, `{=name}` for what stays as it is. The translation puts them where it wants; `{name: one |
 * few | many}` chooses the word by the figure.
 */
export type Catalogue = Readonly<Record<string, string>>;

/** What a language does besides words. */
export interface LanguageForms {
	/** BCP 47, for the plural. */
	readonly locale: string;
	/** Writes the figures of an English text as the language does. */
	numerals(text: string): string;
}

/** The text in the other language; null where the catalogue does not know it. */
export type Translate = (english: string) => string | null;

interface Hole {
	readonly name: string;
	readonly holds: "" | "#" | "=";
}

interface Pattern {
	readonly matches: RegExp;
	/** What stands before, between and after the holes: looked for first, which is a tenth of the work of matching. */
	readonly literals: readonly string[];
	readonly holes: readonly Hole[];
	readonly translation: string;
	/** Letters that are said by the pattern itself: of two that match, the one that says more is meant. */
	readonly weight: number;
}

const HOLE = /\{([#=]?)(\w+)\}/g;
const INSERTION = /\{(\w+)(?::([^}]*))?\}/g;
const FIGURE = "[−+±~≈<>≤≥]?\\$?\\d+(?:,\\d{3})*(?:\\.\\d+)?(?:e[+−-]?\\d+)?[KMB]?%?";
/** A word of prose: what a name, a unit or a figure is not. */
const PROSE = /(?<![\p{L}\d_.-])[a-z]{2,}(?![\p{L}\d_-])/u;
/** Where a text may be cut into parts that are known by themselves, the widest first. */
const CUTS = [/(?<=[.!?])(\s+)/, /(;\s+)/, /(:\s+)/, /(\s[·–—→]\s)/, /(,\s+)/];
/** Letters from which on a sentence is known by what it says itself, whatever its holes hold. */
const PHRASE = 4;
const REMEMBERED = 20_000;

const quoted = (literal: string): string =>
	literal.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/[ \u00a0]/g, "[ \u00a0]");

function patternOf(sentence: string, translation: string): Pattern {
	const holes: Hole[] = [];
	const literals: string[] = [];
	let source = "";
	let from = 0;
	let weight = 0;
	for (const hole of sentence.matchAll(HOLE)) {
		const literal = sentence.slice(from, hole.index);
		literals.push(literal.replaceAll("\u00a0", " "));
		source += quoted(literal) + (hole[1] === "#" ? `(${FIGURE})` : "(.+?)");
		weight += literal.trim().length + (hole[1] === "#" ? 0.5 : 0);
		holes.push({ name: hole[2] as string, holds: hole[1] as Hole["holds"] });
		from = hole.index + hole[0].length;
	}
	const rest = sentence.slice(from);
	literals.push(rest.replaceAll("\u00a0", " "));
	return {
		matches: new RegExp(`^${source}${quoted(rest)}$`, "su"),
		literals,
		holes,
		translation,
		weight: weight + rest.trim().length,
	};
}

/** Whether a text holds what a pattern says, in its order; spaces that do not break are spaces. */
function mayBe({ literals }: Pattern, text: string): boolean {
	if (!text.startsWith(literals[0] ?? "") || !text.endsWith(literals.at(-1) ?? "")) return false;
	let at = 0;
	for (const literal of literals) {
		const found = text.indexOf(literal, at);
		if (found < 0) return false;
		at = found + literal.length;
	}
	return true;
}

/** The figure that a hole begins with, "16K" as thousands; null where it begins with none. */
function figureIn(text: string): number | null {
	const [, figure, thousands] = /(\d+(?:,\d{3})*(?:\.\d+)?)([KMB])?/.exec(text) ?? [];
	if (figure === undefined) return null;
	return thousands ? 1000 : Number(figure.replaceAll(",", ""));
}

const decapital = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * Makes the translator of a catalogue. A text is looked up as it is, then among the sentences with holes, then cut into
 * parts that are each known; figures are written as the language does. Nothing is translated by half.
 */
export function translator(catalogue: Catalogue, forms: LanguageForms): Translate {
	const exact = new Map<string, string>();
	const patterns: Pattern[] = [];
	for (const [sentence, translation] of Object.entries(catalogue)) {
		if (sentence.search(HOLE) < 0) exact.set(sentence, translation);
		else patterns.push(patternOf(sentence, translation));
	}
	patterns.sort((one, other) => other.weight - one.weight);
	const isLoose = ({ holes, literals }: Pattern) =>
		holes.some(({ holds }) => holds === "=") && literals.join("").replace(/\P{L}/gu, "").length < PHRASE;
	const loose = patterns.filter(isLoose);
	const strict = patterns.filter((pattern) => !isLoose(pattern));
	const rules = new Intl.PluralRules(forms.locale);
	const WORDS = ["one", "few", "many", "other"];

	function chosen(words: string, text: string): string {
		const forms = words.split("|").map((word) => word.trim());
		const figure = figureIn(text);
		const which = figure === null ? "many" : rules.select(figure);
		// A fraction takes the word of a few: 1,5 токена.
		const index = which === "other" ? 1 : WORDS.indexOf(which);
		return forms[Math.min(index, forms.length - 1)] ?? "";
	}

	function filled({ holes, translation }: Pattern, found: RegExpExecArray): string | null {
		const values = new Map<string, { english: string; translated: string }>();
		for (const [index, { name, holds }] of holes.entries()) {
			const english = found[index + 1] as string;
			const translated = holds === "=" ? english : holds === "#" ? forms.numerals(english) : known(english);
			if (translated === null) return null;
			values.set(name, { english, translated });
		}
		return translation.replace(INSERTION, (_, name: string, words?: string) => {
			const value = values.get(name);
			if (!value) throw new RangeError(`"${translation}" names {${name}}, which its sentence has not`);
			return words === undefined ? value.translated : chosen(words, value.english);
		});
	}

	function matched(text: string, among: readonly Pattern[]): string | null {
		const plain = text.replaceAll("\u00a0", " ");
		for (const pattern of among) {
			if (!mayBe(pattern, plain)) continue;
			const found = pattern.matches.exec(text);
			const translated = found && filled(pattern, found);
			if (translated) return translated;
		}
		return null;
	}

	function cut(text: string): string | null {
		for (const at of CUTS) {
			const parts = text.split(at);
			if (parts.length < 2) continue;
			const translated = parts.map((part, index) => (index % 2 ? part : part === "" ? "" : known(part)));
			if (translated.every((part) => part !== null)) return translated.join("");
		}
		return null;
	}

	/** The text as the language has it; null where some of it is English prose that the catalogue does not know. */
	function worked(text: string): string | null {
		const whole = exact.get(text);
		if (whole !== undefined) return whole;
		const other = exact.get(decapital(text));
		if (other !== undefined) return capital(other);
		// What may hold anything and says little itself comes last: it would take in what has a translation.
		return (
			matched(text, strict) ??
			cut(text) ??
			matched(text, loose) ??
			(PROSE.test(text) ? null : forms.numerals(text))
		);
	}

	const remembered = new Map<string, string | null>();
	function known(text: string): string | null {
		const before = remembered.get(text);
		if (before !== undefined) return before;
		const answer = worked(text);
		if (remembered.size >= REMEMBERED) remembered.clear();
		remembered.set(text, answer);
		return answer;
	}

	return (text) => {
		const [, lead = "", words = "", trail = ""] = /^(\s*)(.*?)(\s*)$/su.exec(text) ?? [];
		if (words === "") return text;
		const translated = known(words.replace(/[ \t\n]+/g, " "));
		return translated === null ? null : lead + translated + trail;
	};
}
