import { createHash } from "node:crypto";
import {
	type Conditions,
	configurationKey,
	configurationLabel,
	type Item,
	impossible,
	type Measurement,
	pointKey,
} from "../ingest/index.ts";
import type { InputError } from "../problem.ts";
import type { Doubt } from "./doubt.ts";
import type { FittedPhase, Touched } from "./fits.ts";
import { failureLine, measurementLine } from "./measurement-row.ts";
import type { MemoryFact } from "./memory-facts.ts";

/** Rejections and asides of one file that are kept one by one; all are counted. */
const KEPT_ISSUES = 10_000;
const KEPT_NOTES = 200;

export interface Issue extends InputError {
	kind: "rejected" | "aside";
}

/** A configuration as one file brought it. */
export interface RecordedConfiguration {
	id: string;
	key: string;
	label: string;
	conditions: Conditions;
	measurements: number;
	failures: number;
	excluded: number;
	/** Of which it brought measurements that a fit may read, and of which a fit reads one now. */
	phases: Set<FittedPhase>;
	touched: Set<FittedPhase>;
}

/** Takes the items of one file: counts everything, turns measurements and failures into lines for COPY. */
export class Recording {
	readonly configurations = new Map<string, RecordedConfiguration>();
	readonly issues: Issue[] = [];
	readonly memory: MemoryFact[] = [];
	readonly notes: string[] = [];
	accepted = 0;
	failed = 0;
	rejected = 0;
	aside = 0;
	readonly #runId: string;
	readonly #doubt: Doubt;
	/** Parsers give rows of one configuration one object: the key is computed once for it. */
	readonly #known = new WeakMap<Conditions, RecordedConfiguration>();

	constructor(runId: string, doubt: Doubt) {
		this.#runId = runId;
		this.#doubt = doubt;
	}

	/** The line for COPY, empty where the item is no row of the table. */
	take(item: Item): string {
		switch (item.kind) {
			case "measurement": {
				const fault = impossible(item.measurement);
				if (fault === null) return this.#measurement(item.at, item.measurement);
				return this.#issue({ kind: "rejected", at: item.at, reason: fault });
			}
			case "failure": {
				const configuration = this.#configurationOf(item.failure.conditions);
				this.failed++;
				configuration.failures++;
				return failureLine(item.failure, this.#place(configuration, item.at));
			}
			case "memory": {
				const { id } = this.#configurationOf(item.conditions);
				this.memory.push({ configurationId: id, at: item.at, memory: item.memory });
				return "";
			}
			case "note":
				if (this.notes.length < KEPT_NOTES && !this.notes.includes(item.text)) this.notes.push(item.text);
				return "";
			default:
				return this.#issue(item);
		}
	}

	/** Whether the file held anything worth keeping. */
	get usable(): boolean {
		return this.accepted + this.failed + this.memory.length > 0;
	}

	get touched(): Touched {
		return new Map([...this.configurations].map(([id, { touched }]) => [id, touched]));
	}

	#issue(issue: Issue): "" {
		this[issue.kind]++;
		if (this.issues.length < KEPT_ISSUES) this.issues.push(shortened(issue));
		return "";
	}

	#measurement(at: string, measurement: Measurement): string {
		const configuration = this.#configurationOf(measurement.conditions);
		const doubt = this.#doubt(measurement.conditions, measurement);
		if (doubt) measurement.suspicions.push(doubt);
		const point = pointKey(measurement);
		const included = point !== null && measurement.suspicions.length === 0;
		this.accepted++;
		configuration.measurements++;
		if (!included) configuration.excluded++;
		if (measurement.phase !== "mixed") {
			configuration.phases.add(measurement.phase);
			if (included) configuration.touched.add(measurement.phase);
		}
		return measurementLine(measurement, this.#place(configuration, at), point, included);
	}

	#place({ id }: RecordedConfiguration, at: string) {
		return { configurationId: id, runId: this.#runId, at };
	}

	#configurationOf(conditions: Conditions): RecordedConfiguration {
		const known = this.#known.get(conditions);
		if (known) return known;
		const key = configurationKey(conditions);
		const id = idOf(key);
		const configuration = this.configurations.get(id) ?? {
			...{ id, key, label: configurationLabel(conditions), conditions },
			...{ measurements: 0, failures: 0, excluded: 0 },
			...{ phases: new Set<FittedPhase>(), touched: new Set<FittedPhase>() },
		};
		this.configurations.set(id, configuration);
		this.#known.set(conditions, configuration);
		return configuration;
	}
}

/** A reason may quote the row it is about. */
function shortened({ kind, at, reason }: Issue): Issue {
	return { kind, at: at.slice(0, 200), reason: reason.slice(0, 500) };
}

/** Id of a configuration: the first 16 hex digits of its key's SHA-256 (64 bits). */
function idOf(key: string): string {
	return createHash("sha256").update(key).digest("hex").slice(0, 16);
}
