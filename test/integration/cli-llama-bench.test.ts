import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { freshDatabase } from "../support/database.ts";
import { plimsoll } from "../support/plimsoll-command.ts";
import { isProgram, programsOnPath } from "../support/programs.ts";
import { runScript, startServer } from "../support/running-server.ts";
import { tinyGguf } from "../support/tiny-gguf.ts";

/** The real tool: LLAMA_BENCH, or the first on the PATH. */
const bench = [process.env.LLAMA_BENCH ?? "", ...programsOnPath("llama-bench")].find(isProgram);

const title = `a real llama-bench under plimsoll run${bench ? "" : " (skipped: no llama-bench)"}`;

describe.skipIf(bench === undefined)(title, async () => {
	if (bench === undefined) return it("is not here", () => {});
	const database = await freshDatabase();
	const settings = { DATABASE_URL: database.url, EXAMPLES: "off" };
	const server = await startServer(settings);
	const folder = mkdtempSync(join(tmpdir(), "plimsoll-bench-"));
	afterAll(async () => {
		await server.stop("SIGKILL");
		await database.drop();
		rmSync(folder, { recursive: true, force: true });
	});
	const model = join(folder, "tiny.gguf");
	writeFileSync(model, tinyGguf());
	const key = await runScript("api/src/commands/key.ts", ["--scope", "ingest", "--name", "ci"], settings);
	const env = { PLIMSOLL_URL: server.url, PLIMSOLL_KEY: key.stdout.trim() };
	const get = async (path: string) => (await fetch(`${server.url}/api/v1${path}`)).json();
	const run = async (...given: string[]) => {
		const outcome = await plimsoll(["run", "--", bench, "-m", model, "-r", "2", ...given], { env });
		const [, id] = /\/measurements\/(\S+)/.exec(outcome.stderr) ?? [];
		expect(id, outcome.stderr).toBeDefined();
		return { ...outcome, run: await get(`/runs/${id}`) };
	};

	it("stores the times that it printed, with the command and the machine", async () => {
		const { code, stdout, run: stored } = await run("-p", "32,64", "-n", "4", "-d", "0,32", "-o", "jsonl");
		expect(code).toBe(0);
		const rows = stdout
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line));
		expect(rows).toHaveLength(6);
		expect(stored).toMatchObject({ format: "llama-bench jsonl", accepted: 6, rejected: 0, failed: 0 });
		// A generation row is stored per step: its clock covers n_gen of them.
		for (const [i, { n_gen, samples_ns }] of rows.entries()) {
			const mean = (samples_ns[0] + samples_ns[1]) / 2 / 1e9;
			// A generation row is stored per step: its clock covers n_gen of them.
			expect(stored.measurements[i].secondsMean / mean).toBeCloseTo(1 / Math.max(1, n_gen), 9);
		}
		expect(stored.conditions).toMatchObject({
			command: [
				"llama-bench",
				"-m",
				"tiny.gguf",
				"-r",
				"2",
				"-p",
				"32,64",
				...["-n", "4", "-d", "0,32", "-o", "jsonl"],
			],
			...{ exitCode: 0, signal: null, host: { cpus: expect.any(Number) } },
		});
	});

	it.each(["json", "csv", "md", "sql"])("is understood in the layout %s", async (layout) => {
		const { code, run: stored } = await run("-p", "32", "-n", "4", "-o", layout);
		expect([code, stored.accepted, stored.rejected]).toEqual([0, 2, 0]);
	});

	it("leaves its failure behind where it cannot load the model", async () => {
		writeFileSync(join(folder, "cut.gguf"), tinyGguf().subarray(0, 100_000));
		const { code, run: stored } = await run("-m", join(folder, "cut.gguf"), "-o", "jsonl");
		expect(code).not.toBe(0);
		expect(stored).toMatchObject({ failed: 1, conditions: { exitCode: code } });
	});
});
