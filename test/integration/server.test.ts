import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { canonical } from "../support/api.ts";
import { freshDatabase } from "../support/database.ts";
import { type RunningServer, runScript, startServer } from "../support/running-server.ts";

const database = await freshDatabase();
afterAll(database.drop);
/** No key is at hand in most of these tests: they read, or use one made by the command. */
const team = { DATABASE_URL: database.url, EXAMPLES: "off" };

const running: RunningServer[] = [];
const start = async (settings: Record<string, string>) => {
	const server = await startServer(settings);
	running.push(server);
	return server;
};
afterEach(async () => {
	for (const server of running.splice(0)) await server.stop("SIGKILL");
});

const makeKey = async (settings: Record<string, string>) => {
	const { stdout } = await runScript(
		"api/src/commands/key.ts",
		["--scope", "ingest", "--name", "ci"],
		settings,
	);
	return stdout.trim();
};
const file = (name: string) =>
	canonical({ engineVersion: name }, [
		{ phase: "prefill", tokens: 512, cached: 0, batch: 1, seconds: [0.05] },
	]);
const totalRuns = async ({ url }: RunningServer) =>
	(await (await fetch(`${url}/api/v1/runs?limit=1`)).json()).totalCount;

/** A raw connection: half a request and then nothing is what no HTTP client sends. */
async function dial({ port }: RunningServer): Promise<Socket & { received: () => string }> {
	const socket = connect(port, "127.0.0.1");
	let text = "";
	socket.on("data", (chunk) => {
		text += chunk;
	});
	socket.on("error", () => {});
	await new Promise((resolve) => socket.once("connect", resolve));
	return Object.assign(socket, { received: () => text });
}
const closed = (socket: Socket) =>
	new Promise((resolve) => (socket.closed ? resolve(null) : socket.once("close", resolve)));
const uploadHead = (length: number, key: string) =>
	`POST /api/v1/runs HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\ncontent-length: ${length}\r\n\r\n`;

describe("with the embedded database", () => {
	const dataDir = mkdtempSync(join(tmpdir(), "plimsoll-server-"));
	chmodSync(dataDir, 0o755);
	afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

	it("starts, says where it is and who may write, stops, and starts again on the same data", async () => {
		const first = await start({ DATA_DIR: dataDir });
		expect(first.printed()).toContain(dataDir);
		expect(first.printed()).toMatch(/this machine only; no key is needed/);
		const examples = await totalRuns(first);
		expect(examples).toBeGreaterThan(0);
		expect((await fetch(`${first.url}/api/v1/runs`, { method: "POST", body: file("first") })).status).toBe(
			201,
		);
		expect((await first.stop("SIGINT")).code).toBe(0);

		const second = await start({ DATA_DIR: dataDir });
		expect(await totalRuns(second)).toBe(examples + 1);
		const { code, stdout } = await runScript("api/src/commands/examples.ts", ["--remove"], {
			DATA_DIR: dataDir,
		});
		expect([code, stdout]).toEqual([0, "0 example runs are in.\n"]);
		expect(await totalRuns(second)).toBe(1);
		await second.stop();

		const third = await start({ DATA_DIR: dataDir });
		expect(await totalRuns(third)).toBe(1);
		expect((await third.stop()).code).toBe(0);
	});

	it("asks for a key as soon as others can reach it, and takes one made beside it", async () => {
		const server = await start({ DATA_DIR: dataDir, HOST: "0.0.0.0" });
		expect(server.printed()).toMatch(/writing needs a key/);
		const url = `http://127.0.0.1:${server.port}/api/v1/runs`;
		expect((await fetch(url, { method: "POST", body: file("keyless") })).status).toBe(401);
		const authorization = `Bearer ${await makeKey({ DATA_DIR: dataDir })}`;
		expect(
			(await fetch(url, { method: "POST", body: file("keyed"), headers: { authorization } })).status,
		).toBe(201);
		expect((await server.stop()).code).toBe(0);
	});
});

