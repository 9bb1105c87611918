import {
	createServer,
	type IncomingHttpHeaders,
	type IncomingMessage,
	request,
	type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

/** What it does with one request: cuts the connection, answers a status with headers, or passes it on. */
export type Mood = "cut" | "pass" | { status: number; headers?: Record<string, string>; body?: string };

export interface MoodyServer {
	url: string;
	/** Headers of the requests so far, and the first bytes of their bodies. */
	seen: { headers: IncomingHttpHeaders; url: string; start: Buffer }[];
	/** What it does with the next requests; the last mood stays. */
	plan(...moods: [Mood, ...Mood[]]): void;
	close(): Promise<void>;
}

/** A server in front of another one, as a proxy or a restart is: what it does with each request is planned. */
export async function moodyServer(upstream: string): Promise<MoodyServer> {
	let moods: Mood[] = ["pass"];
	const seen: MoodyServer["seen"] = [];
	const server = createServer(async (incoming, response) => {
		const body = await bytesOf(incoming);
		seen.push({ headers: incoming.headers, url: incoming.url ?? "", start: body.subarray(0, 16) });
		const mood = (moods.length > 1 ? moods.shift() : moods[0]) ?? "pass";
		if (mood === "cut") incoming.socket.destroy();
		else if (mood === "pass") passOn(upstream, incoming, body, response);
		else response.writeHead(mood.status, mood.headers).end(mood.body ?? "");
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		seen,
		plan: (...next) => {
			moods = [...next];
			seen.length = 0;
		},
		close: () => new Promise((resolve) => server.close(() => resolve())),
	};
}

async function bytesOf(incoming: IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	for await (const chunk of incoming) chunks.push(chunk);
	return Buffer.concat(chunks);
}

function passOn(
	upstream: string,
	{ url, method, headers }: IncomingMessage,
	body: Buffer,
	response: ServerResponse,
) {
	const { host: _host, "transfer-encoding": _chunked, ...rest } = headers;
	request(`${upstream}${url}`, { method, headers: { ...rest, "content-length": body.length } }, (answer) => {
		response.writeHead(answer.statusCode ?? 502, answer.headers);
		answer.pipe(response);
	}).end(body);
}
