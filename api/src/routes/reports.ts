import { createRoute, z } from "@hono/zod-openapi";
import type { AppDeps } from "../deps.ts";
import { MOST_SUBJECTS, type Report, type ReportQuestion } from "../model/index.ts";
import { invalidInput } from "../problem.ts";
import { compileReport, readKeptQuestion, readQuestion } from "../report/compile.ts";
import { COMMA_CSV, type CsvOptions, csvText, PLAIN_CSV } from "../report/csv.ts";
import { paperOf } from "../report/paper.ts";
import { tablesOf } from "../report/tables.ts";
import { workbookOf } from "../report/workbook.ts";
import type { Queryable } from "../store/sql.ts";
import { readAsked } from "./asked.ts";
import { answers, problems } from "./problem-schema.ts";
import { CURRENCY_KEYS, csvQuery, currencyOf, reportQuery, reportSchema } from "./report-schema.ts";
import { router } from "./router.ts";

const tags = ["Answers"];
const description =
	"The keys of /plan. For the asked load and a ladder of others: times, throughput and money with evidence, low and " +
	"high; assumptions with source and date; the frontier of cost and latency; total cost; fits and runs. " +
	"configuration may be given up to four times, to hold them against each other under the same load; so may scenario, the " +
	"id of a kept one, and plan, a whole question as a query string. Money is told in US dollars, or in the currency whose " +
	"rate is given.";

const TYPES = {
	csv: "text/csv; charset=utf-8",
	xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	pdf: "application/pdf",
} as const;
type FileFormat = keyof typeof TYPES;

const json = createRoute({
	method: "get",
	path: "/reports/cost-latency.json",
	tags,
	summary: "What a load costs at which latency, as JSON",
	description,
	request: { query: reportQuery },
	responses: { 200: answers(reportSchema, "The report"), ...problems(400, 404) },
});

const fileRoute = <Format extends FileFormat, Query extends z.ZodObject>(
	format: Format,
	summary: string,
	query: Query,
) =>
	createRoute({
		method: "get",
		path: `/reports/cost-latency.${format}`,
		tags,
		summary,
		description,
		request: { query },
		responses: {
			200: {
				description: "The report",
				content: { [TYPES[format]]: { schema: z.string().openapi({ format: "binary" }) } },
			},
			...problems(400, 404),
		},
	});

const csv = fileRoute("csv", "The same as CSV", reportQuery.extend(csvQuery.shape));
const xlsx = fileRoute("xlsx", "The same as a workbook whose money is formulas", reportQuery);

const pdf = fileRoute("pdf", "The same as a paper for a board", reportQuery);

/** The finance report in its formats. */
export function reportRoutes({ database: { sql } }: AppDeps) {
	const made = async (
		{ url, signal }: Request,
		asked: z.output<typeof reportQuery>,
		otherKeys: readonly string[] = [],
	) => {
		const currency = currencyOf(asked);
		const questions = await questionsOf(sql, url, [...otherKeys, ...CURRENCY_KEYS]);
		return compileReport(questions, url, currency, signal);
	};
	return router()
		.openapi(json, async (c) => {
			const report = await made(c.req.raw, c.req.valid("query"));
			return c.json(report, 200, { "content-disposition": `inline; filename="${fileName(report, "json")}"` });
		})
		.openapi(csv, async (c) => {
			const { table, ...options } = c.req.valid("query");
			const written = csvOptions(options);
			const report = await made(c.req.raw, c.req.valid("query"), Object.keys(csvQuery.shape));
			const tables = tablesOf(report).filter(({ key, rows }) =>
				table === undefined ? rows.length > 0 : key === table,
			);
			return c.body(csvText(tables, written), 200, fileHeaders(report, "csv"));
		})
		.openapi(xlsx, async (c) => {
			const report = await made(c.req.raw, c.req.valid("query"));
			return c.body(workbookOf(report, new Date().toISOString()), 200, fileHeaders(report, "xlsx"));
		})
		.openapi(pdf, async (c) => {
			const report = await made(c.req.raw, c.req.valid("query"));
			return c.body(await paperOf(report, new Date()), 200, fileHeaders(report, "pdf"));
		});
}

