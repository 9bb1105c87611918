import {
	type ConfigurationFits,
	type DecodeFit,
	type DecodePoint,
	type Evidence,
	type FailurePoint,
	type PrefillFit,
	type PrefillPoint,
	predictDecode,
	predictPrefill,
	predictServe,
	type ServePoint,
} from "@plimsoll/api/model";
import { dotOf } from "#lib/chart/dots.ts";
import { logGrid } from "#lib/chart/grid.ts";
import type { ChartOption, Dot } from "#lib/chart/option.ts";
import {
	chunkOption,
	decodeOption,
	familyOption,
	loadOption,
	type Member,
} from "#lib/chart/options/family.ts";
import { prefillOption } from "#lib/chart/options/prefill.ts";
import { residualOption } from "#lib/chart/options/residual.ts";
import type { LawPoint } from "#lib/chart/series.ts";
import { counted, shortTokens } from "#lib/format.ts";
import { powerLaw } from "./power-law.ts";

const STEPS = 96;
const FAMILY_STEPS = 40;
/** Curves go on this far beyond what was measured, so that the widening band is seen. */
const BEYOND = 4;
/** Curves that a chart can hold and still be read. */
const MOST_MEMBERS = 6;
const FEWEST_OF_A_MEMBER = 2;

const isWhole = (p: PrefillPoint) => p.batch === 1 && p.cached === 0;
const dot = (x: number, point: PrefillPoint | DecodePoint, configuration: string | null): Dot =>
	dotOf(x, point.seconds, point, configuration);
/** A place on the curve of a law, as it was predicted. */
const predicted = (
	x: number,
	{ seconds, low, high, evidence }: { seconds: number; low: number; high: number; evidence: Evidence },
): LawPoint => ({ x, y: seconds, low, high, evidence });

/** Distinct values, ascending; where there are too many, those spread evenly from the first to the last. */
export function chosenFew(values: readonly number[], most = MOST_MEMBERS): number[] {
	const sorted = [...new Set(values)].sort((a, b) => a - b);
	if (sorted.length <= most) return sorted;
	const places = Array.from({ length: most }, (_, i) => Math.round((i * (sorted.length - 1)) / (most - 1)));
	return places.flatMap((place) => sorted[place] ?? []);
}

/** Measured groups as family members; groups of a single point have no curve to show. */
function membersOf<P>(
	points: readonly P[],
	key: (point: P) => number,
	member: (key: number, own: P[]) => Member,
): Member[] {
	const groups = Map.groupBy(points, key);
	const many = [...groups].filter(([, own]) => own.length >= FEWEST_OF_A_MEMBER);
	return chosenFew(many.map(([value]) => value)).map((value) => member(value, groups.get(value) ?? []));
}

/** The prefill law against the length of one cold prompt. null: no such prompt was measured. */
export function prefillChart(
	fit: PrefillFit,
	points: readonly PrefillPoint[],
	failures: readonly FailurePoint[],
	configuration: string | null = null,
): ChartOption | null {
	const dots = points.filter(isWhole).map((p) => dot(p.tokens, p, configuration));
	if (dots.length === 0 && fit.chunkTokens === null) return null;
	const to = Math.round(fit.range.to * BEYOND);
	const grid = logGrid(Math.max(1, Math.round(fit.range.from / 2)), to, STEPS, [
		...dots.map((d) => d.x),
		...[fit.range.from, fit.range.to],
		...[1e3, 4e3, 16e3, 32e3, 128e3, 1e6],
	]);
	const curve = grid.map((tokens) => predicted(tokens, predictPrefill(fit, { tokens })));
	const power = powerLaw(dots);
	return prefillOption({
		curve,
		points: dots,
		range: fit.range,
		powerLaw: power && {
			exponent: power.exponent,
			points: grid.map((x) => ({ x, y: power.factor * x ** power.exponent })),
		},
		stoppedAt: stoppedAt(failures, to),
	});
}

/** The shortest prompt that did not come through, where the chart reaches that far. */
function stoppedAt(failures: readonly FailurePoint[], to: number): number | null {
	const lengths = failures.flatMap((f) => (f.phase === "prefill" && f.tokens !== null ? [f.tokens] : []));
	const shortest = Math.min(...lengths);
	return shortest <= to ? shortest : null;
}

/** Chunks of one size against what was cached before them. null: fewer than two of any size. */
export function depthChart(
	fit: PrefillFit,
	points: readonly PrefillPoint[],
	configuration: string | null = null,
): ChartOption | null {
	const deep = points.filter((p) => p.cached > 0 && p.batch === 1);
	const members = membersOf(
		deep,
		(p) => p.tokens,
		(tokens, own) => {
			const depths = own.map((p) => p.cached);
			return {
				name: counted(tokens, "token"),
				curve: logGrid(Math.min(...depths), Math.max(...depths), FAMILY_STEPS, depths).map((cached) =>
					predicted(cached, predictPrefill(fit, { tokens, cached })),
				),
				points: own.map((p) => dot(p.cached, p, configuration)),
			};
		},
	);
	return members.length > 0 ? chunkOption(members) : null;
}

