import { russianNumerals } from "./numerals.ts";

const FIGURE = /^\$?\d[\d,]*(\.\d+)?\s*[kKmM%]?$/;
const TYPED = /^\d[\d\s\u00a0\u202f]*(,\d+)?\s*[kKmM%]?$/;

const isRussian = () => typeof document !== "undefined" && document.documentElement.lang === "ru";

/** Whether a field holds one figure, with or without its "k" or "%". */
export const isFigure = (text: string): boolean => FIGURE.test(text);

/** A figure as a field shows it in the page's language; any other text as it is. */
export const shownInField = (english: string): string =>
	isRussian() && isFigure(english) ? russianNumerals(english) : english;

/** What was typed into a field, with a figure as English writes it: "16 384" is 16384 and "2,5" is 2.5 in Russian. */
export const readFromField = (typed: string): string =>
	isRussian() && TYPED.test(typed.trim()) ? typed.replace(/[\s\u00a0\u202f]/g, "").replace(",", ".") : typed;
