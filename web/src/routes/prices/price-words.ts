import {
	type AmountRange,
	type CacheTerms,
	figure,
	type OwnedTerms,
	type PriceTerms,
	percent,
	usd,
} from "@plimsoll/api/model";
import { counted, formatCount } from "#lib/format.ts";
import type { PriceItem } from "#lib/records/record.ts";

export type PriceKind = PriceTerms["kind"];

/** What a price is paid for, in words. */
export const KINDS: readonly { kind: PriceKind; label: string; says: string }[] = [
	{ kind: "on-demand", label: "Rented by the hour", says: "given back at any time" },
	{ kind: "reserved", label: "Reserved for a term", says: "every hour of the term is paid, used or not" },
	{ kind: "spot", label: "Spot", says: "rented until somebody pays more" },
	{ kind: "agreed", label: "Agreed", says: "a rate of your contract, or that your company charges itself" },
	{ kind: "owned", label: "Owned", says: "bought hardware with power, staff and hosting" },
	{ kind: "hosted", label: "Hosted model", says: "paid per token to a provider" },
];

export const kindWords = (kind: PriceKind): string => KINDS.find((one) => one.kind === kind)?.label ?? kind;

export const isKind = (text: string | null): text is PriceKind => KINDS.some(({ kind }) => kind === text);

/** "$1.39", "$0.80", "EUR 1,200.00": money of a currency, to the cent at least. */
function money(amount: number, code: string): string {
	const dollars = usd(amount).replace(/\.\d$/, "$&0");
	return code === "USD" ? dollars : dollars.replace("$", `${code}\u00a0`);
}

/** "$1.39 to $3.43", or one figure. */
export const moneyRange = ({ low, high }: AmountRange, code: string): string =>
	low === high ? money(low, code) : `${money(low, code)} to ${money(high, code)}`;

/** How a hosted model's cache is charged. */
function cacheWords(cache: CacheTerms, code: string): string {
	const read = (share: number) => `${figure(share)} × the input price`;
	switch (cache.scheme) {
		case "none":
			return "no cache";
		case "paid write":
			return `cache: written at ${read(cache.write)}, read at ${figure(cache.read)} ×`;
		case "free write":
			return `cache: written at no extra cost, read at ${read(cache.read)}`;
		case "paid storage":
			return `cache: read at ${read(cache.read)}, ${moneyRange(cache.storagePerMillionTokenHour, code)} an hour for 1M tokens kept`;
	}
}

/** The terms as its source gives them, in its currency. */
export function termsWords({ terms, currency: { code } }: Pick<PriceItem, "terms" | "currency">): string {
	const range = (amount: AmountRange) => moneyRange(amount, code);
	switch (terms.kind) {
		case "on-demand":
			return `${range(terms.perGpuHour)} an hour`;
		case "agreed":
			return `${range(terms.perGpuHour)} an hour as agreed`;
		case "reserved":
			return `${range(terms.perGpuHour)} an hour for ${formatCount(terms.termMonths)} months, ${
				terms.upfrontPerGpu.high === 0 ? "nothing at the start" : `${range(terms.upfrontPerGpu)} at the start`
			}`;
		case "spot":
			return `${range(terms.perGpuHour)} an hour, ${percent(terms.lostShare)} of the hours lost`;
		case "owned":
			return [
				`${range(terms.capexPerGpu)} over ${formatCount(terms.lifetimeMonths)} months, ${percent(terms.residualShare)} left at the end`,
				`${formatCount(terms.watts)} W at PUE ${figure(terms.pue)} and ${range(terms.perKwh)} per kWh`,
				peopleAndPlace(terms, range),
			].join("; ");
		case "hosted":
			return [
				`${range(terms.inputPerMillion)} per 1M input, ${range(terms.outputPerMillion)} per 1M output`,
				cacheWords(terms.cache, code),
				terms.cache.scheme !== "none" &&
					terms.minimumPrefixTokens !== null &&
					`prefixes from ${formatCount(terms.minimumPrefixTokens)} tokens`,
				terms.cache.scheme !== "none" &&
					terms.lifetimeSeconds !== null &&
					`kept ${lifetimeWords(terms.lifetimeSeconds)} without use`,
			]
				.filter(Boolean)
				.join("; ");
	}
}

/** What owned hardware costs beside its power, and what of it was left out. */
function peopleAndPlace(
	{ staffPerGpuMonth: staff, hostingPerGpuMonth: hosting }: OwnedTerms,
	range: (amount: AmountRange) => string,
): string {
	if (staff.high > 0 && hosting.high > 0)
		return `staff ${range(staff)} and hosting ${range(hosting)} a month`;
	if (hosting.high > 0) return `hosting ${range(hosting)} a month, no staff counted`;
	if (staff.high > 0) return `staff ${range(staff)} a month, no hosting counted`;
	return "neither staff nor hosting counted";
}

/** A lifetime as its list says it: "5 minutes", "1 hour". */
const lifetimeWords = (seconds: number): string =>
	seconds % 3600 === 0
		? counted(seconds / 3600, "hour")
		: seconds % 60 === 0
			? counted(seconds / 60, "minute")
			: counted(seconds, "second");

/** "read today", "read 120 days ago: read it again". */
export function ageWords({ days, old }: PriceItem["age"]): string {
	const ago =
		days === 0 ? "read today" : days === 1 ? "read yesterday" : `read ${formatCount(days)} days ago`;
	return old ? `${ago}: read it again` : ago;
}

/** A source cut where it names addresses. */
export const sourceParts = (source: string): { text: string; href: string | null }[] =>
	source
		.split(/(https?:\/\/[^\s,;()]+)/)
		.filter(Boolean)
		.map((text) => ({ text, href: /^https?:\/\//.test(text) ? text : null }));

/** Who brought the price. */
export function originWords({ origin, enteredBy }: Pick<PriceItem, "origin" | "enteredBy">): string {
	if (origin === "seed") return "came with Plimsoll";
	return enteredBy ? `entered by ${enteredBy}` : "entered here";
}
