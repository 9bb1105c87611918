export { holdsTar, isArchive } from "./archive/archive.ts";
export { type BilledMonth, readBill, UnreadableBill } from "./bill.ts";
export {
	compareConditions,
	configurationKey,
	configurationLabel,
	kvTypeName,
	pointKey,
} from "./conditions.ts";
export { distinctLabels } from "./distinct-labels.ts";
export { impossible } from "./impossible.ts";
export { readBenchmark } from "./read.ts";
export { ArchiveTooLarge, type Reading, UnreadableFile } from "./reading.ts";
export type * from "./record.ts";
export { settle } from "./repetitions.ts";
export { readTrace, type TraceColumns, type TraceReading, UnreadableTrace } from "./trace.ts";
