import net from "node:net";
import postgres, { type Sql } from "postgres";

/** A statement that runs longer than this is cancelled by the server. */
const STATEMENT_TIMEOUT_MS = 60_000;
/** A transaction left open and idle longer than this is ended by the server, with its locks. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;
const CONNECTIONS = 10;
const CONNECT_TIMEOUT_SECONDS = 10;

/** An int8 as a number where that is exact, else as a bigint: never text, never rounded. */
function exactInteger(text: string): number | bigint {
	const number = Number(text);
	return Number.isSafeInteger(number) ? number : BigInt(text);
}

const int8 = {
	to: 20,
	from: [20],
	serialize: (value: number | bigint) => String(value),
	parse: exactInteger,
};

interface ConnectOptions {
	connections?: number;
	/** 0: no limit, for migrations. */
	statementTimeoutMs?: number;
}

/** The addresses of a client as postgres.js has parsed them; several hosts are tried in turn. */
interface Addresses {
	host: string[];
	port: number[];
	path?: string | false;
}

/**
 * Sockets that send small packets at once. COPY ends in two of them, and without this each would wait for the
 * delayed acknowledgement of the one before: 40 ms, twice, for every upload.
 */
function promptSockets(): (addresses: Addresses) => net.Socket {
	let next = 0;
	return ({ host: hosts, port: ports, path }) => {
		const index = next++ % Math.max(1, hosts.length);
		const host = hosts[index] ?? "127.0.0.1";
		if (path) return net.connect({ path });
		// The name is read again for the certificate of a TLS connection.
		return Object.assign(net.connect({ host, port: ports[index] ?? 5432, noDelay: true }), { host });
	};
}

/** A postgres.js client with the deadlines and types that the whole product relies on. */
export function connect(url: string, options: ConnectOptions = {}): Sql {
	// An option of postgres.js that its types do not list.
	const sockets = { socket: promptSockets() };
	return postgres(url, {
		max: options.connections ?? CONNECTIONS,
		connect_timeout: CONNECT_TIMEOUT_SECONDS,
		onnotice: () => {},
		types: { bigint: int8 },
		...sockets,
		connection: {
			application_name: "plimsoll",
			// Timestamps are read as text: in UTC on every server.
			TimeZone: "UTC",
			statement_timeout: options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS,
			idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
		},
	}) as unknown as Sql;
}

/** The URL without its password and parameters, fit to be printed. */
export function addressOf(url: string): string {
	const address = new URL(url);
	address.password = "";
	address.search = "";
	return address.href;
}
