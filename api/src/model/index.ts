export * from "./answer/advice.ts";
export type * from "./answer/answer.ts";
export type { Asked } from "./answer/bench-candidates.ts";
export type { CommandSubject, PostTo } from "./answer/bench-command.ts";
export type { BenchRun, BenchTool } from "./answer/bench-tool.ts";
export * from "./answer/blank.ts";
export * from "./answer/capacity.ts";
export * from "./answer/context-limits.ts";
export * from "./answer/curves.ts";
export * from "./answer/expected-interval.ts";
export type { FirstRuns } from "./answer/first-runs.ts";
export * from "./answer/gauges.ts";
export * from "./answer/ledger.ts";
export * from "./answer/lifts.ts";
export * from "./answer/load-answer.ts";
export * from "./answer/load-result.ts";
export * from "./answer/load-setting.ts";
export * from "./answer/measurement-shape.ts";
export * from "./answer/pareto.ts";
export * from "./answer/plan.ts";
export type * from "./answer/question.ts";
export * from "./answer/reconciliation.ts";
export * from "./answer/report.ts";
export type { ReportAssumption } from "./answer/report-assumptions.ts";
export type { CurrencyCost, CurrencyFigure } from "./answer/report-currency.ts";
export { type LadderLoad, loadWords, type MoneyBasis, type ReportLoad } from "./answer/report-loads.ts";
export type { ForecastTally, PublicRecord } from "./answer/report-method.ts";
export * from "./answer/since.ts";
export {
	COST_PER,
	type CostGoal,
	type CostPer,
	costPer,
	GOAL_USD,
	isGoal,
	MOST_PRICE_USD,
	SOLVE_FOR,
	type Solution,
	type SolveFor,
	solvedUsers,
} from "./answer/solution.ts";
export * from "./answer/solve.ts";
export * from "./answer/trap.ts";
export * from "./fleet/candidates.ts";
export * from "./fleet/demand.ts";
export * from "./fleet/economics.ts";
export * from "./fleet/fleet.ts";
export type { GrownFleet } from "./fleet/growth.ts";
export { type FleetOption, optionOf } from "./fleet/option.ts";
export * from "./fleet/presets.ts";
export type { FleetBinding } from "./fleet/replica.ts";
export { resized, type SizedOption } from "./fleet/sized.ts";
export type { FleetQuestion } from "./fleet/sweep.ts";
export type { Arrivals } from "./load/arrivals.ts";
export * from "./load/calibration.ts";
export * from "./load/engine.ts";
export type { Lengths } from "./load/lengths.ts";
export * from "./load/outcome.ts";
export type { Run } from "./load/run.ts";
export * from "./load/setting.ts";
export * from "./load/simulate.ts";
export * from "./load/sweep.ts";
export type { Timeline } from "./load/timeline.ts";
export * from "./load/trace.ts";
export * from "./load/workload.ts";
export type * from "./memory/answer.ts";
export * from "./memory/attention.ts";
export * from "./memory/card.ts";
export * from "./memory/config.ts";
export * from "./memory/config-layers.ts";
export { isLlamaCpp } from "./memory/defaults.ts";
export * from "./memory/facts.ts";
export * from "./memory/gguf.ts";
export type { GgufTensor } from "./memory/gguf-tensors.ts";
export type { MemoryInput } from "./memory/input.ts";
export * from "./memory/kv-type.ts";
export * from "./memory/llama-cells.ts";
export * from "./memory/log-checks.ts";
export * from "./memory/model-file.ts";
export * from "./memory/pages.ts";
export * from "./memory/pool.ts";
export * from "./memory/recurrent.ts";
export * from "./memory/stack.ts";
export * from "./memory/weights.ts";
export * from "./money/cache-schemes.ts";
export * from "./money/caching.ts";
export * from "./money/choice.ts";
export * from "./money/cost.ts";
export * from "./money/crossover.ts";
export * from "./money/hosted.ts";
export * from "./money/hosted-prices.ts";
export * from "./money/hourly.ts";
export * from "./money/outlay.ts";
export * from "./money/ownership.ts";
export * from "./money/prefix-cache.ts";
export * from "./money/price.ts";
export * from "./money/price-age.ts";
export * from "./money/sensitivity.ts";
export * from "./time/configuration.ts";
export * from "./time/curves.ts";
export * from "./time/decode.ts";
export * from "./time/goodput.ts";
export * from "./time/load.ts";
export * from "./time/passage.ts";
export * from "./time/peak.ts";
export * from "./time/points.ts";
export * from "./time/prefill.ts";
export * from "./time/roofline.ts";
export * from "./time/scaling.ts";
export * from "./time/serve.ts";
export * from "./trust/accuracy-record.ts";
export * from "./trust/checklist.ts";
export * from "./trust/claim.ts";
export * from "./trust/compare.ts";
export * from "./trust/condition-rows.ts";
export * from "./trust/difference.ts";
export * from "./trust/effective-length.ts";
export * from "./trust/figures.ts";
export { quantile } from "./trust/interval.ts";
export * from "./trust/noise.ts";
export * from "./trust/plausibility.ts";
export * from "./trust/quality.ts";
export * from "./trust/quantity.ts";
export * from "./trust/sample-size.ts";
export * from "./trust/units.ts";
export * from "./trust/version-order.ts";
export * from "./window/budget.ts";
export * from "./window/session.ts";
export * from "./window/tools.ts";
