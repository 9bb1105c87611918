import type { MiddlewareHandler } from "hono";
import { Problem } from "../problem.ts";

/** Largest body of the calls that take JSON. */
const JSON_BYTES = 1024 * 1024;
/** 100,000 points in one /predict; the tensors of a GGUF header, one for each expert in older files; 200,000 requests of a trace. */
const BULK_BYTES = 16 * 1024 * 1024;
const BULK_PATHS = new Set(["/api/v1/predict", "/api/v1/models", "/api/v1/traces"]);

/**
 * Limits the body of every call but the upload, which has its own streamed limit. A body without an announced
 * length is read up to the limit here.
 */
export const limitBody: MiddlewareHandler = async (c, next) => {
	if (c.req.method === "POST" && c.req.path === "/api/v1/runs") return next();
	const most = BULK_PATHS.has(c.req.path) ? BULK_BYTES : JSON_BYTES;
	const length = c.req.header("content-length");
	if (Number(length) > most) throw tooLarge(most);
	if (length === undefined && c.req.raw.body) {
		// Where Hono looks first for a body; it expects a promise, whatever its type says.
		Object.assign(c.req.bodyCache, { text: Promise.resolve(await readText(c.req.raw.body, most)) });
	}
	return next();
};

async function readText(body: AsyncIterable<Uint8Array>, most: number): Promise<string> {
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of body) {
		bytes += chunk.length;
		if (bytes > most) throw tooLarge(most);
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString();
}

function tooLarge(most: number): Problem {
	return new Problem(413, "Body too large", `The body has more than ${most} bytes.`);
}
