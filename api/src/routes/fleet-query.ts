import { z } from "@hono/zod-openapi";
import {
	BLOCK_BYTES_PER_32,
	DEFAULT_CHOICES,
	DEMAND_PRESETS,
	type Demand,
	FLEET_LATENCIES,
	type FleetAsk,
	type KvType,
	kvTypeOf,
	type Lengths,
	type Trace,
	tokensOf,
	weightFormatOf,
} from "../model/index.ts";
import { invalidInput } from "../problem.ts";
import { amountText, growthText, wholeText } from "./number-schema.ts";
import { idText, words } from "./text-schema.ts";

/** Entries of a list in a query, apart by commas. */
const MOST_ENTRIES = 40;

/** A list in a query: "a,b,c"; `read` gives null for an entry that is none of what `[one, several]` name. */
const listText = <T>(
	read: (entry: string) => T | null,
	[one, several]: readonly [string, string],
	example: string,
) =>
	words(2000)
		.transform((text, context) => {
			const entries = text.split(",").map((entry) => entry.trim());
			if (entries.length > MOST_ENTRIES) context.addIssue(`at most ${MOST_ENTRIES} entries`);
			return entries.map((entry) => {
				const value = read(entry);
				if (value === null) context.addIssue(`'${entry}' is no ${one}`);
				return value as T;
			});
		})
		.optional()
		.openapi({ type: "string", description: `List of ${several}, apart by commas`, example });

const wholeUpTo = (most: number) => (entry: string) =>
	/^\d+$/.test(entry) && Number(entry) >= 1 && Number(entry) <= most ? Number(entry) : null;
/** A card by its id or as people write it: "h100-sxm-80gb", "H100 SXM", "RTX 4090". */
const cardName = (entry: string) => (/^[\w .:-]{1,100}$/.test(entry) ? entry : null);
const kvType = (entry: string): KvType | null => {
	const type = kvTypeOf(entry);
	return type && type in BLOCK_BYTES_PER_32 ? type : null;
};
const engine = (entry: string) => (/^[\w .-]{1,40}$/.test(entry) ? entry : null);
/** Widths that no format has: "fp88" is a slip, though it reads as fp8. */
const NO_WIDTH = /(fp|bf|int|float)(?!(4|8|16|32)(?!\d))\d/i;
const weight = (entry: string) =>
	entry.length <= 40 && weightFormatOf(entry) !== null && !NO_WIDTH.test(entry) ? entry : null;
const hour = (entry: string) =>
	/^(\d+\.?\d*|\.\d+)$/.test(entry) && Number(entry) <= 1e6 ? Number(entry) : null;

/** A number from `from` to `to`, both above 0. */
const boundedText = (from: number, to: number, described: Parameters<typeof amountText>[1]) =>
	amountText(to, described)
		.refine((value) => value === undefined || value >= from, `must be from ${from} to ${to}`)
		.openapi({ type: "number", minimum: from, maximum: to, ...described });

const tokensText = (description: string, example: string) =>
	words(30)
		.transform((text, context) => {
			const tokens = tokensOf(text);
			if (tokens === null || tokens < 1 || tokens > 1e7) context.addIssue("a number of tokens: 4000, 16K");
			return tokens ?? 1;
		})
		.optional()
		.openapi({ type: "string", description, example });

const PERCENTILES = ["50", "90", "95", "99"] as const;

