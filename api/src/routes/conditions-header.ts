import { z } from "@hono/zod-openapi";
import type { SenderRecord } from "../store/sender-record.ts";
import { sentConditions } from "./conditions-schema.ts";

/** Proxies pass header lines of about this length on. */
const MOST_CHARACTERS = 8 * 1024;
/** PostgreSQL refuses documents that are nested thousands deep. */
const MOST_LEVELS = 16;

const BASE64URL = /^[\w-]*={0,2}$/;

/** The header `plimsoll-conditions`: what the sender recorded about machine and command, as one JSON object. */
export const conditionsHeader = z.object({
	"plimsoll-conditions": z
		.string()
		.max(MOST_CHARACTERS)
		.regex(BASE64URL, "must be base64url")
		.transform((text, context): SenderRecord => {
			const record = decode(text);
			if (record === null)
				context.addIssue(`must be a JSON object of at most ${MOST_LEVELS} levels, in base64url`);
			else for (const issue of wrongIn(record)) context.addIssue(issue);
			return record ?? z.NEVER;
		})
		.optional()
		.openapi({
			type: "string",
			description:
				"What the sender recorded about the machine and the command: a JSON object in base64url, at most 8 KiB. " +
				"Kept with the run and shown there; no part of its identity.",
			example: "eyJob3N0Ijp7Im5hbWUiOiJncHUtNyJ9fQ",
		}),
});

/** What of a record says something in a form that no reader expects, or in letters that nothing can keep. */
function wrongIn(record: SenderRecord): { code: "custom"; message: string; path: PropertyKey[] }[] {
	const { error } = sentConditions.safeParse(record);
	const wrong = error?.issues ?? [];
	const odd = wrong.length === 0 && holdsOddText(record);
	return [
		...wrong.map(({ message, path }) => ({ code: "custom" as const, message, path })),
		...(odd ? [{ code: "custom" as const, message: "must not hold NUL or half a character", path: [] }] : []),
	];
}

/** NUL, or half of a surrogate pair, in a text or a name anywhere. */
function holdsOddText(value: unknown): boolean {
	if (typeof value === "string") return value.includes("\0") || /\p{Cs}/u.test(value);
	if (typeof value !== "object" || value === null) return false;
	return Object.entries(value).some(([name, inner]) => holdsOddText(name) || holdsOddText(inner));
}

function decode(text: string): SenderRecord | null {
	try {
		const value: unknown = JSON.parse(Buffer.from(text, "base64url").toString());
		const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
		return isObject && isShallow(value, MOST_LEVELS) ? (value as SenderRecord) : null;
	} catch {
		return null;
	}
}

function isShallow(value: unknown, levels: number): boolean {
	if (typeof value !== "object" || value === null) return true;
	return levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1));
}
