import { DEMAND_PRESETS } from "../fleet/presets.ts";
import type { GpuFacts, ModelFacts } from "../memory/facts.ts";
import { CACHE_SCHEMES } from "../money/cache-schemes.ts";
import { describeTerms } from "../money/hourly.ts";
import type { HostedTerms, PriceEntry } from "../money/price.ts";
import { type ClaimKind, type ClaimSubject, claimIdOf, type LedgerEntry } from "../trust/claim.ts";
import { type EffectiveLength, reachWords } from "../trust/effective-length.ts";
import { bytes, count, figure } from "../trust/figures.ts";
import type { Evidence, Source } from "../trust/quantity.ts";

/** Whose an entry of a catalog is. */
type Owned<T> = T & { origin: "seed" | "user" };

/** What answers rest on besides measurements. */
export interface LedgerFacts {
	lengths: readonly EffectiveLength[];
	prices: readonly PriceEntry[];
	gpus: readonly Owned<GpuFacts>[];
	models: readonly Owned<ModelFacts>[];
}

/** The facts that answers rest on as entries of the ledger: effective lengths, presets, cache schemes, prices, catalogs. */
export function factEntries({ lengths, prices, gpus, models }: LedgerFacts): LedgerEntry[] {
	const names = new Map(gpus.map(({ id, name }) => [id, name]));
	return [
		...lengths.map(ofLength),
		...PRESETS,
		...SCHEMES,
		...prices.map((price) => ofPrice(price, names.get(price.subject) ?? price.subject)),
		...gpus.map(ofGpu),
		...models.map(ofModel),
	];
}

type FactSubject = Exclude<ClaimSubject, "claim">;
type Said = Pick<LedgerEntry, "statement" | "kind" | "conditions" | "source" | "settledBy"> &
	Partial<LedgerEntry>;

const entry = (subject: FactSubject, id: string, said: Said): LedgerEntry => ({
	...{ id: claimIdOf(subject, id), subject, topic: "other", against: [], href: null },
	...{ origin: "seed", enteredBy: null },
	...said,
});

/** The kind of claim that a figure of this evidence is. */
const KIND_OF: Partial<Record<Evidence, ClaimKind>> = {
	measured: "measurement",
	published: "measurement",
	vendor: "vendor",
	arithmetic: "arithmetic",
};
const kindOf = (evidence: Evidence): ClaimKind => KIND_OF[evidence] ?? "folklore";

function ofLength(length: EffectiveLength): LedgerEntry {
	const { id, evidence, conditions, source, scores, origin, enteredBy } = length;
	const scored = scores.map(({ at, percent }) => `${at} ${percent} %`).join(", ");
	return entry("length", id, {
		statement: reachWords(length),
		kind: kindOf(evidence),
		conditions: [conditions, scored && `Scores: ${scored}.`].filter(Boolean).join(" ") || null,
		source,
		settledBy: "The same test on the model and the lengths that you use.",
		...{ href: "/claims/lengths", origin, enteredBy },
	});
}

const PRESETS = DEMAND_PRESETS.map(({ id, name, note, evidence, requestsPerTask, sources }) =>
	entry("preset", id, {
		statement: `A task of “${name}” is ${count(requestsPerTask)} ${requestsPerTask === 1 ? "request" : "requests"} of a chat's lengths.`,
		kind: kindOf(evidence),
		conditions: note,
		source: sources.at(-1) ?? null,
		settledBy: "The requests and tokens of your own tasks, from a trace or a bill.",
		href: "/fleet",
	}),
);

const SCHEMES = CACHE_SCHEMES.map(({ id, provider, write, read, notes, evidence, source }) =>
	entry("scheme", id, {
		statement: `${provider} charges ${figure(write)} times the input price for a cached prefix that is written, ${read.low === read.high ? figure(read.low) : `${figure(read.low)} to ${figure(read.high)}`} times for one that is read.`,
		kind: kindOf(evidence),
		conditions: [id.replaceAll("-", " "), ...notes].join(". ").replaceAll("..", "."),
		source,
		settledBy: "The provider's price list of today, and a bill.",
		href: "/economics",
	}),
);

