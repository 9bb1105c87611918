import { formatDay } from "#lib/format.ts";
import { groundsOf } from "../details.ts";
import type { ChartOption } from "../option.ts";
import { inEnglish, type Say } from "./words.ts";

/** What a file of a chart says about where it comes from. */
export interface Provenance {
	/** What the page is about: "11 users · Llama-3.1-70B". */
	title: string;
	/** A sentence that says what the chart shows. */
	label: string;
	/** Path and query that give the same view again. */
	address: string;
	/** Day of the export, ISO. */
	day: string;
	/** The language of the file; English where it is left out. */
	say?: Say;
}

/** "Evidence: measured, fitted": how the values of a chart are known. */
export function groundWords(option: ChartOption): string {
	const grounds = groundsOf(option);
	return grounds.length === 0 ? "Evidence: the chart has no values" : `Evidence: ${grounds.join(", ")}`;
}

/** Evidence, address and day in a line. */
export function provenanceWords(option: ChartOption, { address, day, say = inEnglish }: Provenance): string {
	return `Plimsoll · ${say(groundWords(option))} · ${address} · ${say(formatDay(day))}`;
}

const LONGEST_NAME = 60;

/** "plimsoll-time-to-the-first-token.svg": a file name that every system takes. */
export function fileName({ label }: Provenance, ending: string): string {
	const words = label
		.toLowerCase()
		.replaceAll(/[^\p{Letter}\p{Number}]+/gu, "-")
		.replaceAll(/^-|-$/g, "");
	const short = words.length > LONGEST_NAME ? words.slice(0, words.lastIndexOf("-", LONGEST_NAME)) : words;
	return `plimsoll-${short || "chart"}.${ending}`;
}
