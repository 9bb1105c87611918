/** Digits grouped in threes: 327680 → "327,680". Written by hand: the locale functions cost 50 times more. */
export function count(value: number): string {
	if (!Number.isFinite(value)) return String(value);
	const [whole = "", fraction] = Math.abs(value).toString().split(".");
	if (whole.includes("e")) return String(value);
	let grouped = "";
	for (let end = whole.length; end > 0; end -= 3)
		grouped = whole.slice(Math.max(0, end - 3), end) + (grouped && `,${grouped}`);
	return `${value < 0 ? "−" : ""}${grouped}${fraction ? `.${fraction}` : ""}`;
}

/** At most `digits` significant digits, grouped, without trailing zeros: 0.01234567 → "0.01235". */
export function figure(value: number, digits = 4): string {
	if (value === 0 || !Number.isFinite(value)) return String(value);
	const size = Math.abs(value);
	if (size >= 1e15 || size < 1e-4) return scientific(value, digits);
	if (size >= 10 ** digits) return count(Math.round(value));
	const text = size.toPrecision(digits);
	const plain = text.includes(".") ? text.replace(/\.?0+$/, "") : text;
	return `${value < 0 ? "−" : ""}${size >= 1000 ? count(Number(plain)) : plain}`;
}

const scientific = (value: number, digits: number) =>
	value
		.toExponential(digits - 1)
		.replace(/\.?0*e([+-])/, (_, sign) => `e${sign === "-" ? "−" : ""}`)
		.replace(/^-/, "−");

const scaled = (value: number, steps: readonly (readonly [number, string])[], digits: number) => {
	const size = Math.abs(value);
	const [scale, unit] = steps.find(([step]) => size >= step) ?? steps[steps.length - 1] ?? [1, ""];
	return `${figure(value / scale, digits)} ${unit}`;
};

const BYTES = [
	[1e12, "TB"],
	[1e9, "GB"],
	[1e6, "MB"],
	[1e3, "kB"],
	[1, "bytes"],
] as const;

/** Decimal bytes with their unit: 41943040000 → "41.94 GB". */
export const bytes = (value: number): string => scaled(value, BYTES, 4);

const SECONDS = [
	[1, "s"],
	[1e-3, "ms"],
	[1e-6, "µs"],
] as const;

/** Seconds with the unit that reads best: 0.0312 → "31.2 ms". */
export const seconds = (value: number): string => scaled(value, SECONDS, 4);

/** US dollars, from one dollar on to the cent: 2.4 → "$2.40", 0.0693 → "$0.0693". */
export const usd = (value: number): string => {
	if (Math.abs(value) < 1 || !Number.isFinite(value)) return `$${figure(value, 4)}`;
	const [whole = "", cents = "00"] = Math.abs(value).toFixed(2).split(".");
	return `${value < 0 ? "−" : ""}$${count(Number(whole))}.${cents}`;
};

/** Money of a currency: "$1,825.00", "EUR 1,659.09". */
export const money = (amount: number, code: string): string =>
	code === "USD" ? usd(amount) : usd(amount).replace("$", `${code}\u00a0`);

/** A share as a percentage: 0.217 → "21.7 %". */
export const percent = (share: number): string => `${figure(share * 100, 3)} %`;
