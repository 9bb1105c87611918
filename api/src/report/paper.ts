import { figure, type Report, type ReportLoad, type ReportSubject } from "../model/index.ts";
import { drawFrontier } from "./frontier-chart.ts";
import { printed, printedRange } from "./print.ts";
import { INK, Paper, type PaperColumn } from "./sheet-of-paper.ts";
import {
	assumptionGroups,
	type CellKind,
	figuresOf,
	moneyOf,
	type TableFigure,
	totalOf,
	unitWords,
} from "./tables.ts";

/** Runs of one fit that are printed; the other formats have all. */
const PRINTED_RUNS = 12;

/**
 * A report as a PDF to lay before a board.
 * @param made when it was asked for
 */
export function paperOf(report: Report, made: Date): Promise<Uint8Array<ArrayBuffer>> {
	const paper = new Paper(report.title, `${report.title} · ${report.madeOn}`, made);
	paper.title(report.title);
	paper.say(`Made on ${report.madeOn} with Plimsoll.`, { colour: INK.soft });
	if (report.cautions.length > 0) paper.warn("What this rests on", report.cautions);
	const several = report.subjects.length > 1;
	const { code } = report.currency;
	for (const subject of report.subjects) summary(paper, subject, several, code);
	charts(paper, report);
	for (const subject of report.subjects) loads(paper, subject, several, code);
	ownership(paper, report);
	assumptions(paper, report);
	method(paper, report);
	lineage(paper, report);
	return paper.finish();
}

const named = ({ name, label }: ReportSubject, several: boolean): string =>
	several ? `${name}: ${label}` : label;

const value = (quantity: TableFigure, kind: CellKind, code?: string): string =>
	printed(quantity.value, kind, code);
/** A value with its interval below. */
const both = (quantity: TableFigure, kind: CellKind, code?: string): string =>
	[value(quantity, kind, code), printedRange(quantity, kind, code)].filter(Boolean).join("\n");

function summary(paper: Paper, subject: ReportSubject, several: boolean, code: string): void {
	paper.heading(several ? named(subject, several) : "Summary", 120);
	paper.say(subject.headline);
	paper.say(subject.permalink, { size: 7.5, colour: INK.accent, link: subject.permalink });
	const figures = figuresOf(subject, code);
	const tile = (key: string) => {
		const found = figures.find((figure) => figure.key === key);
		return found
			? [
					{
						label: found.label,
						value: value(found.quantity, found.kind, code),
						under: printedRange(found.quantity, found.kind, code) || found.quantity.evidence,
					},
				]
			: [];
	};
	paper.tiles(["perMonth", "perRequest", "ttft", "tpot"].flatMap(tile));
	paper.table(
		[
			{ heading: "Figure", width: 20 },
			{ heading: "Value", width: 14, align: "right" },
			{ heading: "Low to high", width: 19, align: "right" },
			{ heading: "Evidence", width: 11 },
			{ heading: "How it comes about", width: 36 },
		],
		figures.map(({ label, kind, quantity }) => [
			...[
				label,
				value(quantity, kind, code),
				printedRange(quantity, kind, code),
				quantity.evidence,
				formulaOf(quantity, kind),
			],
		]),
	);
}

/** How a figure comes about; where the price of money comes from stands once, among the assumptions. */
const formulaOf = ({ arithmetic }: TableFigure, kind: CellKind): string =>
	kind === "money" ? arithmetic.replace(/; \$.*$/s, "") : arithmetic;

function charts(paper: Paper, report: Report): void {
	paper.heading("Cost against latency", 260);
	if (drawFrontier(paper, report))
		paper.say(
			"A point a load; the asked one ringed. Filled: no other load is both cheaper per request and faster. Lines through points: 95 % intervals and the range of the price. Both axes are logarithmic.",
			{ size: 7.5, colour: INK.soft },
		);
	else paper.say("Not drawn: costs or times are not known.");
}

const yes = (within: boolean | null): string => (within === null ? "unknown" : within ? "yes" : "no");

/** How the times are known, with the factor beyond what was measured where it is worth a word. */
const evidenceOf = ({ evidence, outsideBy }: ReportLoad): string =>
	outsideBy > 1.05 ? `${evidence}, ${figure(outsideBy, 2)}×` : evidence;

const LOAD: PaperColumn = { heading: "In flight", width: 6 };
const right = (heading: string, width: number): PaperColumn => ({ heading, width, align: "right" });

