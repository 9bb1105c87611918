import type {
	ConfigurationFacts,
	ConfigurationFits,
	FailurePoint,
	PinnedMemory,
	Point,
} from "@plimsoll/api/model";

/** A place in a file or an input, and what is wrong there. */
export interface Issue {
	at: string;
	reason: string;
}

interface RunBase {
	id: string;
	/** "llama-bench jsonl" */
	format: string;
	sha256: string;
	label: string | null;
	fileName: string | null;
	/** Unpacked. */
	bytes: number;
	accepted: number;
	failed: number;
	origin: ConfigurationFacts["origin"];
	attribution: string | null;
	createdAt: string;
	/** Name of the key it was sent with; null without one. */
	sentBy: string | null;
}

/** One uploaded file, as lists show it. */
export interface Run extends RunBase {
	rejected: number;
	aside: number;
	configurations: { id: string; label: string }[];
}

export interface RunDetail extends Run {
	notes: string[];
	/** At most 1,000 of each kind. */
	rejections: Issue[];
	asides: Issue[];
	/** The first 100. */
	measurements: Measurement[];
}

/** What the server says to an upload. */
export interface UploadAnswer extends RunBase {
	duplicate: boolean;
	rejected: Issue[];
	rejectedCount: number;
	aside: Issue[];
	asideCount: number;
	notes: string[];
	configurations: (Configuration & { forecast: ForecastRecord | null })[];
}

/** A stored measurement or failure; null: not said, or not a number of its phase. */
export interface Measurement {
	id: string;
	configurationId: string;
	runId: string;
	/** Place in the file. */
	at: string;
	phase: "prefill" | "decode" | "mixed" | "serve";
	status: "ok" | "partial" | "failed";
	/** prefill, mixed: new tokens; serve: input tokens. */
	tokens: number | null;
	/** prefill, mixed: cached tokens; decode: mean context. */
	depth: number | null;
	/** serve: output tokens; decode, mixed: generated tokens. */
	generated: number | null;
	/** Sequences together; serve: concurrency. */
	batch: number | null;
	rate: number | null;
	seconds: number[];
	secondsMean: number | null;
	secondsStd: number | null;
	repetitions: number | null;
	/** Why it failed. */
	reason: string | null;
	details: Record<string, unknown> | null;
	suspicions: string[];
	/** Whether fits read it. */
	included: boolean;
	startedAt: string | null;
}

interface FitSummary {
	form: string;
	n: number;
	loo: number | null;
	range: unknown;
}

interface ConfigurationBase extends ConfigurationFacts {
	counts: { measurements: number; failures: number; excluded: number; runs: number };
	createdAt: string;
	updatedAt: string;
}

/** A configuration, as lists show it. */
export interface Configuration extends ConfigurationBase {
	fits: Record<keyof ConfigurationFits, FitSummary | null>;
}

/** How well forecasts made before the measurements held. */
export interface ForecastRecord {
	count: number;
	/** Relative; null without any. */
	medianError: number | null;
	/** Forecasts whose 95 % interval held what was then measured. */
	intervalHeld: number;
}

export interface ConfigurationDetail extends ConfigurationBase {
	fits: ConfigurationFits;
	points: Point[];
	failures: FailurePoint[];
	pinned: PinnedMemory | null;
	forecasts: ForecastRecord;
}
