import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canonical } from "../support/api.ts";
import { freshDatabase } from "../support/database.ts";
import { moodyServer } from "../support/moody-server.ts";
import { type CommandOptions, plimsoll as runPlimsoll } from "../support/plimsoll-command.ts";
import { programsOnPath } from "../support/programs.ts";
import { runScript, startServer } from "../support/running-server.ts";

const root = resolve(import.meta.dirname, "../..");
const fixtures = join(root, "test/fixtures/llama-cpp-cpu");
const printing = join(root, "test/support/printing-command.ts");

const database = await freshDatabase();
const settings = { DATABASE_URL: database.url, EXAMPLES: "off", MAX_BODY_BYTES: "1MiB" };
const server = await startServer(settings);
const moody = await moodyServer(server.url);
const folder = mkdtempSync(join(tmpdir(), "plimsoll-cli-"));
afterAll(async () => {
	await moody.close();
	await server.stop("SIGKILL");
	await database.drop();
	rmSync(folder, { recursive: true, force: true });
});

let key = "";
beforeAll(async () => {
	const { stdout } = await runScript(
		"api/src/commands/key.ts",
		["--scope", "ingest", "--name", "ci"],
		settings,
	);
	key = stdout.trim();
});

/** With address and key in the environment, as CI has them. */
const plimsoll = (given: readonly string[], { env, ...options }: CommandOptions = {}) =>
	runPlimsoll(given, {
		cwd: folder,
		...options,
		env: { PLIMSOLL_URL: server.url, PLIMSOLL_KEY: key, ...env },
	});
const inJson = async (given: readonly string[], options?: CommandOptions) => {
	const { stdout, code } = await plimsoll([...given, "--json"], options);
	return {
		code,
		lines: stdout
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line)),
	};
};
const get = async (path: string) => (await fetch(`${server.url}/api/v1${path}`)).json();
const totalRuns = async () => (await get("/runs?limit=1")).totalCount;
const prefill = (tokens: number) => ({
	phase: "prefill",
	tokens,
	cached: 0,
	batch: 1,
	seconds: [tokens / 1e4],
});

/** Writes a file into the folder of the tests. */
function write(name: string, content: string | Uint8Array): string {
	writeFileSync(join(folder, name), content);
	return join(folder, name);
}

