import { createHash } from "node:crypto";
import {
	type Conditions,
	configurationKey,
	configurationLabel,
	type Failure,
	type Item,
	impossible,
	type Measurement,
	pointKey,
} from "../ingest/index.ts";
import type { InputError } from "../problem.ts";
import { CopyRows } from "./copy-binary.ts";
import type { Doubt } from "./doubt.ts";
import type { FittedPhase, Touched } from "./fits.ts";
import { rowHead, shapeOf, writeFailure, writeMeasurement } from "./measurement-row.ts";
import type { MemoryFact } from "./memory-facts.ts";
import { type PointSum, PointSums } from "./point-sums.ts";

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
	/** First and last start of its measurements; null: not said. */
	startedFrom: string | null;
	startedTo: string | null;
}

/** What a file brought, but for the rows themselves. */
export interface Recorded {
	configurations: Map<string, RecordedConfiguration>;
	issues: Issue[];
	memory: MemoryFact[];
	notes: string[];
	accepted: number;
	failed: number;
	rejected: number;
	aside: number;
	/** What its measurements add to the summaries of their points; null: so many that only the rows tell. */
	sums: PointSum[] | null;
}

/** Whether a file held anything worth keeping. */
export function isUsable({ accepted, failed, memory }: Recorded): boolean {
	return accepted + failed + memory.length > 0;
}

export function touchedBy({ configurations }: Recorded): Touched {
	return new Map([...configurations].map(([id, { touched }]) => [id, touched]));
}

/** A configuration and the cells that its rows begin with. */
interface KnownConfiguration {
	configuration: RecordedConfiguration;
	head: Uint8Array;
}

/** Room for the rows of a batch of items. */
const ROWS_BYTES = 512 * 1024;

/** Takes the items of one file: counts everything, turns measurements and failures into rows for COPY. */
export class Recording {
	readonly rows = new CopyRows(ROWS_BYTES);
	readonly recorded: Recorded = {
		...{ configurations: new Map(), issues: [], memory: [], notes: [] },
		...{ accepted: 0, failed: 0, rejected: 0, aside: 0, sums: null },
	};
	readonly #sums = new PointSums();
	readonly #runId: string;
	readonly #doubt: Doubt;
	readonly #remarks: (conditions: Conditions) => string[];
	/** Parsers give rows of one configuration one object: the key is computed once for it. */
	readonly #known = new WeakMap<Conditions, KnownConfiguration>();

	/** @param remarks what is to be told of a configuration, once for each */
	constructor(runId: string, doubt: Doubt, remarks: (conditions: Conditions) => string[]) {
		this.#runId = runId;
		this.#doubt = doubt;
		this.#remarks = remarks;
		this.rows.begin();
	}

	take(item: Item): void {
		if (item.kind === "measurement") this.#orRejected(item.at, item.measurement);
		else if (item.kind === "failure") this.#failure(item.at, item.failure);
		else if (item.kind === "memory") this.#memory(item.at, item);
		else if (item.kind === "note") this.#note(item.text);
		else this.#issue(item);
	}

	/** All items were taken. */
	end(): Recorded {
		this.rows.end();
		this.recorded.sums = this.#sums.all;
		return this.recorded;
	}

	#orRejected(at: string, measurement: Measurement): void {
		const fault = impossible(measurement);
		if (fault === null) this.#measurement(at, measurement);
		else this.#issue({ kind: "rejected", at, reason: fault });
	}

	#failure(at: string, failure: Failure): void {
		const { configuration, head } = this.#configurationOf(failure.conditions);
		this.recorded.failed++;
		configuration.failures++;
		writeFailure(this.rows, failure, { head, at });
	}

	#memory(
		at: string,
		{ conditions, memory }: { conditions: Conditions; memory: MemoryFact["memory"] },
	): void {
		const { id } = this.#configurationOf(conditions).configuration;
		this.recorded.memory.push({ configurationId: id, at, memory });
	}

	#note(text: string): void {
		const { notes } = this.recorded;
		if (notes.length < KEPT_NOTES && !notes.includes(text)) notes.push(text);
	}

	#measurement(at: string, measurement: Measurement): void {
		const { configuration, head } = this.#configurationOf(measurement.conditions);
		for (const doubt of this.#doubt(measurement.conditions, measurement)) measurement.suspicions.push(doubt);
		const point = pointKey(measurement);
		const included = point !== null && measurement.suspicions.length === 0;
		this.recorded.accepted++;
		configuration.measurements++;
		if (!included) configuration.excluded++;
		noteStart(configuration, measurement.startedAt);
		if (measurement.phase !== "mixed" && measurement.phase !== "tools") {
			configuration.phases.add(measurement.phase);
			if (included) configuration.touched.add(measurement.phase);
		}
		const shape = shapeOf(measurement);
		if (included) this.#sums.add(configuration.id, point, measurement, shape);
		writeMeasurement(this.rows, measurement, shape, { head, at }, point, included);
	}

	#issue(issue: Issue): void {
		this.recorded[issue.kind]++;
		if (this.recorded.issues.length < KEPT_ISSUES) this.recorded.issues.push(shortened(issue));
	}

	#configurationOf(conditions: Conditions): KnownConfiguration {
		const known = this.#known.get(conditions);
		if (known) return known;
		for (const remark of this.#remarks(conditions)) this.#note(remark);
		const key = configurationKey(conditions);
		const id = idOf(key);
		const configuration = this.recorded.configurations.get(id) ?? {
			...{ id, key, label: configurationLabel(conditions), conditions },
			...{ measurements: 0, failures: 0, excluded: 0, startedFrom: null, startedTo: null },
			...{ phases: new Set<FittedPhase>(), touched: new Set<FittedPhase>() },
		};
		const added = { configuration, head: rowHead(id, this.#runId) };
		this.recorded.configurations.set(id, configuration);
		this.#known.set(conditions, added);
		return added;
	}
}

function noteStart(configuration: RecordedConfiguration, startedAt: string | null): void {
	if (startedAt === null) return;
	const { startedFrom, startedTo } = configuration;
	if (startedFrom === null || startedAt < startedFrom) configuration.startedFrom = startedAt;
	if (startedTo === null || startedAt > startedTo) configuration.startedTo = startedAt;
}

/** A reason may quote the row it is about. */
function shortened({ kind, at, reason }: Issue): Issue {
	return { kind, at: at.slice(0, 200), reason: reason.slice(0, 500) };
}

/** Id of a configuration: the first 16 hex digits of its key's SHA-256 (64 bits). */
function idOf(key: string): string {
	return createHash("sha256").update(key).digest("hex").slice(0, 16);
}
