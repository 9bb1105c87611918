import { priceAge } from "../money/price-age.ts";
import { ROOFLINE_SPREAD } from "../time/roofline.ts";
import { lengthWarnings } from "../trust/effective-length.ts";
import { figure, usd } from "../trust/figures.ts";
import { type Evidence, weakest } from "../trust/quantity.ts";
import { type Outlook, timingOf } from "./outlook.ts";
import { loadPointOf } from "./plan.ts";
import { FAR } from "./reach.ts";
import { loadWords, type ReportLoad } from "./report-loads.ts";

/** On what weak ground an answer stands, in sentences for its first page, the weakest first. */
export function cautionsOf(outlook: Outlook, loads: readonly ReportLoad[], madeOn: string): string[] {
	return [
		...timeCautions(outlook, loads),
		...reachCautions(loads),
		...lengthCautions(outlook),
		...priceCautions(outlook, madeOn),
		...originCautions(outlook),
	];
}

function timeCautions(outlook: Outlook, loads: readonly ReportLoad[]): string[] {
	const timing = timingOf(outlook, loadPointOf(outlook.resolved.scenario));
	if (!timing) return ["Times and throughput are not known, nor is what follows from them."];
	if (timing.served && !timing.carried) return [];
	const { prefill, decode } = outlook.laws;
	const of = (law: typeof prefill | typeof decode): Evidence =>
		law ? weakest(law.evidence, law.fit.evidence) : "assumed";
	const laws = [
		["time to the first token", of(prefill)],
		["time per output token", of(decode)],
	] as const;
	const named = (kinds: readonly Evidence[]) =>
		laws
			.filter(([, evidence]) => kinds.includes(evidence))
			.map(([what]) => what)
			.join(" and the ");
	const estimated = named(["estimated", "assumed", "vendor"]);
	const transferred = named(["transferred"]);
	const several = loads.some(({ concurrency, rate }) => rate !== null || (concurrency ?? 1) > 1);
	return [
		estimated &&
			`Rests on estimates: nobody measured the ${estimated} of this setup; it is worked out from data sheets, right to about a factor of ${ROOFLINE_SPREAD}.`,
		transferred && `The ${transferred} is carried over from a measured setup to this one.`,
		several
			? "Rests on estimates: times of several requests at once were not measured under load but follow from single prefills and steps that share each pass."
			: "",
	].filter(Boolean);
}

function reachCautions(loads: readonly ReportLoad[]): string[] {
	const asked = loads.find((load) => load.asked);
	const far = (load: ReportLoad | undefined) => load !== undefined && load.outsideBy > FAR;
	const most = loads.reduce((a, b) => (b.outsideBy > a.outsideBy ? b : a), loads[0] as ReportLoad);
	if (asked && far(asked))
		return [
			`Rests on extrapolation: the load asked about lies ${figure(asked.outsideBy, 2)} times beyond what was measured.`,
		];
	return far(most)
		? [
				`Rests on extrapolation: loads up to ${loadWords(most)} lie up to ${figure(most.outsideBy, 2)} times beyond what was measured.`,
			]
		: [];
}

/** What tests say of the model at such lengths, the strictest of them. */
function lengthCautions({ resolved, facts }: Outlook): string[] {
	const [strictest] = lengthWarnings(resolved.scenario.context, facts.effectiveLengths ?? []);
	return strictest ? [strictest.words] : [];
}

function priceCautions({ price, facts }: Outlook, madeOn: string): string[] {
	if (!price) return ["No price of this GPU is known: what it costs is left empty."];
	const entry = facts.prices.find(({ id }) => id === price.entryId);
	const age = entry && priceAge(entry.kind, entry.readOn, madeOn);
	return [
		price.low === price.high
			? ""
			: `The price of a GPU-hour is a range, ${usd(price.low)} to ${usd(price.high)}: figures are for its middle, low and high for its ends.`,
		entry && age?.old
			? `The price was read ${age.days} days ago, on ${entry.readOn}: prices of its kind should be read again after ${age.freshDays}.`
			: "",
	].filter(Boolean);
}

function originCautions({ facts: { configuration } }: Outlook): string[] {
	if (!configuration || configuration.origin === "own") return [];
	const whose = configuration.attribution ?? "examples that came with the planner, not measured by you";
	return [`The measurements are ${whose}.`];
}
