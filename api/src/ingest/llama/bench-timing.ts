import { deviation, finite, mean, numbers, positive } from "../fields.ts";
import { settle, trendOf } from "../repetitions.ts";

type Row = Record<string, unknown>;

/** How long all tokens of one test took. */
export interface Timing {
	/** Seconds of each repetition, of all tokens; empty where the layout has no samples. */
	samples: number[];
	/** Seconds of a typical repetition. */
	seconds: number;
	std: number | null;
	repetitions: number | null;
	notes: string[];
	suspicions: string[];
}

/** The time a row of any layout states, or why there is none. */
export function timingOf(row: Row, tokens: number): Timing | string {
	const samples = numbers(row.samples_ns) ?? [];
	for (let i = 0; i < samples.length; i++) {
		const seconds = Number(samples[i]) / 1e9;
		if (seconds <= 0) return "a sample is not above 0 seconds";
		samples[i] = seconds;
	}
	const rate = positive(row.avg_ts);
	const given = positive(row.avg_ns);
	if (samples.length === 0 && row.avg_ts !== undefined && rate === null) {
		return `avg_ts is no speed: ${JSON.stringify(row.avg_ts)}`;
	}
	const timing =
		timingOfSamples(samples) ?? timingOfMean(given === null ? rate && tokens / rate : given / 1e9);
	if (timing === null)
		return "the row has no time: neither samples_ns nor avg_ns nor avg_ts is a number above 0";
	spread(timing, row, rate);
	doubt(timing, tokens, rate, given);
	return timing;
}

function timingOfSamples(samples: number[]): Timing | null {
	const settled = settle(samples);
	if (settled === null) return null;
	const { seconds, std, note, doubt: slow } = settled;
	return {
		...{ samples, seconds, std, repetitions: samples.length },
		notes: [note ?? (slow === null ? drift(samples) : null)].filter((remark) => remark !== null),
		suspicions: slow === null ? [] : [slow],
	};
}

function timingOfMean(seconds: number | null): Timing | null {
	if (seconds === null) return null;
	return { samples: [], seconds, std: null, repetitions: null, notes: [], suspicions: [] };
}

/** Spread without samples by the ratio stddev_ts/avg_ts: stddev_ns is wrong where uint64 overflowed. */
function spread(timing: Timing, row: Row, rate: number | null): void {
	const given = positive(row.stddev_ts);
	if (timing.samples.length > 0) {
		const actual = deviation(timing.samples);
		const overflowed = positive(row.stddev_ns);
		if (actual && overflowed !== null && Math.abs(overflowed / 1e9 / actual - 1) > 0.05) {
			timing.notes.push(
				`stddev_ns ${overflowed} does not follow from the samples, ${actual.toPrecision(4)} s does`,
			);
		}
	} else if (given !== null && rate !== null) {
		timing.std = (timing.seconds * given) / rate;
	} else if (finite(row.stddev_ts) === 0) {
		timing.notes.push("spread 0: one repetition, so it is unknown");
	}
}

/** Values of one row that contradict each other: avg_ns is the mean of the samples, avg_ts the mean of their rates. */
function doubt(
	{ samples, seconds, notes, suspicions }: Timing,
	tokens: number,
	rate: number | null,
	givenNs: number | null,
): void {
	const average = mean(samples);
	if (average !== null && givenNs !== null && Math.abs(givenNs / 1e9 / average - 1) > 0.01) {
		notes.push(`avg_ns ${givenNs} does not follow from the samples, ${average.toPrecision(6)} s does`);
	}
	const expected = mean(samples.map((sample) => tokens / sample)) ?? tokens / seconds;
	if (rate !== null && Math.abs(rate / expected - 1) > 0.3) {
		suspicions.push(
			`${tokens} tokens in ${seconds.toPrecision(4)} s are not ${rate} tokens/s: time or speed is wrong`,
		);
	}
}

/** Rows with many repetitions show a machine that heats up: the mean is then faster than what it holds. */
function drift(samples: readonly number[]): string | null {
	const trend = trendOf(samples);
	if (trend === null || trend.direction === "level") return null;
	const change = `${(100 * trend.change).toFixed(1)} %`;
	return `the time of a repetition drifts by ${change} from the first to the last (${trend.direction})`;
}
