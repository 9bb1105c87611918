import type { Family } from "./family.ts";
import { llamaBenchCsv } from "./llama-bench-csv.ts";
import { llamaBenchJson, llamaBenchJsonl } from "./llama-bench-json.ts";
import { llamaBenchSql } from "./llama-bench-sql.ts";
import { serveStdout } from "./serve-stdout.ts";
import { vllmLatency } from "./vllm-latency.ts";
import { vllmLog } from "./vllm-log.ts";
import { vllmMetrics } from "./vllm-metrics.ts";
import { vllmServe } from "./vllm-serve.ts";
import { vllmThroughput } from "./vllm-throughput.ts";

/**
 * Every family of benchmark files, in the order of detection: the first whose `detect` holds reads the file.
 * Self-describing forms come first, loose text last. A new family is one file and one line here.
 */
export const FAMILIES: readonly Family[] = [
	llamaBenchJsonl,
	llamaBenchJson,
	llamaBenchCsv,
	llamaBenchSql,
	vllmServe,
	vllmLatency,
	vllmThroughput,
	serveStdout,
	vllmMetrics,
	vllmLog,
];
