import { format, formatCount, formatSignificant, plural } from "../format.ts";
import type { Measurement } from "./record.ts";

const WHOLE_FROM = 100;

/** Means of lengths have halves, which say something of short ones only. */
const tokens = (value: number) => formatCount(value >= WHOLE_FROM ? Math.round(value) : value);
const count = (value: number | null, what: string) => (value === null ? null : `${tokens(value)} ${what}`);
const joined = (parts: (string | null)[], by = ", ") => parts.filter((part) => part !== null).join(by);

/** What was measured, in words: "4,096 tokens over 8,192 cached, 4 together". */
export function shapeOf({ phase, tokens: fresh, depth, generated, batch, rate }: Measurement): string {
	const together = batch !== null && batch > 1 ? `${formatCount(batch)} together` : null;
	if (phase === "decode")
		return joined([
			count(depth, plural(depth ?? 0, "token of context", "tokens of context")),
			together ?? "alone",
		]);
	if (phase === "serve") {
		const load = rate === null ? count(batch, "in flight") : `${formatSignificant(rate)} requests/s`;
		return joined([count(fresh, "in"), count(generated, "out"), load]);
	}
	if (phase === "tools")
		return joined([
			count(batch, plural(batch ?? 0, "tool")),
			count(fresh, plural(fresh ?? 0, "prompt token")),
		]);
	const cached = depth ? ` over ${tokens(depth)} cached` : "";
	const prompt = fresh === null ? null : `${tokens(fresh)} ${plural(fresh, "token")}${cached}`;
	return (
		joined([prompt, phase === "mixed" ? count(generated, "generated") : null, together]) || "shape not said"
	);
}

/** "128 ms ± 1.2%": the time of a typical repetition, and the spread between repetitions where it is known; null where nothing was timed. */
export function timeOf({ secondsMean, secondsStd }: Measurement): string | null {
	if (secondsMean === null) return null;
	const time = format(secondsMean, "seconds").text;
	return secondsStd === null ? time : `${time} ± ${formatSignificant((secondsStd / secondsMean) * 100, 2)}%`;
}

/** Tokens per second that the time amounts to; null where the phase has no such rate. */
export function rateOf({ phase, tokens, batch, secondsMean, details }: Measurement): string | null {
	const said = details?.outputTokensPerSecond;
	if (phase === "serve") return typeof said === "number" ? format(said, "tokens/s").text : null;
	const together = batch ?? 1;
	const each = phase === "prefill" ? tokens : phase === "decode" ? 1 : null;
	if (each === null || !secondsMean) return null;
	return format((each * together) / secondsMean, "tokens/s").text;
}

/** A mean time to first token, or where only that is known the median, which says so; null: neither. */
export function firstTokenWords(mean: unknown, median: unknown): string | null {
	if (typeof mean === "number") return format(mean, "seconds").text;
	return typeof median === "number" ? `${format(median, "seconds").text} median` : null;
}

/** Time to first token of a serve measurement, where its file has one. */
export function firstTokenOf({ details }: Measurement): string | null {
	const ttft = details?.ttft as { mean?: unknown; p50?: unknown } | null | undefined;
	return firstTokenWords(ttft?.mean, ttft?.p50);
}

/** What its file's reader remarked on it: a slow repetition, figures that do not go together. */
export function notesOf({ details }: Measurement): string[] {
	const notes = details?.notes;
	return Array.isArray(notes) ? notes.filter((note) => typeof note === "string") : [];
}

/** Whether a fit could read it: failures mark a limit, and mixed rows and requests with tools hold several phases in one clock reading. */
export function canBeFitted({ phase, status }: Measurement): boolean {
	return status !== "failed" && phase !== "mixed" && phase !== "tools";
}
