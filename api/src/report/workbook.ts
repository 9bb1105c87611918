import { type Report, type ReportLoad, type ReportSubject, US_DOLLAR } from "../model/index.ts";
import {
	type Book,
	type BookCell,
	bookBytes,
	columnName,
	type Sheet,
	type Style,
	sheetReference,
} from "./ooxml.ts";
import { scatterXml } from "./scatter.ts";
import {
	assumptionGroups,
	type Cell,
	type CellKind,
	type Column,
	figuresOf,
	heading,
	loadColumns,
	moneyEnds,
	type Table,
	tablesOf,
	totalOf,
	unitWords,
} from "./tables.ts";

/** A sheet in the making: rows are added, and their numbers remembered. */
class Page {
	readonly name: string;
	readonly rows: BookCell[][] = [];
	readonly spread: { row: number; columns: number }[] = [];

	constructor(name: string) {
		this.name = name;
	}

	/** @returns number of the row */
	add(...cells: BookCell[]): number {
		return this.rows.push(cells);
	}

	/** A long text over some columns. */
	say(value: string, style: Style, columns: number): void {
		this.spread.push({ row: this.add({ value, style }), columns });
	}

	/** Absolute reference to a cell, from any sheet. */
	at(column: number, row: number): string {
		return `${sheetReference(this.name)}!$${columnName(column)}$${row}`;
	}

	sheet(widths: readonly number[], rest: Partial<Sheet> = {}): Sheet {
		return { name: this.name, widths, rows: this.rows, spread: this.spread, ...rest };
	}
}

/** Assumptions that formulas read, with the names of their cells. */
const NAMES: Record<string, string> = {
	currency: "USD_per_unit",
	price: "GPU_price",
	gpus: "GPUs",
	hours: "Hours_per_month",
	busy: "Busy_share",
	context: "Prompt_tokens",
	output: "Output_tokens",
};
/** Those that may be changed while the speeds stay what they are. */
const INPUTS: Record<string, Style> = {
	currency: "rateInput",
	price: "usdInput",
	hours: "countInput",
	busy: "shareInput",
};

type Named = (key: string) => string;

/** Dollars as a formula, in the currency of the report: divided by the cell of its rate. */
type Told = (dollars: string) => string;
const toldIn =
	({ currency }: Report): Told =>
	(dollars) =>
		currency.code === US_DOLLAR.code ? dollars : `${dollars}/${NAMES.currency}`;

/**
 * A report as a workbook in which every figure of money is a formula over the sheet of assumptions.
 * @param created ISO instant
 */
export function workbookOf(report: Report, created: string): Uint8Array<ArrayBuffer> {
	const names: Book["names"][number][] = [];
	const assumptions = assumptionsPage(report, names);
	const named = (subject: ReportSubject): Named => {
		const own = (name: string) => names.find((one) => one.name === `${name}_${subject.name}`)?.name ?? name;
		return (key) => own(NAMES[key] ?? key);
	};
	const loads = loadsPage(report, named);
	const tables = new Map(tablesOf(report).map((table) => [table.key, table]));
	const sheets = [
		summaryPage(report, loads, named),
		assumptions,
		loads.sheet,
		frontierPage(report, loads),
		ownershipPage(report, loads, named),
		plainPage("Fits and runs", tables.get("lineage"), [16, 12, 14, 10, 38, 9, 26, 38, 30, 22, 26]),
		methodPage(report),
	];
	return bookBytes({ title: report.title, created, sheets, names });
}

const head = (column: Pick<Column, "label" | "unit">): BookCell => ({
	value: heading(column),
	style: "head",
});
const headings = (...labels: string[]) => labels.map((label) => head({ label, unit: null }));
const label = (subject: ReportSubject | null): BookCell => ({ value: subject?.name ?? "all" });

/** Looks of a column's cells. */
const LOOKS: Record<CellKind, Style> = {
	text: "text",
	count: "count",
	number: "number",
	seconds: "seconds",
	money: "usd",
	share: "share",
	date: "date",
};

const DAY_MS = 86_400_000;
/** Days are counted from here. @source ECMA-376 18.17.4, the 1900 date system */
const FIRST_DAY = Date.UTC(1899, 11, 30);

