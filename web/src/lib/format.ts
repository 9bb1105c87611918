import type { Quantity, Unit } from "@plimsoll/api/model";

/** The one number format of the dashboard. A figure and its unit stay apart so that a page can set them apart. */
export interface Formatted {
	/** "128", "1,024", "$0.42", or "not known". */
	number: string;
	/** "ms", "GB", "per million tokens", or empty. */
	unit: string;
	/** Both, joined by a space that does not break. */
	text: string;
}

export interface FormatOptions {
	/** The interval decides the digits: two where it is wider than ±10 %, else three. */
	low?: number | undefined;
	high?: number | undefined;
	/** Show bytes in powers of 1024 (GiB) instead of 1000 (GB). */
	binary?: boolean;
	/** Show money from one dollar up to the cent, however large: for books that are to agree. */
	cents?: boolean;
}

export const NOT_KNOWN = "not known";

const LOCALE = "en-US";
const NBSP = "\u00a0";
const WIDE_INTERVAL = 0.1;

const formats = new Map<string, Intl.NumberFormat>();

function intl(key: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
	const known = formats.get(key);
	if (known) return known;
	const made = new Intl.NumberFormat(LOCALE, options);
	formats.set(key, made);
	return made;
}

/** Significant digits that the interval leaves meaning to: 2 or 3. */
export function significantDigits(value: number, low?: number, high?: number): 2 | 3 {
	if (low === undefined || high === undefined || value === 0) return 3;
	return (high - low) / 2 / Math.abs(value) > WIDE_INTERVAL ? 2 : 3;
}

/** Rounds to significant digits: 128.4 → 128, 1,234 → 1,230. */
export function roundTo(value: number, digits: number): number {
	return value === 0 ? 0 : Number(value.toPrecision(digits));
}

/** `value` with exactly `digits` significant digits and thousands separators: 9.996 → "10.0", 12,345 → "12,300". */
export function formatSignificant(value: number, digits: 2 | 3 = 3): string {
	const rounded = roundTo(value, digits);
	if (rounded === 0) return "0";
	const decimals = Math.min(20, Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(rounded)) + 1e-12)));
	return intl(`f${decimals}`, {
		minimumFractionDigits: decimals,
		maximumFractionDigits: decimals,
	}).format(rounded);
}

/** Exact whole number with thousands separators; a fraction falls back to significant digits. */
export function formatCount(value: number): string {
	return Number.isInteger(value) ? intl("count", {}).format(value) : formatSignificant(value);
}

/** The word for a count: "request" of one, "requests" of any other number. @param many where it is not `one` and an s */
export const plural = (count: number, one: string, many = `${one}s`): string => (count === 1 ? one : many);

/** "1 run", "12 runs": a count with its word. */
export const counted = (count: number, one: string, many?: string): string =>
	`${formatCount(count)} ${plural(count, one, many)}`;

interface Step {
	/** One of this unit in base units. */
	size: number;
	name: string;
	/** Smallest rounded value, in base units, that this unit is used for. */
	from: number;
}

const steps = (list: [name: string, size: number, from?: number][]): Step[] =>
	list.map(([name, size, from]) => ({ name, size, from: from ?? size }));

/** Largest unit first. Minutes begin at two of them: "77 s" says more than "1.28 min". */
const SECONDS = steps([
	["h", 3600, 7200],
	["min", 60, 120],
	["s", 1],
	["ms", 1e-3],
	["µs", 1e-6],
	["ns", 1e-9],
	["ps", 1e-12],
	["fs", 1e-15],
]);
const BYTES = steps([
	["TB", 1e12],
	["GB", 1e9],
	["MB", 1e6],
	["kB", 1e3],
	["B", 1],
]);
const BINARY_BYTES = steps([
	["TiB", 2 ** 40],
	["GiB", 2 ** 30],
	["MiB", 2 ** 20],
	["KiB", 2 ** 10],
	["B", 1],
]);

function scaled(value: number, ladder: Step[], digits: 2 | 3): { number: string; unit: string } {
	const size = Math.abs(roundTo(value, digits));
	const smallest = ladder[ladder.length - 1];
	const step = ladder.find((s) => size >= s.from * (1 - 1e-12)) ?? smallest;
	if (!step) throw new RangeError("ladder: expected at least one unit");
	return { number: formatSignificant(value / step.size, digits), unit: step.name };
}

