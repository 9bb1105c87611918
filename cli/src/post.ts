import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { pipeline, type Readable } from "node:stream";
import { createGzip } from "node:zlib";
import type { Source } from "./source.ts";

/** What a server answered. */
export interface Answer {
	status: number;
	headers: IncomingMessage["headers"];
	text: string;
}

/** The file could not be read: no other try helps. */
export class UnreadableSource extends Error {
	override readonly name = "UnreadableSource";
}

/** Silence after which a connection counts as lost; storing a very large file takes minutes without a byte. */
const CONNECT_MS = 30_000;
const SILENCE_MS = 15 * 60_000;
/** An answer with a thousand rejected rows is far shorter. */
const ANSWER_BYTES = 32 * 1024 * 1024;

/**
 * Posts a source once, packed with gzip while it is read: memory does not grow with the file.
 * @throws UnreadableSource; Error where the connection failed
 */
export function post(address: URL, headers: Record<string, string>, source: Source): Promise<Answer> {
	return new Promise((resolve, reject) => {
		const request = open(address, { ...headers, "content-encoding": "gzip" });
		const body = source.read();
		let answered = false;
		const fail = (error: Error) => {
			// A server that refuses half way stops reading: its answer counts, not the broken pipe.
			if (!answered) reject(error);
		};
		body.once("error", (error) => fail(new UnreadableSource(`${source.name}: ${error.message}`)));
		request.once("error", fail);
		request.once("response", (response) => {
			answered = true;
			readText(response).then((text) => {
				body.destroy();
				resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
			}, reject);
		});
		send(body, source.packed, request, fail);
	});
}

function open(address: URL, headers: Record<string, string>): ClientRequest {
	const request = (address.protocol === "https:" ? httpsRequest : httpRequest)(address, {
		...{ method: "POST", headers, agent: false, timeout: CONNECT_MS },
	});
	request.once("socket", (socket) => socket.once("connect", () => socket.setTimeout(SILENCE_MS)));
	request.once("timeout", () => request.destroy(new Error("no answer in time")));
	return request;
}

function send(body: Readable, packed: boolean, request: ClientRequest, done: (error: Error) => void): void {
	const end = (error: Error | null | undefined) => {
		if (error) done(error);
	};
	if (packed) pipeline(body, request, end);
	else pipeline(body, createGzip(), request, end);
}

async function readText(response: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	for await (const chunk of response) {
		bytes += chunk.length;
		if (bytes > ANSWER_BYTES) throw new Error("the answer is longer than any of a planner");
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString();
}
