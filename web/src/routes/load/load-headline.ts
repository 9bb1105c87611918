import type { Arrivals, LoadAnswer } from "@plimsoll/api/model";
import { format, formatCount, formatQuantity, plural, roundTo } from "#lib/format.ts";

/** The answer in a sentence. */
export interface LoadHeadline {
	/** "Under 1 request/s" */
	subject: string;
	answer: string;
	more: string;
}

/** At most three digits, without idle ones: "2", "0.5". */
const plain = (value: number) => String(roundTo(value, 3));

/** The load in words. */
export function loadWords(arrivals: Arrivals, trace: string | null): string {
	switch (arrivals.kind) {
		case "rate": {
			const { requestsPerSecond: rate } = arrivals;
			return `Under ${plain(rate)} ${plural(rate, "request")} per second`;
		}
		case "users":
			return arrivals.users === 1 ? "With one user" : `With ${formatCount(arrivals.users)} users`;
		case "burst":
			return `Under bursts of ${formatCount(arrivals.requests)}`;
		case "trace": {
			const { speed = 1 } = arrivals;
			return `Under ${trace ?? "the trace"}${speed === 1 ? "" : ` at ${plain(speed)} times its speed`}`;
		}
	}
}

/** What most readers ask: how long 99 % wait, and whether it is good enough. null where nothing was simulated. */
export function headlineOf({ result, sweep }: LoadAnswer, subject: string): LoadHeadline | null {
	if (!result) return null;
	const { ttft } = result.times;
	const good = format(result.goodShare.value, "ratio").text;
	const limit =
		sweep?.of === "rate" && sweep.saturation !== null ? format(sweep.saturation, "requests/s").text : null;
	if (result.saturated)
		return {
			subject,
			answer: `more comes than is served${limit ? `: at most ${limit}` : ""}`,
			more: "The line grows as long as the load lasts, so that the waiting times below depend on how long it lasts.",
		};
	if (!ttft) return { subject, answer: "no request was served", more: "" };
	return {
		subject,
		answer: `${formatQuantity(ttft.p99).text} to the first token for 99% of requests, ${good} within the objectives`,
		more: limit ? `At most ${limit} are served in the steady state.` : "",
	};
}
