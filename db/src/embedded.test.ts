import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
	chmodSync,
	chownSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { isAlive } from "./folder-lock.ts";
import { type Database, openDatabase } from "./index.ts";

const root = process.geteuid?.() === 0;
const opener = fileURLToPath(new URL("../../test/support/open-database.ts", import.meta.url));

const folders: string[] = [];
const opened: Database[] = [];
const children: ChildProcess[] = [];
afterEach(async () => {
	for (const database of opened.splice(0)) await database.close();
	for (const child of children.splice(0)) await ended(child);
	for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder under the system's temporary one that every user may enter; its data folder does not exist yet. */
function newDataDir(...below: string[]): string {
	const folder = mkdtempSync(join(tmpdir(), "plimsoll-embedded-"));
	chmodSync(folder, 0o755);
	folders.push(folder);
	return join(folder, ...below, "data");
}

/** The same as left by an earlier start that was stopped: a copy of one, because creating takes a second. */
function usedDataDir(): string {
	const dataDir = newDataDir();
	execFileSync("cp", ["-a", used, dataDir]);
	return dataDir;
}

async function open(dataDir: string, said: string[] = [], beside = false): Promise<Database> {
	const database = await openDatabase({ dataDir, say: (line) => said.push(line), beside });
	opened.push(database);
	return database;
}

async function close(database: Database): Promise<void> {
	opened.splice(opened.indexOf(database), 1);
	await database.close();
}

let used = "";
beforeAll(async () => {
	used = newDataDir();
	folders.pop();
	await close(await open(used));
});
afterAll(() => rmSync(dirname(used), { recursive: true, force: true }));

/** Opens the database of a folder in a process of its own; resolves with its lines up to "open" or a problem. */
async function openElsewhere(
	dataDir: string,
	uid?: number,
): Promise<{ child: ChildProcess; lines: string[] }> {
	const child = spawn(process.execPath, [opener, dataDir, ...(uid ? [String(uid)] : [])], {
		stdio: ["pipe", "pipe", "inherit"],
	});
	children.push(child);
	const lines: string[] = [];
	for await (const line of createInterface({ input: child.stdout })) {
		lines.push(line);
		if (line === "open" || line.startsWith("problem:")) break;
	}
	return { child, lines };
}

async function ended(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const exit = once(child, "exit");
	child.stdin?.end();
	await exit;
}

const serverOf = (dataDir: string) =>
	Number(readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);

const settings = ({ sql }: Database) => sql`select * from settings`;

test("a first start creates a durable server in UTF-8 with the C locale, a second one keeps the rows", async () => {
	const dataDir = newDataDir();
	const first = await open(dataDir);
	expect(first.kind).toBe("embedded");
	expect(first.address).toMatch(/^postgres:\/\/plimsoll@127\.0\.0\.1:\d+\/plimsoll$/);
	const [facts] = await first.sql`
		select current_setting('fsync') as fsync, current_setting('server_encoding') as encoding, datcollate,
			current_setting('max_wal_size') as wal, current_setting('TimeZone') as zone
		from pg_database where datname = current_database()`;
	expect(facts).toEqual({ fsync: "on", encoding: "UTF8", datcollate: "C", wal: "2GB", zone: "UTC" });
	await first.sql`insert into settings values ('kept', '1')`;
	const server = serverOf(dataDir);
	await close(first);
	expect(() => serverOf(dataDir)).toThrow(/ENOENT/);
	expect(server).toBeGreaterThan(1);

	expect(await settings(await open(dataDir))).toEqual([{ key: "kept", value: 1 }]);
});

test("only its owner reads the password and the files of the server", async () => {
	const dataDir = usedDataDir();
	await open(dataDir);
	for (const name of ["postgres-password", "postgres", "postgres.log"])
		expect(statSync(join(dataDir, name)).mode & 0o077, name).toBe(0);
});

test("a server left running by a killed app is adopted with its rows, and stopped at the end", async () => {
	const dataDir = usedDataDir();
	const { child, lines } = await openElsewhere(dataDir);
	expect(lines.at(-1)).toBe("open");
	const server = serverOf(dataDir);
	child.kill("SIGKILL");
	await once(child, "exit");
	expect(isAlive(server)).toBe(true);

	const said: string[] = [];
	const database = await open(dataDir, said);
	expect(said).toEqual([`Adopting the private PostgreSQL left running as process ${server}`]);
	expect(serverOf(dataDir)).toBe(server);
	await close(database);
	expect(() => serverOf(dataDir)).toThrow(/ENOENT/);
});

test("a pid file whose number now belongs to another program does not stop a start", async () => {
	const dataDir = usedDataDir();
	const pidFile = join(dataDir, "postgres", "postmaster.pid");
	// This process is alive and is no PostgreSQL.
	writeFileSync(pidFile, `${process.pid}\n${dataDir}\n0\n5432\n\n127.0.0.1\n\nready   \n`);
	if (root) chownSync(pidFile, 65534, 65534);
	await open(dataDir);
	expect(serverOf(dataDir)).not.toBe(process.pid);
});

test("a second start on the same data names the process that holds it", async () => {
	const dataDir = usedDataDir();
	await open(dataDir);
	await expect(open(dataDir)).rejects.toThrow(`Another Plimsoll (process ${process.pid}) is already running`);
	const { lines } = await openElsewhere(dataDir);
	expect(lines).toEqual([expect.stringContaining(`process ${process.pid}`)]);
});

test("a lock left by a killed process is taken over", async () => {
	const dataDir = usedDataDir();
	const gone = spawn(process.execPath, ["--version"], { stdio: "ignore" });
	await once(gone, "exit");
	writeFileSync(join(dataDir, "plimsoll.lock"), JSON.stringify({ pid: gone.pid, started: null }));
	await open(dataDir);
});

test("a command beside a running app works on its server and leaves it running", async () => {
	const dataDir = usedDataDir();
	const app = await open(dataDir);
	const command = await open(dataDir, [], true);
	await command.sql`insert into settings values ('by', '"command"')`;
	await close(command);
	expect(await settings(app)).toEqual([{ key: "by", value: "command" }]);
});

test("a path far longer than a socket's works", async () => {
	const dataDir = newDataDir("a".repeat(100), "b".repeat(100));
	mkdirSync(dataDir, { recursive: true });
	await open(dataDir);
});

test("data of another major version is refused in words", async () => {
	const dataDir = usedDataDir();
	writeFileSync(join(dataDir, "postgres", "PG_VERSION"), "14\n");
	await expect(open(dataDir)).rejects.toThrow(
		/holds data of PostgreSQL 14, and this Plimsoll brings PostgreSQL 18/,
	);
});

describe.skipIf(!root)("as root", () => {
	/** A user of every Unix that is neither root nor nobody; PostgreSQL wants one with a name. */
	const daemon = 1;

	test("the server runs as an unprivileged user", async () => {
		const dataDir = usedDataDir();
		await open(dataDir);
		expect(statSync(`/proc/${serverOf(dataDir)}`).uid).toBe(65534);
	});

	test("a folder that this user cannot reach is refused with the variable to set", async () => {
		const folder = mkdtempSync(join(tmpdir(), "plimsoll-closed-"));
		folders.push(folder);
		await expect(open(join(folder, "data"))).rejects.toThrow(
			new RegExp(`DATA_DIR .* user 65534, and that user may not enter ${folder}\\. Set DATA_DIR`),
		);
	});

	test("data that root started is refused to an ordinary user in words", async () => {
		const dataDir = usedDataDir();
		chmodSync(dataDir, 0o777);
		const { lines } = await openElsewhere(dataDir, daemon);
		expect(lines).toEqual([
			expect.stringMatching(/postgres belongs to user 65534, and this is user 1\. Start/),
		]);
	});

	test("a folder that an ordinary user may not write is refused with the variable to set", async () => {
		const { lines } = await openElsewhere(newDataDir(), daemon);
		expect(lines).toEqual([
			expect.stringMatching(/DATA_DIR .* cannot be written by this user .* Set DATA_DIR/),
		]);
	});

	test("a user without an account starts it as himself, or is told what to do", async () => {
		const nameless = 12_345;
		const dataDir = newDataDir();
		mkdirSync(dataDir);
		chownSync(dataDir, nameless, nameless);
		const { lines } = await openElsewhere(dataDir, nameless);
		if (mayHaveNamespaces(nameless)) {
			expect(lines.at(-1)).toBe("open");
			expect(statSync(`/proc/${serverOf(dataDir)}`).uid).toBe(nameless);
			expect(statSync(join(dataDir, "postgres", "PG_VERSION")).uid).toBe(nameless);
		} else {
			expect(lines.at(-1)).toMatch(/user 12345 has no line in \/etc\/passwd\. Start .* DATABASE_URL/);
		}
	});

	/** Systems and containers may forbid user namespaces. */
	const mayHaveNamespaces = (uid: number) =>
		spawnSync("unshare", ["--user", "--map-user=65534", "true"], { uid, gid: uid }).status === 0;

	test("an ordinary user starts it as himself, and root later under that user", async () => {
		const dataDir = newDataDir();
		mkdirSync(dataDir);
		chownSync(dataDir, daemon, daemon);
		const { child, lines } = await openElsewhere(dataDir, daemon);
		expect(lines.at(-1)).toBe("open");
		expect(statSync(`/proc/${serverOf(dataDir)}`).uid).toBe(daemon);
		await ended(child);

		await open(dataDir);
		expect(statSync(`/proc/${serverOf(dataDir)}`).uid).toBe(daemon);
	});
});
