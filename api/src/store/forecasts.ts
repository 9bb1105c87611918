import {
	type ConfigurationFits,
	type Prediction,
	predictDecode,
	predictPrefill,
	predictServe,
} from "../model/index.ts";
import type { FittedPhase } from "./fits.ts";
import type { Queryable } from "./sql.ts";

/** Points of one configuration that a run's forecast is made for; more are sampled evenly. */
const MOST_POINTS = 500;

/** How well forecasts made before the measurements held. */
export interface ForecastRecord {
	count: number;
	/** Median of |ln(measured / predicted)| as a relative error; null without any. */
	medianError: number | null;
	/** Forecasts whose 95 % interval held the measured value. */
	intervalHeld: number;
}

interface MeasuredRow {
	configuration_id: string;
	point: string;
	phase: FittedPhase;
	tokens: number | null;
	depth: number | null;
	generated: number | null;
	batch: number | null;
	rate: number | null;
	measured: number;
}

type Forecast = Pick<Prediction, "seconds" | "low" | "high" | "evidence">;

/**
 * Predicts the points of a run from the fits that stood before it, and keeps prediction and measurement.
 * @param before fits of the run's configurations, read before its points were added
 */
export async function recordForecasts(
	sql: Queryable,
	runId: string,
	before: ReadonlyMap<string, ConfigurationFits>,
): Promise<void> {
	const known = [...before].filter(([, fits]) => fits.prefill ?? fits.decode ?? fits.serve).map(([id]) => id);
	if (known.length === 0) return;
	const made = (await measuredPoints(sql, runId, known)).flatMap((row) => {
		const fits = before.get(row.configuration_id);
		const forecast = fits ? forecastOf(row, fits) : null;
		return forecast ? [{ row, forecast }] : [];
	});
	const rows = <T>(cell: (one: (typeof made)[number]) => T) => made.map(cell);
	await sql`
		insert into forecasts (configuration_id, run_id, point, phase, predicted_seconds, low_seconds,
			high_seconds, measured_seconds, evidence)
		select v.configuration_id, ${runId}, v.point, v.phase, v.predicted, v.low, v.high, v.measured, v.evidence
		from unnest(
			${rows(({ row }) => row.configuration_id)}::text[], ${rows(({ row }) => row.point)}::text[],
			${rows(({ row }) => row.phase)}::text[], ${rows(({ forecast }) => forecast.seconds)}::float8[],
			${rows(({ forecast }) => forecast.low)}::float8[], ${rows(({ forecast }) => forecast.high)}::float8[],
			${rows(({ row }) => row.measured)}::float8[], ${rows(({ forecast }) => forecast.evidence)}::text[]
		) as v (configuration_id, point, phase, predicted, low, high, measured, evidence)`;
}

/** Geometric mean per point over the run's own measurements; of serve points the time per output token. */
function measuredPoints(sql: Queryable, runId: string, configurationIds: string[]) {
	// As the law of clients' times is fitted: the mean, else the median.
	const timePerToken = sql`coalesce(details #>> '{tpot,mean}', details #>> '{tpot,p50}')::float8`;
	return sql<MeasuredRow[]>`
		with measured as (
			select configuration_id, point, min(phase) as phase, min(tokens) as tokens, min(depth) as depth,
				min(generated) as generated, min(batch) as batch, min(rate) as rate,
				exp(avg(ln(case when phase = 'serve' then ${timePerToken} else seconds_mean end))) as measured
			from measurements
			where run_id = ${runId} and configuration_id = any(${configurationIds}::text[])
				and included and point is not null and seconds_mean > 0
				and (phase <> 'serve' or ${timePerToken} > 0)
			group by configuration_id, point
		),
		numbered as (
			select *, row_number() over each - 1 as number, count(*) over (partition by configuration_id) as total
			from measured window each as (partition by configuration_id order by phase, batch, depth, tokens, point)
		)
		select * from numbered
		where total <= ${MOST_POINTS} or number * ${MOST_POINTS} % total < ${MOST_POINTS}`;
}

function forecastOf(row: MeasuredRow, fits: ConfigurationFits): Forecast | null {
	const { phase, tokens, depth, generated, batch, rate } = row;
	if (phase === "prefill" && fits.prefill && tokens !== null)
		return predictPrefill(fits.prefill, { tokens, cached: depth ?? 0, batch: batch ?? 1 });
	if (phase === "decode" && fits.decode && depth !== null && batch !== null)
		return predictDecode(fits.decode, { batch, context: depth });
	if (phase === "serve" && tokens !== null && generated !== null)
		return serveForecast(fits, { input: tokens, output: generated, concurrency: batch, rate });
	return null;
}

interface ServeShape {
	input: number;
	output: number;
	concurrency: number | null;
	rate: number | null;
}

function serveForecast(
	fits: ConfigurationFits,
	{ input, output, concurrency, rate }: ServeShape,
): Forecast | null {
	const load = concurrency !== null ? { concurrency } : rate !== null ? { rate } : null;
	if (!load) return null;
	const { tpot, evidence } = predictServe(fits, { input, output, ...load });
	if (tpot.mean === null || tpot.low === null || tpot.high === null) return null;
	return { seconds: tpot.mean, low: tpot.low, high: tpot.high, evidence };
}

/** The record of forecasts per configuration, of all its runs or of one. Configurations without any are absent. */
export async function readForecastRecords(
	sql: Queryable,
	configurationIds: readonly string[],
	runId: string | null = null,
): Promise<Map<string, ForecastRecord>> {
	const rows = await sql<(ForecastRecord & { id: string })[]>`
		select f.configuration_id as id, count(*) as count,
			count(*) filter (where measured_seconds between low_seconds and high_seconds) as "intervalHeld",
			exp(percentile_cont(0.5) within group (order by abs(ln(measured_seconds / predicted_seconds)))) - 1
				as "medianError"
		from forecasts f join runs r on r.id = f.run_id and r.deleted_at is null
		where f.configuration_id = any(${[...configurationIds]}::text[])
			and (${runId}::uuid is null or f.run_id = ${runId}::uuid)
			and predicted_seconds > 0
		group by f.configuration_id`;
	return new Map(rows.map(({ id, ...record }) => [id, record]));
}
