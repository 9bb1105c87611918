import { describe, expect, it } from "vitest";
import {
	counted,
	format,
	formatCount,
	formatInterval,
	formatQuantity,
	formatSignificant,
	shortTokens,
} from "./format.ts";

const text = (...args: Parameters<typeof format>) => format(...args).text.replaceAll("\u00a0", " ");

describe("format", () => {
	it("says that an unknown value is not known, never NaN", () => {
		for (const value of [null, Number.NaN, Number.POSITIVE_INFINITY]) {
			expect(format(value, "seconds")).toEqual({ number: "not known", unit: "", text: "not known" });
		}
	});

	it("picks the unit of a time after rounding", () => {
		expect(text(0.1284, "seconds")).toBe("128 ms");
		expect(text(0.9996, "seconds")).toBe("1.00 s");
		expect(text(3.1428, "seconds")).toBe("3.14 s");
		expect(text(77, "seconds")).toBe("77.0 s");
		expect(text(150, "seconds")).toBe("2.50 min");
		expect(text(0.000_012_34, "seconds/token")).toBe("12.3 µs/token");
		expect(text(1.5e-9, "seconds/token²")).toBe("1.50 ns/token²");
	});

	it("keeps three digits, or two where the interval is wider than ±10 %", () => {
		expect(text(3.1428, "seconds", { low: 3.1, high: 3.2 })).toBe("3.14 s");
		expect(text(3.1428, "seconds", { low: 2.5, high: 3.9 })).toBe("3.1 s");
	});

	it("shows bytes in powers of 1000, or of 1024 where asked, and names which", () => {
		// Llama 3.1 70B in bf16: 327,680 B/token × 32,000 tokens.
		expect(text(327_680, "bytes/token")).toBe("327,680 B/token");
		expect(text(327_680 * 32_000, "bytes")).toBe("10.5 GB");
		expect(text(80 * 2 ** 30, "bytes", { binary: true })).toBe("80.0 GiB");
		expect(text(2.62e12, "bytes")).toBe("2.62 TB");
		expect(text(0, "bytes")).toBe("0 B");
	});

	it("writes counts exactly", () => {
		expect(text(131_072, "tokens")).toBe("131,072 tokens");
		expect(text(1, "sequences")).toBe("1 sequence");
		expect(text(11, "sequences")).toBe("11 sequences");
		expect(formatCount(11.46)).toBe("11.5");
	});

	it("writes money with cents from a dollar up and three digits otherwise", () => {
		expect(text(0.4234, "USD/million tokens")).toBe("$0.423 per million tokens");
		expect(text(3.1, "USD/hour")).toBe("$3.10 per hour");
		expect(text(12_345, "USD/month")).toBe("$12,300 per month");
		expect(text(0.000_421_9, "USD/request")).toBe("$0.000422 per request");
		expect(text(0, "USD")).toBe("$0");
		expect(format(12_345, "USD/month", { cents: true }).number).toBe("$12,345.00");
		expect(format(0.4234, "USD", { cents: true }).number).toBe("$0.423");
	});

	it("writes shares in percent", () => {
		expect(text(0.634, "ratio")).toBe("63.4%");
		expect(text(1, "ratio")).toBe("100%");
	});

	it("does not lose a digit at powers of ten", () => {
		for (let power = -9; power <= 9; power++) {
			expect(Number(formatSignificant(10 ** power).replaceAll(",", ""))).toBeCloseTo(10 ** power, 12);
		}
	});
});

describe("a quantity", () => {
	it("carries its own interval", () => {
		const quantity = {
			value: 0.128,
			unit: "seconds",
			low: 0.121,
			high: 0.136,
			evidence: "fitted",
			arithmetic: "",
		} as const;
		expect(formatQuantity(quantity).number).toBe("128");
		expect(formatInterval(quantity)?.replaceAll("\u00a0", " ")).toBe("121 ms – 136 ms");
		expect(formatInterval({ value: 1, unit: "tokens", evidence: "arithmetic", arithmetic: "" })).toBeNull();
		const { high: _, ...open } = quantity;
		expect(formatInterval(open)?.replaceAll("\u00a0", " ")).toBe("from 121 ms, no upper end");
	});
});

describe("shortTokens", () => {
	it("labels an axis", () => {
		expect([512, 1000, 16_000, 128_000, 131_072, 1_000_000, 1_048_576].map(shortTokens)).toEqual([
			"512",
			"1K",
			"16K",
			"128K",
			"131K",
			"1M",
			"1.05M",
		]);
	});
});

it("says one of one, and more of any other count", () => {
	expect([0, 1, 1.5, 2000].map((n) => counted(n, "run"))).toEqual([
		"0 runs",
		"1 run",
		"1.50 runs",
		"2,000 runs",
	]);
	expect(counted(2, "reply", "replies")).toBe("2 replies");
	expect(
		(["tokens", "requests", "sequences", "users", "GPUs", "replicas"] as const).map((unit) => text(1, unit)),
	).toEqual([...["1 token", "1 request", "1 sequence", "1 user", "1 GPU", "1 replica"]]);
	expect(text(2, "requests")).toBe("2 requests");
});
