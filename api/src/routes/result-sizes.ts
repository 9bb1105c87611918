import type { Context, MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import type { Metrics } from "../metrics.ts";
import type { ResultLog, Told } from "../store/results.ts";
import { estimatedTokens } from "../tokens.ts";
import type { NameOf } from "./openapi.ts";
import type { AppEnv } from "./router.ts";

/** Keeps and counts what was told to whom. */
export type Tell = (told: Told) => void;

export function createTell(log: ResultLog, metrics: Metrics): Tell {
	return (told) => {
		metrics.countResult(told);
		log.add(told);
	};
}

/** Counts the bytes of every answer of the API as they leave, each for its operation and who says to have asked. */
export function measureResults(tell: Tell, nameOf: NameOf): MiddlewareHandler<AppEnv> {
	return async (c, next) => {
		await next();
		// What this process asked itself is told by the one who asked for it.
		if (c.env?.inner) return;
		const isText = /\bjson\b|^text\//.test(c.res.headers.get("content-type") ?? "");
		const { status } = c.res;
		const done = (bytes: number) =>
			tell({
				...c.get("attribution"),
				operation: operationOf(c, nameOf),
				caller: c.get("caller")?.name ?? null,
				...{ status, bytes, tokens: isText ? estimatedTokens(bytes) : null },
			});
		if (!c.res.body) return done(0);
		c.res = new Response(counted(c.res.body, done), c.res);
	};
}

const PREFIX = "/api/v1";

function operationOf(c: Context<AppEnv>, nameOf: NameOf): string {
	const path = routePath(c, -1);
	if (!path.startsWith(`${PREFIX}/`) || path.endsWith("*")) return "unknown";
	return nameOf(c.req.method, path.slice(PREFIX.length).replaceAll(/:(\w+)(?:\{[^}]*\})?/g, "{$1}"));
}

/** The same stream, its bytes told at the end, or where the reader goes away. */
function counted(
	body: ReadableStream<Uint8Array>,
	done: (bytes: number) => void,
): ReadableStream<Uint8Array> {
	const reader = body.getReader();
	let bytes = 0;
	return new ReadableStream<Uint8Array>({
		async pull(controller) {
			const { done: ended, value } = await reader.read();
			if (ended) {
				done(bytes);
				controller.close();
				return;
			}
			bytes += value.length;
			controller.enqueue(value);
		},
		cancel(reason) {
			done(bytes);
			return reader.cancel(reason);
		},
	});
}
