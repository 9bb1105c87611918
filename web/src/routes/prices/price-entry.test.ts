import { describe, expect, it } from "vitest";
import type { PriceDetail } from "#lib/records/record.ts";
import { entryOf, formErrors, textOf } from "./price-entry.ts";

const told = { subject: "h100-sxm-80gb", source: "our contract", readOn: "2026-10-01" };

describe("a price as it is entered", () => {
	it("is sent in shares and seconds where people write percents and minutes", () => {
		const spot = { ...told, "terms.perGpuHour": "1.5", "terms.lostShare": "12.5" };
		expect(entryOf("spot", spot, null)).toEqual({
			body: { ...told, terms: { kind: "spot", perGpuHour: 1.5, lostShare: 0.125 } },
			errors: [],
		});
		const hosted = {
			...{ ...told, subject: "a model", "terms.inputPerMillion": "3", "terms.outputPerMillion": "15" },
			...{ "terms.cache.scheme": "paid write", "terms.cache.write": "1.25", "terms.cache.read": ".1" },
			...{ "terms.minimumPrefixTokens": "1,024", "terms.lifetimeSeconds": "5" },
		};
		expect(entryOf("hosted", hosted, null).body).toMatchObject({
			terms: {
				...{ kind: "hosted", inputPerMillion: 3, outputPerMillion: 15 },
				cache: { scheme: "paid write", write: 1.25, read: 0.1 },
				...{ minimumPrefixTokens: 1024, lifetimeSeconds: 300 },
			},
		});
	});

	it("keeps a range, a currency with its rate, and what it takes the place of", () => {
		const text = {
			...{ ...told, "terms.perGpuHour": "1 200.5", "terms.perGpuHour.high": "1300" },
			...{ "currency.code": "eur", "currency.usdPerUnit": "1.08", "currency.rateReadOn": "2026-10-02" },
		};
		expect(entryOf("on-demand", text, "an id").body).toEqual({
			...told,
			terms: { kind: "on-demand", perGpuHour: { low: 1200.5, high: 1300 } },
			currency: { code: "EUR", usdPerUnit: 1.08, rateReadOn: "2026-10-02" },
			supersedes: "an id",
		});
	});

	it("names each field that is missing or not understood, and sends nothing", () => {
		const { body, errors } = entryOf(
			"reserved",
			{ "terms.perGpuHour": "two", "terms.upfrontPerGpu": "5", "terms.upfrontPerGpu.high": "4" },
			null,
		);
		expect(body).toBeNull();
		expect(errors.map(({ at }) => at).sort()).toEqual(
			[
				...["subject", "source", "readOn", "terms.perGpuHour"],
				...["terms.termMonths", "terms.upfrontPerGpu.high"],
			].sort(),
		);
	});

	it("reads a decimal comma, and asks where a comma could be either", () => {
		const spot = { ...told, "terms.perGpuHour": "2,5", "terms.lostShare": "12,5" };
		expect(entryOf("spot", spot, null).body).toMatchObject({ terms: { perGpuHour: 2.5, lostShare: 0.125 } });
		expect(entryOf("spot", { ...spot, "terms.perGpuHour": "1,500" }, null).errors).toEqual([
			{ at: "terms.perGpuHour", reason: "“1,500” is not understood: write 1500 or 1.5" },
		]);
	});

	it("leaves unsaid what a provider does not say", () => {
		const text = { ...told, "terms.inputPerMillion": "1", "terms.outputPerMillion": "2" };
		expect(entryOf("hosted", text, null).body).toMatchObject({
			terms: { cache: { scheme: "none" }, minimumPrefixTokens: null, lifetimeSeconds: null },
		});
	});

	it("comes back from a price as it was entered, its day left to be said again", () => {
		const text = {
			...{ ...told, seller: "a cloud", "currency.code": "USD", "terms.cache.scheme": "none" },
			...{ "terms.perGpuHour": "0.9", "terms.perGpuHour.high": "1.1", "terms.lostShare": "7" },
		};
		const { body } = entryOf("spot", text, null);
		const price = { ...body, currency: { code: "USD", usdPerUnit: 1 } } as unknown as PriceDetail;
		const { readOn: _, ...rest } = text;
		expect(textOf(price)).toEqual(rest);
	});

	it("turns the server's places and words into those of the form", () => {
		const names = ["subject", "terms.perGpuHour", "terms.perGpuHour.high"];
		const errors = formErrors(
			[
				{ at: "terms.perGpuHour.low", reason: "too much" },
				{ at: "terms.perGpuHour.high", reason: "below low" },
				{ at: "subject", reason: "not in the catalog; list it" },
			],
			names,
		);
		expect(errors.map(({ at }) => at)).toEqual(["terms.perGpuHour", "terms.perGpuHour.high", "subject"]);
		expect(errors[2]?.reason).toContain("choose one of the list");
	});
});