/** The question for a fleet as a query string. */
export const fleetQuery = z
	.strictObject({
		model: idText.optional().openapi({ description: "Catalog id; left out: that of the configuration" }),
		configuration: idText
			.optional()
			.openapi({ description: "Whose model is meant where none is named; left out: the worked default" }),
		preset: z
			.enum(DEMAND_PRESETS.map(({ id }) => id))
			.optional()
			.openapi({ description: "Usual lengths to start from" }),
		context: tokensText("Prompt tokens: all alike, or the median where contextP95 is given", "1200"),
		output: tokensText("Output tokens", "250"),
		contextP95: tokensText("Prompt that 95 % of requests do not exceed: lengths are then lognormal", "4000"),
		outputP95: tokensText("Output that 95 % of requests do not exceed", "500"),
		trace: idText.optional().openapi({ description: "Trace whose lengths are taken" }),
		rate: boundedText(1e-6, 1e6, {
			description: "Tasks per second, mean over the day; not together with users",
			example: 20,
		}),
		users: wholeText(1, 1e8, { description: "People at work in the busiest hour" }),
		think: amountText(1e6, {
			description: "Seconds between an answer and a user's next request, 30 where left out",
		}),
		requestsPerTask: boundedText(1e-3, 1e4, { description: "Requests that one task takes: 1 for a chat" }),
		daily: listText(
			hour,
			["relative load of an hour", "relative loads of the hours of a day"],
			"1,1,1,2,4,4,2,1",
		),
		growth: growthText({
			description: "Growth from one month to the next, a share up to 1 or a percentage: 0.05 or 5%",
		}),
		cached: amountText(1, { description: "Share of each prompt that a prefix cache holds" }),
		prefix: wholeText(0, 1e7, { description: "Leading prompt tokens that requests share" }),
		hit: amountText(1, {
			description:
				"Share of the requests that find them remembered, by a prefix cache as by a hosted API; with prefix in place of cached",
		}),
		ttftSlo: amountText(1e6, { description: "Longest time to first token, seconds", example: 2 }),
		tpotSlo: amountText(1e6, { description: "Longest time per further token, seconds", example: 0.05 }),
		percentile: z
			.enum(PERCENTILES)
			.optional()
			.openapi({ description: "Share of requests within the limits, 95 where left out" }),
		spare: wholeText(0, 1000, {
			description: "Replicas that may fail with the limits held, 1 where left out",
		}),
		ceiling: boundedText(0.01, 1, {
			description: "Most of a replica's throughput to be used, 0.8 where left out",
		}),
		gpu: listText(cardName, ["GPU of the catalog", "GPUs of the catalog"], "h100-sxm-80gb,l40s"),
		gpus: listText(
			wholeUpTo(1024),
			["number of GPUs of a replica", "numbers of GPUs of a replica"],
			"1,2,4,8",
		),
		weights: listText(weight, ["weight format that is known", "weight formats"], "bf16,fp8,int4"),
		kv: listText(kvType, ["cache type", "cache types"], "bf16,fp8"),
		engine: listText(engine, ["engine", "engines"], "vllm"),
		maxSequences: listText(
			wholeUpTo(100_000),
			[
				"number of sequences that a replica is started for",
				"numbers of sequences that a replica is started for",
			],
			"32,64,128,256",
		),
		measured: z
			.enum(["true", "false"])
			.optional()
			.openapi({ description: "Only what was measured as it is" }),
		price: amountText(1e6, { description: "USD per GPU-hour in place of the price book" }),
		utilisation: amountText(1, { description: "Share of the card that an engine may use" }),
		latency: z
			.enum(FLEET_LATENCIES)
			.optional()
			.openapi({ description: "Time that the frontier is drawn against" }),
		order: z
			.enum(["cost", ...FLEET_LATENCIES])
			.optional()
			.openapi({ description: "What options are ordered by" }),
		estimates: z.enum(["last", "ranked"]).optional().openapi({
			description:
				"last, where left out: what was measured comes first, then what is carried over, then estimates; ranked: all by their order",
		}),
		each: z
			.enum(["gpu", "setting"])
			.optional()
			.openapi({ description: "Best of each GPU on each ground, where left out, or every setting of it" }),
		limit: wholeText(1, 100, { description: "Options told in full, 20 where left out" }),
		check: wholeText(0, 5, { description: "First options checked by the simulator, 2 where left out" }),
	})
	.openapi("FleetQuery");

export type FleetQuery = z.output<typeof fleetQuery>;

/** A default that the question did not say. */
export interface FleetAssumption {
	key: string;
	reason: string;
}

