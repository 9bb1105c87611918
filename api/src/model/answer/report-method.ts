import { ACCURACY_SOURCES, type AccuracyRecord } from "../trust/accuracy-record.ts";
import { count, figure, percent } from "../trust/figures.ts";
import type { Outlook } from "./outlook.ts";

/** How far forecasts of one configuration came true. */
export interface ForecastTally {
	count: number;
	/** Relative; null without any. */
	medianError: number | null;
	/** Forecasts whose 95 % interval held the measured time. */
	intervalHeld: number;
}

/** What a report reads of the record on public data. */
export type PublicRecord = Pick<AccuracyRecord, "computedOn" | "regimes">;

/** What the words for evidence mean, from strong to weak. */
export const READING_EVIDENCE =
	"Evidence, from strong to weak: arithmetic follows exactly from stated inputs; measured is a stored measurement; fitted lies inside the measured range; extrapolated lies outside it; transferred comes from another configuration; estimated was worked out from data sheets or from single measurements; published was measured by others and not checked here; vendor is a price list or a data sheet; assumed is a default that nobody confirmed. A figure carries the weakest evidence among its inputs. Low and high are the ends of the 95 % interval of the times, and of the range of the price.";

/** How the numbers of a subject were made, and how far its own forecasts were off. */
export function methodOf({ laws, facts: { fits } }: Outlook, tally: ForecastTally): string {
	const used = [
		laws.prefill && describe("Time to the first token of one request", laws.prefill.fit, fits.prefill),
		laws.decode && describe("Time of a decoding step", laws.decode.fit, fits.decode),
		laws.serve && describe("Times under load, as clients measured them", laws.serve, fits.serve),
	].filter((sentence) => sentence !== null);
	const made =
		used.length === 0
			? "No law of the times is known."
			: `${used.join(" ")} Requests in flight share the passes of the engine; throughput follows from the time of a whole request.`;
	return `${made} Money is GPUs × price of a GPU-hour, over the requests or tokens served in the busy hours: idle hours are charged. Prompts and output share it by the GPU time that each takes. ${tallyWords(tally)}`;
}

function describe(
	what: string,
	fit: { form: string; n: number; loo: number | null },
	measured: { noise: { relative: number; from: string } | null } | null,
): string {
	if (fit.n === 0) return `${what}: ${fit.form}, from data sheets.`;
	const loo =
		fit.loo === null
			? "too few points to leave one out"
			: `each point is told by the others to ${percent(fit.loo)}`;
	const noise = measured?.noise
		? `; identical measurements differ by ${percent(measured.noise.relative)} (${measured.noise.from})`
		: "";
	return `${what}: ${fit.form}, fitted to ${count(fit.n)} measured ${fit.n === 1 ? "point" : "points"}; ${loo}${noise}.`;
}

function tallyWords({ count: tried, medianError, intervalHeld }: ForecastTally): string {
	if (tried === 0 || medianError === null)
		return "No forecast of this configuration was put to the test yet.";
	return `Of ${count(tried)} forecasts made before their measurement, half were off by less than ${percent(medianError)}, and ${count(intervalHeld)} lay inside their interval.`;
}

const REGIMES: Record<string, string> = {
	"prefill-inside": "prompts inside the measured range",
	"prefill-x2": "prompts twice as long",
	"prefill-x4": "prompts four times as long",
	decode: "decoding steps",
	"serve-tpot": "time per token under load",
	"serve-ttft": "time to first token under load",
};

/** How the laws did on public measurements that they were not shown: median errors over all sources, per kind of question. */
export function recordWords({ computedOn, regimes }: PublicRecord): string {
	const kinds = Object.entries(REGIMES).flatMap(([key, words]) => {
		const found = regimes.filter(({ regime }) => regime === key);
		if (found.length === 0) return [];
		const medians = found.map(({ median }) => median);
		const [from, to] = [Math.min(...medians), Math.max(...medians)];
		const held = found.map((one) => one.held);
		const range = from === to ? `${figure(from, 2)} %` : `${figure(from, 2)} to ${figure(to, 2)} %`;
		return [`${words}: median error ${range}, intervals held ${figure(Math.min(...held), 3)} % and more`];
	});
	const sources = ACCURACY_SOURCES.map(({ label }) => label).join("; ");
	return `On public measurements that the laws were not shown (computed on ${computedOn}): ${kinds.join("; ")}. Sources: ${sources}.`;
}
