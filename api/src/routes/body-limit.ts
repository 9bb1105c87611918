import { isUtf8 } from "node:buffer";
import type { MiddlewareHandler } from "hono";
import { Problem } from "../problem.ts";

/** Largest body of the calls that take JSON. */
const JSON_BYTES = 1024 * 1024;
/** 100,000 points in one /predict; the tensors of a GGUF header, one for each expert in older files; 200,000 requests of a trace. */
const BULK_BYTES = 16 * 1024 * 1024;
const BULK_PATHS = new Set(["/api/v1/predict", "/api/v1/models", "/api/v1/traces"]);

/**
 * Limits the body of every call but the upload, which has its own streamed limit, and reads it: what is no UTF-8 is
 * refused here, for a decoder would put something else in its place without a word.
 */
export const limitBody: MiddlewareHandler = async (c, next) => {
	if (c.req.method === "POST" && c.req.path === "/api/v1/runs") return next();
	const most = BULK_PATHS.has(c.req.path) ? BULK_BYTES : JSON_BYTES;
	if (Number(c.req.header("content-length")) > most) throw tooLarge(most);
	if (c.req.raw.body) {
		// Where Hono looks first for a body; it expects a promise, whatever its type says.
		Object.assign(c.req.bodyCache, { text: Promise.resolve(await readText(c.req.raw.body, most)) });
	}
	return next();
};

async function readText(body: AsyncIterable<Uint8Array>, most: number): Promise<string> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of body) {
		length += chunk.length;
		if (length > most) throw tooLarge(most);
		chunks.push(chunk);
	}
	const bytes = Buffer.concat(chunks);
	if (!isUtf8(bytes))
		throw new Problem(
			400,
			"Invalid input",
			`The body is no UTF-8 from byte ${firstBroken(bytes)} on: save it as UTF-8 and send it again.`,
		);
	return new TextDecoder().decode(bytes);
}

const BROKEN = "\ufffd";

/** Where the first bytes stand that are no UTF-8, counted from 0. */
function firstBroken(bytes: Buffer): number {
	const text = bytes.toString();
	let at = 0;
	for (const part of text.split(BROKEN)) {
		at += Buffer.byteLength(part);
		// The mark itself may stand in a good text.
		if (!bytes.subarray(at, at + 3).equals(Buffer.from(BROKEN))) return at;
		at += 3;
	}
	return at;
}

function tooLarge(most: number): Problem {
	return new Problem(413, "Body too large", `The body has more than ${most} bytes.`);
}
