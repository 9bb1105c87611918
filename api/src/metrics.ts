import type { MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Queryable } from "./store/sql.ts";

/** What Prometheus reads of this process. Each app has its own registry. */
export interface Metrics {
	registry: Registry;
	/** Times every request by route. */
	middleware: MiddlewareHandler;
	/** Counts what an upload brought. */
	countUpload(upload: { duplicate: boolean; accepted: number; failed: number; rejectedCount: number }): void;
	/** Counts what was told to whom: by operation and transport only, as nobody may grow the number of series by a name. */
	countResult(told: { operation: string; transport: string; bytes: number; tokens: number | null }): void;
}

export function createMetrics(sql: Queryable): Metrics {
	const registry = new Registry();
	collectDefaultMetrics({ register: registry, prefix: "plimsoll_" });
	const registers = [registry];
	const duration = new Histogram({
		...{ registers, name: "plimsoll_http_request_seconds", help: "Time to answer a request" },
		labelNames: ["method", "route", "status"],
		buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30],
	});
	const uploads = new Counter({
		...{ registers, name: "plimsoll_uploads_total", help: "Uploads by outcome", labelNames: ["outcome"] },
	});
	const rows = new Counter({
		...{ registers, name: "plimsoll_rows_total", help: "Rows of uploads by what became of them" },
		labelNames: ["kind"],
	});
	const resultBytes = new Histogram({
		...{ registers, name: "plimsoll_result_bytes", help: "Size of answers by operation" },
		labelNames: ["operation", "transport"],
		buckets: [1e3, 4e3, 16e3, 64e3, 256e3, 1e6, 4e6],
	});
	const resultTokens = new Counter({
		...{
			registers,
			name: "plimsoll_result_tokens_total",
			help: "Tokens of answers, estimated from their bytes",
		},
		labelNames: ["operation", "transport"],
	});
	watchConnections(sql, registry);
	return {
		registry,
		middleware: async (c, next) => {
			const stop = duration.startTimer();
			await next();
			stop({ method: c.req.method, route: routePath(c, -1), status: c.res.status });
		},
		countUpload: ({ duplicate, accepted, failed, rejectedCount }) => {
			uploads.inc({ outcome: duplicate ? "duplicate" : "stored" });
			if (duplicate) return;
			rows.inc({ kind: "accepted" }, accepted);
			rows.inc({ kind: "failed" }, failed);
			rows.inc({ kind: "rejected" }, rejectedCount);
		},
		countResult: ({ operation, transport, bytes, tokens }) => {
			resultBytes.observe({ operation, transport }, bytes);
			if (tokens !== null) resultTokens.inc({ operation, transport }, tokens);
		},
	};
}

/** Connections to the database as it counts them itself, of all processes that share it. */
function watchConnections(sql: Queryable, registry: Registry): void {
	new Gauge({
		registers: [registry],
		name: "plimsoll_database_connections",
		help: "Connections of Plimsoll to its database by state; absent while it does not answer",
		labelNames: ["state"],
		async collect() {
			this.reset();
			const states = await sql<{ state: string; n: number }[]>`
				select coalesce(state, 'other') as state, count(*) as n from pg_stat_activity
				where application_name = 'plimsoll' and datname = current_database() group by 1`.catch(() => []);
			for (const { state, n } of states) this.set({ state }, n);
		},
	});
}