const dateCell = (day: Cell): BookCell =>
	typeof day === "string"
		? { value: Math.round((Date.parse(`${day}T00:00:00Z`) - FIRST_DAY) / DAY_MS), style: "date" }
		: { value: null };

function assumptionsPage(report: Report, names: { name: string; refersTo: string }[]): Sheet {
	const page = new Page("Assumptions");
	page.say(
		"Blue cells are inputs: change one and every figure of money follows. Speeds belong to the GPUs, lengths and loads as they stand here: for others ask the planner again.",
		"soft",
		9,
	);
	const header = page.add(
		...headings(
			"Configuration",
			"Assumption",
			"Value",
			"Low",
			"High",
			"Unit",
			"Evidence",
			"Basis",
			"Source",
			"Read on",
		),
	);
	for (const { subject, assumptions } of assumptionGroups(report)) {
		const suffix = subject === null || report.subjects.length === 1 ? "" : `_${subject.name}`;
		const name = (base: string, column: number, row: number) =>
			names.push({ name: `${base}${suffix}`, refersTo: page.at(column, row) });
		for (const one of assumptions) {
			const { key, value, low, high, evidence, basis, source, date } = one;
			const style = INPUTS[key] ?? styleOf(one.unit);
			const ends: BookCell[] = key === "price" ? priceEnds(one, page.rows.length + 1, suffix) : [];
			const row = page.add(
				...[label(subject), { value: one.label }, { value, style }],
				...(ends.length > 0 ? ends : [low, high].map((end): BookCell => ({ value: end ?? null, style }))),
				...[unitWords(one), evidence].map((text) => ({ value: text })),
				...[
					{ value: basis, style: "soft" as const },
					{ value: source, style: "soft" as const },
					dateCell(date),
				],
			);
			const base = NAMES[key];
			if (base) name(base, 3, row);
			if (key !== "price") continue;
			name("GPU_price_low", 4, row);
			name("GPU_price_high", 5, row);
			for (const [end, words] of [
				["low", "Lowest"],
				["high", "Highest"],
			] as const) {
				const share = typeof value === "number" && value > 0 ? (one[end] ?? value) / value : 1;
				const at = page.add(
					label(subject),
					{ value: `${words} price as a multiple of the price` },
					{ value: share, style: "usdInput" },
				);
				name(`GPU_price_${end}_multiple`, 3, at);
			}
		}
	}
	return page.sheet([18, 44, 16, 12, 12, 18, 12, 60, 44, 12], {
		frozen: { rows: header, columns: 2 },
		repeated: { from: header, to: header },
	});
}

/** Ends of the price as multiples of it, so that they move with it. */
function priceEnds(
	{ value, low, high }: { value: number | string | null; low?: number; high?: number },
	row: number,
	suffix: string,
): BookCell[] {
	const known = typeof value === "number" ? value : null;
	return (["low", "high"] as const).map((end) => ({
		value: (end === "low" ? low : high) ?? known,
		formula: `IF(ISNUMBER(C${row}),C${row}*GPU_price_${end}_multiple${suffix},"")`,
		style: "usd",
	}));
}

const styleOf = (unit: string | null): Style =>
	unit === "ratio"
		? "share"
		: unit === "seconds" || unit === "seconds/token"
			? "seconds"
			: unit === null
				? "text"
				: "count";

/** Columns that the formulas of money read, behind the table. */
const BASIS: readonly { key: string; label: string; kind: CellKind; of: (load: ReportLoad) => Cell }[] = [
	...(["middle", "low", "high"] as const).map((end) => ({
		key: `rate ${end}`,
		label: `Requests per second, ${{ middle: "middle", low: "at the fastest times", high: "at the slowest times" }[end]}`,
		kind: "number" as const,
		of: ({ basis }: ReportLoad) => basis?.requestsPerSecond[end] ?? null,
	})),
	{
		key: "share",
		label: "Share of GPU time for prompts",
		kind: "share",
		of: ({ basis }: ReportLoad) => basis?.promptShare ?? null,
	},
	{
		key: "most",
		label: "Requests per second at most",
		kind: "number",
		of: ({ basis }: ReportLoad) => basis?.mostRequestsPerSecond ?? null,
	},
];

