import type {
	CurrencyCost,
	Quantity,
	Report,
	ReportAssumption,
	ReportLoad,
	ReportMonths,
	ReportSubject,
} from "../model/index.ts";

/** What stands in a cell. null: not known, an empty cell and never 0. */
export type Cell = string | number | null;
/** How the numbers of a column are written where they are rounded. */
export type CellKind = "text" | "count" | "number" | "seconds" | "money" | "share" | "date";

/** A column of a table. */
export interface Column {
	key: string;
	label: string;
	/** The unit stands in the heading, never in a cell. */
	unit: string | null;
	kind: CellKind;
}

export const TABLE_KEYS = [
	"cautions",
	"answers",
	"summary",
	"assumptions",
	"loads",
	"ownership",
	"lineage",
	"method",
] as const;
export type TableKey = (typeof TABLE_KEYS)[number];

/** A table as every format writes it. */
export interface Table {
	key: TableKey;
	title: string;
	columns: readonly Column[];
	rows: Cell[][];
}

/** Heading of a column: "Price (USD per GPU-hour)". */
export const heading = ({ label, unit }: Pick<Column, "label" | "unit">): string =>
	unit === null ? label : `${label} (${unit})`;

/** A column with how its cells are read off a thing. */
export interface ReadColumn<Of> extends Column {
	of: (thing: Of) => Cell;
}

const column = <Of>(
	key: string,
	label: string,
	unit: string | null,
	kind: CellKind,
	of: (thing: Of) => Cell,
): ReadColumn<Of> => ({ key, label, unit, kind, of });

/** A figure as tables read it: money may stand in another currency than the answer's. */
export type TableFigure = Pick<Quantity, "value" | "low" | "high" | "evidence" | "arithmetic" | "beyond">;

/** The money of a load in dollars, by its name in the report's currency. */
const DOLLARS = {
	perMonth: "usdPerMonth",
	perRequest: "usdPerRequest",
	perMillionInputTokens: "usdPerMillionInputTokens",
	perMillionOutputTokens: "usdPerMillionOutputTokens",
} as const satisfies Record<keyof CurrencyCost, keyof ReportLoad["cost"]>;

/** Money of a load in the currency of its report. */
export const moneyOf = ({ cost, inCurrency }: ReportLoad, key: keyof CurrencyCost): TableFigure =>
	inCurrency?.[key] ?? cost[DOLLARS[key]];

/** The ends of money: an exact figure is its own interval. */
export const moneyEnds = ({ value, low, high }: TableFigure): { low: Cell; high: Cell } => ({
	low: low ?? value,
	high: high ?? value,
});

/** Middle, low and high of a time or a rate. */
const banded = (
	key: string,
	label: string,
	unit: string,
	kind: CellKind,
	of: (load: ReportLoad) => Quantity,
): ReadColumn<ReportLoad>[] => [
	column(key, label, unit, kind, (load) => of(load).value),
	column(`${key}Low`, `${label}, low`, unit, kind, (load) => of(load).low ?? null),
	column(`${key}High`, `${label}, high`, unit, kind, (load) => of(load).high ?? null),
];

/** Middle, low and high of money. */
const priced = (key: keyof CurrencyCost, label: string, unit: string): ReadColumn<ReportLoad>[] => [
	column(key, label, unit, "money", (load) => moneyOf(load, key).value),
	column(`${key}Low`, `${label}, low`, unit, "money", (load) => moneyEnds(moneyOf(load, key)).low),
	column(`${key}High`, `${label}, high`, unit, "money", (load) => moneyEnds(moneyOf(load, key)).high),
];

const yes = (holds: boolean | null): Cell => (holds === null ? null : holds ? "yes" : "no");

