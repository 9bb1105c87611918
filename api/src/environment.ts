import { isAbsolute, resolve } from "node:path";

/** The only file that reads the environment; the README's table is generated from and tested against SETTINGS. */

const root = resolve(import.meta.dirname, "../..");

export interface Environment {
	port: number;
	host: string;
	/** The team's PostgreSQL; undefined: the private embedded one. */
	databaseUrl: string | undefined;
	/** Absolute. */
	dataDir: string;
	maxBodyBytes: number;
	requestTimeoutSeconds: number;
	/** Further names under which a server bound to loopback may be called, lower case. */
	allowedHosts: string[];
	logLevel: LogLevel;
	/** Whether a fresh database gets the example data. */
	examples: boolean;
}

const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Setting {
	name: string;
	default: string;
	meaning: string;
}

export const SETTINGS: readonly Setting[] = [
	{ name: "PORT", default: "8787", meaning: "Port of the dashboard and the API; 0 takes a free one" },
	{
		name: "HOST",
		default: "127.0.0.1",
		meaning: "Address to listen on; any address that is not loopback makes writing need a key",
	},
	{
		name: "DATABASE_URL",
		default: "(none)",
		meaning:
			"Your own PostgreSQL, postgres://user:password@host/name; without it a private server is started in DATA_DIR",
	},
	{
		name: "DATA_DIR",
		default: "./data",
		meaning: "Folder of the private database; relative to the repository",
	},
	{
		name: "MAX_BODY_BYTES",
		default: "64MiB",
		meaning: "Largest upload, counted after unpacking; a number of bytes, or with KiB, MiB or GiB",
	},
	{
		name: "REQUEST_TIMEOUT_SECONDS",
		default: "300",
		meaning: "Longest time that one request may take to arrive, its body included",
	},
	{
		name: "ALLOWED_HOSTS",
		default: "(none)",
		meaning:
			"Further host names, comma separated, under which a reverse proxy passes requests on; makes writing need a key",
	},
	{
		name: "LOG_LEVEL",
		default: "warn",
		meaning: `Least important log line written (${LOG_LEVELS.join(", ")}); info has one JSON line per request`,
	},
	{
		name: "EXAMPLES",
		default: "on",
		meaning: "on or off: whether a fresh database starts with the example data",
	},
];

/** Settings that cannot be read; one line each, meant to be printed alone. */
export class EnvironmentProblem extends Error {
	override readonly name = "EnvironmentProblem";
}

type Variables = Record<string, string | undefined>;

/**
 * Reads and checks every setting.
 * @throws EnvironmentProblem that names every wrong one
 */
export function readEnvironment(variables: Variables = process.env): Environment {
	const wrong: string[] = [];
	const read = <T>(name: string, parse: (text: string) => T | string): T => {
		const given = variables[name]?.trim();
		const text = given || (SETTINGS.find((setting) => setting.name === name)?.default ?? "");
		const value = parse(text);
		if (typeof value === "string") wrong.push(`${name}=${text}: ${value}`);
		return value as T;
	};
	const environment: Environment = {
		port: read("PORT", (text) => wholeNumber(text, 0, 65535)),
		host: read("HOST", (text) => ({ text })).text,
		databaseUrl: read("DATABASE_URL", postgresUrl).url,
		dataDir: read("DATA_DIR", (text) => ({ path: isAbsolute(text) ? text : resolve(root, text) })).path,
		maxBodyBytes: read("MAX_BODY_BYTES", byteCount),
		requestTimeoutSeconds: read("REQUEST_TIMEOUT_SECONDS", (text) => wholeNumber(text, 1, 86_400)),
		allowedHosts: read("ALLOWED_HOSTS", hostNames),
		logLevel: read("LOG_LEVEL", logLevel).level,
		examples: read("EXAMPLES", onOrOff),
	};
	if (wrong.length > 0) throw new EnvironmentProblem(wrong.join("\n"));
	return environment;
}

function wholeNumber(text: string, from: number, to: number): number | string {
	const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
	return value >= from && value <= to ? value : `must be a whole number from ${from} to ${to}`;
}

function postgresUrl(text: string): { url: string | undefined } | string {
	if (text === "(none)") return { url: undefined };
	if (!/^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? ""))
		return "must look like postgres://user:password@host/name";
	return { url: text };
}

const BYTE_UNITS: Record<string, number> = { "": 1, KIB: 2 ** 10, MIB: 2 ** 20, GIB: 2 ** 30 };

function byteCount(text: string): number | string {
	const [, digits = "", unit = ""] = /^(\d{1,13})\s*([a-z]*)$/i.exec(text) ?? [];
	const bytes = Number(digits) * (BYTE_UNITS[unit.toUpperCase()] ?? Number.NaN);
	return bytes >= 1024 ? bytes : "must be at least 1024 bytes, for example 67108864 or 64MiB";
}

function hostNames(text: string): string[] {
	if (text === "(none)") return [];
	return text
		.split(",")
		.map((name) => name.trim().toLowerCase())
		.filter(Boolean);
}

function logLevel(text: string): { level: LogLevel } | string {
	const level = LOG_LEVELS.find((known) => known === text);
	return level ? { level } : `must be one of ${LOG_LEVELS.join(", ")}`;
}

function onOrOff(text: string): boolean | string {
	return text === "on" || text === "off" ? text === "on" : "must be on or off";
}

/** Whether an address is reachable from this machine only. */
export function isLoopback(host: string): boolean {
	return host === "localhost" || host === "::1" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Whether npm runs this process as one of its scripts. */
export function isNpmScript(): boolean {
	return process.env.npm_lifecycle_event !== undefined;
}

/**
 * adapter-node takes the scheme of a page from this header and otherwise assumes https, which refuses every
 * form post on http; it reads the name from the environment while it is being imported.
 */
export function nameProtocolHeader(header: string): void {
	process.env.PROTOCOL_HEADER = header;
}