/** The sheet of the cost-and-latency table, and where a figure of a load stands on it. */
interface LoadsPage {
	sheet: Sheet;
	reference: (load: ReportLoad, key: string) => string;
	range: (subject: ReportSubject, key: string) => string;
}

function loadsPage(report: Report, named: (subject: ReportSubject) => Named): LoadsPage {
	const page = new Page("Loads");
	const columns = loadColumns(report.currency.code);
	const keys = ["configuration", ...columns.map(({ key }) => key), ...BASIS.map(({ key }) => key)];
	const column = (key: string) => keys.indexOf(key) + 1;
	const header = page.add(
		...headings("Configuration"),
		...columns.map(head),
		...BASIS.map((one) => head({ ...one, unit: null })),
	);
	const count = report.subjects.reduce((sum, { loads }) => sum + loads.length, 0);
	const all = (key: string) => {
		const letter = columnName(column(key));
		return `$${letter}$${header + 1}:$${letter}$${header + count}`;
	};
	const rows = new Map<ReportLoad, number>();
	for (const subject of report.subjects)
		for (const load of subject.loads) {
			const row = page.rows.length + 1;
			rows.set(load, row);
			const cell = (key: string) => `$${columnName(column(key))}${row}`;
			const formulas = moneyFormulas(cell, named(subject), all, toldIn(report));
			page.add(
				label(subject),
				...columns.map(({ key, kind, of }): BookCell => {
					const formula = formulas[key];
					const made = { value: of(load), style: LOOKS[kind] };
					return formula === undefined ? made : { ...made, formula };
				}),
				...BASIS.map(({ kind, of }): BookCell => ({ value: of(load), style: LOOKS[kind] })),
			);
		}
	return {
		sheet: page.sheet(
			[18, ...columns.map(({ kind }) => (kind === "text" ? 14 : 12)), ...BASIS.map(() => 14)],
			{
				frozen: { rows: header, columns: 2 },
				repeated: { from: header, to: header, columns: 2 },
				pagesWide: 4,
			},
		),
		reference: (load, key) => page.at(column(key), rows.get(load) ?? 0),
		range: ({ loads }, key) => {
			const at = loads.map((load) => rows.get(load) ?? 0);
			const letter = columnName(column(key));
			return `${sheetReference(page.name)}!$${letter}$${Math.min(...at)}:$${letter}$${Math.max(...at)}`;
		},
	};
}

/**
 * The formulas of a row, by column.
 * request = GPUs · price / 3600 / (requests/s · busy); million = GPUs · price / (tokens/s · 3600 · busy) · 10⁶ · share
 */
function moneyFormulas(
	cell: (key: string) => string,
	name: Named,
	all: (key: string) => string,
	told: Told,
): Record<string, string> {
	const hourly = (price: string) => `${name("gpus")}*${price}`;
	const served = (end: string) => `(${cell(`rate ${end}`)}*${name("busy")})`;
	const request = (price: string, end: string) => `${hourly(price)}/3600/${served(end)}`;
	const million = (tokens: string, share: string) => (price: string, end: string) =>
		`${hourly(price)}/(${served(end)}*${name(tokens)}*3600)*1000000*${share}`;
	const prompts = cell("share");
	const month = (price: string) => `${hourly(price)}*${name("hours")}`;
	const prices = { middle: name("price"), low: name("GPU_price_low"), high: name("GPU_price_high") };
	const known =
		(...needed: string[]) =>
		(expression: string) =>
			`IF(COUNT(${needed.join(",")})=${needed.length},${expression},"")`;
	const three = (
		key: string,
		of: (price: string, end: string) => string,
		guard: (expression: string) => string,
	): [string, string][] => {
		const ends = `${cell(key)},${told(of(prices.low, "low"))},${told(of(prices.high, "high"))}`;
		return [
			[key, guard(told(of(prices.middle, "middle")))],
			[`${key}Low`, guard(`MIN(${ends})`)],
			[`${key}High`, guard(`MAX(${ends})`)],
		];
	};
	const priced = known(prices.middle, cell("rate middle"));
	const frontier = (time: string) => {
		const [cost, own] = [all("perRequest"), cell("perRequest")];
		const [times, ownTime] = [all(time), cell(time)];
		const beaten = `ISNUMBER(${cost})*ISNUMBER(${times})*((${cost}<=${own})*(${times}<${ownTime})+(${cost}<${own})*(${times}<=${ownTime}))`;
		return `IF(COUNT(${own},${ownTime})<2,"no",IF(SUMPRODUCT(${beaten})=0,"yes","no"))`;
	};
	return Object.fromEntries([
		...three("perRequest", request, priced),
		...three("perMillionInputTokens", million("context", prompts), priced),
		...three("perMillionOutputTokens", million("output", `(1-${prompts})`), priced),
		...three("perMonth", month, known(prices.middle)),
		[
			"idleShare",
			known(
				cell("rate middle"),
				cell("most"),
			)(`MAX(0,1-${name("busy")}*${cell("rate middle")}/${cell("most")})`),
		],
		["frontierTtft", frontier("ttft")],
		["frontierTpot", frontier("tpot")],
	]);
}

