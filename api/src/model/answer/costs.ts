import { HOURS_PER_MONTH, usdPerMillionTokens, usdPerMonth, usdPerRequest } from "../money/cost.ts";
import { count, figure, percent, usd } from "../trust/figures.ts";
import { type Quantity, type Unit, weakest } from "../trust/quantity.ts";
import { state, type Wording } from "../trust/statement.ts";
import type { Plan } from "./answer.ts";
import type { LoadPoint } from "./load-point.ts";
import { inputShareOf, type Outlook, type Timing } from "./outlook.ts";
import { sourcesOf } from "./sources.ts";
import { missingTimes } from "./times.ts";

/** What the load costs, without words: USD, null where price or throughput are unknown. */
export interface CostFigures {
	perRequest: number | null;
	perMillionInput: number | null;
	perMillionOutput: number | null;
	/** Share of the GPU time that prefill takes. */
	inputShare: number;
	requestsPerSecond: number;
}

/** Where in the interval of the times a cost is worked out: at the lower bound requests are served fastest. */
type Bound = "middle" | "low" | "high";

/** Cost at a price: GPU time is split between prompt and output as the engine spends it. */
export function costFigures(
	outlook: Outlook,
	at: LoadPoint,
	timing: Timing | null,
	price: number | null,
	bound: Bound = "middle",
): CostFigures {
	const { asked, said } = outlook.resolved;
	if (!timing || timing.fits === 0)
		return {
			perRequest: null,
			perMillionInput: null,
			perMillionOutput: null,
			inputShare: 0,
			requestsPerSecond: 0,
		};
	const load = bound === "middle" ? timing.load : timing[bound];
	const requestsPerSecond = load.requestsPerSecond * asked.copies;
	// How the engine's time is split is taken at the middle: at the bounds prompts and steps are long or short together.
	const arrivals = at.concurrency === null ? "random" : "users";
	const inputShare = inputShareOf(timing, timing.load.running, arrivals);
	const each = (tokens: number, share: number) => {
		const all = usdPerMillionTokens(asked.gpus, price, requestsPerSecond * tokens, said.busy);
		return all === null ? null : all * share;
	};
	return {
		perRequest: price === null ? null : usdPerRequest(asked.gpus, price, requestsPerSecond, said.busy),
		perMillionInput: each(at.context, inputShare),
		perMillionOutput: each(at.output, 1 - inputShare),
		inputShare,
		requestsPerSecond,
	};
}

/**
 * Money per million tokens, per request and per month.
 * The interval runs from the lowest price at the fastest bound of the times to the highest at the slowest.
 */
export function costsOf(
	outlook: Outlook,
	at: LoadPoint,
	timing: Timing | null,
	wording: Wording,
): Plan["cost"] {
	const { price, resolved, facts } = outlook;
	const { asked, said } = resolved;
	const evidence = weakest(
		price?.evidence ?? "assumed",
		timing?.ttftEvidence ?? "assumed",
		timing?.tpotEvidence ?? "assumed",
	);
	const split = weakest(evidence, timing?.shareEvidence ?? "assumed");
	const figures = (usd: number | undefined, bound: Bound) =>
		costFigures(outlook, at, timing, usd ?? null, bound);
	const middle = figures(price?.value, "middle");
	const low = figures(price?.low, "low");
	const high = figures(price?.high, "high");
	const gpu = facts.gpu?.name ?? facts.configuration?.gpuName ?? resolved.scenario.gpu ?? "this GPU";
	const missing = () =>
		price
			? timing
				? "nothing runs: not one sequence fits in the cache"
				: missingTimes(outlook)
			: `no price of ${gpu} is known: enter USD per GPU-hour, or add one to the price book`;
	const sources = () => [...(price?.sources ?? []), ...sourcesOf(outlook, timing, "prefill", "decode")];
	const quantity = (
		of: (figures: CostFigures) => number | null,
		unit: Unit,
		words: () => string,
		how = evidence,
	): Quantity => {
		const value = of(middle);
		const made = state(value, unit, how, () => (value === null ? missing() : words()), wording, sources);
		const ends = [of(low), of(high)];
		if (value !== null && ends.every((end) => end !== null && Number.isFinite(end))) {
			const [from, to] = [Math.min(value, ...(ends as number[])), Math.max(value, ...(ends as number[]))];
			if (from !== to) Object.assign(made, { low: from, high: to });
		}
		return made;
	};
	const hourly = () => (price ? `${asked.gpus} × ${usd(price.value)}` : "");
	const busy = said.busy < 1 ? ` × ${percent(said.busy)} busy` : "";
	const perMillion = (value: number | null, tokens: number, share: number, kind: string) =>
		`${hourly()} per hour / (${figure(middle.requestsPerSecond)} requests/s × ${count(tokens)} tokens × 3,600${busy}) × 10⁶ × ${percent(share)} of the GPU time spent on ${kind} = ${usd(value ?? 0)}; ${price?.from() ?? ""}`;
	const month = (rate: number | undefined) => (rate === undefined ? null : usdPerMonth(asked.gpus, rate));
	const monthly = state(
		month(price?.value),
		"USD/month",
		price?.evidence ?? "assumed",
		() =>
			price
				? `${hourly()} per hour × ${HOURS_PER_MONTH} hours a month = ${usd(month(price.value) ?? 0)}; ${price.from()}`
				: missing(),
		wording,
		price?.sources ?? [],
	);
	if (price && price.low !== price.high)
		Object.assign(monthly, { low: month(price.low), high: month(price.high) });
	return {
		usdPerMillionInputTokens: quantity(
			(f) => f.perMillionInput,
			"USD/million tokens",
			() => perMillion(middle.perMillionInput, at.context, middle.inputShare, "prompts"),
			split,
		),
		usdPerMillionOutputTokens: quantity(
			(f) => f.perMillionOutput,
			"USD/million tokens",
			() => perMillion(middle.perMillionOutput, at.output, 1 - middle.inputShare, "output"),
			split,
		),
		usdPerRequest: quantity(
			(f) => f.perRequest,
			"USD/request",
			() =>
				`${hourly()} per hour / 3,600 / (${figure(middle.requestsPerSecond)} requests/s${busy}) = ${usd(middle.perRequest ?? 0)}; ${price?.from() ?? ""}`,
		),
		usdPerMonth: monthly,
	};
}
