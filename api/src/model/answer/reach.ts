import type { DecodeFit, PrefillFit, ServeFit } from "../time/curves.ts";
import { outsideBy } from "../time/serve-law.ts";
import { count, figure } from "../trust/figures.ts";
import { stepOf } from "./banded.ts";
import type { LoadPoint } from "./load-point.ts";
import type { Outlook, Timing } from "./outlook.ts";

/** How far a time lies beyond what its law was measured with. */
export interface Reach {
	/** Factor beyond the measurements, 1 inside. */
	factor: number;
	/** What was measured: "prompts of 512 to 32,768 tokens". */
	measured: () => string;
}

/** Factor beyond the measurements from which on an answer says so by itself. */
export const FAR = 2;

/** By the time that is asked for. */
export interface Reaches {
	ttft: Reach;
	tpot: Reach;
}

const INSIDE: Reach = { factor: 1, measured: () => "" };

/** How far the times of a load lie beyond the measurements of the laws that answer; an estimate has none. */
export function reachesOf({ laws }: Outlook, { context, output }: LoadPoint, timing: Timing): Reaches {
	const running = Math.max(1, timing.load.running);
	if (timing.served && laws.serve) {
		const { range } = laws.serve;
		const reach: Reach = {
			factor: outsideBy(range, { input: context, output, concurrency: running }),
			measured: () => servedWords(range),
		};
		return { ttft: reach, tpot: reach };
	}
	const { prefill, decode } = laws;
	return {
		ttft:
			prefill && prefill.fit.n > 0
				? { factor: timing.prefill?.outsideBy ?? 1, measured: () => prefillWords(prefill.fit.range) }
				: INSIDE,
		tpot:
			decode && decode.fit.n > 0
				? {
						factor: stepOf(decode, { batch: running, context: context + output / 2 }).outsideBy,
						measured: () => decodeWords(decode.fit.range),
					}
				: INSIDE,
	};
}

export const farthest = ({ ttft, tpot }: Reaches): number => Math.max(ttft.factor, tpot.factor);

/** "; 2.1 times beyond what was measured: …"; nothing inside. */
export const reachWords = ({ factor, measured }: Reach): string =>
	factor > 1 ? `; ${figure(factor, 2)} times beyond what was measured: ${measured()}` : "";

const between = ([from, to]: readonly [number, number], what: string): string =>
	from === to ? `${count(from)} ${what}` : `${count(from)} to ${count(to)} ${what}`;

const prefillWords = ({ from, to }: PrefillFit["range"]): string =>
	`prompts of ${between([from, to], "tokens")}`;

/** Where the effect of the context is an estimate of its own, the range says nothing of it. */
function decodeWords({ batch, context }: DecodeFit["range"]): string {
	const sequences = between(batch, batch[1] === 1 ? "sequence" : "sequences");
	return context[1] === Number.MAX_SAFE_INTEGER
		? sequences
		: `${sequences} over ${between(context, "tokens")}`;
}

const servedWords = ({ concurrency, input, output }: ServeFit["range"]): string =>
	`${between(concurrency, "in flight")}, prompts of ${between(input, "tokens")}, answers of ${between(output, "tokens")}`;
