import { decimalOf } from "../model/index.ts";
import { type ColumnPlaces, cellsOf, lackOf, placesOf, separatorOf } from "./text/named-columns.ts";

/** One month of a bill with what the meters counted in it. */
export interface BilledMonth {
	/** As it was written, e.g. "2026-10". */
	month: string;
	gpuHours: number;
	/** USD paid; null where the bill does not say. */
	usd: number | null;
	promptTokens: number;
	outputTokens: number;
}

/** Text that is no bill; names each wrong cell. */
export class UnreadableBill extends Error {
	readonly errors: { at: string; reason: string }[];

	constructor(errors: { at: string; reason: string }[]) {
		super(errors.map(({ at, reason }) => `${at}: ${reason}`).join("; "));
		this.errors = errors;
	}
}

/** Least and most that one month can hold. */
const BOUNDS = {
	gpuHours: [1e-3, 1e9],
	usd: [0, 1e12],
	promptTokens: [0, 1e18],
	outputTokens: [0, 1e18],
} as const;

const MOST_MONTHS = 120;
const MOST_ERRORS = 20;

/** Names of each column, lower case without other signs than letters and digits. */
const NAMES = {
	month: ["month", "period", "date", "billingperiod", "usagemonth"],
	gpuHours: ["gpuhours", "gpuhrs", "hours", "usagehours", "usagequantity", "quantity"],
	usd: ["usd", "cost", "costusd", "amount", "amountusd", "total", "totalusd", "billedcost"],
	promptTokens: ["prompttokens", "inputtokens", "contexttokens", "tokensin"],
	outputTokens: ["outputtokens", "completiontokens", "generatedtokens", "generationtokens", "tokensout"],
} as const;
type Column = keyof typeof NAMES;
const NEEDED: readonly Column[] = ["gpuHours", "promptTokens", "outputTokens"];
const WRITTEN: Record<Column, string> = {
	month: "month",
	gpuHours: "gpu_hours",
	usd: "usd",
	promptTokens: "prompt_tokens",
	outputTokens: "output_tokens",
};

/**
 * Reads pasted months: a header and a line a month, columns by name in any order, cells by comma, semicolon or tab, numbers
 * with a decimal point or a decimal comma.
 * @throws UnreadableBill that names every wrong cell; a number that can be read in two ways ("1,234") is one of them
 */
export function readBill(text: string): BilledMonth[] {
	const lines = text
		.replace(/^\uFEFF/, "")
		.split(/\r?\n/)
		.map((line, i) => ({ line: line.trim(), at: i + 1 }))
		.filter(({ line }) => line !== "" && !line.startsWith("#"));
	const [header, ...rows] = lines;
	if (!header) throw new UnreadableBill([{ at: "text", reason: "is empty" }]);
	const separator = separatorOf(header.line);
	const places = billPlaces(cellsOf(header.line, separator), header.at);
	if (rows.length === 0) throw new UnreadableBill([{ at: "text", reason: "holds a header and no month" }]);
	if (rows.length > MOST_MONTHS)
		throw new UnreadableBill([
			{ at: "text", reason: `holds ${rows.length} months; at most ${MOST_MONTHS} are taken` },
		]);
	const errors: UnreadableBill["errors"] = [];
	const seen = new Map<string, number>();
	const months = rows.flatMap(({ line, at }) => {
		const month = monthOf(cellsOf(line, separator), places, at, errors);
		for (const { month: name } of month) checkMonth(name, at, seen, errors);
		return month;
	});
	if (errors.length > 0) throw new UnreadableBill(errors.slice(0, MOST_ERRORS));
	return months;
}

type Places = ColumnPlaces<Column>;

/** Where each column stands. @throws UnreadableBill for a header that lacks one */
function billPlaces(header: readonly string[], line: number): Places {
	const places = placesOf<Column>(header, NAMES);
	const missing = NEEDED.filter((column) => places[column] === undefined).map((column) => WRITTEN[column]);
	if (missing.length === 0) return places;
	const reason = lackOf(missing, header, Object.values(WRITTEN).join(","));
	throw new UnreadableBill([{ at: `line ${line}`, reason }]);
}

function monthOf(
	cells: readonly string[],
	places: Places,
	line: number,
	errors: UnreadableBill["errors"],
): BilledMonth[] {
	const text = (column: Column) => (places[column] === undefined ? "" : (cells[places[column]] ?? "").trim());
	const number = (column: keyof typeof BOUNDS): number | null => {
		const written = text(column);
		if (written === "" && column === "usd") return null;
		// A sign of money or spaces between the thousands say nothing about the number.
		const value = decimalOf(written.replaceAll(/[$€\s]/g, ""));
		const [least, most] = BOUNDS[column];
		if (value !== null && value >= least && value <= most) return value;
		errors.push({ at: `line ${line}, ${WRITTEN[column]}`, reason: reasonFor(written, value) });
		return null;
	};
	const gpuHours = number("gpuHours");
	const [usd, promptTokens, outputTokens] = [number("usd"), number("promptTokens"), number("outputTokens")];
	if (gpuHours === null || promptTokens === null || outputTokens === null) return [];
	return [{ month: text("month") || `line ${line}`, gpuHours, usd, promptTokens, outputTokens }];
}

/** "2026-10", "2026-10-31", "10/2026". */
const MONTH =
	/^(?:(?<year>\d{4})[-/.](?<month>\d{1,2})(?<day>[-/.]\d{1,2})?|(?<first>\d{1,2})[-/.](?<last>\d{4}))$/;

/** A month under one spelling, "2026-9" as "2026-09"; names as they are; null for a month that no year has. */
function monthNamed(written: string): string | null {
	const { year, month, day = "", first, last } = MONTH.exec(written)?.groups ?? {};
	const [inYear, ofYear] = [year ?? last, month ?? first];
	if (inYear === undefined || ofYear === undefined) return written.toLowerCase();
	return Number(ofYear) >= 1 && Number(ofYear) <= 12 ? `${inYear}-${ofYear.padStart(2, "0")}${day}` : null;
}

/** Notes a month that cannot be, or that an earlier line had. */
function checkMonth(
	written: string,
	line: number,
	seen: Map<string, number>,
	errors: UnreadableBill["errors"],
): void {
	const at = `line ${line}, ${WRITTEN.month}`;
	const month = monthNamed(written);
	const before = month === null ? undefined : seen.get(month);
	if (month === null) errors.push({ at, reason: `"${written}" is no month: write 2026-01 to 2026-12` });
	else if (before === undefined) seen.set(month, line);
	else
		errors.push({
			at,
			reason: `"${written}" is a second line of the month of line ${before}: add the two up`,
		});
}

function reasonFor(written: string, value: number | null): string {
	if (written === "") return "is empty; what is not known cannot be held against a plan";
	if (value !== null) return `"${written}" is out of bounds`;
	return /^[1-9]\d{0,2}[.,]\d{3}$/.test(written)
		? `"${written}" may be ${written.replace(/[.,]/, "")} or ${written.replace(",", ".")}: write it without the sign`
		: `"${written.slice(0, 40)}" is no number`;
}
