import { isIP } from "node:net";
import type { Context, MiddlewareHandler } from "hono";
import type { AppDeps } from "../deps.ts";
import { Problem } from "../problem.ts";
import { findKey, type Key, type Scope } from "../store/keys.ts";
import type { AppEnv } from "./router.ts";

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

/** Calls that change something, and the scope each needs; what is not named here needs admin. */
const SCOPE_OF: readonly [method: string, path: RegExp, scope: Scope | "none"][] = [
	// Reads, however it is called.
	["POST", /^\/api\/v1\/(predict|simulate|tools|reports\/reconciliation)$/, "none"],
	["POST", /^\/api\/v1\/(runs|traces)$/, "ingest"],
	["POST", /^\/api\/v1\/scenarios$/, "plan"],
	["PATCH", /^\/api\/v1\/scenarios\/[^/]+$/, "plan"],
	["DELETE", /^\/api\/v1\/scenarios\/[^/]+$/, "plan"],
	["PATCH", /^\/api\/v1\/runs\/[^/]+$/, "ingest"],
	["PATCH", /^\/api\/v1\/configurations\/[^/]+\/measurements\/[^/]+$/, "ingest"],
];

/** The scope that a call needs; null: none. Keys are nobody's business but the administrator's, even to read. */
export function scopeOf(method: string, path: string): Scope | null {
	const isKeys = /^\/api\/v1\/keys(\/|$)/.test(path);
	if (SAFE.has(method)) return isKeys ? "admin" : null;
	const scope = SCOPE_OF.find(([verb, pattern]) => verb === method && pattern.test(path))?.[2] ?? "admin";
	return scope === "none" ? null : scope;
}

/**
 * Decides who may do what: the name the server was called by, then the key and its scope, then, where no key
 * is needed, that a browser's write comes from this very site.
 */
export function accessControl({ database: { sql }, access }: AppDeps): MiddlewareHandler<AppEnv> {
	return async (c, next) => {
		if (!isKnownHost(new URL(c.req.url).hostname, access.hosts)) throw unknownHost(c);
		const scope = scopeOf(c.req.method, c.req.path);
		const inner = c.env?.inner;
		const secret = inner ? null : bearerOf(c);
		const caller = inner ? inner.caller : secret === null ? null : await findKey(sql, secret);
		if (scope && secret !== null && !caller) throw unknownKey();
		if (scope && caller) requireScope(caller, scope);
		else if (scope && access.keysNeeded) throw keyNeeded(scope);
		else if (!inner && !SAFE.has(c.req.method) && isCrossSite(c)) throw crossSite();
		c.set("caller", caller);
		await next();
	};
}

/**
 * The door for agents: the name of the server, the site that a browser speaks for, and a key that is known, where one is
 * sent. What the key may do is decided at each call, by the API itself.
 */
export function agentAccess({ database: { sql }, access }: AppDeps): MiddlewareHandler<AppEnv> {
	return async (c, next) => {
		const { hostname } = new URL(c.req.url);
		// A name that a browser looked up may have been pointed here by its owner; an address or a listed name was not.
		const known = access.hosts ?? (isFromBrowser(c) && !isAddress(hostname) ? [] : null);
		if (!isKnownHost(hostname, known)) throw unknownHost(c);
		if (isCrossSite(c)) throw crossSite();
		const secret = bearerOf(c);
		const caller = secret === null ? null : await findKey(sql, secret);
		if (secret !== null && !caller) throw unknownKey();
		c.set("caller", caller);
		await next();
	};
}

/** Whether a name may be used to call the server; the last defence of one that trusts its own machine. */
export function isKnownHost(hostname: string, hosts: readonly string[] | null): boolean {
	return hosts === null || hosts.includes(hostname.toLowerCase()) || isLoopbackName(hostname);
}

function isLoopbackName(hostname: string): boolean {
	return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

const isAddress = (hostname: string): boolean => isIP(hostname.replace(/^\[(.*)\]$/, "$1")) !== 0;

function bearerOf(c: Context<AppEnv>): string | null {
	const [, secret] = /^Bearer\s+(\S{1,200})\s*$/i.exec(c.req.header("authorization") ?? "") ?? [];
	return secret ?? null;
}

function requireScope(key: Key, scope: Scope): void {
	if (key.scopes.includes(scope) || key.scopes.includes("admin")) return;
	throw new Problem(
		403,
		"Scope missing",
		`The key "${key.name}" has the scope ${key.scopes.join(", ")}; this call needs ${scope}. ` +
			`npm run key -- --scope ${scope} --name NAME makes one.`,
	);
}

const isFromBrowser = (c: Context<AppEnv>): boolean =>
	c.req.header("origin") !== undefined || c.req.header("sec-fetch-site") !== undefined;

/**
 * Whether a browser sends this for another site. What sends neither header is no browser.
 * @source Fetch Metadata (W3C); the Origin header of RFC 6454
 */
function isCrossSite(c: Context<AppEnv>): boolean {
	const site = c.req.header("sec-fetch-site");
	if (site !== undefined) return site !== "same-origin" && site !== "none";
	const origin = c.req.header("origin");
	return origin !== undefined && URL.parse(origin)?.host !== new URL(c.req.url).host;
}

function unknownHost(c: Context<AppEnv>): Problem {
	const name = new URL(c.req.url).hostname;
	return new Problem(
		421,
		"Unknown host name",
		`This server is not called ${name}. Behind a proxy that passes this name on, set ALLOWED_HOSTS=${name}.`,
	);
}

function unknownKey(): Problem {
	return new Problem(
		401,
		"Key not known",
		"The bearer key is unknown or revoked. npm run key -- --scope ingest --name NAME makes a new one.",
	);
}

function keyNeeded(scope: Scope): Problem {
	return new Problem(
		401,
		"Key needed",
		`This call needs a key with the scope ${scope}: npm run key -- --scope ${scope} --name NAME prints one; ` +
			"send it as Authorization: Bearer KEY.",
	);
}

function crossSite(): Problem {
	return new Problem(
		403,
		"Cross-site request",
		"A page of another site may not change anything here. Programs that are no browser send no Origin header.",
	);
}
