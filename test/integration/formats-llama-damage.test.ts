import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { UnreadableFile } from "@plimsoll/api/ingest";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { coloured, crlf, prefixed, quoted, utf16, wrapped } from "../support/damage.ts";
import { type FileReading, readBytes, readText, sharedFolder } from "../support/reading.ts";
import { faultsOf } from "../support/sound.ts";

const folder = join(import.meta.dirname, "../fixtures/llama-cpp-cpu");
const text = (name: string): string => readFileSync(join(folder, name), "utf8");

const JSON_FILE = text("formats/short.json");
const JSONL = text("formats/short.jsonl");
const CSV = text("formats/short.csv");
const SQL = text("formats/short.sql");
const MD = text("formats/short.md");
const BATCHED = text("batched-gqa-f16-armC.md");
const LOG = text("startup/swa-f16-kvf16-np4-c131072.log");

/** Everything a damage must not change: places may move, values and counts may not. */
function essence({ items, measurements }: FileReading): unknown {
	return {
		measurements: measurements.map(({ notes, details, ...rest }) => rest),
		memory: items.flatMap((item) => (item.kind === "memory" ? [item.memory] : [])),
		lost: items.flatMap((item) => (item.kind === "rejected" || item.kind === "aside" ? [item.reason] : [])),
	};
}

describe("packaging that changes nothing", () => {
	const files = { JSON_FILE, JSONL, CSV, SQL, MD, BATCHED, LOG };
	for (const [name, file] of Object.entries(files)) {
		const changes: [string, () => Promise<FileReading>][] = [
			["quoted as in a forum", () => readText(quoted(file))],
			["with a service's name before each line", () => readText(prefixed(file))],
			["in colours", () => readText(coloured(file))],
			["with CRLF", () => readText(crlf(file))],
			["in UTF-16", () => readBytes(utf16(file))],
			["with a byte order mark", () => readText(`\uFEFF${file}`)],
			["in pieces of 7 bytes", () => readBytes(new TextEncoder().encode(file), {}, 7)],
		];
		it.each(changes)(`${name} %s`, async (_, read) => {
			expect(essence(await read())).toEqual(essence(await readText(file)));
		});
	}

	it("JSON with its keys sorted", async () => {
		const rows = JSON.parse(JSON_FILE) as Record<string, unknown>[];
		const sorted = rows.map((row) => Object.fromEntries(Object.entries(row).sort()));
		const reading = await readText(JSON.stringify(sorted, null, 2));
		expect(reading.measurements.map((m) => [m.phase, m.secondsMean])).toEqual(
			(await readText(JSON_FILE)).measurements.map((m) => [m.phase, m.secondsMean]),
		);
	});

	it.each([80, 146])("lines broken at %i columns", async (width) => {
		for (const file of [JSONL, CSV, SQL, MD, BATCHED]) {
			expect(essence(await readText(wrapped(file, width)))).toEqual(essence(await readText(file)));
		}
	});

	it.each(["Â±", "+/-", "\uFFFD", "┬▒"])("a table whose ± became %s", async (sign) => {
		expect(essence(await readText(MD.replaceAll("±", sign)))).toEqual(essence(await readText(MD)));
	});

	it("a table with the test names of 2024, 'pp 512'", async () => {
		const old = MD.replace(/\b(pp|tg)(?=\d)/g, "$1 ");
		expect(essence(await readText(old))).toEqual(essence(await readText(MD)));
	});

	it("log lines in front, which may name the device", async () => {
		const noise =
			"ggml_cuda_init: found 1 CUDA devices:\n  Device 0: NVIDIA GeForce RTX 4090, compute capability 8.9, VMM: yes\n[2026-01-02 03:04:05] start\n[1/8] pulling\n";
		const rows = JSONL.replaceAll('"backends": "CPU"', '"backends": "CUDA"');
		const list = JSON_FILE.replaceAll('"backends": "CPU"', '"backends": "CUDA"');
		for (const file of [rows, list]) {
			const { measurements } = await readText(noise + file);
			expect(measurements).toHaveLength(16);
			expect(measurements[0]?.conditions).toMatchObject({ gpu: "NVIDIA GeForce RTX 4090", gpus: 1 });
		}
	});
});

