import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import type { McpArguments } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";

/** A message of the Model Context Protocol, as far as the bridge looks into it. */
interface Message {
	id?: unknown;
	method?: unknown;
	params?: { name?: unknown; uri?: unknown; clientInfo?: Info; _meta?: Record<string, unknown> };
	result?: { protocolVersion?: unknown };
}
interface Info {
	name?: unknown;
	version?: unknown;
}

const META = "io.modelcontextprotocol";
const UNREACHABLE = -32_000;

/**
 * Passes messages between a client on standard input and output, one JSON a line, and the planner's /mcp. Ends when the
 * client closes the input and every answer has been written.
 */
export async function bridge(
	{ target, query }: McpArguments,
	input: Readable = process.stdin,
	output: Writable = process.stdout,
): Promise<ExitCode> {
	const address = new URL(`${target.url}/mcp${query}`);
	const session: Session = { version: null, client: null };
	const write = (message: unknown) => output.write(`${JSON.stringify(message)}\n`);
	const running = new Set<Promise<void>>();
	for await (const line of createInterface({ input })) {
		if (line.trim() === "") continue;
		const one = pass(line, address, target.key, session, write);
		running.add(one);
		void one.finally(() => running.delete(one));
	}
	await Promise.all(running);
	return EXIT.stored;
}

/** What the client said of itself in the form of the protocol that says it once. */
interface Session {
	version: string | null;
	client: string | null;
}

async function pass(
	line: string,
	address: URL,
	key: string | null,
	session: Session,
	write: (message: unknown) => void,
): Promise<void> {
	const message = read(line);
	if (message === null)
		return write({ jsonrpc: "2.0", id: null, error: { code: -32_700, message: "This line is no JSON." } });
	const info = message.params?.clientInfo;
	if (message.method === "initialize" && info) session.client = nameOf(info);
	try {
		const headers = headersOf(message, key, session);
		const response = await fetch(address, { method: "POST", headers, body: line });
		for (const answer of messagesOf(await response.text(), response)) {
			if (message.method === "initialize" && typeof answer.result?.protocolVersion === "string")
				session.version = answer.result.protocolVersion;
			write(answer);
		}
	} catch (error) {
		const reason =
			error instanceof Error ? ((error.cause as Error | undefined)?.message ?? error.message) : String(error);
		fail(message, write, `${address.href}: ${reason}. Is the planner running there? See --url.`);
	}
	/** What is no answer of the protocol, as one: it was refused at the door, or a proxy spoke. */
	function* messagesOf(text: string, { status, headers }: Response): Generator<Message> {
		const type = headers.get("content-type") ?? "";
		const parts = type.includes("text/event-stream")
			? [...text.matchAll(/^data: ?(.*)$/gm)].map(([, data = ""]) => data)
			: [text];
		const answers = parts.map(read);
		if (
			answers.every(
				(answer) => answer !== null && ("result" in answer || "error" in answer || "method" in answer),
			)
		)
			yield* answers as Message[];
		else if (status >= 400 || text.trim() !== "") fail(message as Message, write, refusal(text, status));
	}
}

function refusal(text: string, status: number): string {
	const problem = read(text) as { title?: string; detail?: string } | null;
	return problem?.detail
		? `${problem.title}: ${problem.detail}`
		: `The server answered ${status}: ${text.slice(0, 200)}`;
}

/** A notification is answered by nothing. */
function fail({ id }: Message, write: (message: unknown) => void, message: string): void {
	if (id !== undefined) write({ jsonrpc: "2.0", id, error: { code: UNREACHABLE, message } });
	else console.error(`plimsoll: ${message}`);
}

function read(text: string): Message | null {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === "object" && value !== null ? (value as Message) : null;
	} catch {
		return null;
	}
}

const nameOf = ({ name, version }: Info) => ascii(`${String(name)}/${String(version)}`).slice(0, 100);
const ascii = (text: string) => text.replaceAll(/[^\x20-\x7e]/g, "").trim();

/** The headers that the protocol over HTTP wants, which repeat what stands in the message. */
function headersOf(
	{ method, params }: Message,
	key: string | null,
	session: Session,
): Record<string, string> {
	const meta = params?._meta ?? {};
	const version = meta[`${META}/protocolVersion`] ?? session.version;
	const said = meta[`${META}/clientInfo`];
	const client = typeof said === "object" && said !== null ? nameOf(said) : session.client;
	const name = params?.name ?? params?.uri;
	return {
		"content-type": "application/json",
		accept: "application/json, text/event-stream",
		"plimsoll-transport": "stdio",
		...(client ? { "plimsoll-client": client } : {}),
		...(key === null ? {} : { authorization: `Bearer ${key}` }),
		...(typeof version === "string" ? { "mcp-protocol-version": ascii(version) } : {}),
		...(typeof method === "string" ? { "mcp-method": ascii(method) } : {}),
		...(typeof name === "string" ? { "mcp-name": headerText(name) } : {}),
	};
}

const headerText = (text: string) =>
	/^[\x21-\x7e]+$/.test(text) && !text.startsWith("=?")
		? text
		: `=?base64?${Buffer.from(text).toString("base64")}?=`;
