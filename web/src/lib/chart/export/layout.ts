import { groundOf, type Placed, unnamedOf } from "../ground.ts";
import type { ChartOption } from "../option.ts";
import { type Plot, plotOf } from "../plot.ts";
import { type KeyEntry, keyOf } from "../readings.ts";
import { type Provenance, provenanceWords } from "./provenance.ts";
import { inEnglish } from "./words.ts";

/** Lines of words with the foot of each, pixels. */
interface Lines {
	size: number;
	lines: { text: string; y: number }[];
}

/** An entry of the key with its place, pixels. */
type PlacedEntry = { x: number; y: number } & (
	| { entry: KeyEntry; ground: null }
	| { entry: null; ground: Placed }
);

/** Where everything on a file of a chart stands. */
export interface Layout {
	width: number;
	height: number;
	margin: number;
	title: Lines;
	label: Lines;
	key: PlacedEntry[];
	/** Upper edge of the drawing. */
	top: number;
	plot: Plot;
	provenance: Lines;
}

const WIDTH = 960;
const DRAWING = 420;
const MARGIN = 24;
const GAP = 12;
/** Height of a line of words by its size, and width of a letter, rounded up: a system's own font may be wide. */
const LINE = 1.45;
const LETTER = 0.58;
const [TITLE, LABEL, SMALL] = [18, 14, 11];
/** Of an entry of the key: its mark, and the room after its words. */
const [MARK, AFTER] = [28, 18];

/** Words in lines no longer than `most` letters; a word longer than that, such as an address, is cut. */
export function wrapped(text: string, most: number): string[] {
	const lines: string[] = [];
	let line = "";
	for (const word of text.split(" ")) {
		const parts = word.match(new RegExp(`.{1,${most}}`, "gu")) ?? [""];
		for (const [i, part] of parts.entries()) {
			const longer = line === "" || i > 0 ? part : `${line} ${part}`;
			if (longer.length <= most && i === 0) line = longer;
			else {
				if (line !== "") lines.push(line);
				line = part;
			}
		}
	}
	return [...lines, line].filter((one) => one !== "");
}

function linesFrom(top: number, text: string, size: number): Lines {
	const most = Math.floor((WIDTH - 2 * MARGIN) / (size * LETTER));
	const lines = wrapped(text, most).map((words, i) => ({ text: words, y: top + size + i * size * LINE }));
	return { size, lines };
}
const heightOf = ({ lines, size }: Lines): number => lines.length * size * LINE;

function keyFrom(top: number, entries: (KeyEntry | Placed)[]): PlacedEntry[] {
	let [x, y] = [MARGIN, top];
	return entries.map((one) => {
		const isGround = typeof one.name !== "string";
		const words = typeof one.name === "string" ? one.name : one.name.text;
		const width = MARK + words.length * 12 * LETTER + AFTER;
		if (x > MARGIN && x + width > WIDTH - MARGIN) {
			x = MARGIN;
			y += 12 * LINE;
		}
		const at = { x, y };
		x += width;
		return isGround
			? { ...at, entry: null, ground: one as Placed }
			: { ...at, entry: one as KeyEntry, ground: null };
	});
}

/** Lays a file of a chart out: title, what it shows, key, drawing, provenance. */
export function layoutOf(option: ChartOption, from: Provenance): Layout {
	const plot = plotOf(option, WIDTH - 2 * MARGIN, DRAWING);
	const title = linesFrom(MARGIN, from.title, TITLE);
	const label = linesFrom(MARGIN + heightOf(title), (from.say ?? inEnglish)(from.label), LABEL);
	const keyTop = MARGIN + heightOf(title) + heightOf(label) + GAP;
	const key = keyFrom(keyTop, [...keyOf(option), ...unnamedOf(groundOf(option, plot))]);
	const top = (key.at(-1)?.y ?? keyTop - 12 * LINE) + 12 * LINE + GAP;
	const provenance = linesFrom(top + DRAWING + GAP, provenanceWords(option, from), SMALL);
	const height = Math.ceil(top + DRAWING + GAP + heightOf(provenance) + MARGIN);
	return { width: WIDTH, height, margin: MARGIN, title, label, key, top, plot, provenance };
}
