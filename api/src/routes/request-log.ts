import type { MiddlewareHandler } from "hono";
import type { AppDeps } from "../deps.ts";
import type { AppEnv } from "./router.ts";

/** One JSON line per request at level info. */
export function requestLog({ log }: AppDeps): MiddlewareHandler<AppEnv> {
	return async (c, next) => {
		const start = performance.now();
		await next();
		log.info({
			requestId: c.get("requestId"),
			method: c.req.method,
			path: c.req.path,
			status: c.res.status,
			milliseconds: Math.round(performance.now() - start),
			caller: c.get("caller")?.name,
			...c.get("attribution"),
		});
	};
}