describe("files cut by a killed job", () => {
	it("gives the whole rows of a list cut after any byte, and names the cut one", async () => {
		const whole = JSON_FILE.slice(
			0,
			JSON_FILE.indexOf('"build_commit"', JSON_FILE.indexOf('"build_commit"', 20) + 1) + 700,
		);
		const truth = (await readText(JSON_FILE)).measurements.map(({ secondsMean }) => secondsMean);
		for (let bytes = 1; bytes <= whole.length; bytes++) {
			const cut = whole.slice(0, bytes);
			const rows = cut.split("\n  }").length - 1;
			const reading = await readText(cut).catch((error: unknown) => error);
			if (reading instanceof UnreadableFile) {
				expect(rows).toBe(0);
				continue;
			}
			const { measurements, counts } = reading as FileReading;
			expect(measurements.map(({ secondsMean }) => secondsMean)).toEqual(truth.slice(0, rows));
			// No row holds an object, so an open brace is a row that was cut.
			expect(counts.rejected ?? 0).toBe(cut.split("{").length - cut.split("}").length);
		}
	});

	it.each<[string, string]>([
		["jsonl", JSONL],
		["csv", CSV],
		["sql", SQL],
		["md", MD],
	])("loses no finished row of %s", async (_, file) => {
		const truth = (await readText(file)).measurements.map(({ secondsMean }) => secondsMean);
		for (let bytes = Math.floor(file.length / 2); bytes < file.length; bytes += 37) {
			const { measurements, counts } = await readText(file.slice(0, bytes));
			const means = measurements.map(({ secondsMean }) => secondsMean);
			expect(means).toEqual(truth.slice(0, means.length));
			expect(counts.rejected ?? 0).toBeLessThanOrEqual(1);
		}
	});

	it("rejects a jsonl row cut before its newline, and no other: nothing vanishes", async () => {
		const lines = JSONL.trimEnd().split("\n");
		const truth = (await readText(JSONL)).measurements.map(({ secondsMean }) => secondsMean);
		for (const index of [1, 2, lines.length - 2]) {
			for (let bytes = 20; bytes < 950; bytes += 29) {
				const cut = lines.with(index, (lines[index] ?? "").slice(0, bytes));
				const { items, measurements, counts } = await readText(`${cut.join("\n")}\n`);
				expect(measurements.map(({ secondsMean }) => secondsMean)).toEqual(truth.toSpliced(index, 1));
				expect(items.filter(({ kind }) => kind === "rejected")).toMatchObject([{ at: `line ${index + 1}` }]);
				expect((counts.measurement ?? 0) + (counts.rejected ?? 0)).toBe(lines.length);
			}
		}
	});
});

