import { execFileSync } from "node:child_process";
import { afterAll, describe, expect, it } from "vitest";
import { canonical } from "../support/api.ts";
import { programsOnPath } from "../support/programs.ts";
import { promptSeconds, reportedApp } from "../support/report-fixture.ts";

const { call, close, one, four } = await reportedApp();
afterAll(close);

const question = "context=8192&output=100&concurrency=1&ttftSlo=10";
const paper = async (query: string): Promise<Buffer> => {
	const { status, headers, body } = await call("GET", `/reports/cost-latency.pdf?${query}`);
	expect(status).toBe(200);
	expect(headers.get("content-type")).toBe("application/pdf");
	expect(headers.get("content-disposition")).toMatch(/^inline; filename="cost-latency-[\w-]+\.pdf"$/);
	return body;
};

describe("the paper", () => {
	it("embeds its fonts, draws with lines and not with pictures, and links to the question", async () => {
		const pdf = (await paper(`configuration=${one}&${question}&price=2.5`)).toString("latin1");
		expect(pdf.startsWith("%PDF-1.")).toBe(true);
		expect(pdf.match(/\/FontFile2 /g)?.length).toBe(2);
		expect(pdf).not.toMatch(/\/Subtype \/Image/);
		expect(pdf).toMatch(/\/URI \(http:\/\/localhost\/\?configuration=[^)]*context=8192/);
	});
});

const reader = programsOnPath("pdftotext")[0] ?? null;
/** Words of a PDF, pages apart by form feeds. */
const wordsOf = (pdf: Buffer): string =>
	execFileSync(reader ?? "", ["-layout", "-", "-"], { input: pdf, encoding: "utf8" }).replaceAll(
		"\u00a0",
		" ",
	);

describe.skipIf(reader === null)(
	reader === null ? "words of the paper: skipped: no pdftotext" : "words of the paper",
	() => {
		it("prints the figures that were worked by hand, on numbered pages", async () => {
			const words = wordsOf(await paper(`configuration=${one}&${question}&price=2.5`));
			const pages = words.split("\f").slice(0, -1);
			for (const [i, page] of pages.entries()) expect(page).toContain(`Page ${i + 1} of ${pages.length}`);
			// 1 × 2.50 × 730; × 36; the prompt of 8,192 tokens
			expect(words).toContain("$1,825.00");
			expect(words).toContain("$65,700.00");
			expect(words).toContain(`${(1000 * promptSeconds(8192)).toFixed(1)} ms`);
			expect(words).toContain("http://localhost/?configuration=");
		});

		it("prints money in the currency that was asked for, its rate first", async () => {
			const words = wordsOf(
				await paper(`configuration=${one}&${question}&price=2.5&currency=EUR&usdPerUnit=1.25`),
			);
			const [first = ""] = words.split("\f");
			expect(first).toContain("Money is told in EUR: 1 EUR = $1.25");
			expect(first).toContain("EUR 1,460.00");
			expect(words).toContain("EUR 52,560.00");
			expect(words).toContain("EUR per request");
		});

		it("says first what it rests on", async () => {
			const words = wordsOf(await paper("model=llama-3.1-8b&gpu=a100-sxm-80gb&context=1000&concurrency=4"));
			const [first = ""] = words.split("\f");
			expect(first.indexOf("Rests on estimates")).toBeGreaterThan(0);
			expect(first.indexOf("Rests on estimates")).toBeLessThan(first.indexOf("Summary"));
		});

		it("prints Cyrillic, euros and the signs of formulas", async () => {
			const run = canonical({ engineVersion: "9" }, [
				{ phase: "prefill", tokens: 512, cached: 0, batch: 1, seconds: [0.07] },
				{ phase: "decode", batch: 1, context: 512, seconds: [0.01] },
			]);
			const label = "ночь ≤ 5 €";
			const { body } = await call("POST", `/runs?label=${encodeURIComponent(label)}`, run);
			const id = body.configurations[0].id;
			const words = wordsOf(await paper(`configuration=${id}&context=512&output=10&concurrency=1`));
			// The columns of a table may break it between its words.
			for (const word of label.split(" ")) expect(words).toContain(word);
		});

		it("sets configurations side by side", async () => {
			const words = wordsOf(await paper(`configuration=${one}&configuration=${four}&${question}&price=2.5`));
			for (const heading of ["A: Cost by load", "B: Cost by load", "A: Latency by load"])
				expect(words).toContain(heading);
			// 4 × 2.50 × 730
			expect(words).toContain("$7,300.00");
		});
	},
);
