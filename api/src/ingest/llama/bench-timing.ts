import { deviation, finite, mean, numbers, positive } from "../fields.ts";
import { trendOf, unevenRepetition } from "./repetitions.ts";

type Row = Record<string, unknown>;

/** How long all tokens of one test took. */
export interface Timing {
	/** Seconds of each repetition, of all tokens; empty where the layout has no samples. */
	samples: number[];
	mean: number;
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
	const seconds = mean(samples) ?? (given === null ? rate && tokens / rate : given / 1e9);
	if (seconds === null)
		return "the row has no time: neither samples_ns nor avg_ns nor avg_ts is a number above 0";
	const timing: Timing = {
		samples,
		mean: seconds,
		std: null,
		repetitions: samples.length > 0 ? samples.length : null,
		notes: [],
		suspicions: [],
	};
	spread(timing, row, rate);
	doubt(timing, tokens, rate, given);
	return timing;
}

/** Spread from the samples, else by the ratio stddev_ts/avg_ts: stddev_ns is wrong where uint64 overflowed. */
function spread(timing: Timing, row: Row, rate: number | null): void {
	const given = positive(row.stddev_ts);
	if (timing.samples.length > 0) {
		timing.std = deviation(timing.samples) || null;
		const overflowed = positive(row.stddev_ns);
		if (timing.std !== null && overflowed !== null && Math.abs(overflowed / 1e9 / timing.std - 1) > 0.05) {
			timing.notes.push(
				`stddev_ns ${overflowed} does not follow from the samples, ${timing.std.toPrecision(4)} s does`,
			);
		}
	} else if (given !== null && rate !== null) {
		timing.std = (timing.mean * given) / rate;
	} else if (finite(row.stddev_ts) === 0) {
		timing.notes.push("spread 0: one repetition, so it is unknown");
	}
}

/** Values of one row that contradict each other. */
function doubt(timing: Timing, tokens: number, rate: number | null, givenNs: number | null): void {
	if (timing.samples.length > 0 && givenNs !== null && Math.abs(givenNs / 1e9 / timing.mean - 1) > 0.01) {
		timing.notes.push(
			`avg_ns ${givenNs} does not follow from the samples, ${timing.mean.toPrecision(6)} s does`,
		);
	}
	if (rate !== null && Math.abs((rate * timing.mean) / tokens - 1) > 0.3) {
		timing.suspicions.push(
			`${tokens} tokens in ${timing.mean.toPrecision(4)} s are not ${rate} tokens/s: time or speed is wrong`,
		);
	}
	const uneven = unevenRepetition(timing.samples);
	if (uneven !== null) timing.suspicions.push(uneven);
	else drift(timing);
}

/** Rows with many repetitions show a machine that heats up: the mean is then faster than what it holds. */
function drift({ samples, notes }: Timing): void {
	const trend = samples.length < 5 ? null : trendOf(samples);
	if (trend === null || trend.direction === "level") return;
	const change = `${(100 * trend.change).toFixed(1)} %`;
	notes.push(`the time of a repetition drifts by ${change} from the first to the last (${trend.direction})`);
}
