import { HOURS_PER_MONTH } from "../money/cost.ts";
import { type Currency, rateWords, US_DOLLAR } from "../money/price.ts";
import { count, figure, percent, seconds, usd } from "../trust/figures.ts";
import type { Quantity } from "../trust/quantity.ts";
import { state } from "../trust/statement.ts";
import type { Capacity } from "./answer.ts";
import { capacity } from "./capacity.ts";
import type { LoadAnswer } from "./load-answer.ts";
import { type Outlook, outlookOf } from "./outlook.ts";
import type { PlanFacts, Scenario } from "./question.ts";
import { type ReportAssumption, reportAssumptions } from "./report-assumptions.ts";
import { cautionsOf } from "./report-cautions.ts";
import { type CurrencyFigure, inCurrency } from "./report-currency.ts";
import {
	type LadderLoad,
	loadWords,
	markFrontier,
	type ReportLoad,
	reportLadder,
	reportLoad,
} from "./report-loads.ts";
import {
	type ForecastTally,
	methodOf,
	type PublicRecord,
	READING_EVIDENCE,
	recordWords,
} from "./report-method.ts";

/** A fit that a report rests on, with the runs whose measurements it read. */
export interface ReportFit {
	phase: "prefill" | "decode" | "serve";
	/** Of the fit. */
	id: string;
	/** Counted per configuration; a newer one takes its place, the old one stays. */
	revision: number;
	/** Instant. */
	fittedAt: string;
	runs: { id: string; label: string; format: string; postedAt: string; origin: string }[];
}

/** One configuration of a report as it is asked about. */
export interface ReportQuestion {
	scenario: Scenario;
	facts: PlanFacts;
	/** Keys of the question that were asked for. */
	given: readonly string[];
	/** Address of the same question in the planner. */
	permalink: string;
	fits: readonly ReportFit[];
	tally: ForecastTally;
	/** Of a kept scenario: its name, and what to say of its age. */
	kept?: { name: string; caution: string | null };
}

/** Total cost of ownership up to the end of a month, at the load of the question. */
export interface ReportMonths {
	months: number;
	usd: Quantity;
	/** The same in the currency of the report; null: US dollars. */
	inCurrency: CurrencyFigure | null;
	/** Served in the busy hours. */
	requests: Quantity;
}

/** The answer about one configuration. */
export interface ReportSubject {
	/** A letter. */
	name: string;
	label: string;
	/** What was asked and what comes out, without money. */
	headline: string;
	permalink: string;
	/** With every default filled in. */
	scenario: Scenario;
	/** On what weak ground this answer stands; empty where on none. */
	cautions: string[];
	assumptions: ReportAssumption[];
	capacity: Capacity;
	loads: ReportLoad[];
	ownership: ReportMonths[];
	/** How the numbers were made, and how wrong they were where that was tried. */
	method: string;
	engine: string | null;
	engineVersion: string | null;
	fits: readonly ReportFit[];
}

/** What a load costs at which latency: the same in every format. */
export interface Report {
	title: string;
	/** ISO day. */
	madeOn: string;
	/** Address under which the report is made anew. */
	address: string;
	/** In which money is told; US dollars where nothing else was asked for. */
	currency: Currency;
	/** On top of every format. */
	cautions: string[];
	subjects: ReportSubject[];
	/** What the words for evidence mean, and how the laws did on public data. */
	method: string[];
}

/** Months at whose end the total is told. */
const MONTHS = [1, 12, 24, 36];
const SUBJECT_NAMES = "ABCD";
/** Configurations that one report compares at most. */
export const MOST_SUBJECTS = SUBJECT_NAMES.length;

/** What the simulator has to be asked for a report, load by load; null: not to be simulated. */
export const reportSimulations = (scenario: Scenario, facts: PlanFacts): LadderLoad["simulation"][] =>
	reportLadder(outlookOf(scenario, facts)).map(({ simulation }) => simulation);

/**
 * The finance report of one configuration, of up to four under the same load, or of up to four kept scenarios.
 * @param questions in the order in which they are named A, B, C, D
 * @param simulated for each of them what the simulator answered to `reportSimulations`, load by load
 * @param made.on ISO day
 * @param made.currency in which money is told; its rate is given, not looked up
 * @param record of the laws on public measurements
 * @throws RangeError without any question, or with more than four
 */
export function report(
	questions: readonly ReportQuestion[],
	simulated: readonly (readonly (LoadAnswer | null)[])[],
	made: { on: string; address: string; currency: Currency },
	record: PublicRecord,
): Report {
	if (questions.length < 1 || questions.length > MOST_SUBJECTS)
		throw new RangeError(`questions must be 1 to ${MOST_SUBJECTS}, not ${questions.length}`);
	const subjects = questions.map((question, i) =>
		subjectOf(SUBJECT_NAMES[i] ?? "", question, simulated[i] ?? [], made),
	);
	markFrontier(subjects.flatMap(({ loads }) => loads));
	const several = subjects.length > 1;
	const rate = rateWords(made.currency);
	return {
		title: several
			? `Cost and latency of ${subjects.length} ${nounOf(questions)}`
			: `Cost and latency: ${subjects[0]?.label ?? ""}`,
		madeOn: made.on,
		address: made.address,
		currency: made.currency,
		cautions: [
			...(rate === null ? [] : [`Money is told in ${made.currency.code}: ${rate}.`]),
			...subjects.flatMap(({ name, cautions }) =>
				cautions.map((caution) => (several ? `${name}: ${caution}` : caution)),
			),
		],
		subjects,
		method: [READING_EVIDENCE, recordWords(record)],
	};
}

