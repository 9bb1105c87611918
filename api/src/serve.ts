import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, DatabaseProblem, openDatabase } from "@plimsoll/db";
import { type AppDeps, createApp } from "./app.ts";
import { type Environment, EnvironmentProblem, isLoopback, readEnvironment } from "./environment.ts";
import { createListener } from "./listener.ts";
import { createLog } from "./log.ts";
import { prepareData } from "./store/prepare.ts";

/** How long requests in flight may still take after a signal. */
const DRAIN_MS = 10_000;
/** A terminal's Ctrl-C reaches this process twice, from the terminal and through npm; that is one wish. */
const SAME_SIGNAL_MS = 1000;
const HEADERS_MS = 10_000;
/** Longer than the minute for which proxies and busy clients keep a connection: who closes it first loses no request. */
const KEEP_ALIVE_MS = 75_000;
const CHECK_MS = 1_000;

/** A failure that is answered by one plain sentence. */
class StartProblem extends Error {}

const starting: RequestListener = (_request, response) => {
	response
		.writeHead(503, { "content-type": "text/plain", "retry-after": "2" })
		.end("Plimsoll is starting.\n");
};

/**
 * Listens first and answers 503 until all is ready: a second start on a taken port ends before it touches
 * the database of the first.
 */
async function start(environment: Environment): Promise<void> {
	let listener = starting;
	const server = createServer(timeouts(environment), (request, response) => listener(request, response));
	await listen(server, environment);
	const opening = openDatabase({
		...{ url: environment.databaseUrl, dataDir: environment.dataDir },
		say: (line) => console.log(line),
	});
	stopOnSignal(server, opening);
	const database = await opening;
	try {
		const deps = describeApp(environment, database);
		await prepareData(database, deps.limits, environment.examples);
		listener = await createListener(createApp(deps), deps.access.hosts);
		if (server.listening) announce(server, environment, deps);
	} catch (error) {
		// Being stopped in the middle of starting: the signal's own path closes everything and ends.
		if (!server.listening) return;
		await database.close();
		throw error;
	}
}

function timeouts({ requestTimeoutSeconds }: Environment) {
	const requestTimeout = requestTimeoutSeconds * 1000;
	return {
		requestTimeout,
		headersTimeout: Math.min(HEADERS_MS, requestTimeout),
		keepAliveTimeout: KEEP_ALIVE_MS,
		connectionsCheckingInterval: CHECK_MS,
	};
}

function listen(server: Server, { port, host }: Environment): Promise<void> {
	return new Promise((resolve, reject) => {
		server.once("error", (error: NodeJS.ErrnoException) =>
			reject(new StartProblem(listenProblem(error, host, port))),
		);
		server.listen(port, host, () => resolve());
	});
}

function listenProblem({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
	if (code === "EADDRINUSE")
		return `Port ${port} on ${host} is in use by another program; stop it, or start with PORT=${port + 1}.`;
	if (code === "EACCES") return `Port ${port} may not be used by this user; start with PORT=8787.`;
	if (code === "EADDRNOTAVAIL") return `This machine has no address ${host}; correct HOST.`;
	return `Cannot listen on ${host}:${port}: ${message}.`;
}

function describeApp(environment: Environment, database: Database): AppDeps {
	const { host, allowedHosts, maxBodyBytes, dataDir, logLevel } = environment;
	const trusted = isLoopback(host) && database.kind === "embedded" && allowedHosts.length === 0;
	return {
		database,
		access: { keysNeeded: !trusted, hosts: isLoopback(host) ? allowedHosts : null },
		limits: {
			maxBodyBytes,
			spoolFolder:
				database.kind === "embedded" ? join(dataDir, "uploads") : join(tmpdir(), "plimsoll-uploads"),
		},
		log: createLog(logLevel),
	};
}

function announce(server: Server, { host, dataDir }: Environment, { database, access }: AppDeps): void {
	const { port } = server.address() as AddressInfo;
	const everywhere = host === "0.0.0.0" || host === "::";
	const shown = everywhere ? "localhost" : host.includes(":") ? `[${host}]` : host;
	const data = database.kind === "embedded" ? `a private PostgreSQL in ${dataDir}` : database.address;
	console.log(
		[
			`Plimsoll is ready at http://${shown}:${port}`,
			`Data: ${data}`,
			access.keysNeeded
				? "Access: whoever reaches this address may read; writing needs a key (npm run key -- --scope ingest --name NAME)"
				: "Access: this machine only; no key is needed",
		].join("\n"),
	);
}

/** Stops in order on the first signal: no new requests, those in flight finish, then the database. */
function stopOnSignal(server: Server, opening: Promise<Database>): void {
	let first = 0;
	const stop = async (signal: NodeJS.Signals) => {
		if (first > 0) {
			if (Date.now() - first > SAME_SIGNAL_MS) process.exit(130);
			return;
		}
		first = Date.now();
		console.log(`${signal}: finishing requests, then stopping.`);
		await drain(server);
		await opening.then(
			(database) => database.close(),
			() => {},
		);
		process.exit(0);
	};
	for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, stop);
}

async function drain(server: Server): Promise<void> {
	const closed = new Promise((resolve) => server.close(resolve));
	// A connection whose request finishes after this would otherwise wait for its keep-alive to end.
	const idle = setInterval(() => server.closeIdleConnections(), 50);
	const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
	await closed;
	clearInterval(idle);
	clearTimeout(cut);
}

/** Starts the server; where it cannot, says why in one sentence and ends the process. */
export async function serve(): Promise<void> {
	try {
		await start(readEnvironment());
	} catch (error) {
		const plain =
			error instanceof StartProblem ||
			error instanceof EnvironmentProblem ||
			error instanceof DatabaseProblem;
		console.error(plain ? error.message : error);
		process.exit(1);
	}
}