function ofPrice(
	{ id, terms, currency, seller, source, readOn, origin }: PriceEntry,
	name: string,
): LedgerEntry {
	const words =
		terms.kind === "hosted" ? hostedWords(terms, currency.code) : describeTerms({ terms, currency });
	return entry("price", id, {
		statement: `${name}${terms.kind === "hosted" ? "" : ", a GPU-hour"}: ${words}.`,
		kind: "vendor",
		conditions: seller,
		source: { label: source, ...(/^https?:\/\//.test(source) && { href: source }), date: readOn },
		settledBy: "The seller's price list of today, or your contract.",
		...{ href: `/prices/${id}`, origin },
	});
}

function hostedWords({ inputPerMillion, outputPerMillion }: HostedTerms, code: string): string {
	const range = ({ low, high }: { low: number; high: number }) =>
		low === high ? figure(low) : `${figure(low)} to ${figure(high)}`;
	return `${range(inputPerMillion)} ${code} for a million input tokens, ${range(outputPerMillion)} ${code} for a million output tokens`;
}

const REPORTED: Record<GpuFacts["totalBytesBasis"], string> = {
	engine: "Memory as an engine reported it, the rest from data sheets.",
	driver: "Memory as the driver reported it, the rest from data sheets.",
	nominal: "From data sheets; the driver reports 1 to 6 % less memory.",
};

/** Fields of a card as a reader calls them. */
const GPU_FIELDS: Readonly<Record<string, string>> = {
	...{ totalBytes: "memory", bandwidthBytesPerSecond: "bandwidth", tdpWatts: "power" },
	...{ bf16DenseFlops: "BF16 rate", fp8DenseFlops: "FP8 rate" },
};

function ofGpu(gpu: Owned<GpuFacts>): LedgerEntry {
	const { id, name, totalBytes, bandwidthBytesPerSecond, bf16DenseFlops } = gpu;
	const rates = [
		bandwidthBytesPerSecond && `${bytes(bandwidthBytesPerSecond)}/s of bandwidth`,
		bf16DenseFlops && `${figure(bf16DenseFlops / 1e12)} TFLOPS of dense BF16`,
	].filter(Boolean);
	return entry("gpu", id, {
		statement: `${name} has ${[`${bytes(totalBytes)} of memory`, ...rates].join(", ")}.`,
		...ground(gpu),
		conditions:
			[
				ground(gpu).source ? REPORTED[gpu.totalBytesBasis] : "",
				unread(gpu.unverified.map((field) => GPU_FIELDS[field] ?? field)),
			]
				.filter(Boolean)
				.join(" ") || null,
		settledBy: "A start-up log of an engine for the memory, prefill and decode runs for the rest.",
		origin: gpu.origin,
	});
}

function ofModel(model: Owned<ModelFacts>): LedgerEntry {
	const { id, name, layers, kvHeads, maxContextTokens, paramsTotal, unverified, caveats, origin } = model;
	const more = [
		paramsTotal !== null && `${figure(paramsTotal / 1e9)} × 10⁹ parameters`,
		maxContextTokens !== null && `made for ${count(maxContextTokens)} tokens`,
	].filter(Boolean);
	return entry("model", id, {
		statement: `${name} has ${[`${count(layers)} layers`, `${count(kvHeads)} KV heads`, ...more].join(", ")}.`,
		...ground(model),
		conditions: [...caveats, unread(unverified)].filter(Boolean).join(" ") || null,
		settledBy: "The model's config.json, or the header of its GGUF file.",
		...{ href: `/models/${encodeURIComponent(id)}`, origin },
	});
}

const BY_HAND = "entered by hand";

/** A catalog repeats what makers say; without a source it is hearsay. */
function ground({ sources }: { sources: readonly Source[] }): Pick<LedgerEntry, "kind" | "source"> {
	const source = sources.find(({ label }) => label !== BY_HAND) ?? null;
	return { kind: source ? "vendor" : "folklore", source };
}

const unread = (fields: readonly string[]): string =>
	fields.length === 0 ? "" : `Read in no source: ${fields.join(", ")}.`;
