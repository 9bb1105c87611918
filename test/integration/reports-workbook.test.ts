import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { csvRows } from "../../api/src/ingest/text/csv.ts";
import { canonical } from "../support/api.ts";
import { programsOnPath } from "../support/programs.ts";
import { reportedApp } from "../support/report-fixture.ts";
import { Spreadsheet } from "../support/spreadsheet.ts";

const { app, call, close, one, four } = await reportedApp();
const folder = mkdtempSync(join(tmpdir(), "plimsoll-workbook-"));
afterAll(async () => {
	await close();
	rmSync(folder, { recursive: true, force: true });
});

const asked = `configuration=${one}&context=8192&output=100&concurrency=4&ttftSlo=10`;
const bytesOf = async (query: string) => {
	const response = await app.request(`/api/v1/reports/cost-latency.${query}`);
	expect(response.status).toBe(200);
	return new Uint8Array(await response.arrayBuffer());
};
const partsOf = (book: Uint8Array) =>
	new Map(Object.entries(unzipSync(book)).map(([path, bytes]) => [path, strFromU8(bytes)]));
const sheetOf = (parts: Map<string, string>, name: string): string => {
	const sheets = [...(parts.get("xl/workbook.xml") ?? "").matchAll(/<sheet name="([^"]+)"/g)];
	const number = sheets.findIndex(([, found]) => found === name) + 1;
	return parts.get(`xl/worksheets/sheet${number}.xml`) ?? "";
};

/** Cells of a sheet's rows: the text of texts, all else as it is written. */
const cellsOf = (sheet: string): string[][] =>
	[...sheet.matchAll(/<row [^>]*>(.*?)<\/row>/gs)].map(([, row = ""]) =>
		[...row.matchAll(/<c [^>]*?(?:\/>|>(.*?)<\/c>)/gs)].map(([, cell = ""]) =>
			cell.replace(/^<is><t[^>]*>(.*)<\/t><\/is>$/s, "$1"),
		),
	);

/** The workbook with other numbers in cells that have a name. */
function changed(book: Uint8Array, values: Record<string, number>): Uint8Array {
	const files = unzipSync(book);
	const names = strFromU8(files["xl/workbook.xml"] ?? new Uint8Array());
	const path = "xl/worksheets/sheet2.xml";
	let sheet = strFromU8(files[path] ?? new Uint8Array());
	for (const [name, value] of Object.entries(values)) {
		const cell = new RegExp(`name="${name}">'Assumptions'!\\$(\\w+)\\$(\\d+)<`).exec(names);
		const before = sheet;
		sheet = sheet.replace(
			new RegExp(`(<c r="${cell?.[1]}${cell?.[2]}"[^>/]*)(/>|><v>[^<]*</v></c>)`),
			(_, start) => `${start}><v>${value}</v></c>`,
		);
		expect(sheet, `${name} is a cell with a number`).not.toBe(before);
	}
	return zipSync({ ...files, [path]: strToU8(sheet) });
}

