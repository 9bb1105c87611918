import { sql } from "drizzle-orm";
import {
	bigint,
	bigserial,
	boolean,
	customType,
	doublePrecision,
	index,
	integer,
	jsonb,
	pgTable,
	primaryKey,
	text,
	timestamp,
	uniqueIndex,
	uuid,
} from "drizzle-orm/pg-core";

const bytea = customType<{ data: Uint8Array }>({ dataType: () => "bytea" });
const moment = (name: string) => timestamp(name, { withTimezone: true, mode: "string" });

/** Catalog of GPUs; `facts` holds the GpuFacts of the model. `origin`: seed or user. */
export const gpus = pgTable("gpus", {
	id: text("id").primaryKey(),
	name: text("name").notNull(),
	/** Other spellings that uploads use, lower case: "nvidia h100 80gb hbm3". */
	aliases: text("aliases").array().notNull().default([]),
	facts: jsonb("facts").notNull(),
	origin: text("origin").notNull().default("seed"),
	createdAt: moment("created_at").notNull().defaultNow(),
});

/** Catalog of models; `facts` holds the ModelFacts of the model package. */
export const models = pgTable("models", {
	id: text("id").primaryKey(),
	name: text("name").notNull(),
	aliases: text("aliases").array().notNull().default([]),
	facts: jsonb("facts").notNull(),
	origin: text("origin").notNull().default("seed"),
	createdAt: moment("created_at").notNull().defaultNow(),
});

/**
 * Price book: versions are added, never changed (a trigger refuses it), so that an old answer keeps the price it was made
 * with. The newest version of a series supersedes the others.
 */
export const prices = pgTable(
	"prices",
	{
		id: uuid("id").primaryKey().defaultRandom(),
		/** What it is a price of: origin, kind, subject and seller in words. */
		series: text("series").notNull(),
		version: integer("version").notNull(),
		/** Catalog id of a GPU, or the name of a hosted model. */
		subject: text("subject").notNull(),
		kind: text("kind").notNull(),
		seller: text("seller"),
		/** PriceTerms of the model, amounts in the currency. */
		terms: jsonb("terms").notNull(),
		currency: text("currency").notNull().default("USD"),
		/** US dollars per unit of the currency, with where and when that was read. */
		usdPerUnit: doublePrecision("usd_per_unit").notNull().default(1),
		rateSource: text("rate_source"),
		rateReadOn: text("rate_read_on"),
		source: text("source").notNull(),
		readOn: text("read_on").notNull(),
		origin: text("origin").notNull().default("seed"),
		/** Name of the key, null without one. */
		enteredBy: text("entered_by"),
		createdAt: moment("created_at").notNull().defaultNow(),
	},
	(t) => [
		uniqueIndex("prices_version").on(t.series, t.version),
		index("prices_subject").on(t.subject, t.readOn),
		index("prices_read").on(t.readOn, t.id),
	],
);

/**
 * Everything that decides speed. `key` is the canonical text of the conditions; its hash is the id, which
 * keeps it unique (an index on the text itself would refuse keys above 2,700 bytes).
 */
export const configurations = pgTable(
	"configurations",
	{
		id: text("id").primaryKey(),
		key: text("key").notNull(),
		label: text("label").notNull(),
		/** Conditions of ingest/record.ts, as first seen. */
		conditions: jsonb("conditions").notNull(),
		gpuId: text("gpu_id"),
		modelId: text("model_id"),
		origin: text("origin").notNull().default("own"),
		attribution: text("attribution"),
		createdAt: moment("created_at").notNull().defaultNow(),
		/** Raised by each change of its points, so that a refit knows whether it is current. */
		revision: integer("revision").notNull().default(0),
	},
	(t) => [index("configurations_created").on(t.createdAt, t.id)],
);

/**
 * One uploaded file. The same bytes with the same parameters are one run, held by the unique index
 * (over a 64-bit hash of the parameters, because their text may be longer than an index row).
 */
export const runs = pgTable(
	"runs",
	{
		id: uuid("id").primaryKey(),
		sha256: text("sha256").notNull(),
		/** Canonical text of the query parameters sent with the file. */
		parameters: text("parameters").notNull(),
		format: text("format").notNull(),
		label: text("label"),
		fileName: text("file_name"),
		bytes: bigint("bytes", { mode: "number" }).notNull(),
		accepted: integer("accepted").notNull(),
		rejected: integer("rejected").notNull(),
		failed: integer("failed").notNull(),
		aside: integer("aside").notNull(),
		notes: jsonb("notes").notNull().default([]),
		origin: text("origin").notNull().default("own"),
		attribution: text("attribution"),
		sentBy: text("sent_by"),
		/** What the sender recorded about the machine and the command; null: nothing. No part of the identity. */
		conditions: jsonb("conditions"),
		/** Words that people sort runs by; no part of the identity. */
		tags: text("tags").array().notNull().default([]),
		createdAt: moment("created_at").notNull().defaultNow(),
		/** Set by a delete that can be undone; its measurements then count nowhere. */
		deletedAt: moment("deleted_at"),
	},
	(t) => [
		uniqueIndex("runs_identity").on(t.sha256, sql`hashtextextended(${t.parameters}, 0)`),
		index("runs_created").on(t.createdAt, t.id),
	],
);

