import {
	type FleetAnswer,
	type FleetAsk,
	type FleetLatency,
	type FleetOption,
	type FleetSearch,
	type FrontierPoint,
	type LoadAnswer,
	type LoadColumn,
	optionOf,
	paretoFront,
	type Quantity,
	resized,
	type ServePoint,
	type SizedOption,
	type Workload,
} from "../model/index.ts";
import { Problem } from "../problem.ts";
import { simulate } from "./simulation.ts";

/** What the simulator found of an option: its times at the percentile, and whether they are within the limits. */
export interface SimulatedOption {
	/** Working replicas that the simulator was given last: the fewest that it saw hold the limits, if any did. */
	working: number;
	holds: boolean;
	ttft: Quantity | null;
	tpot: Quantity | null;
	e2e: Quantity | null;
	/** Share of the requests within all limits at once. */
	goodShare: Quantity;
	simulations: number;
	seed: number;
}

/**
 * An option, and what the simulator found of it; null: not simulated. Where it was, its times are those that the simulator
 * saw, with the closed form in their arithmetic.
 */
export type CheckedOption = FleetOption & { simulated: SimulatedOption | null };

/** A point of the frontier; not simulated: its time is closed form. */
export type CheckedPoint = FrontierPoint & { simulated: boolean };

/** A fleet answer whose first options were checked by the simulator. */
export interface CheckedFleet extends Omit<FleetAnswer, "options" | "frontier"> {
	options: CheckedOption[];
	frontier: CheckedPoint[];
	/** How many of the first options were simulated, and why not more, where more were asked for. */
	checked: { options: number; asked: number; reason: string | null };
}

/** Requests of one replica in one simulation: enough for a 99th percentile. */
const REQUESTS = 1500;
const SEED = 1;
/** Numbers of replicas that are tried for one option. */
const TRIES = 5;
/** The simulator's requests are alike in what of them is cached. */
const ONLY_CLOSED =
	"requests that find a shared beginning cached beside others that do not are told in closed form";
/** A fleet that misses is made so much larger, one that holds so much smaller, before the next try. */
const STEP = 1.2;

/**
 * Simulates the first options of a search, and sizes them anew where the closed form was too hopeful or too careful.
 * @param options how many, from the first
 * @param budgetMs time after which no further simulation begins, and a running one is ended
 * @param pointsOf serve points of a measured configuration, for laws that only clients' times tell
 */
export async function checkFleet(
	{ answer, sized, figures }: FleetSearch,
	ask: FleetAsk,
	options: number,
	budgetMs: number,
	signal: AbortSignal,
	pointsOf: (configurationId: string) => Promise<ServePoint[]>,
): Promise<CheckedFleet> {
	const ended = AbortSignal.any([signal, AbortSignal.timeout(budgetMs)]);
	const checked: CheckedOption[] = [];
	let reason: string | null = ask.demand.hits && options > 0 ? ONLY_CLOSED : null;
	for (const one of reason === null ? sized.slice(0, options) : []) {
		try {
			const found = await checkOption(one, ask, ended, pointsOf);
			checked.push(asSimulated(optionOf(found.one, ask, figures), found.simulated));
		} catch (error) {
			if (!isBusy(error)) throw error;
			reason = ended.aborted ? "the time for simulations was over" : error.message;
			break;
		}
	}
	const rest = answer.options.slice(checked.length).map((option) => ({ ...option, simulated: null }));
	return {
		...answer,
		options: [...checked, ...rest],
		frontier: checkedFrontier(answer.frontier, checked, ask.latency),
		checked: { options: checked.length, asked: Math.min(options, sized.length), reason },
	};
}

/** An option with the times that the simulator saw in place of the closed form's. */
function asSimulated(option: FleetOption, simulated: SimulatedOption | null): CheckedOption {
	if (!simulated) return { ...option, simulated };
	const seen = (time: FleetLatency): Quantity => {
		const [found, closed] = [simulated[time], option[time]];
		if (!found) return closed;
		return { ...found, arithmetic: `simulated: ${found.arithmetic}. In closed form: ${closed.arithmetic}` };
	};
	return { ...option, ttft: seen("ttft"), tpot: seen("tpot"), e2e: seen("e2e"), simulated };
}

/**
 * The frontier with what the simulator found: a fleet that it saw stands with the time that it saw, one that it sized anew
 * as it was sized, and one that it saw miss the limits not at all. What another then beats in both is left out.
 */