/** The columns of the cost-and-latency table, a row a load, money in the currency of that code. */
export const loadColumns = (code: string): readonly ReadColumn<ReportLoad>[] => [
	column("concurrency", "Requests in flight", null, "count", ({ concurrency }) => concurrency),
	column("rate", "Requests offered", "per second", "number", ({ rate }) => rate),
	column("asked", "Asked about", null, "text", ({ asked }) => yes(asked)),
	column("within", "Within the limits", null, "text", ({ within }) => yes(within)),
	...banded("ttft", "Time to first token, mean", "s", "seconds", ({ ttft }) => ttft),
	column(
		"ttftP50",
		"Time to first token at random arrivals, p50",
		"s",
		"seconds",
		({ ttftP50 }) => ttftP50.value,
	),
	column(
		"ttftP95",
		"Time to first token at random arrivals, p95",
		"s",
		"seconds",
		({ ttftP95 }) => ttftP95.value,
	),
	column("percentilesBy", "p50 and p95 by", null, "text", ({ percentilesBy }) => percentilesBy),
	...banded("tpot", "Time per output token, mean", "s", "seconds", ({ tpot }) => tpot),
	...banded("e2e", "Whole request, mean", "s", "seconds", ({ e2e }) => e2e),
	...banded("requestsPerSecond", "Requests served", "per second", "number", (load) => load.requestsPerSecond),
	column(
		"outputTokensPerSecond",
		"Output tokens",
		"per second",
		"number",
		(load) => load.outputTokensPerSecond.value,
	),
	...priced("perMillionInputTokens", "Million input tokens", code),
	...priced("perMillionOutputTokens", "Million output tokens", code),
	...priced("perRequest", "Request", code),
	...priced("perMonth", "Month", code),
	column("idleShare", "Paid and idle", "share", "share", ({ idleShare }) => idleShare.value),
	column("evidence", "Evidence", null, "text", ({ evidence }) => evidence),
	column("outsideBy", "Beyond what was measured", "times", "number", ({ outsideBy }) => outsideBy),
	column("frontierTtft", "On the frontier of cost and first token", null, "text", (l) =>
		yes(l.frontier.ttft),
	),
	column("frontierTpot", "On the frontier of cost and token", null, "text", (l) => yes(l.frontier.tpot)),
];

/** All that is paid up to the end of a month, in the currency of the report. */
export const totalOf = ({ usd, inCurrency }: ReportMonths): TableFigure => inCurrency ?? usd;

/** A figure of the answer to the load that was asked about. */
export interface Figure {
	key: string;
	label: string;
	unit: string;
	kind: CellKind;
	quantity: TableFigure;
}

/** The figures of the summary, money in the currency of that code; empty where the load has no row. */
export function figuresOf({ loads, capacity, ownership }: ReportSubject, code: string): Figure[] {
	const load = loads.find(({ asked }) => asked);
	if (!load) return [];
	const figure = (
		key: string,
		label: string,
		unit: string,
		kind: CellKind,
		quantity: TableFigure,
	): Figure => ({
		...{ key, label, unit, kind, quantity },
	});
	const money = (key: keyof CurrencyCost, label: string) =>
		figure(key, label, code, "money", moneyOf(load, key));
	const total = ownership.at(-1);
	return [
		money("perMonth", "Cost per month"),
		money("perRequest", "Cost per request"),
		money("perMillionInputTokens", "Cost per million input tokens"),
		money("perMillionOutputTokens", "Cost per million output tokens"),
		...(total
			? [figure("total", `Total cost over ${total.months} months`, code, "money", totalOf(total))]
			: []),
		figure("idleShare", "Paid and idle", "share", "share", load.idleShare),
		figure("ttft", "Time to first token, mean", "s", "seconds", load.ttft),
		figure("ttftP50", "Time to first token at random arrivals, p50", "s", "seconds", load.ttftP50),
		figure("ttftP95", "Time to first token at random arrivals, p95", "s", "seconds", load.ttftP95),
		figure("tpot", "Time per output token, mean", "s", "seconds", load.tpot),
		figure("e2e", "Whole request, mean", "s", "seconds", load.e2e),
		figure("requestsPerSecond", "Requests served", "per second", "number", load.requestsPerSecond),
		figure("outputTokensPerSecond", "Output tokens", "per second", "number", load.outputTokensPerSecond),
		figure("users", "Requests in flight within the limits, at most", "requests", "count", capacity.users),
	];
}

const UNIT_WORDS: Record<string, string> = {
	"USD/hour": "USD per GPU-hour",
	"seconds/token": "s",
	seconds: "s",
	ratio: "share",
	tokens: "tokens",
	GPUs: "GPUs",
};

/** Unit of an assumption as it is read. */
export const unitWords = ({ unit }: Pick<ReportAssumption, "unit">): string | null =>
	unit === null ? null : (UNIT_WORDS[unit] ?? unit);

/** Assumptions that a comparison shares: the load and what it is held against. */
const SHARED = ["currency", "hours", "busy", "context", "output", "cached", "ttftSlo", "tpotSlo"];

/** Whose assumptions they are; null: of all configurations. */
export interface AssumptionGroup {
	subject: ReportSubject | null;
	assumptions: ReportAssumption[];
}

/** Assumptions by configuration; those that all share come once, first. */
export function assumptionGroups({ subjects }: Report): AssumptionGroup[] {
	const [first] = subjects;
	if (!first || subjects.length === 1)
		return subjects.map((subject) => ({ subject, assumptions: subject.assumptions }));
	const shared = (one: ReportAssumption) => SHARED.includes(one.key);
	return [
		{ subject: null, assumptions: first.assumptions.filter(shared) },
		...subjects.map((subject) => ({
			subject,
			assumptions: subject.assumptions.filter((one) => !shared(one)),
		})),
	];
}

