import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, UnreadableSource } from "./post.ts";

/** "Not now": the same call may do better later, and repeating it is safe. */
const NOT_NOW: ReadonlySet<number> = new Set([408, 409, 429, 502, 503, 504]);
/** Failures that time does not heal: certificates, and a server that speaks no HTTP. */
const LASTING = /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|EPROTO|^HPE_/;
const FIRST_MS = 500;
const LONGEST_MS = 30_000;
/** A server that asks for more patience than this is left alone. */
const MOST_PATIENCE_MS = 10 * 60_000;

export interface RetryRules {
	retries: number;
	/** Hears why and how long it waits. */
	say(line: string): void;
	/** Waits so many milliseconds. */
	wait?: (milliseconds: number) => Promise<unknown>;
	/** From 0 to 1. */
	random?: () => number;
}

/**
 * Calls until an answer is final, waiting longer each time.
 * @returns the last answer
 * @throws Error where no try got one
 */
export async function persist(call: () => Promise<Answer>, rules: RetryRules): Promise<Answer> {
	const { retries, say, wait = sleep, random = Math.random } = rules;
	for (let round = 0; ; round++) {
		const result = await call().catch((error: Error) => error);
		const pause = isFinal(result) || round >= retries ? null : pauseBefore(round, result, random);
		if (pause === null) {
			if (result instanceof Error) throw result;
			return result;
		}
		say(`${reasonOf(result)}; trying again in ${(pause / 1000).toFixed(1)} s (${round + 1} of ${retries})`);
		await wait(pause);
	}
}

function isFinal(result: Answer | Error): boolean {
	if (!(result instanceof Error)) return !NOT_NOW.has(result.status);
	return result instanceof UnreadableSource || LASTING.test(codeOf(result));
}

/**
 * What the server asked for, else half a second doubled each round; both spread, so that a hundred jobs that
 * failed together do not come back together.
 * @returns milliseconds; null where the server asks for too much patience
 */
function pauseBefore(round: number, result: Answer | Error, random: () => number): number | null {
	const asked = result instanceof Error ? null : retryAfter(result.headers["retry-after"]);
	if (asked === null) return Math.min(FIRST_MS * 2 ** round, LONGEST_MS) * (0.5 + random() / 2);
	return asked > MOST_PATIENCE_MS ? null : asked * (1 + random() / 10);
}

/**
 * Milliseconds that the header asks for: seconds, or a date.
 * @source RFC 9110, section 10.2.3
 */
export function retryAfter(header: string | undefined, now = Date.now()): number | null {
	if (header === undefined) return null;
	if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header) * 1000;
	const at = Date.parse(header);
	return Number.isNaN(at) ? null : Math.max(0, at - now);
}

function reasonOf(result: Answer | Error): string {
	return result instanceof Error ? describeFailure(result) : `the planner answers ${result.status}`;
}

/** A failed connection in words. */
export function describeFailure(error: Error): string {
	// A name with several addresses fails with one error for each and no words of its own.
	const [first = error] = error instanceof AggregateError ? (error.errors as Error[]) : [];
	return first.message || codeOf(first) || "the connection failed";
}

function codeOf(error: Error): string {
	return "code" in error ? String(error.code) : "";
}