describe("rows that need care", () => {
	const row = JSON.parse(JSONL.split("\n")[0] ?? "") as Record<string, unknown>;
	const one = (changes: Record<string, unknown>) => readText(`${JSON.stringify({ ...row, ...changes })}\n`);
	const only = async (changes: Record<string, unknown>) => {
		const { measurements } = await one(changes);
		if (measurements[0] === undefined) throw new Error("no measurement");
		return measurements[0];
	};

	it("reads a depth that was not yet written as 0", async () => {
		expect(await only({ n_depth: undefined })).toMatchObject({ phase: "prefill", tokens: 128, cached: 0 });
	});

	it("reads flash attention in each of its spellings", async () => {
		for (const [given, want] of [
			[true, "on"],
			[1, "on"],
			["1", "on"],
			[false, "off"],
			[0, "off"],
			[-1, "auto"],
			["auto", "auto"],
		]) {
			expect((await only({ flash_attn: given })).conditions.flags.flash_attn).toBe(want);
		}
	});

	it("keeps a row whose spread is -nan, and takes the spread from its samples", async () => {
		const line = JSON.stringify(row).replace(/"stddev_ts":[\d.]+/, '"stddev_ts":-nan');
		expect(line).toContain("-nan");
		const { measurements } = await readText(`${line}\n`);
		// 34404654, 34497902, 34750467 ns: mean 34551007.67, sample deviation 178918
		expect(measurements[0]?.secondsStd).toBeCloseTo(178.918e-6, 9);
	});

	it("does not take one repetition for an exact one", async () => {
		const single = await only({ samples_ns: [34404654], samples_ts: [3720.43], stddev_ns: 0, stddev_ts: 0 });
		expect(single).toMatchObject({ repetitions: 1, secondsStd: null });
	});

	it("rejects speeds that are no number, by name", async () => {
		const bare = { samples_ns: undefined, avg_ns: undefined };
		for (const avg_ts of ["NaN", null, 0, -5]) {
			const { items } = await one({ ...bare, avg_ts });
			expect(items).toMatchObject([
				{ kind: "rejected", at: "line 1", reason: expect.stringContaining("avg_ts") },
			]);
		}
	});

	it("doubts milliseconds in the place of seconds", async () => {
		const samples_ns = (row.samples_ns as number[]).map((ns) => ns * 1000);
		const measurement = await only({ avg_ns: Number(row.avg_ns) * 1000, samples_ns });
		expect(measurement.suspicions).toEqual([expect.stringMatching(/time or speed is wrong/)]);
	});

	it("keeps a point of which one repetition was slow, by its median, and says so", async () => {
		// 128 tokens: 1422.2, 3764.7, 3657.1 and 3764.7 tokens/s, on average 3152.2
		const measurement = await only({
			samples_ns: [90e6, 34e6, 35e6, 34e6],
			avg_ns: 48250000,
			avg_ts: 3152.2,
		});
		expect(measurement).toMatchObject({ suspicions: [], secondsMean: 0.0345, repetitions: 4 });
		expect(measurement.notes).toContainEqual(expect.stringMatching(/repetition 1 of 4 was slow, 2\.6 times/));
	});

	it("doubts a point of which half the repetitions were slow", async () => {
		const half = await only({ samples_ns: [90e6, 88e6, 35e6, 34e6], avg_ns: 61_750_000, avg_ts: 2574.7 });
		expect(half.suspicions).toEqual([expect.stringContaining("repetitions 1 and 2 of 4 were slow")]);
		const three = await only({ samples_ns: [90e6, 35e6, 34e6], avg_ns: 53e6, avg_ts: 2948 });
		expect(three.suspicions).toEqual([expect.stringContaining("repetition 1 of 3 was slow")]);
		expect(three.secondsMean).toBeCloseTo(0.053, 9);
	});

	it("counts the GPUs that were used, not those that were visible", async () => {
		const two = {
			backends: "CUDA",
			gpu_info: "NVIDIA H100 80GB HBM3, NVIDIA H100 80GB HBM3",
			n_gpu_layers: 99,
		};
		const cases: [Record<string, unknown>, number, string | null, string][] = [
			[{}, 2, "NVIDIA H100 80GB HBM3", "inferred"],
			[{ split_mode: "none" }, 1, "NVIDIA H100 80GB HBM3", "stated"],
			[{ devices: "CUDA1" }, 1, "NVIDIA H100 80GB HBM3", "stated"],
			[{ n_gpu_layers: 0 }, 0, "CPU: AMD EPYC", "stated"],
			[{ gpu_info: "NVIDIA RTX A4000/NVIDIA RTX A4000" }, 2, "NVIDIA RTX A4000", "inferred"],
			[{ gpu_info: "NVIDIA RTX A4000, Intel(R) UHD Graphics 770" }, 1, "NVIDIA RTX A4000", "inferred"],
			[
				{ gpu_info: "NVIDIA RTX A4000, NVIDIA RTX A6000" },
				2,
				"NVIDIA RTX A4000 + NVIDIA RTX A6000",
				"inferred",
			],
			[{ tensor_split: "0.50/0.50" }, 2, "NVIDIA H100 80GB HBM3", "stated"],
		];
		for (const [changes, gpus, gpu, gpusBasis] of cases) {
			expect((await only({ ...two, ...changes })).conditions).toMatchObject({ gpu, gpus, gpusBasis });
		}
	});

	it("sets a row aside that was appended twice, and keeps a repeat at another time", async () => {
		expect((await readText(JSONL + JSONL)).counts).toEqual({ measurement: 16, aside: 16 });
		const again = JSONL.replaceAll("2026-11-30T06:", "2026-11-30T07:");
		expect((await readText(JSONL + again)).counts).toEqual({ measurement: 32 });
	});

	it("reads CSV with several headers, of different builds", async () => {
		const old = [
			"build_commit,build_number,cuda,opencl,metal,gpu_blas,blas,cpu_info,gpu_info,model_filename,model_type,model_size,model_n_params,n_batch,n_threads,f16_kv,n_gpu_layers,main_gpu,mul_mat_q,tensor_split,n_prompt,n_gen,test_time,avg_ns,stddev_ns,avg_ts,stddev_ts",
			'"3469684","1275","1","0","0","1","1","13th Gen","RTX 3090 Ti","models/a.gguf","llama 7B mostly Q4_0","1","1","512","16","1","99","0","1","0.00","512","0","2023-09-23T12:09:01Z","212155977","732372","2413.341687","8.305961"',
		].join("\n");
		const { counts, measurements } = await readText(`${CSV}${old}\n`);
		expect(counts).toEqual({ measurement: 17 });
		expect(measurements[16]).toMatchObject({
			secondsMean: 0.212155977,
			conditions: { gpu: "RTX 3090 Ti", gpus: 1 },
		});
	});

	it("reads model paths with quotes and with letters that the tool garbles", async () => {
		const name = (reading: FileReading) => reading.measurements[0]?.conditions.model;
		expect(name(await one({ model_filename: 'C:\\models\\it\'s "mine".gguf' }))).toBe('it\'s "mine".gguf');
		expect(name(await one({ model_filename: "models/modèle-日本.gguf" }))).toBe("modèle-日本.gguf");
		expect(name(await readText(SQL.replaceAll("models/tiny-gqa-f16.gguf", "models/it's.gguf")))).toBe(
			"it's.gguf",
		);
		expect(name(await readText(CSV.replaceAll("models/tiny-gqa-f16.gguf", 'models/""q"".gguf')))).toBe(
			'"q".gguf',
		);
	});

	it("reads both layouts of a stream that mixes them as one run", async () => {
		const mixed = JSONL.trim()
			.split("\n")
			.flatMap((line, index) => [line, MD.split("\n")[index + 2] ?? ""])
			.join("\n");
		expect((await readText(mixed)).counts).toEqual({ measurement: 16, aside: 16 });
	});
});

