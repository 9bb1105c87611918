import {
	type LoadAnswer,
	type PlanFacts,
	type Report,
	type ReportQuestion,
	report,
	reportSimulations,
	type Scenario,
} from "../model/index.ts";
import kept from "../model/trust/record.json" with { type: "json" };
import { scenarioToQuery } from "../scenario.ts";
import { simulate } from "../simulation/simulation.ts";
import { readFitLineage } from "../store/fits.ts";
import { readForecastRecords } from "../store/forecasts.ts";
import type { Queryable } from "../store/sql.ts";

/** One configuration of a report as it is asked for. */
interface AskedQuestion {
	scenario: Scenario;
	facts: PlanFacts;
	/** Keys of the query; none: the question that the planner opens with. */
	given: readonly string[];
	/** Address of the planner. */
	planner: string;
}

const NO_TALLY = { count: 0, medianError: null, intervalHeld: 0 };

/** What is known of how the numbers of a question came about. */
export async function readQuestion(
	sql: Queryable,
	{ scenario, facts, given, planner }: AskedQuestion,
): Promise<ReportQuestion> {
	const id = facts.configuration?.id ?? null;
	const permalink = `${planner}/?${scenarioToQuery(scenario)}`;
	const question = { scenario, facts, given, permalink };
	if (id === null) return { ...question, fits: [], tally: NO_TALLY };
	const [fits, tallies] = await Promise.all([readFitLineage(sql, id), readForecastRecords(sql, [id])]);
	return { ...question, fits, tally: tallies.get(id) ?? NO_TALLY };
}

/**
 * The report of some questions, their percentiles simulated load by load in a worker thread.
 * @throws Problem 503 where too many simulations are waiting
 */
export async function compileReport(
	questions: readonly ReportQuestion[],
	address: string,
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
	return report(questions, simulated, { on, address }, kept);
}