/** LibreOffice trusts the values that a workbook came with unless it is told to compute all of them. */
const COMPUTE_ALL = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item></oor:items>`;
const profile = join(folder, "profile");
mkdirSync(join(profile, "user"), { recursive: true });
writeFileSync(join(profile, "user", "registrymodifications.xcu"), COMPUTE_ALL);

const office = programsOnPath("soffice")[0] ?? null;

/** Computes workbooks in LibreOffice: each sheet becomes a file of its own, in full precision. */
function compute(books: Record<string, Uint8Array>): void {
	const files = Object.entries(books).map(([name, book]) => {
		const file = join(folder, `${name}.xlsx`);
		writeFileSync(file, book);
		return file;
	});
	execFileSync(
		office ?? "",
		[
			`-env:UserInstallation=${pathToFileURL(profile)}`,
			...["--headless", "--convert-to"],
			"csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false,false,false,-1",
			...["--outdir", folder, ...files],
		],
		{ stdio: "ignore", timeout: 240_000 },
	);
}
const rowsOf = (book: string, sheet: string): string[][] => [
	...csvRows(readFileSync(join(folder, `${book}-${sheet}.csv`), "utf8")),
];

const numberOf = (cell: string): number | string => {
	if (cell.trim() === "") return "";
	const number = cell.endsWith("%") ? Number(cell.slice(0, -1)) / 100 : Number(cell);
	return Number.isNaN(number) ? cell : number;
};

describe("the workbook", () => {
	it("has a formula in every cell of money, over names for the assumptions", async () => {
		const parts = partsOf(await bytesOf(`xlsx?${asked}&price=2.5`));
		const names = [...(parts.get("xl/workbook.xml") ?? "").matchAll(/definedName name="([A-Z]\w+)"/g)];
		expect(names.map(([, name]) => name)).toEqual(
			expect.arrayContaining([
				"GPU_price",
				"GPU_price_low",
				"GPU_price_high",
				"GPUs",
				"Hours_per_month",
				"Busy_share",
			]),
		);
		const formula = /^<f>[^<]*GPU_price[^<]*<\/f><v>[\d.e-]+<\/v>$/;
		for (const name of ["Loads", "Total cost"]) {
			const [header = [], ...rows] = cellsOf(sheetOf(parts, name));
			const money = header.flatMap((heading, i) => (heading.endsWith("(USD)") ? [i] : []));
			expect(money.length, name).toBeGreaterThan(2);
			for (const row of rows) for (const i of money) expect(row[i], header[i]).toMatch(formula);
		}
		// The summary shows what stands on the sheet of the loads.
		const figures = cellsOf(sheetOf(parts, "Summary")).filter((row) => row[5] === "USD");
		expect(figures).toHaveLength(5);
		for (const row of figures)
			for (const cell of row.slice(2, 5)) expect(cell, row[1]).toMatch(/^<f>.*<\/f><v>[\d.e-]+<\/v>$/);
	});

	it("keeps headings in view and repeats them on every page", async () => {
		const parts = partsOf(await bytesOf(`xlsx?${asked}&price=2.5`));
		for (const name of ["Assumptions", "Loads", "Total cost", "Fits and runs"]) {
			expect(sheetOf(parts, name), name).toMatch(/<pane [^>]*state="frozen"/);
			expect(parts.get("xl/workbook.xml")).toContain(`'${name}'!$`);
		}
		for (const [path, xml] of parts)
			if (path.startsWith("xl/worksheets/sheet")) {
				expect(xml).toMatch(/fitToWidth="[14]"/);
				expect(xml).toContain("Page &amp;P of &amp;N");
			}
	});

	it("draws cost against both times from the cells of the loads", async () => {
		const parts = partsOf(await bytesOf(`xlsx?${asked}&configuration=${four}&price=2.5`));
		for (const path of ["xl/charts/chart1.xml", "xl/charts/chart2.xml"]) {
			const series = [...(parts.get(path) ?? "").matchAll(/<c:ser>.*?<\/c:ser>/gs)];
			expect(series).toHaveLength(2);
			expect([...(parts.get(path) ?? "").matchAll(/<c:f>'Loads'!/g)]).toHaveLength(4);
		}
	});

	it("holds a name that looks like a formula as text, in the CSV behind an apostrophe", async () => {
		const run = canonical({ engineVersion: "9" }, [
			{ phase: "prefill", tokens: 512, cached: 0, batch: 1, seconds: [0.07] },
			{ phase: "decode", batch: 1, context: 512, seconds: [0.01] },
		]);
		const label = '=HYPERLINK("http://example.org","x")';
		const { body } = await call("POST", `/runs?label=${encodeURIComponent(label)}`, run);
		const query = `configuration=${body.configurations[0].id}&context=512&output=10&concurrency=1`;
		const sheet = sheetOf(partsOf(await bytesOf(`xlsx?${query}`)), "Fits and runs");
		expect(sheet).toContain(
			'<t xml:space="preserve">=HYPERLINK(&quot;http://example.org&quot;,&quot;x&quot;)</t>',
		);
		expect(sheet).not.toContain("<f>HYPERLINK");
		const csv = Buffer.from(await bytesOf(`csv?table=lineage&${query}`)).toString();
		expect(csv).toContain(`"'=HYPERLINK(""http://example.org"",""x"")"`);
	});
});

describe("three workbooks worked by hand, to the cent", () => {
	const cents = (value: unknown) => Number((value as number).toFixed(2));
	/** Value, low and high of a figure on the summary, and of the total after 36 months. */
	const figure = (book: Spreadsheet, label: string) => {
		const row = book.rows("Summary").find(({ B }) => B === label);
		return [row?.C, row?.D, row?.E].map(cents);
	};
	const total = (book: Spreadsheet) => cents(book.rows("Total cost").at(-1)?.C);
	const single = `configuration=${one}&context=8192&output=100&concurrency=1&ttftSlo=10`;
	const bookOf = async (query: string) => new Spreadsheet(await bytesOf(`xlsx?${query}`));

	it("one GPU at $2.50; then at $3.10, busy for 60 % of 720 hours", async () => {
		const book = await bookOf(`${single}&price=2.5`);
		// 2.50 × 730; 36 of them; 2.50 / 3,600 × 0.81005958 s of decoding / 100 tokens × 10⁶ = 5.625414
		expect(figure(book, "Cost per month")[0]).toBe(1825);
		expect(total(book)).toBe(65_700);
		expect(figure(book, "Cost per million output tokens")[0]).toBe(5.63);
		for (const [name, value] of Object.entries({ GPU_price: 3.1, Busy_share: 0.6, Hours_per_month: 720 }))
			book.enter(name, value);
		// 3.10 × 720; 36 of them; 3.10 / 3,600 × 0.81005958 / 100 × 10⁶ / 0.6 = 11.625855
		expect(figure(book, "Cost per month")[0]).toBe(2232);
		expect(total(book)).toBe(80_352);
		expect(figure(book, "Cost per million output tokens")[0]).toBe(11.63);
	});

	it("four GPUs at $3.20, busy for 40 %", async () => {
		const book = await bookOf(`${single.replace(one, four)}&price=3.2&busy=0.4`);
		// 4 × 3.20 × 730; 36 of them; 12.80 / 3,600 × 0.81005958 / 100 / 0.4 × 10⁶ = 72.005296
		expect(figure(book, "Cost per month")[0]).toBe(9344);
		expect(total(book)).toBe(336_384);
		expect(figure(book, "Cost per million output tokens")[0]).toBe(72.01);
		// 12.80 / 3,600 × 0.973417728 s of prefill / 8,192 tokens / 0.4 × 10⁶ = 1.056229
		expect(figure(book, "Cost per million input tokens")[0]).toBe(1.06);
	});

	it("three GPUs at $2.00 to $4.50, told in euros at $1.25, then at $1.00", async () => {
		const price = {
			...{ subject: "h100-sxm-80gb", source: "offer 17", readOn: "2026-11-01" },
			terms: { kind: "agreed", perGpuHour: { low: 2, high: 4.5 } },
		};
		await call("POST", "/prices", JSON.stringify(price), { "content-type": "application/json" });
		const book = await bookOf(
			`${single.replace("concurrency=1", "concurrency=3")}&gpus=3&currency=EUR&usdPerUnit=1.25&rateSource=a+bank&rateReadOn=2026-11-02`,
		);
		// Middle √(2 × 4.50) = 3.00: 3 × 3.00 × 730 / 1.25; 3 × 2 × 730 / 1.25; 3 × 4.50 × 730 / 1.25
		expect(figure(book, "Cost per month")).toEqual([5256, 3504, 7884]);
		expect(total(book)).toBe(189_216);
		book.enter("USD_per_unit", 1);
		expect(figure(book, "Cost per month")).toEqual([6570, 4380, 9855]);
		expect(total(book)).toBe(236_520);
	});

	it.each(["", "&currency=RUB&usdPerUnit=0.0125"])(
		"every formula gives the value that it came with%s",
		async (more) => {
			const book = await bookOf(`${asked}&configuration=${four}${more}`);
			const formulas = book.formulas();
			expect(formulas.length).toBeGreaterThan(100);
			for (const { sheet, cell, cached } of formulas) {
				const value = book.at(sheet, cell);
				if (typeof cached === "number" && typeof value === "number")
					expect(Math.abs(value - cached), `${sheet} ${cell}`).toBeLessThanOrEqual(1e-9 * Math.abs(cached));
				else expect(value === "" ? null : value, `${sheet} ${cell}`).toBe(cached === "" ? null : cached);
			}
		},
	);
});

describe.skipIf(office === null)(
	office === null ? "LibreOffice: skipped: it is not installed" : "LibreOffice",
	() => {
		const two = `${asked}&configuration=${four}`;
		const unpriced = "model=llama-3.1-8b&context=1000&output=100&concurrency=1";

		beforeAll(async () => {
			const [given, compared, open] = [
				await bytesOf(`xlsx?${asked}&price=2.5`),
				await bytesOf(`xlsx?${two}`),
				await bytesOf(`xlsx?${unpriced}`),
			];
			compute({
				changed: changed(given, { GPU_price: 3.1, Busy_share: 0.6 }),
				...{ compared, open, priced: changed(open, { GPU_price: 2 }) },
			});
		}, 300_000);

		/** Every figure of the loads: as LibreOffice computes it, and as the API answers. */
		async function compare(book: string, query: string): Promise<void> {
			const rows = rowsOf(book, "Loads");
			const csv = Buffer.from(await bytesOf(`csv?table=loads&${query}`)).toString();
			const answered = [...csvRows(csv)];
			expect(rows).toHaveLength(answered.length);
			// The configuration is named by its letter in the workbook.
			for (const [i, row] of answered.entries())
				for (const [j, cell] of row.entries()) {
					if (j === 0 || i === 0) continue;
					const [want, got] = [numberOf(cell), numberOf(rows[i]?.[j] ?? "")];
					const at = `${answered[0]?.[j]}, row ${i}`;
					if (typeof want !== "number" || typeof got !== "number") expect(got, at).toBe(want);
					else expect(Math.abs(got - want), at).toBeLessThanOrEqual(1e-9 * Math.abs(want));
				}
		}

		it("computes the API's answer after another price and another share of busy hours are entered", async () => {
			await compare("changed", `${asked}&price=3.1&busy=0.6`);
			// 1 × 3.10 × 730 × 36, and a month of it
			expect(Number(rowsOf("changed", "Total cost").at(-1)?.[2])).toBeCloseTo(81_468, 6);
			const month = rowsOf("changed", "Summary").find((row) => row[1] === "Cost per month");
			expect(Number(month?.[2])).toBeCloseTo(2263, 6);
		});

		it("computes what it came with: two configurations, a price with a range", () =>
			compare("compared", two));

		it("leaves money empty where no price is known, and computes it as soon as one is entered", async () => {
			await compare("open", unpriced);
			await compare("priced", `${unpriced}&price=2`);
		});
	},
);
