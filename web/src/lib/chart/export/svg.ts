import { mount, unmount } from "svelte";
import { type ColourName, coloursOf } from "#lib/design/colours.ts";
import type { ChosenPlace } from "../chosen.ts";
import type { ChartOption } from "../option.ts";
import { CHART_FONT } from "../theme.ts";
import ExportPicture from "./ExportPicture.svelte";
import { layoutOf } from "./layout.ts";
import type { Provenance } from "./provenance.ts";
import { chosenIn, inEnglish, saidIn } from "./words.ts";

/** A drawing that stands alone; pixels. */
export interface Picture {
	text: string;
	width: number;
	height: number;
}

/** Of the page where it is there, else what a system has for such text. */
const FILE_FONT = '"Inter Variable", Inter, "Helvetica Neue", Arial, sans-serif';

/** A file has neither the page's colours nor its style sheets: both are put in. */
function standAlone(root: Element): void {
	const colours = coloursOf("light");
	for (const element of [root, ...root.querySelectorAll("*")]) {
		element.removeAttribute("class");
		for (const { name, value } of element.attributes) {
			if (value === CHART_FONT) element.setAttribute(name, FILE_FONT);
			const colour = /^var\(--([a-z-]+)\)$/.exec(value)?.[1];
			if (colour) element.setAttribute(name, colours[colour as ColourName]);
		}
	}
	const marks = document.createTreeWalker(root, NodeFilter.SHOW_COMMENT);
	const found: Node[] = [];
	while (marks.nextNode()) found.push(marks.currentNode);
	for (const mark of found) mark.parentNode?.removeChild(mark);
}

/** A chart as an SVG file: title, key, drawing in light colours, and where it comes from. */
export function svgOf(chart: ChartOption, place: ChosenPlace | null, from: Provenance): Picture {
	const { say = inEnglish } = from;
	const [option, chosen] = [saidIn(chart, say), chosenIn(place, say)];
	const layout = layoutOf(option, from);
	const target = document.createElement("div");
	const drawn = mount(ExportPicture, { target, props: { option, chosen, layout } });
	try {
		const root = target.querySelector("svg");
		if (!root) throw new Error("the chart was not drawn");
		standAlone(root);
		const text = `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(root)}\n`;
		return { text, width: layout.width, height: layout.height };
	} finally {
		unmount(drawn);
	}
}
