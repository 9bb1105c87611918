import { numbers } from "../fields.ts";
import type { Statistics } from "../record.ts";
import { statisticsOf } from "../served/sample-statistics.ts";

/** What the per-request lists of --save-detailed add to the summary; texts and errors are left behind. */
export interface RequestFacts {
	requests: { input: number; ttftSeconds: number }[];
	failed: number;
	outputs: number[];
	ttft: Statistics | null;
	tpot: Statistics | null;
	e2e: Statistics | null;
}

/**
 * Reads input_lens, output_lens, ttfts and itls, which keep the order of sending.
 * A request with TTFT 0 failed. End-to-end = TTFT + Σ gaps; TPOT = Σ gaps / (output − 1) per request.
 * @returns null where the lists are missing or do not fit together
 */
export function requestFacts(row: Record<string, unknown>): RequestFacts | null {
	const [inputs, outputs, ttfts] = [numbers(row.input_lens), numbers(row.output_lens), numbers(row.ttfts)];
	if (inputs === null || outputs === null || ttfts === null) return null;
	if (inputs.length !== ttfts.length || outputs.length !== ttfts.length) return null;
	const gaps = gapSums(row.itls, ttfts.length);
	const good = ttfts.flatMap((seconds, at) => (seconds > 0 ? [at] : []));
	const pick = (list: readonly number[]) => good.map((at) => list[at] ?? 0);
	return {
		requests: good.map((at) => ({ input: inputs[at] ?? 0, ttftSeconds: ttfts[at] ?? 0 })),
		failed: ttfts.length - good.length,
		outputs: pick(outputs),
		ttft: statisticsOf(pick(ttfts)),
		tpot: gaps === null ? null : statisticsOf(tpots(good, gaps, outputs)),
		e2e: gaps === null ? null : statisticsOf(good.map((at) => (ttfts[at] ?? 0) + (gaps[at] ?? 0))),
	};
}

const LISTS = ["input_lens", "output_lens", "ttfts", "itls"] as const;

/**
 * What is odd about the lists of requests, in words: which of them hold another number than there were, and times
 * below 0. Lists hold all requests, or those that completed.
 */
export function listRemarks(
	row: Record<string, unknown>,
	requested: number | null,
	completed: number | null,
): string[] {
	const total = requested ?? completed;
	const lists = LISTS.flatMap((name) => {
		const list = row[name];
		return Array.isArray(list) ? [{ name, list }] : [];
	});
	const short = lists
		.filter(({ list }) => total !== null && list.length !== total && list.length !== completed)
		.map(({ name, list }) => `${name} holds ${list.length} of ${total} requests`);
	const unequal = new Set(lists.map(({ list }) => list.length)).size > 1;
	const lost =
		"lists of unequal length do not tell which request is which: what needs them together is left out";
	return [...short, ...(unequal ? [lost] : []), ...belowZero(row)];
}

function belowZero({ ttfts, itls }: Record<string, unknown>): string[] {
	const firsts = numbers(ttfts) ?? [];
	const gaps = Array.isArray(itls) ? itls : [];
	const negative = firsts.filter(isNegative).length;
	const odd = gaps.filter((list) => numbers(list)?.some(isNegative)).length;
	return [
		negative > 0 ? `no time is below 0: ${negative} of ${firsts.length} ttfts count as failed requests` : "",
		odd > 0 ? `no time is below 0: ${odd} of ${gaps.length} itls hold such a gap; all are left out` : "",
	].filter(Boolean);
}

const isNegative = (value: number): boolean => value < 0;

/** Seconds from first to last token of each request; null where a list is missing or a gap is below 0. */
function gapSums(itls: unknown, length: number): number[] | null {
	if (!Array.isArray(itls) || itls.length !== length) return null;
	const sums: number[] = [];
	for (const list of itls) {
		const gaps = numbers(list);
		if (gaps === null || gaps.some(isNegative)) return null;
		sums.push(gaps.reduce((sum, gap) => sum + gap, 0));
	}
	return sums;
}

function tpots(good: number[], gaps: number[], outputs: number[]): number[] {
	return good.flatMap((at) => {
		const [output, seconds] = [outputs[at] ?? 0, gaps[at] ?? 0];
		return output > 1 && seconds > 0 ? [seconds / (output - 1)] : [];
	});
}

/** Lengths of the requests in a few figures, kept beside the serve point. */
export function lengthsOf(facts: RequestFacts): Record<string, unknown> {
	const range = (values: readonly number[]) => ({
		min: values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
		max: values.reduce((a, b) => Math.max(a, b), 0),
	});
	if (facts.requests.length === 0) return { failed: facts.failed };
	return {
		failed: facts.failed,
		inputTokens: range(facts.requests.map((request) => request.input)),
		outputTokens: range(facts.outputs),
	};
}