/** What is held side by side: the same configuration asked twice is two plans. */
function nounOf(questions: readonly ReportQuestion[]): string {
	if (questions.every(({ kept }) => kept)) return "scenarios";
	const ids = new Set(questions.map(({ facts }) => facts.configuration?.id));
	return ids.size === questions.length && !ids.has(undefined) ? "configurations" : "plans";
}

function subjectOf(
	name: string,
	{ scenario, facts, given, permalink, fits, tally, kept }: ReportQuestion,
	simulated: readonly (LoadAnswer | null)[],
	{ on: madeOn, currency: told }: { on: string; currency: Currency },
): ReportSubject {
	const outlook = outlookOf(scenario, facts);
	const currency = told.code === US_DOLLAR.code ? null : told;
	const loads = reportLadder(outlook).map((load, i) =>
		reportLoad(outlook, load, simulated[i] ?? null, currency),
	);
	const asked = loads.find((load) => load.asked);
	const most = capacity(scenario, facts);
	return {
		name,
		label: kept ? `${kept.name} (${labelOf(outlook)})` : labelOf(outlook),
		headline: asked ? headlineOf(outlook, asked, most) : "",
		permalink,
		scenario: outlook.resolved.scenario,
		cautions: [...(kept?.caution ? [kept.caution] : []), ...cautionsOf(outlook, loads, madeOn)],
		assumptions: reportAssumptions(outlook, { given, madeOn, measuredOn: newestOf(fits), currency }),
		capacity: most,
		loads,
		ownership: asked ? MONTHS.map((months) => ownershipAt(outlook, asked, months, currency)) : [],
		method: methodOf(outlook, tally),
		engine: facts.configuration?.engine ?? outlook.resolved.engine,
		engineVersion: facts.configuration?.engineVersion ?? null,
		fits,
	};
}

/** ISO day of the newest run behind some fits. */
function newestOf(fits: readonly ReportFit[]): string | null {
	const days = fits.flatMap(({ runs }) => runs.map(({ postedAt }) => postedAt.slice(0, 10))).sort();
	return days.at(-1) ?? null;
}

function labelOf({ facts: { configuration, model, gpu }, resolved: { asked, scenario } }: Outlook): string {
	if (configuration) return configuration.label;
	const named = [model?.name ?? scenario.model, gpu?.name ?? scenario.gpu].filter(Boolean).join(" on ");
	return named === "" ? "nothing chosen" : `${named} × ${asked.gpus}`;
}

function headlineOf({ resolved: { scenario } }: Outlook, asked: ReportLoad, most: Capacity): string {
	const load = `${loadWords(asked)} of ${count(scenario.context)} prompt and ${count(scenario.output)} output tokens`;
	const { ttft, tpot, e2e } = asked;
	const times =
		ttft.value === null || tpot.value === null || e2e.value === null
			? `times are not known: ${ttft.arithmetic}`
			: `the first token after ${within(ttft)}, each further one ${within(tpot)}, the whole answer in ${within(e2e)} on average`;
	const limits = `${seconds(scenario.ttftSlo ?? 0)} to the first token and ${seconds(scenario.tpotSlo ?? 0)} per token`;
	const held =
		asked.within === null
			? "Whether that is within the limits could not be checked."
			: `That is ${asked.within ? "within" : "not within"} the limits of memory, ${limits}${asked.within ? "" : `: ${asked.reasons[0] ?? ""}`}${asked.within ? "." : ""}`;
	const { value } = most.users;
	const carried =
		value === null
			? ""
			: ` Up to ${count(value)} ${value === 1 ? "request" : "requests"} in flight stay within them.`;
	const words = `${load}: ${times}. ${held}${carried}`;
	return words.charAt(0).toUpperCase() + words.slice(1);
}

const within = ({ value, low, high }: Quantity): string =>
	value === null
		? "an unknown time"
		: `${seconds(value)}${low === undefined || high === undefined || low === high ? "" : ` (${seconds(low)} to ${seconds(high)})`}`;

function ownershipAt(
	outlook: Outlook,
	asked: ReportLoad,
	months: number,
	currency: Currency | null,
): ReportMonths {
	const { price } = outlook;
	const { said } = outlook.resolved;
	const { usdPerMonth } = asked.cost;
	const cost = (month: number | null | undefined) => (month == null ? null : month * months);
	const total = state(
		cost(usdPerMonth.value),
		"USD",
		usdPerMonth.evidence,
		() =>
			usdPerMonth.value === null
				? usdPerMonth.arithmetic
				: `${usd(usdPerMonth.value)} a month × ${months} = ${usd(usdPerMonth.value * months)}; ${price?.from() ?? ""}`,
		{},
		usdPerMonth.sources,
	);
	if (usdPerMonth.low !== undefined && usdPerMonth.high !== undefined)
		Object.assign(total, { low: usdPerMonth.low * months, high: usdPerMonth.high * months });
	const rate = asked.requestsPerSecond;
	const served = (perSecond: number) => perSecond * 3600 * HOURS_PER_MONTH * said.busy * months;
	const requests = state(rate.value === null ? null : served(rate.value), "requests", rate.evidence, () =>
		rate.value === null
			? rate.arithmetic
			: `${figure(rate.value)} requests/s × 3,600 × ${HOURS_PER_MONTH} h × ${percent(said.busy)} busy × ${months} = ${count(Math.round(served(rate.value)))}`,
	);
	if (rate.low !== undefined && rate.high !== undefined)
		Object.assign(requests, { low: served(rate.low), high: served(rate.high) });
	return { months, usd: total, inCurrency: currency && inCurrency(total, currency), requests };
}