/** The questions of an address, one a configuration, a plan or a kept scenario. @throws Problem 400 that names every key that cannot be read */
async function questionsOf(
	sql: Queryable,
	address: string,
	otherKeys: readonly string[],
): Promise<ReportQuestion[]> {
	const { origin, searchParams: query } = new URL(address);
	for (const key of otherKeys) query.delete(key);
	const whole = [...query].filter(([key]) => WHOLE.includes(key));
	if (whole.length > 0) {
		checkAlone(query, whole.length);
		return Promise.all(
			whole.map(([key, value], at) =>
				key === "scenario" ? readKeptQuestion(sql, value, origin) : readPlan(sql, value, at, origin),
			),
		);
	}
	const ids = query.getAll("configuration");
	const given = [...new Set(query.keys())];
	const each = ids.length > 1 ? ids.map((id) => withConfiguration(query, id)) : [query];
	return Promise.all(
		each.map(async (one) => readQuestion(sql, { ...(await readAsked(sql, one)), given, planner: origin })),
	);
}

/** Keys whose value is a whole question. */
const WHOLE = ["plan", "scenario"];

/** @throws Problem 400 where whole questions stand beside parts of one, or are too many */
function checkAlone(query: URLSearchParams, count: number): void {
	const beside = [...new Set(query.keys())].filter((key) => !WHOLE.includes(key));
	if (beside.length > 0) {
		const of = query.has("plan") ? "every plan" : "the kept scenario";
		throw invalidInput(beside.map((at) => ({ at, reason: `is part of ${of}: leave it out` })));
	}
	if (count > MOST_SUBJECTS)
		throw invalidInput([{ at: "plan", reason: `give ${MOST_SUBJECTS} plans and scenarios at most` }]);
}

/** A question that stands in the address as a query string; a key of it that cannot be read is named with its place. */
async function readPlan(sql: Queryable, plan: string, at: number, planner: string): Promise<ReportQuestion> {
	const query = new URLSearchParams(plan);
	const asked = await readAsked(sql, query, (key) => `plan.${at}.${key}`);
	return readQuestion(sql, { ...asked, given: [...new Set(query.keys())], planner });
}

function withConfiguration(query: URLSearchParams, id: string): URLSearchParams {
	const one = new URLSearchParams(query);
	one.set("configuration", id);
	return one;
}

/** @throws Problem 400 where decimals could not be told from separators */
function csvOptions(asked: Omit<z.output<typeof csvQuery>, "table">): CsvOptions {
	const foreign = asked.locale === "de" || asked.locale === "ru";
	const base = foreign || asked.decimal === "," ? COMMA_CSV : PLAIN_CSV;
	const options: CsvOptions = {
		separator: asked.separator === "tab" ? "\t" : (asked.separator ?? base.separator),
		decimal: asked.decimal ?? base.decimal,
		bom: asked.bom === undefined ? foreign : asked.bom === "1",
	};
	if (options.separator === options.decimal)
		throw invalidInput([{ at: "separator", reason: "must differ from the decimal sign" }]);
	return options;
}

const fileName = ({ subjects, madeOn }: Report, extension: string): string => {
	const what = subjects.length === 1 ? (subjects[0]?.label ?? "") : `${subjects.length} side by side`;
	const slug = what
		.toLowerCase()
		.replaceAll(/[^a-z0-9]+/g, "-")
		.replaceAll(/^-|-$/g, "")
		.slice(0, 60);
	return `${["cost-latency", slug, madeOn].filter(Boolean).join("-")}.${extension}`;
};

const fileHeaders = (report: Report, format: FileFormat) => ({
	"content-type": TYPES[format],
	"content-disposition": `${format === "pdf" ? "inline" : "attachment"}; filename="${fileName(report, format)}"`,
});
