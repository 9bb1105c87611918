import { emptyConditions } from "../fields.ts";
import type { Statistics } from "../record.ts";
import { emptyRun, type ServeRun } from "../served/serve-run.ts";
import { servedModel } from "../served/served-model.ts";

/** How guidellm offered the load: by its strategy, and what that needs. */
interface GuidellmStrategy {
	type: string;
	streams: number | null;
	rate: number | null;
}

/** Figures of one benchmark of guidellm, whichever file they came from; times in seconds. */
export interface GuidellmFigures {
	at: string;
	model: string | null;
	strategy: GuidellmStrategy;
	startedAt: string | null;
	durationSeconds: number | null;
	successful: number | null;
	errored: number | null;
	incomplete: number | null;
	inFlight: number | null;
	input: number | null;
	output: number | null;
	ttft: Statistics | null;
	/** "inter token latency": (last − first token)/(output − 1), TPOT here. Its TPOT includes the first token. */
	interToken: Statistics | null;
	e2e: Statistics | null;
}

/** One serve run of a guidellm benchmark. Rates are counts over the duration: its own are instantaneous. */
export function guidellmRun(figures: GuidellmFigures): ServeRun {
	const { at, model, strategy, successful, errored, durationSeconds, output } = figures;
	const limit = limitOf(strategy);
	const perSecond = successful === null || durationSeconds === null ? null : successful / durationSeconds;
	return {
		...emptyRun(at, {
			...emptyConditions(null),
			...servedModel(model),
		}),
		startedAt: figures.startedAt,
		input: figures.input,
		output,
		// What was still running when the time was up did not fail.
		requested: successful === null ? null : successful + (errored ?? 0),
		completed: successful,
		durationSeconds,
		rate: /constant|poisson|async/.test(strategy.type) ? strategy.rate : null,
		limit,
		closedLoop: limit !== null,
		atOnce: strategy.type === "throughput",
		measuredInFlight: figures.inFlight,
		ttft: figures.ttft,
		tpot: figures.interToken,
		e2e: figures.e2e,
		outputTokensPerSecond: perSecond === null || output === null ? null : perSecond * output,
		details: { strategy: strategy.type, incomplete: figures.incomplete },
	};
}

function limitOf({ type, streams }: GuidellmStrategy): number | null {
	if (type === "synchronous") return 1;
	return type === "concurrent" ? streams : null;
}