/** The uploaded bytes, exactly: the pieces one after another are a gzip stream, or several. */
export const runBytes = pgTable(
	"run_bytes",
	{
		runId: uuid("run_id").notNull(),
		piece: integer("piece").notNull(),
		gzip: bytea("gzip").notNull(),
	},
	(t) => [primaryKey({ columns: [t.runId, t.piece] })],
);

/** Rows of a file that became no measurement, with place and reason. kind: rejected or aside. */
export const runIssues = pgTable(
	"run_issues",
	{
		runId: uuid("run_id").notNull(),
		position: integer("position").notNull(),
		kind: text("kind").notNull(),
		at: text("at").notNull(),
		reason: text("reason").notNull(),
	},
	(t) => [primaryKey({ columns: [t.runId, t.position] })],
);

/**
 * What one run brought to one configuration. Lists, counts and the lineage of fits read this, so that their cost
 * grows with runs and not with rows.
 */
export const runConfigurations = pgTable(
	"run_configurations",
	{
		configurationId: text("configuration_id").notNull(),
		runId: uuid("run_id").notNull(),
		/** Measurements without the failures. */
		measurements: integer("measurements").notNull(),
		failures: integer("failures").notNull(),
		/** Measurements that no fit reads: mixed rows and those taken out. */
		excluded: integer("excluded").notNull(),
		/** Phases of which it brought measurements that a fit may read: prefill, decode, serve. */
		phases: text("phases").array().notNull().default([]),
		/** First and last start of its measurements, where the source says: runs that lie apart share no measurement. */
		startedFrom: text("started_from"),
		startedTo: text("started_to"),
	},
	(t) => [primaryKey({ columns: [t.configurationId, t.runId] }), index("run_configurations_run").on(t.runId)],
);

/**
 * Measurements and failures. The key starts with the configuration, so that the table can be partitioned
 * and distributed by it. `point` is the shape's key in `points`; null for failures and mixed rows.
 */
export const measurements = pgTable(
	"measurements",
	{
		configurationId: text("configuration_id").notNull(),
		id: bigserial("id", { mode: "bigint" }).notNull(),
		runId: uuid("run_id").notNull(),
		at: text("at").notNull(),
		/** prefill, decode, mixed, serve, tools */
		phase: text("phase").notNull(),
		/** ok, partial, failed */
		status: text("status").notNull(),
		point: text("point"),
		/** prefill, mixed: new tokens; serve: input tokens; tools: prompt tokens; failures: where known. */
		tokens: doublePrecision("tokens"),
		/** prefill, mixed, tools: cached tokens; decode: mean context. */
		depth: doublePrecision("depth"),
		/** serve: output tokens; decode, mixed: generated tokens. */
		generated: doublePrecision("generated"),
		/** Sequences together; serve: concurrency; tools: tools in the request. */
		batch: doublePrecision("batch"),
		rate: doublePrecision("rate"),
		seconds: doublePrecision("seconds").array(),
		secondsMean: doublePrecision("seconds_mean"),
		secondsStd: doublePrecision("seconds_std"),
		repetitions: integer("repetitions"),
		reason: text("reason"),
		/** Statistics, notes and everything else of the record. */
		details: jsonb("details"),
		suspicions: text("suspicions").array(),
		/** Whether fits may use it; suspicious ones start outside. */
		included: boolean("included").notNull().default(true),
		startedAt: text("started_at"),
	},
	(t) => [
		primaryKey({ columns: [t.configurationId, t.id] }),
		index("measurements_run").on(t.runId, t.id),
		index("measurements_point").on(t.configurationId, t.point),
		// Every plan asks for them, and they are few among the rows of a configuration.
		index("measurements_failures").on(t.configurationId, t.tokens).where(sql`${t.status} = 'failed'`),
		// Few among the rows, and asked for over all configurations.
		index("measurements_tools").on(t.configurationId, t.batch).where(sql`${t.phase} = 'tools'`),
	],
);

