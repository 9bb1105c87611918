import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { Agent, get, request } from "node:http";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { createGzip } from "node:zlib";
import { startServer } from "../support/running-server.ts";
import { benchRow } from "./bench-rows.ts";
import { milliseconds, quantile, rate } from "./place.ts";

const ROWS = Number(process.env.BENCH_ROWS ?? 1_000_000);
/** Rows of one piece that is generated at once. */
const PIECE = 500;
const ASK_EVERY_MS = 25;

function* pieces(): Generator<string> {
	for (let from = 0; from < ROWS; from += PIECE) {
		let piece = "";
		for (let i = from; i < Math.min(from + PIECE, ROWS); i++) piece += `${benchRow(i)}\n`;
		yield piece;
	}
}

/** Posts the rows packed, made as they are sent: this process never holds them. */
async function post(url: string): Promise<{ bytes: number; sentMs: number; accepted: number }> {
	const start = performance.now();
	let bytes = 0;
	const counted = new Transform({
		transform(chunk, _, done) {
			bytes += chunk.length;
			done(null, chunk);
		},
	});
	const sending = request(`${url}/api/v1/runs`, { method: "POST", headers: { "content-encoding": "gzip" } });
	const answer = new Promise<string>((resolve, reject) => {
		sending.on("error", reject).on("response", async (response) => {
			const chunks = await response.toArray();
			const text = Buffer.concat(chunks).toString();
			if (response.statusCode === 201) resolve(text);
			else reject(new Error(`POST /runs: ${response.statusCode} ${text}`));
		});
	});
	await pipeline(Readable.from(pieces(), { objectMode: true }), counted, createGzip({ level: 1 }), sending);
	const sentMs = performance.now() - start;
	return { bytes, sentMs, accepted: JSON.parse(await answer).accepted };
}

/** Asks a call again and again until told to stop; milliseconds of each answer. */
async function ask(url: string, stop: AbortSignal): Promise<number[]> {
	const agent = new Agent({ keepAlive: true });
	const taken: number[] = [];
	while (!stop.aborted) {
		const start = performance.now();
		await new Promise<void>((resolve, reject) => {
			get(url, { agent }, (response) => response.resume().on("end", resolve)).on("error", reject);
		});
		taken.push(performance.now() - start);
		await pause(ASK_EVERY_MS);
	}
	agent.destroy();
	return taken;
}

/** Largest resident memory of a process since it began, MiB; null where the system does not tell. */
function peakMemory(pid: number): number | null {
	const status = `/proc/${pid}/status`;
	const kib = existsSync(status) ? /VmHWM:\s+(\d+) kB/.exec(readFileSync(status, "utf8"))?.[1] : undefined;
	return kib === undefined ? null : Number(kib) / 1024;
}

/** A million rows, sent packed to a server of its own: speed, the server's memory, and whether it still answers. */
export async function benchVolume(): Promise<string[]> {
	const dataDir = await mkdtemp(join(tmpdir(), "plimsoll-volume-"));
	await chmod(dataDir, 0o755);
	const server = await startServer({
		...{ DATA_DIR: dataDir, EXAMPLES: "off", MAX_BODY_BYTES: "4GiB", REQUEST_TIMEOUT_SECONDS: "3600" },
	});
	try {
		const before = peakMemory(server.pid);
		const done = new AbortController();
		const asking = ask(`${server.url}/healthz`, done.signal);
		const start = performance.now();
		const { bytes, sentMs, accepted } = await post(server.url);
		const tookMs = performance.now() - start;
		done.abort();
		const answers = await asking;
		const peak = peakMemory(server.pid);
		const memory = (mib: number | null) => (mib === null ? "not known here" : `${Math.round(mib)} MiB`);
		return [
			`${accepted.toLocaleString("en")} rows (${(bytes / 2 ** 20).toFixed(0)} MiB, sent packed) in ${(tookMs / 1000).toFixed(1)} s: ${rate(accepted, tookMs)}; the last byte was sent after ${(sentMs / 1000).toFixed(1)} s`,
			`largest memory of the server: ${memory(peak)} (goal < 400 MiB; ${memory(before)} before)`,
			`GET /healthz meanwhile: p50 ${milliseconds(quantile(answers, 0.5))}, p99 ${milliseconds(quantile(answers, 0.99))}, max ${milliseconds(Math.max(...answers))} (goal < 100 ms)`,
			`load of the machine: ${loadavg()
				.map((load) => load.toFixed(1))
				.join(" ")}`,
		];
	} finally {
		await server.stop();
		await rm(dataDir, { recursive: true, force: true });
	}
}
