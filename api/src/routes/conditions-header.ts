import { z } from "@hono/zod-openapi";
import type { SenderRecord } from "../store/runs.ts";

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
			if (record !== null) return record;
			context.addIssue(`must be a JSON object of at most ${MOST_LEVELS} levels, in base64url`);
			return z.NEVER;
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
