import { HOURS_PER_MONTH } from "../money/cost.ts";
import type { Currency } from "../money/price.ts";
import type { Evidence, Source, Unit } from "../trust/quantity.ts";
import type { Outlook } from "./outlook.ts";
import type { Scenario } from "./question.ts";

/** One assumption of a report: what it is, how it is known, where it was taken from and when. */
export interface ReportAssumption {
	/** Of the scenario where it has one: "price", "gpus", "context", … */
	key: string;
	label: string;
	/** Text for what is no number; null: not known. */
	value: number | string | null;
	unit: Unit | null;
	low?: number;
	high?: number;
	evidence: Evidence;
	/** Who says so, in words. */
	basis: string;
	source: string | null;
	href: string | null;
	/** ISO day on which the source was read. */
	date: string | null;
}

const SCENARIO_ROWS: readonly [keyof Scenario, string, Unit | null][] = [
	["gpus", "GPUs", "GPUs"],
	["tp", "Tensor-parallel ranks", null],
	["engine", "Engine", null],
	["weights", "Weight format", null],
	["kvK", "Cache type of K", null],
	["kvV", "Cache type of V", null],
	["context", "Prompt tokens of a request", "tokens"],
	["output", "Output tokens of a request", "tokens"],
	["cached", "Share of the prompt found in the prefix cache", "ratio"],
	["utilisation", "Share of the card's memory that is used", "ratio"],
	["ttftSlo", "Longest time to first token", "seconds"],
	["tpotSlo", "Longest time per output token", "seconds/token"],
];

/** Where a report stands in time, and which words of its question somebody said. */
export interface ReportGround {
	/** Keys of the question that were asked for; what else it holds is a default or known of the configuration. */
	given: readonly string[];
	/** ISO day of the report, and so of what was asked for. */
	madeOn: string;
	/** ISO day of the newest measurements behind its fits; null: there are none. */
	measuredOn: string | null;
	/** In which money is told; null: US dollars. */
	currency: Currency | null;
}

/** Everything that an answer assumes, money first. */
export function reportAssumptions(outlook: Outlook, ground: ReportGround): ReportAssumption[] {
	const { scenario, said } = outlook.resolved;
	const known = ([evidence, basis, from]: Ground): [Evidence, string, Source?] => {
		const source = from && sourceOf(outlook, from, ground);
		return source ? [evidence, basis, source] : [evidence, basis];
	};
	return [
		priceAssumption(outlook, ground),
		...priceRate(outlook),
		...currencyAssumption(ground),
		plain(
			"hours",
			"Hours of a month that are paid",
			HOURS_PER_MONTH,
			null,
			"arithmetic",
			"8,760 hours a year / 12",
		),
		plain(
			"busy",
			"Share of the paid hours in which the load runs",
			said.busy,
			"ratio",
			...known(
				ground.given.includes("busy")
					? AS_ASKED
					: ["assumed", "nobody said otherwise: busy all the time", "default"],
			),
		),
		...SCENARIO_ROWS.map(([key, label, unit]) =>
			plain(key, label, scenario[key], unit, ...known(groundOf(outlook, key, ground.given))),
		),
		...namesOf(outlook, ground),
	];
}

/** How a value is known, who says so, and where that is to be found. */
type Ground = [evidence: Evidence, basis: string, from: "question" | "configuration" | "default"];

const AS_ASKED: Ground = ["arithmetic", "as asked", "question"];

function sourceOf(
	{ facts: { configuration } }: Outlook,
	from: Ground[2],
	{ madeOn, measuredOn }: ReportGround,
): Source | undefined {
	if (from === "question") return { label: "The question", date: madeOn };
	if (from === "default") return { label: "Default of the planner" };
	if (!configuration) return undefined;
	const source = { label: configuration.label, href: `/configurations/${configuration.id}` };
	return measuredOn === null ? source : { ...source, date: measuredOn };
}

