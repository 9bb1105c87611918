import type { AppDeps } from "../deps.ts";
import type { Metrics } from "../metrics.ts";
import { isReady } from "../store/readiness.ts";
import { router } from "./router.ts";

/** Liveness, readiness and metrics, on the root. */
export function healthRoutes({ database }: AppDeps, metrics: Metrics) {
	const app = router();
	app.get("/healthz", (c) => c.json({ status: "ok" }));
	app.get("/readyz", async (c) => {
		const ready = await isReady(database.sql);
		return c.json(
			{ status: ready ? "ready" : "the database does not answer or is not migrated" },
			ready ? 200 : 503,
		);
	});
	app.get("/metrics", async (c) =>
		c.body(await metrics.registry.metrics(), 200, { "content-type": metrics.registry.contentType }),
	);
	return app;
}