/** "$0.423", "$3.10", "$25.47", "$12,300": to the cent from one dollar up to a hundred, then three digits. */
function dollars(value: number, centsUpTo = 99.995): string {
	const digits = 3;
	const size = Math.abs(value);
	const sign = value < 0 ? "−" : "";
	if (size >= 0.995 && size < centsUpTo) {
		const cents = intl("cents", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
		return `${sign}$${cents.format(size)}`;
	}
	return `${sign}$${formatSignificant(size, digits)}`;
}

const per = (what: string) => (part: { number: string; unit: string }) => ({
	number: part.number,
	unit: `${part.unit}/${what}`,
});

const EXACT_BYTES_BELOW = 10_000_000;

const BY_UNIT: Record<
	Unit,
	(value: number, digits: 2 | 3, binary: boolean) => { number: string; unit: string }
> = {
	bytes: (v, d, binary) => scaled(v, binary ? BINARY_BYTES : BYTES, d),
	"bytes/token": (v, d) =>
		v < EXACT_BYTES_BELOW ? { number: formatCount(v), unit: "B/token" } : per("token")(scaled(v, BYTES, d)),
	tokens: (v) => ({ number: formatCount(v), unit: plural(v, "token") }),
	"tokens/s": (v, d) => ({ number: formatSignificant(v, d), unit: "tokens/s" }),
	"tokens/month": (v, d) => ({ number: formatSignificant(v, d), unit: "tokens/month" }),
	requests: (v) => ({ number: formatCount(v), unit: plural(v, "request") }),
	"requests/s": (v, d) => ({ number: formatSignificant(v, d), unit: "requests/s" }),
	"requests/hour": (v, d) => ({ number: formatSignificant(v, d), unit: "requests/hour" }),
	"requests/month": (v, d) => ({ number: formatSignificant(v, d), unit: "requests/month" }),
	sequences: (v) => ({ number: formatCount(v), unit: plural(v, "sequence") }),
	users: (v) => ({ number: formatCount(v), unit: plural(v, "user") }),
	GPUs: (v, d) => ({
		number: Number.isInteger(v) ? formatCount(v) : formatSignificant(v, d),
		unit: plural(v, "GPU"),
	}),
	"GPU-hours": (v, d) => ({
		number: v >= 100 ? formatCount(Math.round(v)) : formatSignificant(v, d),
		unit: "GPU-hours",
	}),
	replicas: (v) => ({ number: formatCount(v), unit: plural(v, "replica") }),
	runs: (v) => ({ number: formatCount(v), unit: plural(v, "run") }),
	"kWh/month": (v, d) => ({ number: formatSignificant(v, d), unit: "kWh/month" }),
	seconds: (v, d) => scaled(v, SECONDS, d),
	"seconds/token": (v, d) => per("token")(scaled(v, SECONDS.slice(2), d)),
	"seconds/token²": (v, d) => per("token²")(scaled(v, SECONDS.slice(2), d)),
	USD: (v) => ({ number: dollars(v), unit: "" }),
	"USD/hour": (v) => ({ number: dollars(v), unit: "per hour" }),
	"USD/month": (v) => ({ number: dollars(v), unit: "per month" }),
	"USD/million tokens": (v) => ({ number: dollars(v), unit: "per million tokens" }),
	"USD/request": (v) => ({ number: dollars(v), unit: "per request" }),
	ratio: (v, d) => ({ number: `${formatSignificant(v * 100, d)}%`, unit: "" }),
};

/** A value in its base unit, as a person reads it; null and anything not finite are "not known". */
export function format(value: number | null, unit: Unit, options: FormatOptions = {}): Formatted {
	if (value === null || !Number.isFinite(value)) return { number: NOT_KNOWN, unit: "", text: NOT_KNOWN };
	const digits = significantDigits(value, options.low, options.high);
	const shown = BY_UNIT[unit](value, digits, options.binary ?? false);
	const exact = options.cents && unit.startsWith("USD");
	const { number, unit: name } = exact
		? { ...shown, number: dollars(value, Number.POSITIVE_INFINITY) }
		: shown;
	return { number, unit: name, text: name ? `${number}${NBSP}${name}` : number };
}

/** A quantity as a person reads it, its digits guided by its own interval. */
export function formatQuantity(quantity: Quantity, options: FormatOptions = {}): Formatted {
	return format(quantity.value, quantity.unit, { low: quantity.low, high: quantity.high, ...options });
}

/** The 95 % interval in words, "121 ms – 136 ms", "from 121 ms, no upper end"; null where the quantity has none. */
export function formatInterval(quantity: Quantity): string | null {
	const { low, high, unit } = quantity;
	if (low === undefined && high === undefined) return null;
	if (high === undefined) return `from ${format(low ?? null, unit).text}, no upper end`;
	if (low === undefined) return `up to ${format(high, unit).text}`;
	return `${format(low, unit).text} – ${format(high, unit).text}`;
}

/** Short token count for an axis or a chip: 16,000 → "16K", 131,072 → "131K", 1,000,000 → "1M". */
export function shortTokens(tokens: number): string {
	if (tokens >= 1e6) return `${formatCount(roundTo(tokens / 1e6, 3))}M`;
	if (tokens >= 1e3) return `${formatCount(roundTo(tokens / 1e3, 3))}K`;
	return formatCount(roundTo(tokens, 3));
}

/** An instant as "30 Nov 2026, 09:12 UTC". */
export function formatMoment(iso: string): string {
	const date = new Date(iso);
	return Number.isNaN(date.getTime()) ? iso : `${formatDay(iso)}, ${date.toISOString().slice(11, 16)} UTC`;
}

const DAY = new Intl.DateTimeFormat("en-GB", {
	day: "numeric",
	month: "short",
	year: "numeric",
	timeZone: "UTC",
});

/** A day as "30 Nov 2026", from an ISO day or instant. */
export function formatDay(iso: string): string {
	const date = new Date(iso);
	return Number.isNaN(date.getTime()) ? iso : DAY.format(date);
}
