import type { InnerCall } from "../inner-call.ts";
import { invalidInput, type ProblemBody } from "../problem.ts";
import type { Arguments } from "./fill.ts";
import type { Operation } from "./operation.ts";

/** The API of this process, as it is called from inside. */
export interface InnerApi {
	fetch(request: Request, env: { inner: InnerCall }): Response | Promise<Response>;
}

/** What the API answered. */
export interface Answered {
	status: number;
	/** Type without parameters. */
	type: string;
	body: Uint8Array;
	/** Where a person or a program reads the same, below the server's own address; null for a call that is no GET. */
	path: string | null;
}

/**
 * The request of a call: its path with the arguments put in.
 * @throws Problem 400 that names every argument that the operation does not have or lacks in its path
 */
export function requestOf(
	operation: Operation,
	given: Arguments,
	origin: string,
	signal: AbortSignal,
): Request {
	const { method, bodyType, parameters, schema, name } = operation;
	const known = Object.keys(schema.properties ?? {});
	const wrong = [
		...Object.keys(given)
			.filter((key) => !known.includes(key))
			.map((at) => ({ at, reason: `unknown to ${name}; known: ${known.join(", ") || "no arguments"}` })),
		...(schema.required ?? [])
			.filter((key) => (given[key] ?? null) === null)
			.map((at) => ({
				at,
				reason: `needed: ${schema.properties?.[at]?.description ?? `see the schema of ${name}`}`,
			})),
	];
	if (wrong.length > 0) throw invalidInput(wrong);
	const inPath = parameters.filter((parameter) => parameter.in === "path").map((parameter) => parameter.name);
	const url = new URL(`/api/v1${pathOf(operation, given)}`, origin);
	for (const { name: key } of parameters)
		if (!inPath.includes(key))
			for (const value of textsOf(given[key], key)) url.searchParams.append(key, value);
	const body = bodyType === null || given.body === undefined ? null : bodyText(given.body, bodyType);
	return new Request(url, {
		method,
		body,
		signal,
		...(body === null ? {} : { headers: { "content-type": bodyType as string } }),
	});
}

const ID = /^[\w.:-]{1,100}$/;

function pathOf({ path }: Operation, given: Arguments): string {
	return path.replaceAll(/\{(\w+)\}/g, (_, key: string) => {
		const text = String(given[key]);
		// A lone dot or two would climb in the address.
		if (!ID.test(text) || /^\.+$/.test(text)) throw invalidInput([{ at: key, reason: "must be an id" }]);
		return text;
	});
}

/** A value as a query string writes it; a list is as many. */
function textsOf(value: unknown, at: string): string[] {
	if (value === undefined || value === null) return [];
	if (Array.isArray(value)) return value.flatMap((one) => textsOf(one, at));
	if (typeof value === "object")
		throw invalidInput([{ at, reason: "must be a text, a number, true or false, or a list of these" }]);
	return [String(value)];
}

const bodyText = (body: unknown, type: string): string =>
	typeof body === "string" && type !== "application/json" ? body : JSON.stringify(body);

/** The longest answer that is taken into memory here; longer ones are read at their address. */
const MOST_BYTES = 8 * 1024 * 1024;

/** Calls the API inside this process, as the caller that was found at the door: no key goes along. */
export async function answerOf(api: InnerApi, request: Request, inner: InnerCall): Promise<Answered> {
	const response = await api.fetch(request, { inner });
	const { pathname, search } = new URL(request.url);
	const [type = ""] = (response.headers.get("content-type") ?? "").split(";");
	const read = { status: response.status, type, path: request.method === "GET" ? pathname + search : null };
	const body = await bytesOf(response);
	return body ? { ...read, body } : { ...read, ...tooLong(read.path) };
}

async function bytesOf(response: Response): Promise<Uint8Array | null> {
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of response.body ?? []) {
		bytes += chunk.length;
		if (bytes > MOST_BYTES) return null;
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}

function tooLong(path: string | null): Pick<Answered, "status" | "type" | "body"> {
	const problem: ProblemBody = {
		type: "urn:plimsoll:problem:answer-too-long",
		title: "Answer too long",
		status: 413,
		detail: `The answer has more than ${MOST_BYTES} bytes: read it at ${path ?? "its address"} of this server.`,
	};
	return { status: 413, type: "application/problem+json", body: Buffer.from(JSON.stringify(problem)) };
}