const MONEY = ["perMonth", "perRequest", "perMillionInputTokens", "perMillionOutputTokens"];

function summaryPage(report: Report, loads: LoadsPage, named: (subject: ReportSubject) => Named): Sheet {
	const page = new Page("Summary");
	const columns = 8;
	page.add({ value: report.title, style: "title" });
	page.add({ value: "Made on" }, dateCell(report.madeOn));
	for (const caution of report.cautions) page.say(caution, "caution", columns);
	page.add();
	for (const subject of report.subjects) {
		page.add({ value: `${subject.name}: ${subject.label}`, style: "label" });
		page.say(subject.headline, "wrapped", columns);
		page.add(linkCell(subject.permalink));
		page.add();
	}
	page.add(
		...headings("Configuration", "Figure", "Value", "Low", "High", "Unit", "Evidence", "How it comes about"),
	);
	for (const subject of report.subjects) {
		const asked = subject.loads.find((load) => load.asked);
		if (!asked) continue;
		for (const { key, label: words, unit, kind, quantity } of figuresOf(subject, report.currency.code)) {
			const formulas = summaryFormulas(key, asked, subject, loads, named(subject), toldIn(report));
			const { low, high } = kind === "money" ? moneyEnds(quantity) : quantity;
			const values = [quantity.value, low ?? null, high ?? null].map((value, i): BookCell => {
				const formula = formulas[i];
				return formula === undefined ? { value, style: LOOKS[kind] } : { value, formula, style: LOOKS[kind] };
			});
			const sum = formulas.length > 0 ? "the formula in the cell" : quantity.arithmetic;
			const how = [sum, quantity.beyond].filter(Boolean).join(". ");
			page.add(
				...[label(subject), { value: words }, ...values, { value: unit }],
				...[{ value: quantity.evidence }, { value: how, style: "soft" as const }],
			);
		}
	}
	return page.sheet([24, 44, 14, 14, 14, 12, 12, 90]);
}

/** Formulas of value, low and high of a figure of money; none for others. */
function summaryFormulas(
	key: string,
	asked: ReportLoad,
	{ ownership }: ReportSubject,
	loads: LoadsPage,
	name: Named,
	told: Told,
): string[] {
	if (MONEY.includes(key)) return ["", "Low", "High"].map((end) => passed(loads.reference(asked, key + end)));
	if (key === "idleShare") return [passed(loads.reference(asked, key))];
	if (key !== "total") return [];
	const months = ownership.at(-1)?.months ?? 0;
	return totals(name, String(months), told);
}

/** What another cell says, where that may be nothing. */
const passed = (reference: string) => `IF(ISNUMBER(${reference}),${reference},"")`;

/** Total cost over some months: middle, low and high. */
const totals = (name: Named, months: string, told: Told): string[] =>
	[name("price"), name("GPU_price_low"), name("GPU_price_high")].map(
		(price) => `IF(ISNUMBER(${price}),${told(`${name("gpus")}*${price}*${name("hours")}*${months}`)},"")`,
	);

