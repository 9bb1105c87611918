import type { CacheTerms, Currency, PriceTerms } from "@plimsoll/api/model";
import { describe, expect, it } from "vitest";
import { ageWords, originWords, sourceParts, termsWords } from "./price-words.ts";

const dollar: Currency = { code: "USD", usdPerUnit: 1, rateSource: null, rateReadOn: null };
const euro = { code: "EUR", usdPerUnit: 1.08, rateSource: "the bank", rateReadOn: "2026-10-01" };
const words = (terms: PriceTerms, currency = dollar) =>
	termsWords({ terms, currency }).replaceAll("\u00a0", " ");
const one = (amount: number) => ({ low: amount, high: amount });

describe("a price in words", () => {
	it("gives a range both ends, and one figure once", () => {
		expect(words({ kind: "on-demand", perGpuHour: { low: 1.39, high: 3.43 } })).toBe(
			"$1.39 to $3.43 an hour",
		);
		expect(words({ kind: "agreed", perGpuHour: one(2) }, euro)).toBe("EUR 2.00 an hour as agreed");
	});

	it("says what of a term is paid when, and what of a spot price is lost", () => {
		const reserved = { kind: "reserved", perGpuHour: one(1.9), termMonths: 12 } as const;
		expect(words({ ...reserved, upfrontPerGpu: one(0) })).toBe(
			"$1.90 an hour for 12 months, nothing at the start",
		);
		expect(words({ ...reserved, upfrontPerGpu: one(1234.5) })).toBe(
			"$1.90 an hour for 12 months, $1,234.50 at the start",
		);
		expect(words({ kind: "spot", perGpuHour: one(0.8), lostShare: 0.1 })).toBe(
			"$0.80 an hour, 10 % of the hours lost",
		);
	});

	it.each<[CacheTerms, string]>([
		[{ scheme: "none" }, "no cache"],
		[
			{ scheme: "paid write", write: 1.25, read: 0.1 },
			"cache: written at 1.25 × the input price, read at 0.1 ×; prefixes from 1,000 tokens; kept 5 minutes without use",
		],
		[
			{ scheme: "free write", read: 0.5 },
			"cache: written at no extra cost, read at 0.5 × the input price; prefixes from 1,000 tokens; kept 5 minutes without use",
		],
		[
			{ scheme: "paid storage", read: 0.25, storagePerMillionTokenHour: one(4.5) },
			"cache: read at 0.25 × the input price, $4.50 an hour for 1M tokens kept; prefixes from 1,000 tokens; kept 5 minutes without use",
		],
	])("tells how a cache is charged: %o", (cache, expected) => {
		const terms: PriceTerms = {
			kind: "hosted",
			...{ inputPerMillion: one(3), outputPerMillion: one(15) },
			...{ cache, minimumPrefixTokens: 1000, lifetimeSeconds: 300 },
		};
		const said = words(terms).replace("5.00 min", "300 s");
		expect(said).toBe(`$3.00 per 1M input, $15.00 per 1M output; ${expected}`);
	});

	it("asks for a new reading where the last is old", () => {
		expect(ageWords({ days: 0, old: false, freshDays: 90 })).toBe("read today");
		expect(ageWords({ days: 1, old: false, freshDays: 90 })).toBe("read yesterday");
		expect(ageWords({ days: 120, old: true, freshDays: 90 })).toBe("read 120 days ago: read it again");
	});

	it("follows the addresses that a source names, and leaves its words", () => {
		expect(sourceParts("list (https://a.example/b?c=1), read; once")).toEqual([
			{ text: "list (", href: null },
			{ text: "https://a.example/b?c=1", href: "https://a.example/b?c=1" },
			{ text: "), read; once", href: null },
		]);
		expect(sourceParts("our contract")).toEqual([{ text: "our contract", href: null }]);
	});

	it("says who brought it", () => {
		expect(originWords({ origin: "seed", enteredBy: null })).toBe("came with Plimsoll");
		expect(originWords({ origin: "user", enteredBy: "Ada" })).toBe("entered by Ada");
	});
});
