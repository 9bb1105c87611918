/** Bytes of a binary mebibyte, as drivers print it. */
export const MIB = 2 ** 20;
/** Bytes of a binary gibibyte, as engines print it. */
export const GIB = 2 ** 30;
/** Bytes of a decimal gigabyte. */
export const GB = 1e9;

const TOKENS = /^(\d{1,3}(?:[,_ ]\d{3})+|\d+)(?:\.(\d+))?\s*([kKmM]?)$/;

/**
 * Reads a count of tokens: "65536", "128,000", "64k", "1.5K", "1M".
 * @param kilo what K stands for: 1000, or 1024 where a model's own limit is meant (128K = 131,072)
 * @returns whole tokens; null where the text is no count
 */
export function tokensOf(text: string, kilo: 1000 | 1024 = 1000): number | null {
	const match = TOKENS.exec(text.trim());
	if (!match) return null;
	const [, whole = "", fraction = "0", letter = ""] = match;
	const scale = letter === "" ? 1 : letter.toLowerCase() === "k" ? kilo : kilo * kilo;
	const tokens = Number(`${whole.replace(/[,_ ]/g, "")}.${fraction}`) * scale;
	return Number.isSafeInteger(tokens) ? tokens : null;
}

/** What K stood for in a printed table: the reading whose bytes come closest to the printed ones. */
export function tokensBehind(label: string, printedBytes: number, bytesPerToken: number): number | null {
	const readings = [tokensOf(label, 1000), tokensOf(label, 1024)].filter((tokens) => tokens !== null);
	const distance = (tokens: number) => Math.abs(Math.log((tokens * bytesPerToken) / printedBytes));
	return readings.sort((a, b) => distance(a) - distance(b))[0] ?? null;
}

const SIZE = /^(\d+(?:\.\d+)?)\s*([kKmMgGtT])(i?)[bB]$/;

/**
 * Bytes of a size as it is written on a box: "80GB", "23.58GiB".
 * @param meaning what a vendor's GB is: memory makers count 2³⁰, drives and networks 10⁹; GiB is always binary
 * @returns bytes; null where the text is no size
 */
export function bytesOf(text: string, meaning: "binary" | "decimal"): number | null {
	const match = SIZE.exec(text.trim());
	if (!match) return null;
	const power = "kmgt".indexOf(match[2]?.toLowerCase() ?? "") + 1;
	const base = match[3] === "i" || meaning === "binary" ? 1024 : 1000;
	return Number(match[1]) * base ** power;
}

/**
 * The first number of a line of an engine's log, whatever its locale: "2,042,016 tokens", "3072,00 MiB", "0.00x".
 * A single comma before three digits is decimal where another number of the line must be (3,083 bits per weight),
 * and else groups thousands.
 * @returns null where the line has none
 */
export function numberInLine(line: string): number | null {
	// What stands after the last label is the figure: "… for 4096 tokens per request: 0.00x".
	const text = line.slice(Math.max(line.lastIndexOf(": "), line.lastIndexOf("=")) + 1);
	const number = /\d[\d.,]*\d|\d/.exec(text)?.[0];
	if (number === undefined) return null;
	return Number(groups(number, text) ? number.replace(/,/g, "") : number.replace(",", "."));
}

/** Whether the commas of a number group thousands. */
function groups(number: string, text: string): boolean {
	if (!/^\d{1,3}(,\d{3})+(\.\d+)?$/.test(number)) return false;
	if (number.split(",").length > 2 || number.includes(".")) return true;
	return !/\d,\d+\s*(BPW|bpw)/.test(text);
}

/**
 * Reads a number that somebody wrote with a decimal point or a decimal comma: "1.234,56" and "1,234.56" are both 1234.56.
 * Where two different signs stand, the last one is the decimal sign; one that comes twice groups thousands.
 * @returns null where the text is no number, or where a single sign before three digits leaves open which it is ("1,234")
 */
export function decimalOf(text: string): number | null {
	const written = text.trim();
	if (!/^[+-]?(\d+|\d{1,3}([.,])\d{3}(\2\d{3})*)?([.,]\d+)?$/.test(written) || !/\d/.test(written))
		return null;
	const signs = [...written.matchAll(/[.,]/g)].map(([sign]) => sign);
	const [first] = signs;
	if (first === undefined) return Number(written);
	const last = signs.at(-1) ?? "";
	if (signs.length === 1)
		return /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/.test(written) ? null : Number(written.replace(",", "."));
	if (first === last)
		return /^[+-]?\d{1,3}([.,]\d{3})+$/.test(written) ? Number(written.replaceAll(first, "")) : null;
	return Number(written.replaceAll(first, "").replace(last, "."));
}

/** A share in figures, and as many of a hundred: "0.05", "0,05", "5%", "0.5 %". */
const SHARE = /^(\d+(?:[.,]\d*)?|[.,]\d+)(?:e([+-]?\d+))?\s*(%?)$/i;

/**
 * Reads a share as people write it: "0.05", "5%", "0,5 %".
 * @returns the share, from 0 on; null where the text is none, or could be two ("1,500")
 */
export function shareOf(text: string): number | null {
	const match = SHARE.exec(text.trim());
	if (!match) return null;
	const [, digits = "", power = "0", percent] = match;
	if (/^[1-9]\d{0,2},\d{3}$/.test(digits)) return null;
	// 0.5 % is 0.005, to the last digit: what is read is divided once.
	return Number(`${digits.replace(",", ".")}e${Number(power) - (percent ? 2 : 0)}`);
}
