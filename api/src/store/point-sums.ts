import type { Measurement } from "../ingest/index.ts";
import type { Shape } from "./measurement-row.ts";

/** Shapes of one file that are summed while it is read; with more the database does it from the rows. */
const MOST_POINTS = 50_000;

/** Statistics of serve points that are summed beside the seconds. */
export type StatisticKey =
	| "ttft"
	| "ttftP50"
	| "ttftP99"
	| "tpot"
	| "tpotP50"
	| "tpotP99"
	| "outputTokensPerSecond";

interface LogSum {
	n: number;
	sumLog: number;
}

/** The sums of one shape of one configuration: a row of `points`. */
export interface PointSum {
	configurationId: string;
	point: string;
	phase: Measurement["phase"];
	tokens: number | null;
	depth: number | null;
	generated: number | null;
	batch: number | null;
	rate: number | null;
	n: number;
	sumLog: number;
	sumLog2: number;
	withinSumSquares: number;
	withinFreedom: number;
	statistics: Partial<Record<StatisticKey, LogSum>> | null;
}

/** Sums measurements per shape as they are read, just as `summaries.ts` has the database sum rows. */
export class PointSums {
	/** By configuration, then by point. */
	readonly #sums = new Map<string, Map<string, PointSum>>();
	#points = 0;

	/** One sum per shape; null: there were too many. */
	get all(): PointSum[] | null {
		return this.#points > MOST_POINTS ? null : [...this.#sums.values()].flatMap((sums) => [...sums.values()]);
	}

	/** Adds a measurement that fits may read. */
	add(configurationId: string, point: string, measurement: Measurement, shape: Shape): void {
		if (this.#points > MOST_POINTS || !(measurement.secondsMean > 0)) return;
		const sums = this.#sums.get(configurationId) ?? this.#begin(configurationId);
		let sum = sums.get(point);
		if (sum === undefined) {
			sum = emptySum(configurationId, point, measurement, shape);
			sums.set(point, sum);
			this.#points++;
		}
		addTo(sum, measurement, shape);
		if (this.#points > MOST_POINTS) this.#sums.clear();
	}

	#begin(configurationId: string): Map<string, PointSum> {
		const sums = new Map<string, PointSum>();
		this.#sums.set(configurationId, sums);
		return sums;
	}
}

function emptySum(configurationId: string, point: string, { phase }: Measurement, shape: Shape): PointSum {
	return {
		...{ configurationId, point, phase, ...shape },
		...{ n: 0, sumLog: 0, sumLog2: 0, withinSumSquares: 0, withinFreedom: 0, statistics: null },
	};
}

function addTo(sum: PointSum, measurement: Measurement, shape: Shape): void {
	sum.tokens = least(sum.tokens, shape.tokens);
	sum.depth = least(sum.depth, shape.depth);
	sum.generated = least(sum.generated, shape.generated);
	sum.batch = least(sum.batch, shape.batch);
	sum.rate = least(sum.rate, shape.rate);
	const log = Math.log(measurement.secondsMean);
	sum.n++;
	sum.sumLog += log;
	sum.sumLog2 += log ** 2;
	addSpread(sum, measurement);
	if (measurement.phase === "serve") addStatistics(sum, measurement);
}

function least(a: number | null, b: number | null): number | null {
	if (a === null || b === null) return a ?? b;
	return Math.min(a, b);
}

function addSpread(sum: PointSum, { repetitions, secondsStd, secondsMean }: Measurement): void {
	if (repetitions === null || repetitions <= 1 || secondsStd === null) return;
	sum.withinSumSquares += (repetitions - 1) * (secondsStd / secondsMean) ** 2;
	sum.withinFreedom += repetitions - 1;
}

function addStatistics(
	sum: PointSum,
	{ ttft, tpot, outputTokensPerSecond }: Extract<Measurement, { phase: "serve" }>,
): void {
	const values: Record<StatisticKey, number | null | undefined> = {
		...{ ttft: ttft?.mean, ttftP50: ttft?.p50, ttftP99: ttft?.p99 },
		...{ tpot: tpot?.mean, tpotP50: tpot?.p50, tpotP99: tpot?.p99 },
		outputTokensPerSecond,
	};
	for (const [key, value] of Object.entries(values) as [StatisticKey, number | null | undefined][]) {
		if (value === null || value === undefined || !(value > 0)) continue;
		sum.statistics ??= {};
		const before = sum.statistics[key] ?? { n: 0, sumLog: 0 };
		sum.statistics[key] = { n: before.n + 1, sumLog: before.sumLog + Math.log(value) };
	}
}