describe("starting", () => {
	it("says in one sentence that a port is in use, and leaves the first server alone", async () => {
		const first = await start(team);
		const { code, stdout, stderr } = await runScript("api/src/server.ts", [], {
			...team,
			PORT: String(first.port),
		});
		expect([code, stdout]).toEqual([1, ""]);
		expect(stderr).toMatch(new RegExp(`^Port ${first.port} on 127\\.0\\.0\\.1 is in use[^\\n]+\\n$`));
		expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
	});

	it("names every wrong setting", async () => {
		const { code, stderr } = await runScript("api/src/server.ts", [], { PORT: "x", LOG_LEVEL: "loud" });
		expect(code).toBe(1);
		expect(stderr.trim().split("\n")).toHaveLength(2);
		expect(stderr).toMatch(/PORT=x: .*\n.*LOG_LEVEL=loud: /);
	});

	it("says in words that a database cannot be reached", async () => {
		const { code, stderr } = await runScript("api/src/server.ts", [], {
			DATABASE_URL: "postgres://nobody@127.0.0.1:9/x",
		});
		expect(code).toBe(1);
		expect(stderr).toContain("DATABASE_URL");
		expect(stderr).not.toContain("    at ");
	});
});

describe("stopping", () => {
	it.each(["SIGTERM", "SIGINT"] as const)(
		"on %s lets a request in flight finish and takes no new one",
		async (signal) => {
			const key = await makeKey(team);
			const server = await start(team);
			const body = Buffer.from(file(`draining ${signal}`));
			const socket = await dial(server);
			socket.write(uploadHead(body.length, key));
			socket.write(body.subarray(0, 50));
			await sleep(200);
			const outcome = server.stop(signal);
			await sleep(200);
			const refused = await fetch(`${server.url}/healthz`).then(
				() => false,
				() => true,
			);
			expect(refused).toBe(true);
			socket.write(body.subarray(50));
			await closed(socket);
			expect(socket.received()).toMatch(/^HTTP\/1\.1 201 /);
			expect((await outcome).code).toBe(0);
		},
	);
});

describe("clients", () => {
	it("that vanish in the middle of an upload leave nothing", async () => {
		const key = await makeKey(team);
		const server = await start(team);
		const before = await totalRuns(server);
		const socket = await dial(server);
		socket.write(uploadHead(100_000, key));
		socket.write("x".repeat(50_000));
		await sleep(200);
		socket.destroy();
		await closed(socket);
		expect(await totalRuns(server)).toBe(before);
		expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
	});

	it("that send too slowly are cut", async () => {
		const server = await start({ ...team, REQUEST_TIMEOUT_SECONDS: "1" });
		const headers = await dial(server);
		headers.write("GET / HTTP/1.1\r\nhost:");
		const body = await dial(server);
		body.write(uploadHead(1000, "x").replace(/authorization.*\r\n/, ""));
		body.write("a few bytes");
		await Promise.all([closed(headers), closed(body)]);
		expect(headers.received()).toMatch(/^HTTP\/1\.1 408 /);
	});

	it("get an answer while another's large file is being read", async () => {
		const key = await makeKey(team);
		const server = await start(team);
		const rows = Array.from({ length: 60_000 }, (_, i) => ({
			phase: "prefill",
			tokens: 1 + (i % 500),
			cached: 0,
			batch: 1,
			seconds: [0.05],
		}));
		let done = false;
		const upload = fetch(`${server.url}/api/v1/runs`, {
			...{ method: "POST", body: canonical({ engineVersion: "large" }, rows) },
			headers: { authorization: `Bearer ${key}` },
		}).finally(() => {
			done = true;
		});
		let answered = 0;
		while (!done) {
			expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
			answered++;
		}
		expect((await upload).status).toBe(201);
		expect(answered).toBeGreaterThan(10);
	});

	it("may send JSON in chunks", async () => {
		const server = await start(team);
		const text = JSON.stringify({ configuration: "nope", points: [{ phase: "prefill", tokens: 1 }] });
		const socket = await dial(server);
		socket.write("POST /api/v1/predict HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n");
		socket.write(
			`connection: close\r\ntransfer-encoding: chunked\r\n\r\n${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`,
		);
		await closed(socket);
		expect(socket.received()).toMatch(/^HTTP\/1\.1 404 /);
	});

	it("that call it by a foreign name get no page", async () => {
		const server = await start(team);
		const socket = await dial(server);
		socket.write("GET / HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n");
		await closed(socket);
		expect(socket.received()).toMatch(/^HTTP\/1\.1 421 /);
	});
});