describe("refusals", () => {
	it.each<[string, string, RegExp]>([
		["nothing", "", /empty/],
		["blanks", " \n\n", /empty/],
		["an open bracket", "[\n", /before its first result/],
		["words", "hello, this is no benchmark", /hello, this is no benchmark/],
		["100,000 brackets", "[".repeat(100_000), /No known benchmark/],
		["a page", "<!doctype html><title>502</title>", /No known benchmark/],
		["zeros", "\0".repeat(5000), /No known benchmark/],
	])("%s", async (_, body, reason) => {
		await expect(readText(body)).rejects.toThrow(reason);
		await expect(readText(body)).rejects.toBeInstanceOf(UnreadableFile);
	});

	it.each<[string, Uint8Array]>([
		["gzip inside", Uint8Array.from([0x1f, 0x8b, 8, 0])],
		["xz", Uint8Array.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0])],
	])("%s, with what to do", async (_, bytes) => {
		await expect(readBytes(bytes)).rejects.toThrow(/unpack/i);
	});

	it("start-up lines without a result are named, not lost", async () => {
		const { counts, items } = await readText(
			"ggml_cuda_init: found 1 CUDA devices:\n  Device 0: NVIDIA GeForce RTX 4090\n",
		);
		expect(counts).toEqual({ rejected: 1 });
		expect(items).toMatchObject([{ reason: expect.stringContaining("before its first result") }]);
	});

	it("a table without rows is named too", async () => {
		const header = MD.split("\n").slice(0, 2).join("\n");
		expect((await readText(`${header}\n`)).counts).toEqual({ rejected: 1 });
	});
});