function loads(paper: Paper, subject: ReportSubject, several: boolean, code: string): void {
	const asked = (row: number) => subject.loads[row]?.asked === true;
	const prefix = several ? `${subject.name}: ` : "";
	const name = ({ concurrency, rate }: ReportLoad) =>
		concurrency === null ? `${printed(rate, "number")}/s` : printed(concurrency, "count");
	paper.heading(`${prefix}Latency by load`);
	paper.table(
		[
			...[LOAD, right("First token, mean", 16), right("p50 at random", 9), right("p95 at random", 9)],
			...[right("Per token, mean", 17), right("Whole request, mean", 16), right("Requests per s", 10)],
			{ heading: "Within limits", width: 7 },
			{ heading: "Evidence", width: 11 },
		],
		subject.loads.map((load) => [
			...[
				name(load),
				both(load.ttft, "seconds"),
				value(load.ttftP50, "seconds"),
				value(load.ttftP95, "seconds"),
			],
			...[both(load.tpot, "seconds"), both(load.e2e, "seconds"), value(load.requestsPerSecond, "number")],
			...[yes(load.within), evidenceOf(load)],
		]),
		asked,
	);
	const sources = [...new Set(subject.loads.map(({ percentilesBy }) => shortened(percentilesBy)))];
	paper.say(
		`p50 and p95 of the first token, requests arriving at random as many per second as the load serves: ${sources.join("; ")}. The asked load in bold; × is the factor beyond what was measured.`,
		{ size: 7.5, colour: INK.soft },
	);
	paper.heading(`${prefix}Cost by load`);
	paper.table(
		[
			...[LOAD, right("Million input tokens", 19), right("Million output tokens", 19), right("Request", 23)],
			...[right("Month", 23), right("Paid and idle", 9)],
		],
		subject.loads.map((load) => [
			name(load),
			...(["perMillionInputTokens", "perMillionOutputTokens", "perRequest", "perMonth"] as const).map((key) =>
				both(moneyOf(load, key), "money", code),
			),
			value(load.idleShare, "share"),
		]),
		asked,
	);
}

/** The words without what differs from load to load. */
const shortened = (words: string): string => words.replace(/ at random, .* a second/, "");

function ownership(paper: Paper, report: Report): void {
	const several = report.subjects.length > 1;
	const { code } = report.currency;
	paper.heading("Total cost at the load asked about");
	paper.table(
		[
			...(several ? [{ heading: "", width: 5 }] : []),
			...[right("Months", 8), right("Total", 18), right("Low to high", 28), right("Requests served", 20)],
			...[{ heading: "Evidence", width: 12 }],
		],
		report.subjects.flatMap(({ name, ownership }) =>
			ownership.map((one) => {
				const total = totalOf(one);
				return [
					...(several ? [name] : []),
					...[String(one.months), value(total, "money", code), printedRange(total, "money", code)],
					...[value(one.requests, "count"), total.evidence],
				];
			}),
		),
	);
}

const ASSUMED_KINDS: Record<string, CellKind> = {
	"USD/hour": "money",
	USD: "money",
	seconds: "seconds",
	"seconds/token": "seconds",
	ratio: "share",
};

function assumptions(paper: Paper, report: Report): void {
	paper.heading("Assumptions");
	const several = report.subjects.length > 1;
	paper.table(
		[
			...(several ? [{ heading: "", width: 4 }] : []),
			...[{ heading: "Assumption", width: 25 }, right("Value", 20), { heading: "Evidence", width: 11 }],
			...[
				{ heading: "Basis", width: 27 },
				{ heading: "Source, date", width: 26 },
			],
		],
		assumptionGroups(report).flatMap(({ subject, assumptions }) =>
			assumptions.map((one) => {
				const kind = ASSUMED_KINDS[one.unit ?? ""] ?? "number";
				const unit = kind === "number" ? (unitWords(one) ?? "") : "";
				const shown =
					typeof one.value === "number"
						? `${printed(one.value, kind)} ${unit}`.trim()
						: printed(one.value, "text");
				const ends = printedRange(one, kind);
				return [
					...(several ? [subject?.name ?? "all"] : []),
					...[one.label, ends ? `${shown}\n${ends}` : shown, one.evidence, one.basis],
					[one.source, one.date].filter(Boolean).join(", "),
				];
			}),
		),
	);
}

function method(paper: Paper, { subjects, method: general }: Report): void {
	paper.heading("Method and error");
	for (const { name, method } of subjects)
		paper.say(subjects.length > 1 ? `${name}: ${method}` : method, { size: 8.5 });
	for (const words of general) paper.say(words, { size: 8.5 });
}

function lineage(paper: Paper, { subjects, address }: Report): void {
	paper.heading("Fits and the runs they read");
	const rows = subjects.flatMap(({ name, engine, engineVersion, fits }) =>
		fits.map(({ phase, id, revision, fittedAt, runs }) => {
			const shown = runs.slice(0, PRINTED_RUNS).map((run) => `${run.id} (${run.label})`);
			const more = runs.length - shown.length;
			return [
				...[
					name,
					[engine, engineVersion].filter(Boolean).join(" "),
					phase,
					`${id}\nrevision ${revision}, ${fittedAt.slice(0, 10)}`,
				],
				[...shown, ...(more > 0 ? [`and ${more} more`] : [])].join("\n"),
			];
		}),
	);
	if (rows.length === 0) paper.say("Nothing was measured: there are no fits.");
	else
		paper.table(
			[
				...[
					{ heading: "", width: 4 },
					{ heading: "Engine", width: 13 },
					{ heading: "Phase", width: 9 },
				],
				...[
					{ heading: "Fit", width: 34 },
					{ heading: "Runs", width: 44 },
				],
			],
			rows,
		);
	paper.say(address, { size: 7.5, colour: INK.accent, link: address });
}
