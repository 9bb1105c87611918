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
	/** What is asked, in the same words: "prompts of 65,536 tokens". */
	asked: () => string;
}

/** Factor beyond the measurements from which on an answer says so by itself. */
export const FAR = 2;

/** By the time that is asked for. */
export interface Reaches {
	ttft: Reach;
	tpot: Reach;
}

const INSIDE: Reach = { factor: 1, measured: () => "", asked: () => "" };

/** How far the times of a load lie beyond the measurements of the laws that answer; an estimate has none. */
export function reachesOf(
	{ laws }: Outlook,
	{ context, output, cached }: LoadPoint,
	timing: Timing,
): Reaches {
	const running = Math.max(1, timing.load.running);
	const step = { batch: running, context: context + output / 2 };
	if (timing.served && laws.serve) {
		const { range } = laws.serve;
		const reach: Reach = {
			factor: outsideBy(range, { input: context, output, concurrency: running }),
			measured: () => servedWords(range),
			asked: () => servedWords(alike({ concurrency: running, input: context, output })),
		};
		return { ttft: reach, tpot: reach };
	}
	const { prefill, decode } = laws;
	return {
		ttft:
			prefill && prefill.fit.n > 0
				? {
						factor: timing.prefill?.outsideBy ?? 1,
						measured: () => prefillWords(prefill.fit.range),
						asked: () => prefillWords({ from: context, to: context }, cached),
					}
				: INSIDE,
		tpot:
			decode && decode.fit.n > 0
				? {
						factor: stepOf(decode, step).outsideBy,
						measured: () => decodeWords(decode.fit.range),
						asked: () => decodeWords({ ...alike(step), ...readOf(decode.fit.range, step) }),
					}
				: INSIDE,
	};
}

export const farthest = ({ ttft, tpot }: Reaches): number => Math.max(ttft.factor, tpot.factor);

/** "Asked: prompts of 65,536 tokens. Measured: … That is 2 times beyond it; …"; undefined inside. */
export const beyondWords = ({ factor, measured, asked }: Reach): string | undefined =>
	factor > 1
		? `Asked: ${asked()}. Measured: ${measured()}. That is ${figure(factor, 2)} times beyond; measure ${asked()} to be sure.`
		: undefined;

/** One load as the range that it alone would span. */
const alike = <K extends string>(load: Record<K, number>) =>
	Object.fromEntries(Object.entries<number>(load).map(([key, value]) => [key, [value, value]])) as Record<
		K,
		[number, number]
	>;

/** The cache that a step reads, where the measured steps say how much they read. */
const readOf = (
	{ read }: DecodeFit["range"],
	{ batch, context }: { batch: number; context: number },
): { read?: number } => (read === undefined ? {} : { read: batch * context });

const between = ([from, to]: readonly [number, number], what: string): string =>
	from === to ? `${count(from)} ${what}` : `${count(from)} to ${count(to)} ${what}`;

const prefillWords = ({ from, to }: PrefillFit["range"], cached = 0): string =>
	`prompts of ${between([from, to], "tokens")}${cached > 0 ? ` with ${figure(100 * cached, 2)} % cached` : ""}`;

/** Where the effect of the context is an estimate of its own, the range says nothing of it. */
function decodeWords({ batch, context, read }: DecodeFit["range"]): string {
	const sequences = between(
		batch.map((one) => Number(one.toPrecision(3))) as [number, number],
		batch[1] === 1 ? "sequence" : "sequences",
	);
	const over =
		context[1] === Number.MAX_SAFE_INTEGER ? sequences : `${sequences} over ${between(context, "tokens")}`;
	return read === undefined ? over : `${over} (${count(Math.round(read))} tokens of cache read in one step)`;
}

const servedWords = ({ concurrency, input, output }: ServeFit["range"]): string =>
	`${between(concurrency, "in flight")}, prompts of ${between(input, "tokens")}, answers of ${between(output, "tokens")}`;
