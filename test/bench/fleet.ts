import { readFileSync } from "node:fs";
import {
	type Currency,
	type Demand,
	type FleetAsk,
	type FleetChoices,
	type FleetFacts,
	type GpuFacts,
	type GpuPrice,
	type ModelFacts,
	type PriceTerms,
	searchFleet,
	US_DOLLAR,
	usdPerGpuHour,
} from "@plimsoll/api/model";

const seeds = <T>(file: string): T[] =>
	JSON.parse(readFileSync(new URL(`../../db/seed/${file}.json`, import.meta.url), "utf8"));
const factsOf = <T>(file: string): T[] => seeds<{ facts: T }>(file).map(({ facts }) => facts);

/** Rents of the price book as it comes with the product. */
function prices(): Record<string, GpuPrice[]> {
	const book = seeds<{
		subject: string;
		terms: PriceTerms;
		currency?: Currency;
		source: string;
		readOn: string;
	}>("prices");
	return Object.fromEntries(
		book.flatMap(({ subject, terms, currency = US_DOLLAR, source, readOn }) => {
			if (terms.kind !== "on-demand") return [];
			const { low, high } = usdPerGpuHour(terms, currency);
			const price = { id: subject, gpuId: subject, kind: terms.kind, source, readOn };
			return [[subject, [{ ...price, usdPerGpuHourLow: low, usdPerGpuHourHigh: high }]] as const];
		}),
	);
}

/** Every card, 5 sizes of replica, 5 weight formats, 3 caches, 2 engines, 15 numbers of sequences. */
const MANY: FleetChoices = {
	gpus: null,
	gpusPerReplica: [1, 2, 4, 8, 16],
	weights: ["bf16", "fp8", "int4", "q6_k", "q8_0"],
	kv: ["bf16", "fp8", "q8_0"],
	engines: ["vllm", "llama.cpp"],
	maxSequences: [8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024],
	measuredOnly: false,
};

const demand: Demand = {
	load: { kind: "rate", tasksPerSecond: 20 },
	requestsPerTask: 1,
	dailyCurve: null,
	growthPerMonth: 0,
	prompt: { kind: "fixed", tokens: 1183 },
	output: { kind: "fixed", tokens: 254 },
	cachedShare: 0,
};

const ask = (choices: FleetChoices): FleetAsk => ({
	demand,
	limits: { ttftSeconds: 2, tpotSeconds: 0.05, percentile: 0.95 },
	policy: { spareReplicas: 1, utilisationCeiling: 0.8 },
	choices,
	...{ latency: "e2e", order: "cost", options: 20, price: null, utilisation: null },
});

/** Wall and processor time of one search. */
function timed(
	question: FleetAsk,
	facts: FleetFacts,
): { wall: number; processor: number; candidates: number } {
	const [start, used] = [performance.now(), process.cpuUsage()];
	const { answer } = searchFleet(question, facts);
	const processor = process.cpuUsage(used).user / 1000;
	return { wall: performance.now() - start, processor, candidates: answer.candidates };
}

/** Speed of a search over every candidate, as lines: the first one, and the fastest of five. */
export async function benchFleet(): Promise<string[]> {
	const model = factsOf<ModelFacts>("models").find(({ id }) => id === "llama-3.1-70b");
	if (!model) throw new Error("no model to search for");
	const facts: FleetFacts = { model, gpus: factsOf<GpuFacts>("gpus"), configurations: [], prices: prices() };
	const runs = Array.from({ length: 5 }, () => timed(ask(MANY), facts));
	const [first] = runs;
	const best = runs.reduce((a, b) => (a.wall <= b.wall ? a : b));
	if (!first || first.candidates < 100_000) throw new Error("fewer than 100,000 candidates");
	const line = ({ wall, processor }: typeof best) =>
		`${wall.toFixed(0)} ms (processor ${processor.toFixed(0)} ms)`;
	return [
		`${first.candidates.toLocaleString("en")} candidates, first search    ${line(first)}`,
		`${first.candidates.toLocaleString("en")} candidates, fastest of 5    ${line(best)}   (goal < 1000 ms)`,
	];
}
