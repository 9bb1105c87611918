import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "./router.ts";

/** Headers of every answer, pages included; the pages' Content-Security-Policy comes with the page. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
	"x-content-type-options": "nosniff",
	"referrer-policy": "same-origin",
	"x-frame-options": "DENY",
	"cross-origin-opener-policy": "same-origin",
	"cross-origin-resource-policy": "same-origin",
	"permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
};

/** Nothing that the API answers is a page. */
const API_HEADERS: Readonly<Record<string, string>> = {
	...SECURITY_HEADERS,
	"content-security-policy": "default-src 'none'; frame-ancestors 'none'",
	"cache-control": "no-store",
};

/** Sets the headers that a handler has not set itself. */
export const securityHeaders: MiddlewareHandler<AppEnv> = async (c, next) => {
	await next();
	// A problem is a response of its own, without what middleware prepared for the handler's.
	const headers = { ...API_HEADERS, "x-request-id": c.get("requestId") };
	for (const [name, value] of Object.entries(headers))
		if (!c.res.headers.has(name)) c.res.headers.set(name, value);
};