/** History of what was taken into the fits or out of them: each change once, newest last. */
export const decisions = pgTable(
	"decisions",
	{
		configurationId: text("configuration_id").notNull(),
		id: bigserial("id", { mode: "number" }).notNull(),
		measurementId: bigint("measurement_id", { mode: "bigint" }).notNull(),
		runId: uuid("run_id").notNull(),
		/** What it became: in the fits, or out of them. */
		included: boolean("included").notNull(),
		/** Name of the key, "this machine" without one, or the check that found it doubtful. */
		decidedBy: text("decided_by").notNull(),
		reason: text("reason"),
		createdAt: moment("created_at").notNull().defaultNow(),
	},
	(t) => [
		primaryKey({ columns: [t.configurationId, t.id] }),
		index("decisions_measurement").on(t.configurationId, t.measurementId),
	],
);

/** History of what was corrected of a run's recorded conditions, field by field; null: not known. */
export const runCorrections = pgTable(
	"run_corrections",
	{
		runId: uuid("run_id").notNull(),
		id: bigserial("id", { mode: "number" }).notNull(),
		field: text("field").notNull(),
		before: jsonb("before"),
		after: jsonb("after"),
		/** Name of the key, "this machine" without one. */
		correctedBy: text("corrected_by").notNull(),
		reason: text("reason"),
		createdAt: moment("created_at").notNull().defaultNow(),
	},
	(t) => [primaryKey({ columns: [t.runId, t.id] })],
);

/** Per-point summaries of the included measurements: what fits read, so that their cost grows with points, not rows. */
export const points = pgTable(
	"points",
	{
		configurationId: text("configuration_id").notNull(),
		point: text("point").notNull(),
		phase: text("phase").notNull(),
		tokens: doublePrecision("tokens"),
		depth: doublePrecision("depth"),
		generated: doublePrecision("generated"),
		batch: doublePrecision("batch"),
		rate: doublePrecision("rate"),
		n: bigint("n", { mode: "number" }).notNull(),
		/** Sums over measurements of ln(seconds) and its square. */
		sumLog: doublePrecision("sum_log").notNull(),
		sumLog2: doublePrecision("sum_log2").notNull(),
		/** Pooled relative variance between repetitions inside runs: Σ (r−1)·(std/mean)², and Σ (r−1). */
		withinSumSquares: doublePrecision("within_sum_squares").notNull().default(0),
		withinFreedom: doublePrecision("within_freedom").notNull().default(0),
		/** serve: sums of logs of further statistics, {key: {n, sumLog}}. */
		statistics: jsonb("statistics"),
	},
	(t) => [primaryKey({ columns: [t.configurationId, t.point] })],
);

/** Fits, each version kept: an old answer can be traced to the coefficients it used. */
export const fits = pgTable(
	"fits",
	{
		configurationId: text("configuration_id").notNull(),
		id: uuid("id").notNull().defaultRandom(),
		revision: integer("revision").notNull(),
		phase: text("phase").notNull(),
		/** PrefillFit, DecodeFit or ServeFit. */
		fit: jsonb("fit").notNull(),
		/** Lineage: the runs whose measurements the fit read. */
		runIds: uuid("run_ids").array().notNull().default([]),
		current: boolean("current").notNull().default(true),
		createdAt: moment("created_at").notNull().defaultNow(),
	},
	(t) => [
		primaryKey({ columns: [t.configurationId, t.id] }),
		uniqueIndex("fits_current").on(t.configurationId, t.phase).where(sql`${t.current}`),
	],
);

/** Memory figures that an engine printed for a configuration, one row per run. */
export const memoryFacts = pgTable(
	"memory_facts",
	{
		configurationId: text("configuration_id").notNull(),
		id: uuid("id").notNull().defaultRandom(),
		runId: uuid("run_id").notNull(),
		at: text("at").notNull(),
		memory: jsonb("memory").notNull(),
		createdAt: moment("created_at").notNull().defaultNow(),
	},
	(t) => [primaryKey({ columns: [t.configurationId, t.id] })],
);

/** Forecast ledger: a run is predicted from the fits that stood before it, then added. */
export const forecasts = pgTable(
	"forecasts",
	{
		configurationId: text("configuration_id").notNull(),
		id: uuid("id").notNull().defaultRandom(),
		runId: uuid("run_id").notNull(),
		point: text("point").notNull(),
		phase: text("phase").notNull(),
		predictedSeconds: doublePrecision("predicted_seconds").notNull(),
		lowSeconds: doublePrecision("low_seconds").notNull(),
		highSeconds: doublePrecision("high_seconds").notNull(),
		measuredSeconds: doublePrecision("measured_seconds").notNull(),
		evidence: text("evidence").notNull(),
		createdAt: moment("created_at").notNull().defaultNow(),
	},
	(t) => [primaryKey({ columns: [t.configurationId, t.id] }), index("forecasts_run").on(t.runId)],
);

