import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readBill, UnreadableBill } from "./bill.ts";

const HEADER = "month,gpu_hours,usd,prompt_tokens,output_tokens";
const errorsOf = (text: string) => {
	try {
		readBill(text);
	} catch (error) {
		if (error instanceof UnreadableBill) return error.errors;
		throw error;
	}
	return [];
};

describe("a bill", () => {
	it.each([
		["commas", `${HEADER}\n2026-10,730,1825.50,400000000,50000000`],
		[
			"semicolons and decimal commas",
			`${HEADER.replaceAll(",", ";")}\n2026-10;730;1825,50;400000000;50000000`,
		],
		[
			"tabs, as pasted from a sheet",
			`${HEADER.replaceAll(",", "\t")}\r\n2026-10\t730\t1825.50\t400000000\t50000000\r\n`,
		],
		["a mark of the encoding and money signs", `\uFEFF${HEADER}\n2026-10,730,$1825.50,400000000,50000000`],
		["groups of thousands in quotes", `${HEADER}\n2026-10,730,"1,825.50","400,000,000","50,000,000"`],
		[
			"other names in another order",
			"Completion tokens,Input tokens,Cost,Usage hours,Period\n50000000,400000000,1825.50,730,2026-10",
		],
	])("with %s is read", (_, text) => {
		expect(readBill(text)).toEqual([
			{ month: "2026-10", gpuHours: 730, usd: 1825.5, promptTokens: 400e6, outputTokens: 50e6 },
		]);
	});

	it("may leave out what was paid, and nothing else", () => {
		expect(readBill(`${HEADER}\n2026-10,730,,4e0,5`.replace("4e0", "4"))[0]?.usd).toBeNull();
		expect(errorsOf(`${HEADER}\n2026-10,,1,4,5`)).toEqual([
			{ at: "line 2, gpu_hours", reason: "is empty; what is not known cannot be held against a plan" },
		]);
	});

	it("asks where a number can be read in two ways", () => {
		const [error] = errorsOf(`${HEADER.replaceAll(",", ";")}\n2026-10;1,234;1;4;5`);
		expect(error?.at).toBe("line 2, gpu_hours");
		expect(error?.reason).toContain("1234 or 1.234");
	});

	it.each([
		["", "text"],
		["month,usd\n2026-10,5", "line 1"],
		[HEADER, "text"],
		[`${HEADER}\n2026-10,0,1,4,5`, "line 2, gpu_hours"],
		[`${HEADER}\n2026-10,7,1,many,5`, "line 2, prompt_tokens"],
		[`${HEADER}\n2026-10,0.0000001,1,4,5`, "line 2, gpu_hours"],
		[`${HEADER}\n2026-13,7,1,4,5`, "line 2, month"],
		[`${HEADER}\n00/2026,7,1,4,5`, "line 2, month"],
		[`${HEADER}\n2026-09,7,1,4,5\n2026-10,7,1,4,5\n2026-9,8,1,4,5`, "line 4, month"],
	])("that is none is refused with its place: %j", (text, at) => {
		expect(errorsOf(text)[0]?.at).toBe(at);
	});

	it("says which line had the month before, and keeps days and names apart", () => {
		expect(errorsOf(`${HEADER}\n2026-10,7,1,4,5\n10/2026,8,1,4,5`)).toEqual([
			{ at: "line 3, month", reason: '"10/2026" is a second line of the month of line 2: add the two up' },
		]);
		expect(readBill(`${HEADER}\n2026-10-01,7,1,4,5\n2026-10-02,8,1,4,5`)).toHaveLength(2);
		expect(readBill(`${HEADER}\nOctober,7,1,4,5\nNovember,8,1,4,5`)).toHaveLength(2);
		expect(readBill(`${HEADER}\n,7,1,4,5\n,8,1,4,5`)).toHaveLength(2);
	});

	it("never reads a figure that was not written", () => {
		fc.assert(
			fc.property(fc.string({ unit: fc.constantFrom(...'0123456789.,;\t"-$ \na') }), (tail) => {
				for (const month of errorsOf(`${HEADER}\n${tail}`).length > 0 ? [] : readBill(`${HEADER}\n${tail}`))
					for (const value of [month.gpuHours, month.promptTokens, month.outputTokens])
						expect(Number.isFinite(value) && value >= 0).toBe(true);
			}),
		);
	});
});
