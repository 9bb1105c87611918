import { count, figure, money, percent, seconds } from "../model/index.ts";
import { plainNumber } from "./csv.ts";
import type { Cell, CellKind } from "./tables.ts";

/** What is not known, on paper. */
const UNKNOWN = "unknown";

/** No line ends between a number and its unit. */
const NO_BREAK = "\u00a0";
const together = (text: string): string => text.replaceAll(" ", NO_BREAK);

const NUMBERS: Record<CellKind, (value: number, code: string) => string> = {
	text: (value) => figure(value),
	count: (value) => count(Math.round(value)),
	number: (value) => figure(value),
	seconds: (value) => together(seconds(value)),
	// Fractions of a cent are read by their digits, not by a power of ten.
	money: (value, code) => (value > 0 && value < 1e-4 ? smallMoney(value, code) : money(value, code)),
	share: (value) => together(percent(value)),
	date: (value) => String(value),
};

const smallMoney = (value: number, code: string): string => {
	const digits = plainNumber(Number(value.toPrecision(4)));
	return code === "USD" ? `$${digits}` : `${code}${NO_BREAK}${digits}`;
};

/** A cell as a person reads it: rounded, with its unit; money in the currency of that code. */
export const printed = (cell: Cell, kind: CellKind, code = "USD"): string =>
	cell === null ? UNKNOWN : typeof cell === "number" ? NUMBERS[kind](cell, code) : cell;

/** An interval as a person reads it, a unit that both ends have said once; nothing where it has no width. */
export function printedRange(
	{ low, high }: { low?: number | undefined; high?: number | undefined },
	kind: CellKind,
	code = "USD",
): string {
	if (low === undefined || high === undefined) return "";
	const [from, to] = [printed(low, kind, code), printed(high, kind, code)];
	if (from === to) return "";
	const [number = from, unit] = from.split(NO_BREAK);
	return unit !== undefined && to.endsWith(NO_BREAK + unit) ? `${number} to ${to}` : `${from} to ${to}`;
}
