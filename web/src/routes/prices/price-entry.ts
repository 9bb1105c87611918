import type { AmountRange, PriceTerms } from "@plimsoll/api/model";
import { amountAdvice, readAmount } from "#lib/amount.ts";
import type { PriceDetail } from "#lib/records/record.ts";
import { readTokens } from "#lib/tokens.ts";
import type { PriceKind } from "./price-words.ts";

/** How the text of a field becomes a figure of the terms. */
type FieldKind = "amount" | "number" | "percent" | "minutes" | "tokens";

/** A field of the form; `at` is its place in what is sent, by which the server names what is wrong. */
export interface EntryField {
	at: string;
	label: string;
	kind: FieldKind;
	unit?: string;
	hint?: string;
	/** May stay empty: not said. */
	optional?: boolean;
}

type Scheme = Extract<PriceTerms, { kind: "hosted" }>["cache"]["scheme"];

/** How a hosted model's cache may be charged. */
export const SCHEMES: readonly { scheme: Scheme; label: string }[] = [
	{ scheme: "none", label: "No cache" },
	{ scheme: "paid write", label: "Writing costs more than input" },
	{ scheme: "free write", label: "Writing costs nothing extra" },
	{ scheme: "paid storage", label: "Kept for a price per hour" },
];

const amount = (name: string, label: string, rest: Partial<EntryField> = {}): EntryField => ({
	...{ at: `terms.${name}`, label, kind: "amount" },
	...rest,
});
const number = (name: string, label: string, rest: Partial<EntryField> = {}): EntryField => ({
	...{ at: `terms.${name}`, label, kind: "number" },
	...rest,
});

const PER_HOUR = amount("perGpuHour", "One GPU for an hour");
const FIELDS: Record<PriceKind, readonly EntryField[]> = {
	"on-demand": [PER_HOUR],
	agreed: [PER_HOUR],
	reserved: [
		PER_HOUR,
		amount("upfrontPerGpu", "Paid at the start, per GPU", { hint: "0 where nothing is" }),
		number("termMonths", "Term", { unit: "months" }),
	],
	spot: [PER_HOUR, number("lostShare", "Hours lost to interruptions", { kind: "percent", unit: "%" })],
	owned: [
		amount("capexPerGpu", "One GPU with its share of server and network"),
		number("lifetimeMonths", "Written off over", { unit: "months" }),
		number("residualShare", "Worth at the end", { kind: "percent", unit: "% of the price" }),
		number("watts", "Power of a GPU with its share of the server", { unit: "W" }),
		number("pue", "PUE", { hint: "power of the building over that of the machines, from 1 on" }),
		amount("perKwh", "A kWh"),
		amount("staffPerGpuMonth", "Staff, per GPU and month"),
		amount("hostingPerGpuMonth", "Hosting, per GPU and month"),
	],
	hosted: [
		amount("inputPerMillion", "A million input tokens"),
		amount("outputPerMillion", "A million output tokens"),
	],
};

const READ = number("cache.read", "Reading, over the input price", { unit: "×" });
const CACHE_FIELDS: Record<Scheme, readonly EntryField[]> = {
	none: [],
	"paid write": [number("cache.write", "Writing, over the input price", { unit: "×" }), READ],
	"free write": [READ],
	"paid storage": [READ, amount("cache.storagePerMillionTokenHour", "A million tokens kept for an hour")],
};
const REMEMBERED: readonly EntryField[] = [
	number("minimumPrefixTokens", "Shortest prefix remembered", {
		...{ kind: "tokens", unit: "tokens", optional: true },
	}),
	number("lifetimeSeconds", "Kept without use", { kind: "minutes", unit: "min", optional: true }),
];

/** The fields that a kind of price has, those of its cache last. */
export const fieldsOf = (kind: PriceKind, scheme: Scheme): readonly EntryField[] =>
	kind !== "hosted"
		? FIELDS[kind]
		: [...FIELDS.hosted, ...CACHE_FIELDS[scheme], ...(scheme === "none" ? [] : REMEMBERED)];

export const isScheme = (text: string): text is Scheme => SCHEMES.some(({ scheme }) => scheme === text);

export interface EntryError {
	/** Name of the field. */
	at: string;
	reason: string;
}

/** What is typed: texts by the names of the fields. */
type EntryText = Readonly<Record<string, string>>;

const FACTOR: Record<FieldKind, number> = { amount: 1, number: 1, percent: 1 / 100, minutes: 60, tokens: 1 };

/** The name of the second field of a range. */
export const upTo = (at: string): string => `${at}.high`;

/**
 * What is sent for the texts of a form.
 * @param supersedes version that it takes the place of; null: the seller's last of the same kind
 * @returns the errors that can be seen before it is sent; then no body
 */
