/**
 * A figure as English writes it, alone or before a unit: "16,384", "0.861", "−1.5", "$2.40", "99.9%", "16K".
 * Not part of a name or a version: "Qwen2.5", "0.11.2" and "llama-3.1" stay as they are.
 */
const FIGURE = /(?<![\p{L}\d.,_/-])\$?\d+(?:,\d{3})*(?:\.\d+)?(?![\d,]*\.?\d)(?!\.\d)/gu;

const NBSP = "\u00a0";

/** The same figure with a comma before its fraction and spaces between its thousands. */
const asRussian = (figure: string): string => {
	const [whole = "", fraction] = figure.replace("$", "").split(".");
	const number = whole.replaceAll(",", NBSP) + (fraction === undefined ? "" : `,${fraction}`);
	return figure.startsWith("$") ? `${number}${NBSP}$` : number;
};

/** Writes the figures of an English text as Russian does: "16,384" → "16 384", "0.861" → "0,861", "$2.40" → "2,40 $". */
export const russianNumerals = (text: string): string => text.replace(FIGURE, asRussian);
