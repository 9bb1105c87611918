import { canonical } from "./canonical.ts";
import { aiperf } from "./clients/aiperf.ts";
import { aiperfConsole, aiperfCsv, aiperfServerCsv } from "./clients/aiperf-tables.ts";
import { guidellm } from "./clients/guidellm.ts";
import { guidellmCsv } from "./clients/guidellm-csv.ts";
import { inferencePerf } from "./clients/inference-perf.ts";
import { inferencex } from "./clients/inferencex.ts";
import { llmperf } from "./clients/llmperf.ts";
import { lmbench } from "./clients/lmbench.ts";
import { recorderMeta, requestRecorder } from "./clients/request-recorder.ts";
import { toolSeries } from "./clients/tool-series.ts";
import type { Family } from "./family.ts";
import { batchedBenchJsonl } from "./llama/batched-bench-jsonl.ts";
import { llamaBenchCsv } from "./llama/bench-csv.ts";
import { llamaBenchJson, llamaBenchJsonl } from "./llama/bench-json.ts";
import { llamaBenchSql } from "./llama/bench-sql.ts";
import { notebook } from "./llama/notebook.ts";
import { llamaMetrics, llamaServerJson, llamaServerJsonl, llamaServerStream } from "./llama/server.ts";
import { batchedBenchMd, llamaBenchMd, llamaLog, sweepBenchMd } from "./llama/text-families.ts";
import { serveStdout } from "./served/serve-stdout.ts";
import { sglangBatch } from "./sglang/batch.ts";
import { sglangLog } from "./sglang/log.ts";
import { sglangServe } from "./sglang/serve.ts";
import { vllmCiTable } from "./vllm/ci-table.ts";
import { vllmCommands } from "./vllm/commands.ts";
import { vllmLatency } from "./vllm/latency.ts";
import { vllmLog } from "./vllm/log.ts";
import { vllmMetrics } from "./vllm/metrics.ts";
import { vllmPytorch } from "./vllm/pytorch.ts";
import { vllmServe } from "./vllm/serve.ts";
import { vllmThroughput } from "./vllm/throughput.ts";

/**
 * Every family of benchmark files, in the order of detection: the first whose `detect` holds reads the file.
 * Self-describing forms come first, loose text last. A new family is one file and one line here.
 */
export const FAMILIES: readonly Family[] = [
	canonical,
	notebook,
	llamaBenchJsonl,
	llamaBenchJson,
	llamaBenchCsv,
	llamaBenchSql,
	batchedBenchJsonl,
	toolSeries,
	llamaServerJsonl,
	llamaServerJson,
	llamaServerStream,
	llamaMetrics,
	sglangServe,
	sglangBatch,
	vllmServe,
	vllmLatency,
	vllmThroughput,
	vllmPytorch,
	guidellm,
	aiperf,
	inferencex,
	inferencePerf,
	llmperf,
	requestRecorder,
	recorderMeta,
	vllmCiTable,
	vllmCommands,
	lmbench,
	guidellmCsv,
	aiperfServerCsv,
	aiperfCsv,
	aiperfConsole,
	serveStdout,
	vllmMetrics,
	sglangLog,
	vllmLog,
	llamaBenchMd,
	batchedBenchMd,
	sweepBenchMd,
	llamaLog,
];