export function entryOf(
	kind: PriceKind,
	text: EntryText,
	supersedes: string | null,
): { body: Record<string, unknown>; errors: [] } | { body: null; errors: EntryError[] } {
	const errors: EntryError[] = [];
	const said = (at: string) => text[at]?.trim() ?? "";
	const figure = (at: string, how: FieldKind): number | null => {
		const typed = said(at);
		if (typed === "") return null;
		const value = how === "tokens" ? readTokens(typed) : readAmount(typed);
		const advice =
			how === "tokens" ? "write whole tokens" : amountAdvice(typed, "write a number like 1234.50");
		if (value === null) errors.push({ at, reason: `“${typed}” is not understood: ${advice}` });
		return value === null ? null : Number((value * FACTOR[how]).toPrecision(12));
	};
	const body: Record<string, unknown> = {};
	const put = (at: string, value: unknown) => {
		const path = at.split(".");
		const last = path.pop() ?? at;
		let place = body;
		for (const key of path) {
			place[key] ??= {};
			place = place[key] as Record<string, unknown>;
		}
		place[last] = value;
	};
	const required = (at: string, reason: string) => {
		if (said(at) === "") errors.push({ at, reason });
		else put(at, said(at));
	};
	required("subject", kind === "hosted" ? "name the model" : "name the GPU");
	put("terms.kind", kind);
	const scheme = said("terms.cache.scheme");
	if (kind === "hosted") {
		put("terms.cache.scheme", scheme || "none");
		for (const { at } of REMEMBERED) put(at, null);
	}
	for (const { at, kind: how, optional } of fieldsOf(kind, isScheme(scheme) ? scheme : "none")) {
		const low = figure(at, how);
		if (low === null && said(at) === "" && !optional) errors.push({ at, reason: "enter a number" });
		const high = how === "amount" ? figure(upTo(at), how) : null;
		if (low !== null && high !== null && high < low)
			errors.push({ at: upTo(at), reason: "the upper end is below the lower" });
		put(at, high === null ? low : { low, high });
	}
	required("source", "say where the price stands");
	required("readOn", "say when it was read");
	if (said("seller")) put("seller", said("seller"));
	const code = said("currency.code").toUpperCase();
	if (code !== "" && code !== "USD") {
		put("currency.code", code);
		const rate = figure("currency.usdPerUnit", "number");
		if (said("currency.usdPerUnit") === "")
			errors.push({ at: "currency.usdPerUnit", reason: `say what 1 ${code} is in US dollars` });
		put("currency.usdPerUnit", rate);
		for (const at of ["currency.rateSource", "currency.rateReadOn"]) if (said(at)) put(at, said(at));
	}
	if (supersedes) put("supersedes", supersedes);
	return errors.length > 0 ? { body: null, errors } : { body, errors: [] };
}

const isRange = (value: unknown): value is AmountRange =>
	typeof value === "object" && value !== null && "low" in value && "high" in value;

/** The texts of a form for the next version of a price: all as it was, the source to be read again. */
export function textOf({ subject, seller, terms, currency, source }: PriceDetail): EntryText {
	const text: Record<string, string> = {
		subject,
		source,
		seller: seller ?? "",
		"currency.code": currency.code,
	};
	if (currency.code !== "USD") {
		text["currency.usdPerUnit"] = String(currency.usdPerUnit);
		text["currency.rateSource"] = currency.rateSource ?? "";
	}
	const scheme = terms.kind === "hosted" ? terms.cache.scheme : "none";
	text["terms.cache.scheme"] = scheme;
	for (const { at, kind } of fieldsOf(terms.kind, scheme)) {
		const value = valueAt(terms, at.split(".").slice(1));
		if (isRange(value)) {
			text[at] = String(value.low);
			if (value.high !== value.low) text[upTo(at)] = String(value.high);
		} else if (typeof value === "number") {
			text[at] = String(Number((value / FACTOR[kind]).toPrecision(12)));
		}
	}
	return text;
}

const valueAt = (from: unknown, path: readonly string[]): unknown =>
	path.reduce<unknown>((place, key) => (place as Record<string, unknown> | undefined)?.[key], from);

/** What the server finds wrong, in words of the form and at a name that it has. */
export function formErrors(errors: readonly EntryError[], names: readonly string[]): EntryError[] {
	return errors.map(({ at, reason }) => {
		if (at === "subject" && reason.startsWith("not in the catalog"))
			return { at, reason: "no GPU of the catalog is called so: choose one of the list" };
		const low = at.endsWith(".low") ? at.slice(0, -".low".length) : at;
		return { at: names.includes(low) ? low : at, reason };
	});
}