/** Longest text that a formula may hold. @source ECMA-376 18.17.2.2 */
const LONGEST_TEXT = 255;

const linkCell = (address: string): BookCell =>
	address.length > LONGEST_TEXT
		? { value: address, style: "link" }
		: { value: address, formula: `HYPERLINK("${address.replaceAll('"', '""')}")`, style: "link" };

/** Hues of the configurations, dark enough for paper. */
const COLOURS = ["0B5C7A", "7A5200", "5F4596", "1C6B42"];

function frontierPage(report: Report, loads: LoadsPage): Sheet {
	const page = new Page("Frontier");
	const columns = loadColumns(report.currency.code);
	page.add({ value: "Cost of a request against its times", style: "title" });
	page.say(
		"A point a load, from one request in flight up. Those that no other one beats in both are marked on the sheet Loads; both follow the assumptions.",
		"soft",
		8,
	);
	const chart = (title: string, key: string, axis: string) =>
		scatterXml(
			title,
			{ x: axis, y: `${report.currency.code} per request` },
			report.subjects.map((subject, i) => {
				const points = (column: string) => ({
					reference: loads.range(subject, column),
					values: subject.loads.map(
						(load) => columns.find((one) => one.key === column)?.of(load) as number | null,
					),
				});
				return {
					name: `${subject.name}: ${subject.label}`,
					x: points(key),
					y: points("perRequest"),
					colour: COLOURS[i] ?? "14212E",
				};
			}),
		);
	const charts = [
		{
			xml: chart("Cost and time to first token", "ttft", "Time to first token, mean (s)"),
			fromRow: 3,
			toRow: 25,
			toColumn: 8,
		},
		{
			xml: chart("Cost and time per output token", "tpot", "Time per output token, mean (s)"),
			fromRow: 26,
			toRow: 48,
			toColumn: 8,
		},
	];
	return page.sheet(Array(8).fill(14), { charts });
}

function ownershipPage(report: Report, loads: LoadsPage, named: (subject: ReportSubject) => Named): Sheet {
	const page = new Page("Total cost");
	const table = tablesOf(report).find(({ key }) => key === "ownership");
	const header = page.add(...(table?.columns ?? []).map(head));
	for (const subject of report.subjects) {
		const asked = subject.loads.find((load) => load.asked);
		if (!asked) continue;
		const name = named(subject);
		const rate = loads.reference(asked, "rate middle");
		for (const one of subject.ownership) {
			const { months, requests } = one;
			const total = totalOf(one);
			const at = `$B${page.rows.length + 1}`;
			const { low, high } = moneyEnds(total);
			const [middle, lowest, highest] = totals(name, at, toldIn(report));
			page.add(
				label(subject),
				{ value: months, style: "count" },
				...[
					{ value: total.value, formula: middle ?? "" },
					{ value: low, formula: lowest ?? "" },
					{ value: high, formula: highest ?? "" },
				].map((cell): BookCell => ({ ...cell, style: "usd" })),
				{
					value: requests.value,
					formula: `IF(ISNUMBER(${rate}),${rate}*3600*${name("hours")}*${name("busy")}*${at},"")`,
					style: "count",
				},
			);
		}
	}
	return page.sheet([40, 10, 18, 18, 18, 20], {
		frozen: { rows: header, columns: 2 },
		repeated: { from: header, to: header },
	});
}

function plainPage(name: string, table: Table | undefined, widths: readonly number[]): Sheet {
	const page = new Page(name);
	const header = page.add(...(table?.columns ?? []).map(head));
	for (const row of table?.rows ?? []) page.add(...row.map((value): BookCell => ({ value })));
	return page.sheet(widths, {
		frozen: { rows: header, columns: 1 },
		repeated: { from: header, to: header },
	});
}

function methodPage(report: Report): Sheet {
	const page = new Page("Method and error");
	for (const { name, method } of report.subjects) page.say(`${name}: ${method}`, "wrapped", 1);
	for (const words of report.method) page.say(words, "wrapped", 1);
	page.add(linkCell(report.address));
	return page.sheet([140]);
}
