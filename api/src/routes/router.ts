import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { z } from "zod";
import type { Attribution } from "../attribution.ts";
import type { InnerCall } from "../inner-call.ts";
import type { InputError } from "../problem.ts";
import { invalidInput } from "../problem.ts";
import type { Key } from "../store/keys.ts";
import { inputInWords } from "./input-words.ts";

z.config({ localeError: inputInWords });

/** What middleware leaves for the handlers. */
export interface AppEnv {
	/** What comes beside a request; absent for those from outside. */
	Bindings: { inner?: InnerCall } | undefined;
	Variables: {
		requestId: string;
		/** Who says to be calling. */
		attribution: Attribution;
		/** The key of the request; null without one. */
		caller: Key | null;
	};
}

/** A group of routes whose input errors all answer as one problem that names every wrong value. */
export function router(): OpenAPIHono<AppEnv> {
	return new OpenAPIHono<AppEnv>({
		defaultHook: (result) => {
			if (!result.success) throw invalidInput(inputErrors(result.error));
		},
	});
}

/** A value as a schema reads it. @throws Problem 400 that names every wrong value */
export function parsed<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
	const result = schema.safeParse(value);
	if (!result.success) throw invalidInput(inputErrors(result.error));
	return result.data;
}

/** The body as a JSON object, whatever type it was sent with. @throws Problem 400 */
export async function jsonObject(c: Context<AppEnv>): Promise<Record<string, unknown>> {
	const body: unknown = await c.req
		.text()
		.then(JSON.parse)
		.catch(() => null);
	if (typeof body === "object" && body !== null && !Array.isArray(body)) return { ...body };
	throw invalidInput([{ at: "the body", reason: "must be a JSON object {…}" }]);
}

/** Every issue of a validation, with the path in the input. */
function inputErrors(error: z.ZodError): InputError[] {
	return error.issues.flatMap((issue) =>
		issue.code === "unrecognized_keys"
			? issue.keys.map((key) => ({ at: pathOf([...issue.path, key]), reason: "unknown here" }))
			: [{ at: pathOf(issue.path), reason: issue.message }],
	);
}

function pathOf(path: readonly PropertyKey[]): string {
	const joined = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`)).join("");
	return joined.replace(/^\./, "") || "the body";
}
