import { type ParseArgsConfig, parseArgs } from "node:util";
import { UsageProblem } from "./usage-problem.ts";

export type Variables = Readonly<Record<string, string | undefined>>;

/** Where to post, as whom, and how stubbornly. */
export interface Target {
	/** Base of the server, without a slash at the end and without /api/v1. */
	url: string;
	key: string | null;
	/** Further tries after the first. */
	retries: number;
}

/** What is said beside a file: query parameters of POST /runs. */
export type Said = Readonly<Record<string, string>>;

interface CommonArguments {
	target: Target;
	said: Said;
	/** Machine-readable lines instead of words. */
	json: boolean;
	/** Rejected rows end with a code of their own. */
	strict: boolean;
	/** Path of a JSON file with the conditions to keep beside the runs. */
	conditions: string | null;
}

export interface PushArguments extends CommonArguments {
	/** Paths; "-" is the standard input. */
	files: string[];
}

export interface RunArguments extends CommonArguments {
	/** The benchmark and its arguments. */
	command: readonly [string, ...string[]];
}

export interface McpArguments {
	target: Target;
	/** Query of the planner's /mcp: what it shows. */
	query: string;
}

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

/** Options that fill what a file does not say, and the query parameter of each. */
const SAID = {
	...{ gpu: "gpu", gpus: "gpus", model: "model", engine: "engine", "engine-version": "engineVersion" },
	...{ weights: "weights", kv: "kv", tp: "tp", label: "label" },
} as const;

const OPTIONS = {
	...{ url: text, key: text, retries: text, json: flag, strict: flag, conditions: text },
	...{ gpu: text, gpus: text, model: text, engine: text, "engine-version": text },
	...{ weights: text, kv: text, tp: text, label: text },
} as const satisfies ParseArgsConfig["options"];

const DEFAULT_URL = "http://127.0.0.1:8787";
/** Together about half a minute: a server that restarts is back by then. */
const DEFAULT_RETRIES = 6;
const MOST_RETRIES = 100;

/** @throws UsageProblem */
export function readPushArguments(given: readonly string[], variables: Variables): PushArguments {
	const { values, positionals } = parse(given, "push", OPTIONS);
	if (positionals.length === 0)
		throw new UsageProblem("Which files? plimsoll push FILE…; - reads the standard input.");
	if (positionals.filter((file) => file === "-").length > 1)
		throw new UsageProblem("The standard input (-) can be read only once.");
	return { files: positionals, ...common(values, variables) };
}

/** @throws UsageProblem */
export function readRunArguments(given: readonly string[], variables: Variables): RunArguments {
	const at = given.indexOf("--");
	const own = at === -1 ? given : given.slice(0, at);
	const { values, positionals } = parse(own, "run", OPTIONS);
	const [program, ...rest] = at === -1 ? [] : given.slice(at + 1);
	if (program === undefined || positionals.length > 0)
		throw new UsageProblem(
			"Which command? It stands behind a double dash: plimsoll run [options] -- llama-bench -m model.gguf",
		);
	return { command: [program, ...rest], ...common(values, variables) };
}

/** @throws UsageProblem */
export function readMcpArguments(given: readonly string[], variables: Variables): McpArguments {
	const options = { url: text, key: text, profile: text, mode: text };
	const { values, positionals } = parse(given, "mcp", options);
	if (positionals.length > 0)
		throw new UsageProblem(`plimsoll mcp takes options only, not ${positionals[0]}.`);
	const { profile, mode, ...rest } = values;
	const query = new URLSearchParams({
		...(profile ? { profile } : {}),
		...(mode ? { mode } : {}),
	}).toString();
	return { target: common(rest, variables).target, query: query === "" ? "" : `?${query}` };
}

type Values = {
	[name in keyof typeof OPTIONS]?: (typeof OPTIONS)[name]["type"] extends "string" ? string : boolean;
};

function parse<T extends NonNullable<ParseArgsConfig["options"]>>(
	given: readonly string[],
	command: string,
	options: T,
) {
	try {
		return parseArgs({ args: [...given], options, allowPositionals: true });
	} catch (error) {
		// Node's own words name the option; what it adds about dashes helps nobody here.
		const [first = ""] = String((error as Error).message).split(/\.\s|\n/);
		throw new UsageProblem(`${first.replace(/\.$/, "")}. plimsoll help ${command} lists the options.`);
	}
}

function common(values: Values, variables: Variables): CommonArguments {
	return {
		target: {
			url: readUrl(values.url ?? (variables.PLIMSOLL_URL || DEFAULT_URL)),
			key: readKey(values.key ?? (variables.PLIMSOLL_KEY || null)),
			retries: Number(wholeNumber("retries", values.retries ?? String(DEFAULT_RETRIES), 0, MOST_RETRIES)),
		},
		said: readSaid(values),
		json: values.json ?? false,
		strict: values.strict ?? false,
		conditions: values.conditions ?? null,
	};
}

function readSaid(values: Values): Said {
	const said: Record<string, string> = {};
	for (const [option, parameter] of Object.entries(SAID)) {
		const value = values[option as keyof typeof SAID]?.trim();
		if (value === undefined) continue;
		if (value === "") throw new UsageProblem(`--${option} is empty; leave it out where it is not known.`);
		if (option === "gpus") wholeNumber(option, value, 0);
		if (option === "tp") wholeNumber(option, value, 1);
		said[parameter] = value;
	}
	return said;
}

function wholeNumber(option: string, value: string, from: number, to = 1_000_000): string {
	const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
	if (number >= from && number <= to) return value;
	throw new UsageProblem(`--${option} ${value}: must be a whole number from ${from} to ${to}.`);
}

function readUrl(given: string): string {
	const wrong = new UsageProblem(
		`--url ${given}: must be the planner's address, like ${DEFAULT_URL} (--url or PLIMSOLL_URL).`,
	);
	let url: URL;
	try {
		url = new URL(given);
	} catch {
		throw wrong;
	}
	if (url.protocol !== "http:" && url.protocol !== "https:") throw wrong;
	return (url.origin + url.pathname).replace(/(?:\/api(?:\/v1)?)?\/*$/, "");
}

function readKey(given: string | null): string | null {
	const key = given?.trim() ?? null;
	if (key === null || /^[\x21-\x7e]{1,200}$/.test(key)) return key;
	throw new UsageProblem(
		"The key is not one that Plimsoll makes (--key or PLIMSOLL_KEY): npm run key prints them.",
	);
}
