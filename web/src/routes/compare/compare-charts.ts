import {
	type DecodePoint,
	type PrefillPoint,
	predictDecode,
	predictPrefill,
	predictServe,
	type ServePoint,
} from "@plimsoll/api/model";
import { dotOf } from "#lib/chart/dots.ts";
import { logGrid } from "#lib/chart/grid.ts";
import type { ChartOption } from "#lib/chart/option.ts";
import { decodeOption, familyOption, loadOption, type Member } from "#lib/chart/options/family.ts";
import { formatCount } from "#lib/format.ts";
import type { Drawn } from "./+page.server.ts";

const STEPS = 64;

/** The prefill laws of all over the lengths that each measured, with the dots. null: nobody measured any. */
export function promptsChart(all: readonly Drawn[]): ChartOption | null {
	const members = all.flatMap(({ id, name, fits: { prefill }, points }, look): Member[] => {
		if (!prefill) return [];
		const whole = points.filter(
			(p): p is PrefillPoint => p.phase === "prefill" && p.batch === 1 && p.cached === 0,
		);
		const lengths = whole.map(({ tokens }) => tokens);
		const { from, to } = prefill.range;
		const curve = logGrid(Math.max(1, from), Math.max(1, to), STEPS, lengths).map((tokens) => {
			const { seconds, low, high, evidence } = predictPrefill(prefill, { tokens });
			return { x: tokens, y: seconds, low, high, evidence };
		});
		return [{ name, look, curve, points: whole.map((p) => dotOf(p.tokens, p.seconds, p, id)) }];
	});
	return members.length === 0
		? null
		: familyOption({ members, xName: "Prompt tokens", yName: "Prefill time" });
}

const isStep = (p: Drawn["points"][number]): p is DecodePoint => p.phase === "decode";

/** Batches of which at least two configurations tell the time of a step, ascending. */
export function commonBatches(all: readonly Drawn[]): number[] {
	const ranges = all.flatMap(({ fits: { decode } }) => (decode ? [decode.range.batch] : []));
	const measured = new Set(all.flatMap(({ points }) => points.filter(isStep).map(({ batch }) => batch)));
	const covered = (batch: number) => ranges.filter(([from, to]) => batch >= from && batch <= to).length;
	return [...measured].filter((batch) => covered(batch) >= Math.min(2, ranges.length)).sort((a, b) => a - b);
}

/** The time of one step of a batch against the context. null: nobody measured it at two contexts. */
export function stepsChart(all: readonly Drawn[], batch: number): ChartOption | null {
	const members = all.flatMap(({ id, name, fits: { decode }, points }, look): Member[] => {
		if (!decode || batch < decode.range.batch[0] || batch > decode.range.batch[1]) return [];
		const own = points.filter((p): p is DecodePoint => isStep(p) && p.batch === batch && p.context > 0);
		const [from, to] = decode.range.context;
		const contexts = own.map(({ context }) => context);
		const curve = logGrid(Math.max(1, from), Math.max(1, to), STEPS, contexts).map((context) => {
			const { seconds, low, high, evidence } = predictDecode(decode, { batch, context });
			return { x: context, y: seconds, low, high, evidence };
		});
		return [{ name, look, curve, points: own.map((p) => dotOf(p.context, p.seconds, p, id)) }];
	});
	return members.some(({ curve }) => curve.length > 1) ? decodeOption(members) : null;
}

type Load = ServePoint & { concurrency: number };
const isLoad = (p: Drawn["points"][number]): p is Load => p.phase === "serve" && p.concurrency !== null;
/** Loads whose mean lengths round to the same are of one pair of lengths. */
const lengthsOf = ({ input, output }: { input: number; output: number }) =>
	`${Math.round(input / 50)} → ${Math.round(output / 10)}`;

export interface Lengths {
	/** "1,024 → 128 tokens" */
	name: string;
	input: number;
	output: number;
}

/** Pairs of lengths that clients sent, those of most configurations first, then those at most loads. */
export function commonLengths(all: readonly Drawn[]): Lengths[] {
	const loads = all.flatMap(({ name, points }) => points.filter(isLoad).map((load) => ({ name, load })));
	const groups = [...Map.groupBy(loads, ({ load }) => lengthsOf(load)).values()].map((own) => ({
		...{ own, by: new Set(own.map(({ name }) => name)).size },
	}));
	const sorted = groups.sort((a, b) => b.by - a.by || b.own.length - a.own.length);
	return sorted.flatMap(({ own: [first] }) => (first ? [named(first.load)] : []));
}

const named = ({ input, output }: Load): Lengths => ({
	...{ input, output, name: `${formatCount(Math.round(input))} → ${formatCount(Math.round(output))} tokens` },
});

/** What clients saw per token against the requests in flight, at one pair of lengths. null: nobody measured it. */
export function loadsChart(
	all: readonly Drawn[],
	{ input, output }: Pick<Lengths, "input" | "output">,
): ChartOption | null {
	const wanted = lengthsOf({ input, output });
	const members = all.flatMap(({ id, name, fits, points }, look): Member[] => {
		const { serve } = fits;
		const own = points.filter((p): p is Load => isLoad(p) && lengthsOf(p) === wanted);
		if (!serve || own.length === 0) return [];
		const loads = own.map(({ concurrency }) => concurrency);
		const curve = logGrid(Math.min(...loads), Math.max(...loads), STEPS, loads).map((concurrency) => {
			const alone = { ...fits, prefill: null, decode: null };
			const { tpot, evidence } = predictServe(alone, { input, output, concurrency });
			return { x: concurrency, y: tpot.mean, evidence };
		});
		const dots = own.flatMap((p) => {
			const y = p.tpotSeconds ?? p.tpotP50Seconds;
			return y === null ? [] : [dotOf(p.concurrency, y, p, id)];
		});
		return [{ name, look, curve, points: dots }];
	});
	return members.length === 0 ? null : loadOption(members, "Time per output token");
}