/** Prompts computed together, one curve per batch. null: fewer than two of any batch. */
export function togetherChart(
	fit: PrefillFit,
	points: readonly PrefillPoint[],
	configuration: string | null = null,
): ChartOption | null {
	const fresh = points.filter((p) => p.cached === 0);
	if (fresh.every((p) => p.batch === 1)) return null;
	const members = membersOf(
		fresh,
		(p) => p.batch,
		(batch, own) => {
			const lengths = own.map((p) => p.tokens);
			return {
				name: batch === 1 ? "alone" : `${batch} together`,
				curve: logGrid(Math.min(...lengths), Math.max(...lengths), FAMILY_STEPS, lengths).map((tokens) =>
					predicted(tokens, predictPrefill(fit, { tokens, batch })),
				),
				points: own.map((p) => dot(p.tokens, p, configuration)),
			};
		},
	);
	if (members.length === 0) return null;
	return familyOption({ members, xName: "Prompt tokens of each", yName: "Time of the batch" });
}

/** Time of one decode step against the context, one curve per batch. null: no batch at two contexts. */
export function stepChart(
	fit: DecodeFit,
	points: readonly DecodePoint[],
	configuration: string | null = null,
): ChartOption | null {
	const [from, to] = fit.range.context;
	if (!(to > from) || from <= 0) return null;
	const batches = chosenFew(points.map((p) => p.batch));
	const members = batches.map((batch): Member => {
		const own = points.filter((p) => p.batch === batch && p.context > 0);
		return {
			name: batch === 1 ? "alone" : `batch ${batch}`,
			curve: logGrid(
				from,
				to,
				FAMILY_STEPS,
				own.map((p) => p.context),
			).map((context) => predicted(context, predictDecode(fit, { batch, context }))),
			points: own.map((p) => dot(p.context, p, configuration)),
		};
	});
	return decodeOption(members);
}

/** What clients saw against the requests in flight, one curve per pair of lengths. null: no pair at two loads. */
export function loadChart(
	fits: ConfigurationFits,
	points: readonly ServePoint[],
	time: "ttft" | "tpot",
	configuration: string | null = null,
): ChartOption | null {
	const of = (p: ServePoint) => (time === "ttft" ? p.ttftSeconds : p.tpotSeconds);
	const loads = points.filter((p) => p.concurrency !== null && p.concurrency > 0 && of(p) !== null);
	const lengths = Map.groupBy(loads, ({ input, output }) => `${roughly(input)} → ${roughly(output)}`);
	const many = [...lengths].filter(([, own]) => own.length >= FEWEST_OF_A_MEMBER);
	const few = chosenFew(many.map((_, i) => i)).flatMap((i) => (many[i] ? [many[i]] : []));
	if (few.length === 0) return null;
	const members = few.map(([name, own]): Member => {
		const concurrencies = own.flatMap((p) => p.concurrency ?? []);
		const { input, output } = own[0] as ServePoint;
		const grid = logGrid(Math.min(...concurrencies), Math.max(...concurrencies), FAMILY_STEPS, concurrencies);
		return {
			name,
			curve: grid.map((x) => {
				const { [time]: predictedTime, evidence } = predictServe(fits, { input, output, concurrency: x });
				return { x, y: predictedTime.mean, evidence };
			}),
			points: own.map((p) => dotOf(p.concurrency ?? 0, of(p) ?? 0, p, configuration)),
		};
	});
	const what = time === "ttft" ? "Time to first token" : "Time per output token";
	return loadOption(members, `${what}, by tokens in → out`);
}

/** "8K", "512": lengths as the names of lines, where "8,192" would say no more. */
function roughly(tokens: number): string {
	return shortTokens(tokens < 1000 ? Math.round(tokens) : Math.round(tokens / 1000) * 1000);
}

const over = (measured: number, law: number) => measured / law - 1;
const present = <T extends { points: Dot[] }>(groups: T[]) =>
	groups.filter((group) => group.points.length > 0);

/** How far measured prefills lie from the law itself. */
export function prefillResiduals(
	fit: PrefillFit,
	points: readonly PrefillPoint[],
	configuration: string | null = null,
): ChartOption {
	// Without the residuals that pull the curve through its points: they are what is shown here.
	const law = { ...fit, residuals: [] };
	const residual = (p: PrefillPoint): Dot =>
		dotOf(p.tokens + p.cached, over(p.seconds, predictPrefill(law, p).seconds), p, configuration);
	return residualOption({
		groups: present([
			{ name: "Whole prompts", points: points.filter(isWhole).map(residual) },
			{ name: "Over cached tokens", points: points.filter((p) => p.cached > 0).map(residual) },
			{ name: "Prompts together", points: points.filter((p) => p.cached === 0 && p.batch > 1).map(residual) },
		]),
		noise: fit.noise?.relative ?? null,
		xName: "Tokens of a sequence",
	});
}

/** How far measured decode steps lie from the law. */
export function decodeResiduals(
	fit: DecodeFit,
	points: readonly DecodePoint[],
	configuration: string | null = null,
): ChartOption {
	const between = (from: number, to: number) =>
		points
			.filter((p) => p.batch >= from && p.batch <= to && p.context > 0)
			.map((p) => dotOf(p.context, over(p.seconds, predictDecode(fit, p).seconds), p, configuration));
	return residualOption({
		groups: present([
			{ name: "Alone", points: between(0, 1) },
			{ name: "2–8 together", points: between(1.01, 8) },
			{ name: "9–64 together", points: between(8.01, 64) },
			{ name: "More together", points: between(64.01, Number.POSITIVE_INFINITY) },
		]),
		noise: fit.noise?.relative ?? null,
		xName: "Context, tokens",
	});
}