describe("nothing vanishes", () => {
	const shared = sharedFolder("formats");
	const places = [join(folder, "formats"), folder, ...(shared === null ? [] : [join(shared, "llama-bench")])];
	const files = places.flatMap((place) =>
		readdirSync(place, { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile() && /\.(?:jsonl?|csv|sql|md|txt|log)$/.test(entry.name))
			.map((entry) => join(entry.parentPath, entry.name)),
	);

	it("every row of every llama-bench file ends as exactly one item", async () => {
		let counted = 0;
		for (const path of new Set(files)) {
			const content = readFileSync(path, "utf8");
			const rows = rowsOf(path, content);
			if (rows === 0) continue;
			const { counts } = await readText(content);
			const ended = (counts.measurement ?? 0) + (counts.rejected ?? 0) + (counts.aside ?? 0);
			expect(ended, path).toBe(rows);
			counted += rows;
		}
		expect(counted).toBeGreaterThan(300);
	});

	/** Rows by their marks, counted without any of the product's code. */
	function rowsOf(path: string, content: string): number {
		if (/readme/i.test(path) || /server|startup|failures/.test(path)) return 0;
		if (/\.jsonl?$/.test(path)) return content.split('"avg_ns"').length - 1;
		if (path.endsWith(".csv")) return content.split("\n").filter((line) => line.startsWith('"')).length;
		if (path.endsWith(".sql")) return content.split("INSERT INTO").length - 1;
		if (/batched|mac-m2/.test(path)) return 0;
		return content.split("±").length - 1;
	}
});

describe("random damage", () => {
	const files: [string, string][] = [
		["json", JSON_FILE.slice(0, 6000)],
		["jsonl", JSONL.slice(0, 6000)],
		["csv", CSV],
		["sql", SQL.slice(0, 6000)],
		["md", MD],
		["batched md", BATCHED],
		["batched jsonl", text("batched-gqa-f16-armA.jsonl")],
		["start-up log", LOG],
		["stream", text("server/chat-stream.sse").slice(-4000)],
		["answer", text("server/chat.json")],
		["canonical", canonicalFile()],
	];

	it.each(files)("%s: a sound reading or a clear refusal", async (_, file) => {
		await fc.assert(
			fc.asyncProperty(fc.array(edit(file.length), { minLength: 1, maxLength: 6 }), async (edits) => {
				const damaged = edits.reduce((body, change) => change(body), file);
				const reading = await readText(damaged).catch((error: unknown) => error);
				if (reading instanceof UnreadableFile) return;
				if (reading instanceof Error) throw reading;
				const faults = (reading as FileReading).items.flatMap(faultsOf);
				expect(faults).toEqual([]);
			}),
			{ numRuns: 200 },
		);
	});

	type Edit = (body: string) => string;

	/** Removes, doubles, swaps or replaces a piece, as editors, pipes and interleaved writers do. */
	function edit(length: number): fc.Arbitrary<Edit> {
		const place = fc.nat(length);
		const size = fc.integer({ min: 1, max: 200 });
		const junk = fc.constantFrom(
			"NaN",
			"-nan",
			"inf",
			"null",
			"-1",
			"0",
			'"',
			"'",
			"|",
			"}",
			"]",
			"\n",
			"\0",
			"1e999",
			"\u001b[0m",
			"±",
		);
		return fc.oneof(
			fc.tuple(place, size).map(
				([at, n]): Edit =>
					(body) =>
						body.slice(0, at) + body.slice(at + n),
			),
			fc.tuple(place, size).map(
				([at, n]): Edit =>
					(body) =>
						body.slice(0, at + n) + body.slice(at),
			),
			fc.tuple(place, size, junk).map(
				([at, n, text]): Edit =>
					(body) =>
						body.slice(0, at) + text + body.slice(at + (n % 8)),
			),
			place.map(
				(at): Edit =>
					(body) =>
						body.slice(0, at),
			),
		);
	}

	function canonicalFile(): string {
		return JSON.stringify({
			plimsoll: 1,
			gpu: "NVIDIA H100 80GB HBM3",
			gpus: 8,
			model: "llama-2-70b",
			kv: "bf16",
			measurements: [
				{ phase: "prefill", tokens: 1024, cached: 0, batch: 1, seconds: [0.123, 0.121] },
				{ phase: "decode", batch: 8, context: 2048, seconds: [0.031] },
				{
					phase: "serve",
					input: 1024,
					output: 128,
					concurrency: 16,
					ttft: { mean: 0.9 },
					tpot: { mean: 0.02 },
				},
				{ phase: "prefill", tokens: 200000, error: "out of memory" },
			],
		});
	}
});