function checkedFrontier(
	frontier: readonly FrontierPoint[],
	checked: readonly CheckedOption[],
	latency: FleetLatency,
): CheckedPoint[] {
	const replaced = ({ option }: FrontierPoint) =>
		checked.some(
			({ id, working, simulated }) => simulated !== null && id === option.id && option.working <= working,
		);
	const closed = frontier
		.filter((point) => !replaced(point))
		.map((point): CheckedPoint => ({ ...point, simulated: false }));
	const seen = checked.flatMap(({ simulated, ...option }): CheckedPoint[] =>
		simulated?.holds && option.cost.usdPerMonth.value !== null
			? [
					{
						...{ option, usdPerMonth: option.cost.usdPerMonth, latency: option[latency] },
						...{ moreThanNeeded: false, simulated: true },
					},
				]
			: [],
	);
	const all = [...seen, ...closed];
	const most = Number.POSITIVE_INFINITY;
	return paretoFront(
		all.length,
		(i) => all[i]?.usdPerMonth.value ?? most,
		(i) => all[i]?.latency.value ?? most,
	).map((i) => all[i] as CheckedPoint);
}

/** Ended by the time or by the caller, or sent away because too many wait. */
const isBusy = (error: unknown): error is Problem => error instanceof Problem && error.status === 503;

async function checkOption(
	one: SizedOption,
	ask: FleetAsk,
	signal: AbortSignal,
	pointsOf: (configurationId: string) => Promise<ServePoint[]>,
): Promise<{ one: SizedOption; simulated: SimulatedOption | null }> {
	const { facts } = one.candidate.kind;
	const points = facts.configuration ? await pointsOf(facts.configuration.id) : [];
	let best: { one: SizedOption; simulated: SimulatedOption } | null = null;
	let last: { one: SizedOption; simulated: SimulatedOption } | null = null;
	let [fails, holds] = [0, Number.POSITIVE_INFINITY];
	let working = one.sizing.working;
	let simulations = 0;
	while (simulations < TRIES && working > fails && working < holds) {
		const tried = resized(one, ask, working);
		if (!tried) break;
		// What was found before the time was over stands.
		const answer = await simulateReplicas(tried, ask, points, signal).catch((error: unknown) => {
			if (last && isBusy(error)) return null;
			throw error;
		});
		if (!answer) break;
		simulations++;
		if (!answer.result) return { one, simulated: null };
		last = { one: tried, simulated: simulatedOf(answer.result, ask, working, simulations) };
		if (last.simulated.holds) [best, holds] = [last, working];
		else fails = working;
		working = nextTry(fails, holds, working);
	}
	const found = best ?? last;
	return found ? { ...found, simulated: { ...found.simulated, simulations } } : { one, simulated: null };
}

/** Between what failed and what held; beyond either while the other is not known. */
function nextTry(fails: number, holds: number, working: number): number {
	if (holds === Number.POSITIVE_INFINITY) return Math.max(working + 1, Math.ceil(working * STEP));
	if (fails === 0) return Math.min(working - 1, Math.floor(working / STEP));
	return Math.floor((fails + holds) / 2);
}

/** One working replica's share of the busiest hour, simulated on its engine. */
function simulateReplicas(
	one: SizedOption,
	{ demand }: FleetAsk,
	points: ServePoint[],
	signal: AbortSignal,
): Promise<LoadAnswer> {
	const { candidate, sizing } = one;
	const { kind, maxSequences } = candidate;
	const { load } = demand;
	const workload: Workload = {
		arrivals:
			load.kind === "users"
				? { kind: "users", users: Math.ceil(load.users), thinkSeconds: load.thinkSeconds }
				: { kind: "rate", requestsPerSecond: sizing.peakRequestsPerSecond },
		requests: REQUESTS * sizing.working,
		prompt: demand.prompt,
		output: demand.output,
		cachedShare: demand.cachedShare,
		...(demand.trace ? { trace: demand.trace } : {}),
	};
	const gpus = kind.outlook.resolved.asked.gpus * sizing.working;
	const scenario = { ...kind.scenario, gpus, concurrency: null, rate: sizing.peakRequestsPerSecond };
	return simulate(
		{ scenario, facts: kind.facts, points, ask: { workload, seed: SEED, engine: { maxSequences } } },
		signal,
	);
}

function simulatedOf(
	{ times, goodShare, saturated }: NonNullable<LoadAnswer["result"]>,
	{ limits }: FleetAsk,
	working: number,
	simulations: number,
): SimulatedOption {
	const column = `p${Math.round(limits.percentile * 100)}` as LoadColumn;
	const [ttft, tpot, e2e] = [times.ttft, times.tpot, times.e2e].map((time) => time?.[column] ?? null) as [
		Quantity | null,
		Quantity | null,
		Quantity | null,
	];
	const within = (time: Quantity | null, limit: number | null) =>
		limit === null || time?.value == null || time.value <= limit;
	const holds = !saturated && within(ttft, limits.ttftSeconds) && within(tpot, limits.tpotSeconds);
	return { working, holds, ttft, tpot, e2e, goodShare, simulations, seed: SEED };
}
