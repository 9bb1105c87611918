import type { AccuracyAnswer } from "@plimsoll/api";
import { counted, formatCount, NOT_KNOWN } from "#lib/format.ts";
import { percent } from "../configurations/fit-words.ts";

type Regime = AccuracyAnswer["regimes"][number];

const QUESTIONS: Readonly<Record<string, string>> = {
	"prefill-inside": "A prompt between the measured lengths",
	"prefill-x2": "A prompt up to twice as long as any measured",
	"prefill-x4": "A prompt up to four times as long as any measured",
	decode: "A further token at another batch and context",
	"serve-tpot": "A further token under a load nobody measured",
	"serve-ttft": "The first token under a load nobody measured",
};
const ORDER = Object.keys(QUESTIONS);

/** What was asked of the laws, in words. */
export const questionWords = (regime: string): string => QUESTIONS[regime] ?? regime;

/** A percentage with the digits that it deserves: 0.107 → "0.11%", 42.2 → "42%". */
export const percentWords = (value: number | null): string => shareWords(value === null ? null : value / 100);

/** A share as a percentage. */
export const shareWords = (share: number | null): string => (share === null ? NOT_KNOWN : percent(share));

/** The same question over all data together stands first, each kind of data after it. */
export function byQuestion(regimes: readonly Regime[]): { question: string; rows: Regime[] }[] {
	const of = (regime: string) =>
		regimes.filter((row) => row.regime === regime).sort((a, b) => b.points - a.points);
	const known = ORDER.map((regime) => ({ question: questionWords(regime), rows: of(regime) }));
	return known.filter(({ rows }) => rows.length > 0);
}

/** How many intervals held, over all points of some regimes. */
export function heldOf(regimes: readonly Regime[]): { held: number; points: number } {
	return regimes.reduce(
		({ held, points }, row) => ({
			held: held + Math.round((row.points * row.held) / 100),
			points: points + row.points,
		}),
		{ held: 0, points: 0 },
	);
}

type Advised = AccuracyAnswer["advice"][number];

/** What one further measurement did beyond the measured lengths, regime by regime, and everywhere else together. */
export function adviceRecord(
	advice: readonly Advised[],
): (Omit<Advised, "group" | "regime"> & { question: string })[] {
	const beyond = advice.filter(({ regime }) => /-x\d$/.test(regime));
	const others = advice.filter((row) => !beyond.includes(row));
	const trials = others.reduce((sum, row) => sum + row.trials, 0);
	const mean = (of: (row: Advised) => number) =>
		others.reduce((sum, row) => sum + row.trials * of(row), 0) / trials;
	const rest = {
		...{ question: "Between measured lengths, batches and loads", trials },
		...{
			before: mean((row) => row.before),
			advised: mean((row) => row.advised),
			random: mean((row) => row.random),
		},
	};
	const told = beyond.map(({ group: _, regime, ...row }) => ({ ...row, question: questionWords(regime) }));
	return trials > 0 ? [...told, rest] : told;
}

/** Regimes in which the interval held clearly less often than it claims, in words. */
const SHORT = 90;
export const shortfalls = (answer: AccuracyAnswer): string[] =>
	answer.regimes
		.filter(({ held }) => held < SHORT)
		.map(({ group, regime, held, points }) => {
			const source = answer.sources.find((one) => one.group === group);
			return `${questionWords(regime)} (${source?.label ?? group}): held ${percentWords(held)} of ${counted(points, "point")}`;
		});

/** "prefill 512+0×1" → "512 tokens"; what is not known stays as it is. */
export function pointWords(point: string): string {
	const prefill = /^prefill ([\d.]+)\+([\d.]+)×([\d.]+)$/.exec(point);
	if (prefill) {
		const [tokens = 0, cached = 0, batch = 1] = prefill.slice(1).map(Number);
		const on = cached > 0 ? ` on ${formatCount(cached)} cached` : "";
		return `${counted(tokens, "token")}${on}${batch > 1 ? `, ${formatCount(batch)} together` : ""}`;
	}
	const decode = /^decode @([\d.]+)×([\d.]+)$/.exec(point);
	if (decode) {
		const [context = 0, batch = 1] = decode.slice(1).map(Number);
		return `context ${formatCount(Math.round(context))}, ${formatCount(batch)} together`;
	}
	const serve = /^serve (\d+)→(\d+)(?: c([\d.e+]+))?(?: r([\d.e+-]+))?$/.exec(point);
	if (!serve) return point;
	const [, input, output, clients, rate] = serve;
	const load = rate ? `${rate} requests/s` : clients ? `${clients} in flight` : "";
	return [`${formatCount(Number(input))} + ${formatCount(Number(output))} tokens`, load]
		.filter(Boolean)
		.join(", ");
}
