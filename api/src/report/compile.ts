import {
	type Currency,
	type LoadAnswer,
	type PlanFacts,
	type Report,
	type ReportQuestion,
	report,
	reportSimulations,
	type Scenario,
} from "../model/index.ts";
import publicRecord from "../model/trust/record.json" with { type: "json" };
import { scenarioFromQuery, scenarioToQuery } from "../scenario.ts";
import { simulate } from "../simulation/simulation.ts";
import { readFitLineage } from "../store/fits.ts";
import { readForecastRecords } from "../store/forecasts.ts";
import { readScenario } from "../store/scenarios.ts";
import type { Queryable } from "../store/sql.ts";

/** One configuration of a report as it is asked for. */
interface AskedQuestion {
	scenario: Scenario;
	facts: PlanFacts;
	/** Keys of the query; none: the question that the planner opens with. */
	given: readonly string[];
	/** Address of the planner. */
	planner: string;
	kept?: NonNullable<ReportQuestion["kept"]>;
}

const NO_TALLY = { count: 0, medianError: null, intervalHeld: 0 };

/** What is known of how the numbers of a question came about. */
export async function readQuestion(
	sql: Queryable,
	{ scenario, facts, given, planner, kept }: AskedQuestion,
): Promise<ReportQuestion> {
	const id = facts.configuration?.id ?? null;
	const permalink = `${planner}/?${scenarioToQuery(scenario)}`;
	const question = { scenario, facts, given, permalink, ...(kept && { kept }) };
	if (id === null) return { ...question, fits: [], tally: NO_TALLY };
	const [fits, tallies] = await Promise.all([readFitLineage(sql, id), readForecastRecords(sql, [id])]);
	return { ...question, fits, tally: tallies.get(id) ?? NO_TALLY };
}

/** A kept scenario as it was kept, with the facts of its day. */
export async function readKeptQuestion(sql: Queryable, id: string, planner: string): Promise<ReportQuestion> {
	const { name, query, facts, createdAt, change } = await readScenario(sql, id);
	const params = new URLSearchParams(query);
	const { scenario } = scenarioFromQuery(params);
	const on = createdAt.slice(0, 10);
	const moved =
		change === null ? "what it is about was taken out since" : "newer ones give other figures today";
	const caution =
		change?.figures.length === 0
			? null
			: `As kept on ${on}, with the measurements and prices of that day: ${moved}.`;
	return readQuestion(sql, { scenario, facts, given: [...params.keys()], planner, kept: { name, caution } });
}

/**
 * The report of some questions, their percentiles simulated load by load in a worker thread.
 * @throws Problem 503 where too many simulations are waiting
 */
export async function compileReport(
	questions: readonly ReportQuestion[],
	address: string,
	currency: Currency,
	signal: AbortSignal,
): Promise<Report> {
	const simulated: (LoadAnswer | null)[][] = [];
	for (const { scenario, facts } of questions) {
		const answers: (LoadAnswer | null)[] = [];
		for (const ask of reportSimulations(scenario, facts))
			answers.push(ask && (await simulate({ scenario, facts, ask, points: [] }, signal)));
		simulated.push(answers);
	}
	const on = new Date().toISOString().slice(0, 10);
	return report(questions, simulated, { on, address, currency }, publicRecord);
}