describe("plimsoll push", () => {
	it("posts a file as it is, once, whatever way it comes", async () => {
		const path = join(fixtures, "bench-prefill-gqa-f16-armA.jsonl");
		const bytes = readFileSync(path);
		const first = await inJson(["push", path]);
		expect(first).toMatchObject({
			code: 0,
			lines: [{ outcome: "stored", accepted: 8, rejected: 0, failed: 0 }],
		});
		const { id } = first.lines[0];
		const run = await get(`/runs/${id}`);
		expect(run).toMatchObject({
			...{ fileName: "bench-prefill-gqa-f16-armA.jsonl", sentBy: "ci", conditions: null },
			sha256: createHash("sha256").update(bytes).digest("hex"),
		});

		const before = await totalRuns();
		for (const [given, input] of [
			[[path], undefined],
			[["-"], bytes],
			[["-"], gzipSync(bytes)],
			[[write("packed.jsonl.gz", gzipSync(bytes))], undefined],
		] as const) {
			const again = await inJson(["push", ...given], input === undefined ? {} : { input });
			expect(again).toMatchObject({ code: 0, lines: [{ outcome: "duplicate", id }] });
		}
		expect(await totalRuns()).toBe(before);
	});

	it("fills what the file does not say, and says in words what became of it and where to look", async () => {
		const file = write(
			"partly.json",
			JSON.stringify({
				plimsoll: 1,
				measurements: [prefill(512), { phase: "prefill", tokens: "many", seconds: [1] }],
			}),
		);
		const options = ["--gpu", "H100 SXM 80GB", "--gpus", "2", "--model", "llama-3.1-8b", "--engine=vllm"];
		const { stdout, code } = await plimsoll([
			...["push", file, ...options, "--engine-version", "0.11.0", "--weights", "bf16", "--kv", "fp8"],
			...["--tp", "2", "--label", "night run"],
		]);
		expect(code).toBe(0);
		const [, run = ""] = /\/measurements\/(\S+)/.exec(stdout) ?? [];
		const [, configuration = ""] = /\/configurations\/(\S+)/.exec(stdout) ?? [];
		expect(stdout).toMatch(/^\S*partly\.json: stored as .*: 1 accepted, 1 rejected, 0 failed, 0 set aside\n/);
		expect(stdout).toMatch(/ {2}rejected +\S.*tokens/);
		expect(await get(`/runs/${run}`)).toMatchObject({ label: "night run", rejected: 1 });
		expect(await get(`/configurations/${configuration}`)).toMatchObject({
			...{
				gpuName: "H100 SXM 80GB",
				gpus: 2,
				modelName: "llama-3.1-8b",
				engine: "vllm",
				engineVersion: "0.11.0",
			},
			...{ weights: "bf16", kvK: "fp8", kvV: "fp8", tp: 2 },
		});

		expect((await plimsoll(["push", file, ...options, "--strict"])).code).toBe(5);
	});

	it("corrects the conditions of a file that is stored already, and says so", async () => {
		const file = write("said-twice.json", canonical({ engineVersion: "said twice" }, [prefill(512)]));
		const record = (value: object) => write("said.json", JSON.stringify(value));
		const first = { sampling: { temperature: 0.7 }, code: "4f2a", host: { name: "gpu-7" } };
		await inJson(["push", file, "--conditions", record(first)]);
		const again = record({ ...first, sampling: { temperature: 0 }, tools: "none" });
		const { lines, code } = await inJson(["push", file, "--conditions", again]);
		expect([code, lines[0].outcome, lines[0].corrected]).toEqual([0, "duplicate", ["sampling", "tools"]]);
		const run = await get(`/runs/${lines[0].id}`);
		expect(run.conditions).toEqual({ ...first, sampling: { temperature: 0 }, tools: "none" });
		expect(run.corrections).toMatchObject([{ field: "tools" }, { field: "sampling", by: "ci" }]);

		const { stdout } = await plimsoll(["push", file, "--conditions", again]);
		expect(stdout).not.toContain("corrected");
		const wrong = await plimsoll(["push", file, "--conditions", record({ sampling: "hot" })]);
		expect([wrong.code, wrong.stdout]).toEqual([1, expect.stringContaining("conditions.sampling: must be")]);
	});

	it("lists the first ten of many rejected rows", async () => {
		const bad = Array.from({ length: 14 }, () => ({ phase: "prefill", tokens: -1, seconds: [1] }));
		const file = write("many-bad.json", canonical({ engineVersion: "many bad" }, [prefill(512), ...bad]));
		const { stdout } = await plimsoll(["push", file]);
		expect(stdout.match(/^ {2}rejected +\S/gm)).toHaveLength(11);
		expect(stdout).toMatch(/and 4 more/);
		expect((await inJson(["push", file])).lines[0]).toMatchObject({
			rejected: 14,
			rejections: { length: 10 },
		});
	});

	it("ends with the code that tells a pipeline what is wrong", async () => {
		const good = write("good.json", canonical({ engineVersion: "codes" }, [prefill(512)]));
		const noBenchmark = write("words.txt", "these are words\n");
		const tooLarge = write(
			"large.json",
			canonical(
				{},
				Array.from({ length: 20_000 }, () => prefill(512)),
			),
		);
		const refused = await plimsoll(["push", noBenchmark, good, tooLarge]);
		expect(refused.code).toBe(1);
		expect(refused.stdout).toMatch(/words\.txt: refused \(422/);
		expect(refused.stdout).toMatch(/good\.json: stored/);
		expect(refused.stdout).toMatch(/large\.json: refused \(413.*MAX_BODY_BYTES/);

		const before = await totalRuns();
		const usage = [
			["push"],
			["push", good, join(folder, "missing.json")],
			["push", folder],
			["push", good, "--gpuu", "x"],
			["push", good, "--gpus", "two"],
			["push", good, "--conditions", noBenchmark],
			["pull"],
			[],
			["run", "--json"],
			["run", "--conditions", noBenchmark, "--", "true"],
			["help", "pull"],
		];
		for (const given of usage) {
			const { code, stdout, stderr } = await plimsoll(given);
			expect([code, stdout], given.join(" ")).toEqual([2, ""]);
			expect(stderr, given.join(" ")).toMatch(/^plimsoll: .+\n$/);
		}
		expect(await totalRuns()).toBe(before);

		const keyless = await plimsoll(["push", good, good], { env: { PLIMSOLL_KEY: "" } });
		// A server that refuses before it has read the file may close while it is being sent: that is tried again.
		const said = keyless.stderr.replaceAll(/.*trying again.*\n/g, "");
		expect([keyless.code, said]).toEqual([4, "plimsoll: 1 more not sent\n"]);
		expect(keyless.stdout).toMatch(/forbidden \(401 Key needed\): .*npm run key/);
		expect((await plimsoll(["push", good, "--key", "wrong"])).code).toBe(4);
	});

	it("says that a server is none of ours", async () => {
		const good = write("good.json", canonical({ engineVersion: "codes" }, [prefill(512)]));
		const pages = [
			{ status: 404, body: "<h1>nginx</h1>" },
			{ status: 200, body: "<h1>Welcome</h1>" },
			{ status: 301, headers: { location: "https://planner.example/" } },
			{ status: 500, body: "{}" },
		];
		for (const page of pages) {
			moody.plan(page);
			const { code, stdout } = await plimsoll(["push", good, "--url", moody.url]);
			expect([code, moody.seen.length], String(page.status)).toEqual([3, 1]);
			expect(stdout).toMatch(page.status === 301 ? /https:\/\/planner\.example\/.*--url/ : /check --url/);
		}
	});

	it("comes back after refusals and cut connections, packed each time, and stores once", async () => {
		const path = join(fixtures, "bench-prefill-gqa-f16-armB.jsonl");
		const before = await totalRuns();
		moody.plan("cut", { status: 503, headers: { "retry-after": "0" } }, { status: 429 }, "pass");
		const { code, stdout, stderr } = await plimsoll(["push", path, "--url", moody.url]);
		expect([code, await totalRuns()]).toEqual([0, before + 1]);
		expect(stdout).toMatch(/: stored as llama-bench jsonl: 8 accepted/);
		expect(stderr.match(/trying again in [\d.]+ s \(\d of 6\)/g)).toHaveLength(3);
		expect(moody.seen).toHaveLength(4);
		for (const { headers, start } of moody.seen) {
			expect(headers["content-encoding"]).toBe("gzip");
			expect(headers["content-length"]).toBeUndefined();
			expect([...start.subarray(0, 2)]).toEqual([0x1f, 0x8b]);
		}
	});

	it("repeats the standard input whole after a refusal", async () => {
		const bytes = canonical({ engineVersion: "stdin again" }, [prefill(512), prefill(1024)]);
		moody.plan({ status: 502, headers: { "retry-after": "0" } }, "pass");
		const { code, lines } = await inJson(["push", "-", "--url", moody.url], { input: bytes });
		expect([code, lines[0].accepted]).toEqual([0, 2]);
		const raw = await fetch(`${server.url}/api/v1/runs/${lines[0].id}/raw`);
		expect(await raw.text()).toBe(bytes);
	});

	it("gives up after the tries it was given", async () => {
		const good = write("good.json", canonical({ engineVersion: "codes" }, [prefill(512)]));
		moody.plan({ status: 503 });
		const { code, lines } = await inJson(["push", good, "--url", moody.url, "--retries", "1"]);
		expect([code, lines[0].outcome, moody.seen.length]).toEqual([3, "unreachable", 2]);
		// Port 9 (discard) answers nowhere.
		const nobody = await plimsoll(["push", good, "--url", "http://127.0.0.1:9", "--retries", "0"]);
		expect([nobody.code, nobody.stdout]).toEqual([3, expect.stringContaining("127.0.0.1:9")]);
	});
});

describe("plimsoll run", () => {
	const tools = mkdtempSync(join(tmpdir(), "plimsoll-tools-"));
	afterAll(() => rmSync(tools, { recursive: true, force: true }));
	// Answers as nvidia-smi does; the second time it is asked, the card has worked.
	const nvidia = join(tools, "nvidia-smi");
	writeFileSync(
		nvidia,
		`#!/bin/sh
case "$*" in *--query-gpu=name,driver_version,memory.total,clocks.max.sm,power.limit,*noheader,nounits*) ;; *) exit 2 ;; esac
if [ -e "$0.asked" ]; then rest="350.00, 341.20, 1755, 2619, 71, 70000, 98"; else rest="350.00, 60.00, 345, 2619, 30, 4, 0"; fi
touch "$0.asked"
echo "NVIDIA H100 PCIe, 550.54.15, 81559, 1755, $rest"
`,
	);
	chmodSync(nvidia, 0o755);
	const PATH = `${tools}${delimiter}${process.env.PATH}`;
	const node = process.execPath;
	const runOf = async (stderr: string) => get(`/runs/${/\/measurements\/(\S+)/.exec(stderr)?.[1]}`);

	it("passes the output through, and keeps it with the conditions before and after", async () => {
		rmSync(`${nvidia}.asked`, { force: true });
		const file = join(fixtures, "bench-prefill-gqa-f16-armC.jsonl");
		const startedAt = Date.now();
		// What is seen stands, whatever was written down.
		const six = write("six.json", JSON.stringify({ modelSnapshot: "rev 1", tools: "none", exitCode: 99 }));
		const { code, stdout, stderr } = await plimsoll(
			[
				"run",
				"--label",
				"recorded",
				"--conditions",
				six,
				"--",
				node,
				printing,
				file,
				"0",
				"--hf-token",
				"hf_secret123456",
			],
			{ env: { PATH, CUDA_VISIBLE_DEVICES: "0" } },
		);
		expect(code).toBe(0);
		expect(stdout).toBe(readFileSync(file, "utf8"));
		expect(stderr).toMatch(
			/^load_backend: loaded CPU backend\nplimsoll: stored as llama-bench jsonl: 8 accepted/,
		);

		const run = await runOf(stderr);
		expect(run.sha256).toBe(createHash("sha256").update(readFileSync(file)).digest("hex"));
		const { conditions } = run;
		expect(conditions).toMatchObject({
			command: ["node", "printing-command.ts", "bench-prefill-gqa-f16-armC.jsonl", "0", "--hf-token", "***"],
			...{ exitCode: 0, signal: null, environment: { CUDA_VISIBLE_DEVICES: "0" } },
			...{ modelSnapshot: "rev 1", tools: "none" },
			host: { name: hostname(), system: expect.stringMatching(/\S/), cpus: expect.any(Number) },
			gpus: {
				tool: "nvidia-smi",
				devices: [{ name: "NVIDIA H100 PCIe", driver: "550.54.15", maxSmClockMhz: 1755 }],
			},
			before: { gpus: [{ powerLimitWatts: 350, smClockMhz: 345, temperatureCelsius: 30, powerWatts: 60 }] },
			after: {
				gpus: [{ powerLimitWatts: 350, smClockMhz: 1755, temperatureCelsius: 71, powerWatts: 341.2 }],
			},
		});
		const [start, end] = [Date.parse(conditions.startedAt), Date.parse(conditions.endedAt)];
		expect(startedAt - 1).toBeLessThan(start);
		expect(start).toBeLessThan(end);
		expect(end).toBeLessThan(Date.now());
		// The file says that it ran on the processor: the card of the machine changes nothing in it.
		const [{ id }] = run.configurations;
		expect(await get(`/configurations/${id}`)).toMatchObject({ gpuName: "CPU: AMD EPYC", gpus: 0 });
	});

	it("names the machine's GPU where the output does not, unless it is told another", async () => {
		const file = write(
			"no-gpu.json",
			JSON.stringify({ plimsoll: 1, model: "m", measurements: [prefill(512)] }),
		);
		const gpuOf = async (...options: string[]) => {
			const { stderr } = await plimsoll(["run", ...options, "--", node, printing, file], { env: { PATH } });
			const [{ id }] = (await runOf(stderr)).configurations;
			const { gpuName, gpus } = await get(`/configurations/${id}`);
			return { gpuName, gpus };
		};
		expect(await gpuOf()).toEqual({ gpuName: "NVIDIA H100 PCIe", gpus: 1 });
		expect(await gpuOf("--gpu", "B200", "--gpus", "4")).toEqual({ gpuName: "B200", gpus: 4 });
	});

	it("ends as the command ends, and keeps a failure as a result", async () => {
		const out = join(fixtures, "failures/bench-depth-does-not-fit.stdout.txt");
		const error = readFileSync(join(fixtures, "failures/bench-depth-does-not-fit.stderr.txt"), "utf8");
		const script = `cat "${out}"; printf %s "${error}" >&2; exit 7`;
		const { code, stdout, stderr } = await plimsoll(["run", "--json", "--", "sh", "-c", script]);
		expect([code, stdout]).toEqual([7, readFileSync(out, "utf8")]);
		expect(stderr).toContain(error);
		const report = JSON.parse(stderr.trim().split("\n").at(-1) ?? "");
		expect(report).toMatchObject({ outcome: "stored", accepted: 1, failed: 1 });
		expect((await get(`/runs/${report.id}`)).conditions).toMatchObject({ exitCode: 7 });
	});

	it("reads the standard error where the standard output is no benchmark", async () => {
		const table = join(fixtures, "formats/short.md");
		for (const script of [`cat "${table}" >&2`, `echo starting; cat "${table}" >&2`]) {
			const { code, stderr } = await plimsoll(["run", "--", "sh", "-c", script]);
			expect(code).toBe(0);
			expect(stderr).toMatch(/plimsoll: stored/);
		}
	});

	it("hands a signal on, waits, and posts what came", async () => {
		const file = join(fixtures, "bench-decode-gqa-f16-kv_f16-armA.jsonl");
		const interrupted = await plimsoll(["run", "--", node, printing, file, "9", "--wait"], {
			meanwhile: (child) =>
				child.stderr?.on("data", (text) => {
					if (String(text).includes("waiting")) child.kill("SIGINT");
				}),
		});
		expect(interrupted).toMatchObject({ code: 9, signal: null, stdout: readFileSync(file, "utf8") });
		expect(interrupted.stderr).toMatch(/got SIGINT\n/);
		expect(interrupted.stderr).toMatch(/plimsoll: stored/);
	});

	it("ends by the signal that ended the command", async () => {
		const ended = await plimsoll(["run", "--", "sh", "-c", "kill -TERM $$"]);
		expect([ended.code, ended.signal]).toEqual([null, "SIGTERM"]);
		expect((await plimsoll(["run", "--", "sh", "-c", "kill -ABRT $$"])).code).toBe(128 + 6);
	});

	const hasScript = programsOnPath("script").length > 0;
	it.skipIf(!hasScript)(
		`lets Ctrl-C of a terminal reach the command once${hasScript ? "" : " (skipped: no script command)"}`,
		async () => {
			const file = join(fixtures, "bench-decode-gqa-f16-kv_f16-armB.jsonl");
			const main = join(root, "cli/src/main.ts");
			const line = [node, main, "run", "--", node, printing, file, "9", "--wait"]
				.map((word) => `'${word}'`)
				.join(" ");
			const { stdout } = await plimsoll(["-qec", line, "/dev/null"], {
				program: ["script"],
				input: null,
				meanwhile: async (child) =>
					child.stdout?.on("data", (text) => {
						if (String(text).includes("waiting")) child.stdin?.write("\u0003");
					}),
			});
			expect(stdout).toMatch(/got SIGINT\r?\n/);
			expect(stdout).toMatch(/plimsoll: stored/);
		},
	);

	it("does not wait for what the command left running, and loses nothing to a slow reader", async () => {
		const file = join(fixtures, "bench-multiconfig.jsonl");
		// What is written long after the command's end is not waited for.
		const left = await plimsoll(["run", "--", "sh", "-c", `(sleep 30; echo late) & cat "${file}"`]);
		expect([left.code, left.stdout]).toEqual([0, readFileSync(file, "utf8")]);

		const large = write("large.txt", "one line of many\n".repeat(60_000));
		const main = join(root, "cli/src/main.ts");
		const line = `"${node}" "${main}" run -- cat "${large}" | { sleep 7; cksum; }`;
		const slow = await plimsoll(["-c", line], { program: ["sh"] });
		expect(slow.stdout).toBe(execFileSync("sh", ["-c", `cksum < "${large}"`]).toString());
	});

	it("says like a shell that a command cannot be started", async () => {
		expect(await plimsoll(["run", "--", "no-such-bench"])).toMatchObject({
			...{ code: 127, stdout: "", stderr: "plimsoll: no-such-bench: not found on the PATH\n" },
		});
		const plain = write("plain.txt", "no program");
		expect((await plimsoll(["run", "--", plain])).code).toBe(126);
	});

	it("keeps a long run that the planner cannot take, to be posted later with its conditions", async () => {
		const cwd = mkdtempSync(join(folder, "kept-"));
		const file = join(fixtures, "bench-decode-mha-f16-kv_f16-armA.jsonl");
		const given = ["run", "--url", "http://127.0.0.1:9", "--retries", "0", "--label", "late one"];
		const lost = await plimsoll([...given, "--", "cat", file], { cwd });
		expect([lost.code, lost.stdout]).toEqual([3, readFileSync(file, "utf8")]);
		const advice = /post it later: plimsoll (push .*)$/m.exec(lost.stderr)?.[1] ?? "";
		expect(readdirSync(cwd)).toHaveLength(2);
		const words = [...advice.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? "");
		const { code, lines } = await inJson(words, { cwd });
		expect([code, lines[0].outcome, lines[0].accepted]).toEqual([0, "stored", 5]);
		const run = await get(`/runs/${lines[0].id}`);
		expect(run).toMatchObject({ label: "late one", conditions: { exitCode: 0, host: { name: hostname() } } });
	});
});

describe("the command from the server", () => {
	const program = join(folder, "plimsoll.mjs");
	beforeAll(async () => {
		execFileSync(process.execPath, ["--run", "build"], { cwd: join(root, "cli"), stdio: "ignore" });
		const response = await fetch(`${server.url}/api/v1/plimsoll.mjs`);
		expect(response.headers.get("content-type")).toMatch(/^text\/javascript/);
		writeFileSync(program, await response.text());
	});

	/** Every Node from 18 on that the PATH holds: a GPU machine's own is rarely ours. */
	const nodes = programsOnPath("node")
		.map((path) => [spawnSync(path, ["--version"]).stdout.toString().trim(), path] as const)
		.filter(([version]) => Number(/^v(\d+)/.exec(version)?.[1]) >= 18);

	it.each(nodes)("pushes and runs alone, on Node %s", async (version, path) => {
		const file = write(`${version}.json`, canonical({ engineVersion: version }, [prefill(512)]));
		const pushed = await inJson(["push", file], { program: [path, program] });
		expect(pushed).toMatchObject({ code: 0, lines: [{ accepted: 1 }] });
		const piped = await inJson(["push", "-"], { program: [path, program], input: readFileSync(file) });
		expect(piped).toMatchObject({ code: 0, lines: [{ outcome: "duplicate", id: pushed.lines[0].id }] });
		const ran = await plimsoll(["run", "--label", version, "--", "cat", file], { program: [path, program] });
		expect([ran.code, ran.stdout]).toEqual([0, readFileSync(file, "utf8")]);
		expect(ran.stderr).toMatch(/^plimsoll: stored/);
	});

	it("says its version and explains itself", async () => {
		const { version } = JSON.parse(readFileSync(join(root, "cli/package.json"), "utf8"));
		expect((await plimsoll(["--version"])).stdout).toBe(`${version}\n`);
		for (const given of [["help"], ["--help"], ["help", "push"], ["push", "--help"], ["run", "-h"]]) {
			const { code, stdout } = await plimsoll(given);
			expect([code, stdout.startsWith("plimsoll")], given.join(" ")).toEqual([0, true]);
		}
	});
});

describe("the README's lines for CI", () => {
	const readme = readFileSync(join(root, "README.md"), "utf8");
	const [, section = ""] = /^## From CI$(.*?)^## /ms.exec(readme) ?? [];
	const cwd = mkdtempSync(join(folder, "ci-"));
	const lines = [...section.matchAll(/^(?:\s*(?:-|- run:|# or:|# or, for both:))? *((?:gzip|curl) .+)$/gm)]
		.map(([, line = ""]) => line)
		.filter((line) => / \| curl | && node /.test(line));
	beforeAll(() => {
		const bench = readFileSync(join(fixtures, "bench-decode-swa-f16-kv_f16-armA.jsonl"));
		writeFileSync(join(cwd, "bench.jsonl"), bench);
		writeFileSync(join(cwd, "serve.json"), canonical({ engineVersion: "ci" }, [prefill(512)]));
		writeFileSync(join(cwd, "llama-bench"), `#!/bin/sh\nexec cat "${cwd}/bench.jsonl"\n`, { mode: 0o755 });
		execFileSync(process.execPath, ["--run", "build"], { cwd: join(root, "cli"), stdio: "ignore" });
	});

	it("are there for three systems, with curl and with the command", () => {
		expect(lines).toHaveLength(6);
	});

	const hasCurl = programsOnPath("curl").length > 0;
	it.skipIf(!hasCurl).each(lines)(`%s${hasCurl ? "" : " (skipped: no curl)"}`, async (line) => {
		const label = createHash("sha256").update(line).digest("hex");
		const { code, stdout, stderr } = await plimsoll(["-c", line.replaceAll("/tmp/", "")], {
			...{ program: ["sh"], cwd },
			env: {
				...{ GITHUB_SHA: label, CI_COMMIT_SHA: label, HOSTNAME: label },
				PATH: `${cwd}${delimiter}${process.env.PATH}`,
			},
		});
		expect(code, stderr).toBe(0);
		const { items } = await get("/runs?limit=20");
		const stored = items.find((run: { label: string }) => run.label === label);
		expect(stored?.accepted, stdout).toBeGreaterThan(0);
	});
});
