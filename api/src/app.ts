import type { MiddlewareHandler } from "hono";
import { requestId } from "hono/request-id";
import { attributionOf } from "./attribution.ts";
import type { AppDeps } from "./deps.ts";
import { operationName } from "./mcp/operation.ts";
import { agentRoutes } from "./mcp/routes.ts";
import { createMetrics } from "./metrics.ts";
import { accessControl, agentAccess } from "./routes/access.ts";
import { accuracyRoutes } from "./routes/accuracy.ts";
import { adviceRoutes } from "./routes/advice.ts";
import { limitBody } from "./routes/body-limit.ts";
import { catalogRoutes } from "./routes/catalogs.ts";
import { claimRoutes } from "./routes/claims.ts";
import { compareRoutes } from "./routes/compare.ts";
import { configurationRoutes } from "./routes/configurations.ts";
import { economicsRoutes } from "./routes/economics.ts";
import { effectiveLengthRoutes } from "./routes/effective-lengths.ts";
import { errorHandler, notFoundHandler } from "./routes/errors.ts";
import { exampleRoutes } from "./routes/examples.ts";
import { fleetRoutes } from "./routes/fleet.ts";
import { forecastRoutes } from "./routes/forecasts.ts";
import { securityHeaders } from "./routes/headers.ts";
import { healthRoutes } from "./routes/health.ts";
import { keyRoutes } from "./routes/keys.ts";
import { liftRoutes } from "./routes/lifts.ts";
import { memoryRoutes } from "./routes/memory.ts";
import { modelRoutes } from "./routes/models.ts";
import { addOpenApi, describeApi } from "./routes/openapi.ts";
import { planRoutes } from "./routes/plan.ts";
import { plimsollCommandRoutes } from "./routes/plimsoll-command.ts";
import { predictRoutes } from "./routes/predict.ts";
import { priceRoutes } from "./routes/prices.ts";
import { reconciliationRoutes } from "./routes/reconciliation.ts";
import { reportRoutes } from "./routes/reports.ts";
import { requestLog } from "./routes/request-log.ts";
import { createTell, measureResults } from "./routes/result-sizes.ts";
import { type AppEnv, router } from "./routes/router.ts";
import { runRoutes } from "./routes/runs.ts";
import { scenarioRoutes } from "./routes/scenarios.ts";
import { simulateRoutes } from "./routes/simulate.ts";
import { solveRoutes } from "./routes/solve.ts";
import { toolsRoutes } from "./routes/tools.ts";
import { traceRoutes } from "./routes/traces.ts";
import { usageRoutes } from "./routes/usage.ts";
import { windowRoutes } from "./routes/window.ts";
import { createResultLog, type ResultLog } from "./store/results.ts";

export type { AppDeps } from "./deps.ts";
/** What the calls answer, for a client that reads JSON. */
export type { InputError } from "./problem.ts";
export type { AccuracyAnswer } from "./routes/accuracy.ts";
export type { ModelAnswer } from "./routes/model-entry.ts";
export type { ReconciledMonth } from "./routes/reconciliation.ts";
export type { ToolSeries, ToolsAnswer } from "./routes/tools.ts";
export type { UsageAnswer } from "./routes/usage.ts";
export type { WindowAnswer } from "./routes/window.ts";
export type { CheckedFleet, CheckedOption, SimulatedOption } from "./simulation/fleet.ts";
export type { ModelItem } from "./store/catalogs.ts";
export type { Comparison, EngineVersions, PlannedRuns } from "./store/comparison.ts";
export type { ConfigurationDetail, ConfigurationItem } from "./store/configurations.ts";
export type { KeptDecision } from "./store/decisions.ts";
export type {
	ConfigurationRecord,
	ForecastItem,
	LedgerRecord,
	LedgerSummary,
} from "./store/forecast-ledger.ts";
export type { ForecastRecord } from "./store/forecasts.ts";
export type { StoredMeasurement } from "./store/measurements.ts";
export type { PriceDetail, PriceItem } from "./store/prices.ts";
export type { RunDetail, RunItem } from "./store/runs.ts";
export type { ListedScenario, ScenarioDetail, ScenarioItem } from "./store/scenarios.ts";
export type { TraceDetail, TraceItem } from "./store/traces.ts";
export type { UploadAnswer } from "./store/upload.ts";

/** Everything that answers under /api, and the health calls, over one database. Holds no state of its own. */
export function createApp(deps: AppDeps) {
	const metrics = createMetrics(deps.database.sql);
	const results = createResultLog(deps.database.sql);
	const tell = createTell(results, metrics);
	const app = router();
	app.onError(errorHandler(deps));
	app.notFound(notFoundHandler);
	app.use(requestId(), attribute, requestLog(deps), metrics.middleware, securityHeaders);
	app.use("/api/*", measureResults(tell, operationName), accessControl(deps), limitBody);
	app.use("/mcp", agentAccess(deps));
	app.route("/", healthRoutes(deps, metrics));
	const api = addOpenApi(apiRoutes(deps, metrics, results), operationName);
	app.route(
		"/",
		agentRoutes(deps, app, () => describeApi(api, operationName), tell),
	);
	return app.route("/api/v1", api);
}

/** Who says to be calling; the labels of a call from inside are those of the call that it serves. */
const attribute: MiddlewareHandler<AppEnv> = async (c, next) => {
	c.set("attribution", c.env?.inner?.attribution ?? attributionOf(c.req.raw.headers));
	await next();
};

function apiRoutes(deps: AppDeps, metrics: ReturnType<typeof createMetrics>, results: ResultLog) {
	return router()
		.route("/", runRoutes(deps, metrics))
		.route("/", plimsollCommandRoutes())
		.route("/", configurationRoutes(deps))
		.route("/", compareRoutes(deps))
		.route("/", predictRoutes(deps))
		.route("/", forecastRoutes(deps))
		.route("/", accuracyRoutes())
		.route("/", memoryRoutes(deps))
		.route("/", planRoutes(deps))
		.route("/", windowRoutes(deps))
		.route("/", toolsRoutes(deps))
		.route("/", adviceRoutes(deps))
		.route("/", liftRoutes(deps))
		.route("/", solveRoutes(deps))
		.route("/", fleetRoutes(deps))
		.route("/", economicsRoutes(deps))
		.route("/", reportRoutes(deps))
		.route("/", simulateRoutes(deps))
		.route("/", traceRoutes(deps))
		.route("/", modelRoutes(deps))
		.route("/", catalogRoutes(deps))
		.route("/", priceRoutes(deps))
		.route("/", effectiveLengthRoutes(deps))
		.route("/", claimRoutes(deps))
		.route("/", scenarioRoutes(deps))
		.route("/", reconciliationRoutes(deps))
		.route("/", keyRoutes(deps))
		.route("/", usageRoutes(deps, results))
		.route("/", exampleRoutes(deps));
}

/** For `hc<App>`: every call with its input and output. */
export type App = ReturnType<typeof createApp>;