/**
 * Request traces to simulate: real arrivals and lengths. `columns` holds arrivalSeconds, promptTokens, outputTokens and, where
 * the source says, cachedTokens, an entry a request; `summary` what a list shows of them.
 */
export const traces = pgTable("traces", {
	id: text("id").primaryKey(),
	name: text("name").notNull(),
	requests: integer("requests").notNull(),
	summary: jsonb("summary").notNull(),
	columns: jsonb("columns").notNull(),
	/** Where it comes from: repository and file, or the name of the file that was sent. */
	source: text("source").notNull(),
	href: text("href"),
	licence: text("licence"),
	citation: text("citation"),
	notes: jsonb("notes").notNull().default([]),
	origin: text("origin").notNull().default("seed"),
	sentBy: text("sent_by"),
	createdAt: moment("created_at").notNull().defaultNow(),
});

/**
 * What-if questions that were kept: each with the facts it was answered from (fits, prices, catalog entries) and the answer,
 * so that it can be given again and held against today's. Taken out by a mark, so that taking out can be undone.
 */
export const scenarios = pgTable(
	"scenarios",
	{
		id: uuid("id").primaryKey().defaultRandom(),
		name: text("name").notNull(),
		note: text("note"),
		/** Query string of the scenario, as the dashboard's address and /plan take it. */
		query: text("query").notNull(),
		facts: jsonb("facts").notNull(),
		answer: jsonb("answer").notNull(),
		keptBy: text("kept_by"),
		createdAt: moment("created_at").notNull().defaultNow(),
		removedAt: moment("removed_at"),
	},
	(t) => [index("scenarios_newest").on(t.createdAt, t.id)],
);

/** Figures that circulate, with the ground they stand on; `facts` holds the Claim of the model. */
export const claims = pgTable("claims", {
	id: text("id").primaryKey(),
	facts: jsonb("facts").notNull(),
	origin: text("origin").notNull().default("seed"),
	/** Name of the key, null without one. */
	enteredBy: text("entered_by"),
	createdAt: moment("created_at").notNull().defaultNow(),
});

/** How far models use their windows, by task and threshold; `facts` holds the EffectiveLength of the model. */
export const effectiveLengths = pgTable(
	"effective_lengths",
	{
		id: text("id").primaryKey(),
		/** Catalog id of the model; null: the catalog does not have it, or not yet. */
		modelId: text("model_id"),
		facts: jsonb("facts").notNull(),
		origin: text("origin").notNull().default("seed"),
		enteredBy: text("entered_by"),
		createdAt: moment("created_at").notNull().defaultNow(),
	},
	(t) => [index("effective_lengths_model").on(t.modelId)],
);

/** Bearer keys, stored as SHA-256 of the secret. */
export const keys = pgTable("keys", {
	id: uuid("id").primaryKey().defaultRandom(),
	name: text("name").notNull(),
	sha256: text("sha256").notNull().unique(),
	scopes: text("scopes").array().notNull(),
	createdAt: moment("created_at").notNull().defaultNow(),
	lastUsedAt: moment("last_used_at"),
	revokedAt: moment("revoked_at"),
});

/** Facts of the installation itself: which seeds were loaded, whether the examples were removed. */
export const settings = pgTable("settings", {
	key: text("key").primaryKey(),
	value: jsonb("value").notNull(),
});

/** Long calls of agents: what was asked, who does it, what came of it. Kept for an hour. */
export const operations = pgTable(
	"operations",
	{
		id: uuid("id").primaryKey().defaultRandom(),
		operation: text("operation").notNull(),
		/** JSON text: a jsonb refuses some of what JSON may hold. */
		arguments: text("arguments").notNull(),
		/** Id of the key that asked; null without one. */
		callerId: text("caller_id"),
		/** Status of the answer; null while it is worked on. */
		status: integer("status"),
		answer: text("answer"),
		/** Sign of life of the process that works on it: where it stops, another one takes over. */
		beatAt: moment("beat_at").notNull().defaultNow(),
		createdAt: moment("created_at").notNull().defaultNow(),
	},
	(t) => [index("operations_created").on(t.createdAt)],
);

/** Size of what was answered lately, and to whom by their own word: telemetry, of which only the newest rows are kept. */
export const results = pgTable("results", {
	id: bigserial("id", { mode: "number" }).primaryKey(),
	at: moment("at").notNull().defaultNow(),
	operation: text("operation").notNull(),
	transport: text("transport").notNull(),
	/** Name of the key; null without one. */
	caller: text("caller"),
	client: text("client").notNull(),
	version: text("version"),
	status: integer("status").notNull(),
	bytes: bigint("bytes", { mode: "number" }).notNull(),
	/** Estimated from the bytes; null where the answer is no text. */
	tokens: integer("tokens"),
});
