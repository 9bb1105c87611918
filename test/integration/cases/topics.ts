import { benchIngest } from "./bench-ingest.ts";
import type { Topic } from "./case.ts";
import { configParsing } from "./config-parsing.ts";
import { cost } from "./cost.ts";
import { hybridPool } from "./hybrid-pool.ts";
import { kvPerToken } from "./kv-per-token.ts";
import { llamacppKvBuffers } from "./llamacpp-kv-buffers.ts";
import { notReproducible } from "./not-reproducible.ts";
import { reportsExport } from "./reports-export.ts";
import { serveIngest } from "./serve-ingest.ts";
import { units } from "./units.ts";
import { vllmKvLogs } from "./vllm-kv-logs.ts";
import { vllmMemorySplit } from "./vllm-memory-split.ts";
import { weights } from "./weights.ts";
import { whatIf } from "./what-if.ts";

/** Which of the product's functions answer the cases of a topic; a new topic is a file and a line here. */
export const TOPICS: Record<string, Topic> = {
	"bench-ingest": benchIngest,
	"config-parsing": configParsing,
	cost,
	"hybrid-pool": hybridPool,
	"kv-per-token": kvPerToken,
	"llamacpp-kv-buffers": llamacppKvBuffers,
	"not-reproducible": notReproducible,
	"reports-export": reportsExport,
	"serve-ingest": serveIngest,
	units,
	"vllm-kv-logs": vllmKvLogs,
	"vllm-memory-split": vllmMemorySplit,
	weights,
	"what-if": whatIf,
};
