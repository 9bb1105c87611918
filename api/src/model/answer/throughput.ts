import { type LoadState, saturationConcurrency } from "../time/load.ts";
import { count, figure, seconds } from "../trust/figures.ts";
import { type Unit, weakest } from "../trust/quantity.ts";
import { state, type Wording } from "../trust/statement.ts";
import type { Plan } from "./answer.ts";
import type { LoadPoint } from "./load-point.ts";
import { mostServed, type Outlook, type Timing } from "./outlook.ts";
import { sourcesOf } from "./sources.ts";
import { banded, missingTimes } from "./times.ts";

/** Throughput, the share of the highest throughput that is used, and where more users stop to help. */
export function throughputOf(
	outlook: Outlook,
	at: LoadPoint,
	timing: Timing | null,
	wording: Wording,
): Plan["load"] {
	const { resolved } = outlook;
	const sources = () => sourcesOf(outlook, timing, "prefill", "decode");
	const { copies } = resolved.asked;
	if (!timing || timing.fits === 0) {
		const why = () => (timing ? "nothing runs: not one sequence fits in the cache" : missingTimes(outlook));
		const unknown = (unit: Unit) => state(null, unit, "assumed", why, wording, sources);
		return {
			outputTokensPerSecond: unknown("tokens/s"),
			requestsPerSecond: unknown("requests/s"),
			utilisation: unknown("ratio"),
			saturationConcurrency: unknown("requests"),
		};
	}
	const { load, engine, slots } = timing;
	const evidence = weakest(timing.ttftEvidence, timing.tpotEvidence);
	const most = mostServed(timing) * copies;
	const requests = load.requestsPerSecond * copies;
	const saturation = saturationConcurrency(engine) * copies;
	const times = copies > 1 ? ` × ${copies} copies` : "";
	const rate = (of: LoadState) => of.requestsPerSecond * copies;
	const per = () =>
		at.rate === null
			? `${figure(load.running + load.waiting)} ${load.running + load.waiting === 1 ? "request" : "requests"} in flight / ${seconds(load.e2eSeconds)} each${times}`
			: `${figure(at.rate)} requests/s offered${load.stable ? "" : ", more than are served"}`;
	const limit = () =>
		timing.fits === null ? `${slots} sequences, memory not known` : `${count(slots)} sequences`;
	return {
		outputTokensPerSecond: banded(
			timing,
			(s) => rate(s) * at.output,
			"tokens/s",
			evidence,
			() =>
				`${figure(requests)} requests/s × ${count(at.output)} tokens = ${figure(requests * at.output)} tokens/s`,
			sources,
			wording,
		),
		requestsPerSecond: banded(
			timing,
			rate,
			"requests/s",
			evidence,
			() => `${per()}${load.stable ? " =" : ": at most"} ${figure(requests)} requests/s`,
			sources,
			wording,
		),
		utilisation: state(
			Math.min(1, requests / most),
			"ratio",
			evidence,
			() => `${figure(requests)} of at most ${figure(most)} requests/s, reached with ${limit()}${times}`,
			wording,
			sources,
		),
		saturationConcurrency: state(
			saturation,
			"requests",
			weakest(evidence, "estimated"),
			() =>
				saturation >= slots * copies
					? `${count(saturation)}: every place is taken (${limit()}${times}) before throughput flattens`
					: `from ${count(saturation)} on, twice as many users raise requests/s by less than 10 %`,
			wording,
			sources,
		),
	};
}
