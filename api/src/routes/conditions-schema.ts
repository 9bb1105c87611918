import { z } from "@hono/zod-openapi";
import type { RunConditions } from "../store/run-conditions.ts";
import { words } from "./text-schema.ts";

const MOST_NAMES = 40;
const MOST_LETTERS = 500;
const MOST_LISTED = 20;

/** Parameters that are numbers wherever an engine has them. */
const NUMBERS: ReadonlySet<string> = new Set([
	...["temperature", "top_p", "top_k", "min_p", "typical_p", "seed", "n", "max_tokens", "min_tokens"],
	...["presence_penalty", "frequency_penalty", "repetition_penalty", "repeat_penalty", "bytes", "count"],
]);

/** Line breaks and tabs are part of a stop sequence; other control characters and half a character are part of nothing. */
const READABLE = /^(?:[^\p{Cc}\p{Cs}]|[\n\t])*$/u;

/** What is wrong with one value of a record; null: nothing. */
function wrongValue(name: string, value: unknown): string | null {
	if (NUMBERS.has(name) && value !== null && typeof value !== "number") return "must be a number";
	if (typeof value === "number" && !Number.isFinite(value)) return "must be a number that can be kept";
	if (Array.isArray(value)) {
		if (value.length > MOST_LISTED) return `must have at most ${MOST_LISTED} entries`;
		return value.map((one) => wrongValue("", one)).find((reason) => reason !== null) ?? null;
	}
	if (typeof value === "object" && value !== null)
		return "must be a text, a number, true or false, or a list of these";
	if (typeof value !== "string") return null;
	if (value.length > MOST_LETTERS) return `must have at most ${MOST_LETTERS} characters`;
	return READABLE.test(value) ? null : "must not hold control characters or half a character";
}

function checkNames(value: unknown, context: z.RefinementCtx): void {
	if (typeof value !== "object" || value === null) return;
	const entries = Object.entries(value);
	if (entries.length === 0) context.addIssue("must say something; leave it out where nothing is known");
	if (entries.length > MOST_NAMES) context.addIssue(`must have at most ${MOST_NAMES} names`);
	for (const [name, inner] of entries) {
		const readable = words(60).safeParse(name).success;
		if (!readable) context.addIssue("must have names of at most 60 visible characters");
		const reason = wrongValue(name, inner);
		if (reason !== null) context.addIssue({ code: "custom", message: reason, path: readable ? [name] : [] });
	}
}

const named = z.record(z.string(), z.unknown());
const names = (description: string, example: Record<string, unknown>) =>
	named.superRefine(checkNames).openapi({ description, example });
/** A hash, a place or "none", or names with their values. */
const textOrNames = (description: string, example: Record<string, unknown>) =>
	z
		.union([words(MOST_LETTERS), named])
		.superRefine(checkNames)
		.openapi({ description, example });
const text = (description: string, example: string) => words(MOST_LETTERS).openapi({ description, example });

const FIELDS = {
	modelSnapshot: text("Revision of the hub, or SHA-256 of the model's file", "rev 0e9e39f"),
	sampling: names("All sampling parameters", { temperature: 0, top_p: 1, seed: 7 }),
	prompts: textOrNames("The prompts or their hash", { sha256: "ab12", bytes: 12345 }),
	tools: textOrNames("The tool schemas or their hash; “none” without tools", { count: 12, sha256: "cd34" }),
	code: text("Commit of the benchmark's code", "bench 4f2a"),
	answers: text("Where the raw answers are kept", "s3://answers/17"),
};

const list = z.array(z.unknown());
const object = z.record(z.string(), z.unknown());
const moment = z.object({ gpus: list.nullish(), loadAverage: z.number().nullish() });

/** What a sender records beside the file: what somebody says of the run, and what `plimsoll run` reads of the machine. */
export const sentConditions = z
	.object({
		...FIELDS,
		...{ recordedBy: z.string(), command: z.array(z.string()), startedAt: z.string(), endedAt: z.string() },
		...{ exitCode: z.number().nullable(), signal: z.string().nullable() },
		...{ host: object, environment: z.record(z.string(), z.string()) },
		...{ gpus: z.object({ devices: list }).nullable(), before: moment, after: moment },
	})
	.partial();

/** What is to be corrected of it: what is left out stays, null takes back to "not known". */
export const correctedConditions = z
	.strictObject({
		modelSnapshot: FIELDS.modelSnapshot.nullable(),
		sampling: FIELDS.sampling.nullable(),
		prompts: FIELDS.prompts.nullable(),
		tools: FIELDS.tools.nullable(),
		code: FIELDS.code.nullable(),
		answers: FIELDS.answers.nullable(),
	})
	.partial()
	.openapi({
		description:
			"What was recorded of the run, merged by field; null takes a field back to “not known”. What the machine itself " +
			"recorded is not corrected by hand",
		example: { sampling: { temperature: 0, seed: 7 }, tools: null },
	}) satisfies z.ZodType<RunConditions>;