const text = (key: string, label: string): Column => ({ key, label, unit: null, kind: "text" });
const numeric = (key: string, label: string): Column => ({ key, label, unit: null, kind: "number" });

/** Every table of a report, what it rests on first; the same for all formats. */
export function tablesOf(report: Report): Table[] {
	const { subjects, currency } = report;
	const columns = loadColumns(currency.code);
	const name = (subject: ReportSubject) => (subjects.length > 1 ? subject.name : subject.label);
	const configuration = text("configuration", "Configuration");
	const each = (rows: (subject: ReportSubject) => Cell[][]) =>
		subjects.flatMap((subject) => rows(subject).map((row) => [name(subject), ...row]));
	return [
		{
			key: "cautions",
			title: "What this rests on",
			columns: [text("caution", "Caution")],
			rows: report.cautions.map((caution) => [caution]),
		},
		{
			key: "answers",
			title: report.title,
			columns: [
				...[configuration, text("name", "Name"), text("answer", "Answer")],
				...[
					text("permalink", "The same question in the planner"),
					{ ...text("made", "Made on"), kind: "date" as const },
				],
			],
			rows: each(({ label, headline, permalink }) => [[label, headline, permalink, report.madeOn]]),
		},
		{
			key: "summary",
			title: "Summary",
			columns: [
				...[configuration, text("figure", "Figure"), numeric("value", "Value"), numeric("low", "Low")],
				...[numeric("high", "High"), text("unit", "Unit"), text("evidence", "Evidence")],
				text("arithmetic", "How it comes about"),
			],
			rows: each((subject) =>
				figuresOf(subject, currency.code).map(({ label, unit, quantity: q }) => [
					...[label, q.value, q.low ?? null, q.high ?? null, unit, q.evidence],
					[q.arithmetic, q.beyond].filter(Boolean).join(". "),
				]),
			),
		},
		{
			key: "assumptions",
			title: "Assumptions",
			columns: [
				...[
					configuration,
					text("assumption", "Assumption"),
					numeric("value", "Value"),
					numeric("low", "Low"),
				],
				...[
					numeric("high", "High"),
					text("unit", "Unit"),
					text("evidence", "Evidence"),
					text("basis", "Basis"),
				],
				...[text("source", "Source"), { ...text("date", "Date"), kind: "date" as const }],
			],
			rows: assumptionGroups(report).flatMap(({ subject, assumptions }) =>
				assumptions.map((one) => [
					...[subject === null ? "all" : name(subject), one.label, one.value, one.low ?? null],
					...[one.high ?? null, unitWords(one), one.evidence, one.basis, one.source, one.date],
				]),
			),
		},
		{
			key: "loads",
			title: "Cost and latency by load",
			columns: [configuration, ...columns],
			rows: each(({ loads }) => loads.map((load) => columns.map(({ of }) => of(load)))),
		},
		{
			key: "ownership",
			title: "Total cost at the load asked about",
			columns: [
				...[configuration, { key: "months", label: "Months", unit: null, kind: "count" as const }],
				...["Total", "Total, low", "Total, high"].map((label) => ({
					...{ key: label, label, unit: currency.code, kind: "money" as const },
				})),
				{ key: "requests", label: "Requests served", unit: null, kind: "count" as const },
			],
			rows: each(({ ownership }) =>
				ownership.map((one) => {
					const total = totalOf(one);
					const { low, high } = moneyEnds(total);
					return [one.months, total.value, low, high, one.requests.value];
				}),
			),
		},
		{
			key: "lineage",
			title: "Fits and the runs they read",
			columns: [
				...[configuration, text("engine", "Engine"), text("engineVersion", "Engine version")],
				...[text("phase", "Phase"), text("fit", "Fit"), numeric("revision", "Revision")],
				...[text("fitted", "Fitted at"), text("run", "Run"), text("label", "Name of the run")],
				...[text("format", "Format"), text("posted", "Posted at")],
			],
			rows: each(lineageRows),
		},
		{
			key: "method",
			title: "Method and error",
			columns: [configuration, text("method", "Method")],
			rows: [...each(({ method }) => [[method]]), ...report.method.map((words): Cell[] => ["all", words])],
		},
	];
}

function lineageRows({ engine, engineVersion, fits }: ReportSubject): Cell[][] {
	return fits.flatMap((fit) => {
		const named = [engine, engineVersion, fit.phase, fit.id, fit.revision, fit.fittedAt];
		return fit.runs.length === 0
			? [[...named, null, null, null, null]]
			: fit.runs.map((run) => [...named, run.id, run.label, run.format, run.postedAt]);
	});
}