const plain = (
	key: string,
	label: string,
	value: number | string | null,
	unit: Unit | null,
	evidence: Evidence,
	basis: string,
	source?: Source,
): ReportAssumption => ({
	...{ key, label, value, unit, evidence, basis },
	...{ source: source?.label ?? null, href: source?.href ?? null, date: source?.date ?? null },
});

function priceAssumption({ price }: Outlook, { madeOn }: ReportGround): ReportAssumption {
	const label = "Price of a GPU-hour";
	if (!price) return plain("price", label, null, "USD/hour", "assumed", "no price is known");
	const source = price.sources[0] ?? { label: "The question", date: madeOn };
	const made = plain("price", label, price.value, "USD/hour", price.evidence, price.from(), source);
	return price.low === price.high ? made : { ...made, low: price.low, high: price.high };
}

const rateLabel = (code: string) => `US dollars for one ${code}`;

/** The rate by which the price became dollars, where its source gives it in another currency. */
function priceRate({ price }: Outlook): ReportAssumption[] {
	if (!price?.currency) return [];
	const { code, usdPerUnit, rateSource, rateReadOn } = price.currency;
	const basis = "by which the price, given in this currency, became dollars";
	const source = { label: rateSource ?? "source not said", ...(rateReadOn !== null && { date: rateReadOn }) };
	return [
		plain("priceRate", `${rateLabel(code)}, in the price`, usdPerUnit, "USD", price.evidence, basis, source),
	];
}

/** The rate of the currency in which the report tells money. */
function currencyAssumption({ currency, madeOn }: ReportGround): ReportAssumption[] {
	if (!currency) return [];
	const { code, usdPerUnit, rateSource, rateReadOn } = currency;
	const source = rateSource === null ? { label: "The question", date: madeOn } : { label: rateSource };
	const dated = rateReadOn === null ? source : { ...source, date: rateReadOn };
	return [plain("currency", rateLabel(code), usdPerUnit, "USD", "arithmetic", "as asked", dated)];
}

/** How a key of the scenario came to its value. */
function groundOf({ resolved, facts }: Outlook, key: keyof Scenario, given: readonly string[]): Ground {
	const asked = given.includes(key) || ((key === "kvK" || key === "kvV") && given.includes("kv"));
	if (asked) return AS_ASKED;
	// K and V are left unsaid together.
	const like = key === "kvV" && resolved.said.kvV === null ? "kvK" : key;
	const reason = resolved.assumed.find((one) => one.key === like)?.reason;
	if (reason) return ["assumed", reason, "default"];
	if (key === "context" || key === "output" || key === "cached")
		return ["assumed", "not asked for", "default"];
	return facts.configuration
		? ["measured", "of the configuration as it was measured", "configuration"]
		: ["assumed", "not said", "default"];
}

/** What the answer is about, with the catalog facts it reads. */
function namesOf(outlook: Outlook, ground: ReportGround): ReportAssumption[] {
	const { configuration, model, gpu } = outlook.facts;
	const catalog = (kind: string, entry: { name: string; sources?: Source[] } | null, name: string | null) =>
		entry
			? plain(kind.toLowerCase(), kind, entry.name, null, "vendor", "of the catalog", entry.sources?.[0])
			: plain(kind.toLowerCase(), kind, name, null, "assumed", name ? "not in the catalog" : "not said");
	const named = [
		catalog("Model", model, configuration?.modelName ?? null),
		catalog("GPU", gpu, configuration?.gpuName ?? null),
	];
	if (!configuration) return named;
	const basis = configuration.attribution ?? "your measurements";
	const source = sourceOf(outlook, "configuration", ground);
	const version = configuration.engineVersion;
	return [
		...named,
		plain("configuration", "Configuration", configuration.label, null, "measured", basis, source),
		plain(
			"engineVersion",
			"Engine version",
			version,
			null,
			version ? "measured" : "assumed",
			version ? "as the measurements say" : "the measurements do not say",
			source,
		),
	];
}