/** The question of a query, with what it left out. Not yet checked: `answerFleet` names what is out of bounds. */
export function fleetAsk(
	query: FleetQuery,
	trace: Trace | null,
): { ask: FleetAsk; assumed: FleetAssumption[] } {
	const assumed: FleetAssumption[] = [];
	const or = <T>(key: keyof FleetQuery, value: T | undefined, otherwise: T, reason: string): T => {
		if (value !== undefined) return value;
		assumed.push({ key, reason });
		return otherwise;
	};
	if (query.hit && !query.prefix)
		throw invalidInput([
			{ at: "prefix", reason: "hits of what? say how many leading tokens requests share" },
		]);
	if (query.prefix && query.cached)
		throw invalidInput([{ at: "cached", reason: "follows from prefix and hit: give one or the other" }]);
	if (query.prefix && query.hit === undefined)
		assumed.push({ key: "hit", reason: "hits not said: no request finds the shared prefix remembered" });
	const choices = {
		...DEFAULT_CHOICES,
		gpus: query.gpu ?? null,
		gpusPerReplica: query.gpus ?? DEFAULT_CHOICES.gpusPerReplica,
		weights: query.weights ?? DEFAULT_CHOICES.weights,
		kv: query.kv ?? DEFAULT_CHOICES.kv,
		engines: query.engine ?? DEFAULT_CHOICES.engines,
		maxSequences: query.maxSequences ?? DEFAULT_CHOICES.maxSequences,
		measuredOnly: query.measured === "true",
	};
	const ask: FleetAsk = {
		demand: demandOf(query, trace, or),
		limits: {
			ttftSeconds: or(
				"ttftSlo",
				query.ttftSlo,
				2,
				"2 s to the first token: MLPerf's limit for serving Llama-2-70B",
			),
			tpotSeconds: or(
				"tpotSlo",
				query.tpotSlo,
				0.2,
				"0.2 s per token: MLPerf's limit for serving Llama-2-70B",
			),
			percentile:
				Number(or("percentile", query.percentile, "95", "95 % of requests within the limits")) / 100,
		},
		policy: {
			spareReplicas: or("spare", query.spare, 1, "one replica may fail: N + 1"),
			utilisationCeiling: or("ceiling", query.ceiling, 0.8, "at most 80 % of a replica's highest throughput"),
		},
		choices,
		latency: query.latency ?? "e2e",
		order: query.order ?? "cost",
		surestFirst: query.estimates !== "ranked",
		perGpu: query.each !== "setting",
		options: query.limit ?? 20,
		price: query.price ?? null,
		utilisation: query.utilisation ?? null,
	};
	return { ask, assumed };
}

type Or = <T>(key: keyof FleetQuery, value: T | undefined, otherwise: T, reason: string) => T;

function demandOf(query: FleetQuery, trace: Trace | null, or: Or): Demand {
	const preset = DEMAND_PRESETS.find(({ id }) => id === query.preset) ?? DEMAND_PRESETS[0];
	if (!preset) throw new RangeError("no presets");
	const said = query.preset
		? `as in the preset ${query.preset}`
		: "the mean of a public trace of conversations";
	const lengths = (key: "context" | "output", p95: number | undefined, usual: Lengths): Lengths => {
		const tokens = query[key];
		if (tokens === undefined) return trace ? { kind: "trace" } : or(key, undefined, usual, said);
		return p95 === undefined ? { kind: "fixed", tokens } : { kind: "lognormal", median: tokens, p95 };
	};
	const hits = query.prefix && query.hit ? { prefixTokens: query.prefix, hitShare: query.hit } : null;
	return {
		load:
			query.users === undefined
				? { kind: "rate", tasksPerSecond: or("rate", query.rate, 1, "1 task per second") }
				: {
						kind: "users",
						users: query.users,
						thinkSeconds: or("think", query.think, 30, "30 s between an answer and the next request"),
					},
		requestsPerTask: query.requestsPerTask ?? preset.requestsPerTask,
		dailyCurve: or<readonly number[] | null>("daily", query.daily, null, "every hour of the day alike"),
		growthPerMonth: query.growth ?? 0,
		prompt: lengths("context", query.contextP95, preset.prompt),
		output: lengths("output", query.outputP95, preset.output),
		...(trace ? { trace } : {}),
		cachedShare: query.cached ?? 0,
		hits,
	};
}
