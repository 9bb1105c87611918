import type { MiddlewareHandler } from "hono";

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
export const securityHeaders: MiddlewareHandler = async (c, next) => {
	await next();
	for (const [name, value] of Object.entries(API_HEADERS))
		if (!c.res.headers.has(name)) c.res.headers.set(name, value);
};
