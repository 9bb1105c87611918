import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ArchiveTooLarge, type Item, readBenchmark, UnreadableFile } from "@plimsoll/api/ingest";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SERVE_SAMPLES } from "../fixtures/serve-samples.ts";
import { type Files, tarEntry, tarGzOf, tarOf, zipOf } from "../support/archives.ts";
import { checkItem, readOrRefuse } from "../support/item-check.ts";
import { readBytes, readText } from "../support/reading.ts";

const SERVE = SERVE_SAMPLES["vllm-serve json"] ?? "";
const MARKDOWN = readFileSync(
	join(import.meta.dirname, "../fixtures/llama-cpp-cpu/formats/short.md"),
	"utf8",
);

/** A serve result as a sweep writes it, told apart by its time. */
const runOf = (second: number, changes: object = {}): string =>
	JSON.stringify({ ...JSON.parse(SERVE), date: `20260301-1011${second}`, ...changes }, null, 4);

const KINDS: [string, string, (files: Files) => Buffer][] = [
	["zip", "zip", (files) => zipOf(files)],
	["zip without compression", "zip", (files) => zipOf(files, { method: 0 })],
	[
		"zip whose sizes stand behind the data, with a comment",
		"zip",
		(files) => zipOf(files, { flags: 0x808, comment: "made by hand" }),
	],
	["tar", "tar", tarOf],
	["tar.gz", "tar.gz", tarGzOf],
];

const placesOf = (items: Item[], kind: Item["kind"]) =>
	items.flatMap((item) =>
		item.kind === kind && "at" in item ? [[item.at, "reason" in item ? item.reason : ""]] : [],
	);

describe.each(KINDS)("%s", (_, format, pack) => {
	it("reads each member as if it were sent alone, and says where each item stands", async () => {
		const reading = await readBytes(pack({ "results/a.json": runOf(10), "results/b.md": MARKDOWN }), {
			gpu: "H100",
		});
		const [a, b] = await Promise.all([
			readText(runOf(10), { gpu: "H100" }),
			readText(MARKDOWN, { gpu: "H100" }),
		]);
		expect(reading.format).toBe(format);
		expect(reading.measurements).toEqual([...a.measurements, ...b.measurements]);
		const places = [
			...a.items.map((item) => ["results/a.json", item]),
			...b.items.map((item) => ["results/b.md", item]),
		];
		expect(reading.items.map((item) => ("at" in item ? item.at : item.text))).toEqual(
			(places as [string, Item][]).map(([path, item]) => `${path}: ${"at" in item ? item.at : item.text}`),
		);
	});

	it("passes over what is no text to read, with the reason, and counts no folder", async () => {
		const { items, measurements } = await readBytes(
			pack({
				"out/": "",
				"out/.DS_Store": "x",
				".git/config": "[core]",
				"__MACOSX/out/a.json": "x",
				"out/plot.png": Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]),
				"out/empty.log": "",
				"out/README.txt": "How we measured: with care.",
				"out/a.json": runOf(10),
			}),
		);
		expect(measurements).toHaveLength(1);
		expect(placesOf(items, "aside")).toEqual([
			["out/.DS_Store", "a hidden file"],
			[".git/config", "a hidden file"],
			["__MACOSX/out/a.json", "a hidden file"],
			["out/plot.png", "a binary file"],
			["out/empty.log", "an empty file"],
			["out/README.txt", expect.stringContaining("No known benchmark output")],
		]);
	});

	it("reads no archive inside, and says so; a file that is there twice counts once", async () => {
		const { items, measurements } = await readBytes(
			pack({
				"a.json": runOf(10),
				"inner.zip": zipOf({ "b.json": runOf(11) }),
				"inner.tar": tarOf({ "c.json": runOf(12) }),
				"copy of a.json": runOf(10),
			}),
		);
		expect(measurements).toHaveLength(1);
		expect(placesOf(items, "rejected").map(([at]) => at)).toEqual(["inner.zip", "inner.tar"]);
		expect(placesOf(items, "aside")).toEqual([["copy of a.json", "the same bytes as a file before it"]]);
	});

	it("gives what it holds of a member that is cut", async () => {
		const { items, measurements } = await readBytes(pack({ "a.json": runOf(10), "b.json": "[" }));
		expect(measurements).toHaveLength(1);
		expect(placesOf(items, "aside")).toEqual([
			["b.json", expect.stringContaining("before its first result")],
		]);
	});

	it("unpacks no more than its limit", async () => {
		const archive = pack({ "a.json": runOf(10), "zeros.log": "0".repeat(3_000_000) });
		async function* source() {
			yield archive;
		}
		const read = async (limit: number) => {
			const { items } = await readBenchmark(source(), {}, limit);
			for await (const _ of items);
		};
		await expect(read(2_000_000)).rejects.toBeInstanceOf(ArchiveTooLarge);
		await expect(read(4_000_000)).resolves.toBeUndefined();
	});

	it("comes out the same in whatever pieces it arrives", async () => {
		const archive = pack({ "x/a.json": runOf(10), "x/b.md": MARKDOWN, "x/": "" });
		const whole = await readBytes(archive);
		for (const size of [1, 511, 4096]) expect(await readBytes(archive, {}, size)).toEqual(whole);
	});

	it("cut or changed anywhere gives a part or a refusal", async () => {
		const archive = pack({ "x/a.json": runOf(10), "x/b.md": MARKDOWN });
		for (let length = 0; length < archive.length; length += 97) {
			const reading = await readOrRefuse(archive.subarray(0, length));
			for (const item of reading?.items ?? []) checkItem(item);
		}
		await fc.assert(
			fc.asyncProperty(
				fc.nat(archive.length - 1),
				fc.uint8Array({ minLength: 1, maxLength: 8 }),
				async (at, junk) => {
					const damaged = Buffer.from(archive);
					damaged.set(junk.subarray(0, archive.length - at), at);
					const reading = await readOrRefuse(damaged);
					for (const item of reading?.items ?? []) checkItem(item);
				},
			),
			{ numRuns: 150 },
		);
	});
});

describe("the folders of a vLLM sweep", () => {
	const FOLDER =
		"sweep/SERVE--max_num_seqs=4-tensor_parallel_size=2-BENCH--max_concurrency=8-request_rate=3.5";

	it.each(KINDS)("%s: say what the file does not", async (_, __, pack) => {
		const { measurements } = await readBytes(
			pack({
				[`${FOLDER}/run=0.json`]: runOf(10, { max_concurrency: null }),
				[`${FOLDER}/run=1.json`]: runOf(11, { max_concurrency: 2, run_number: 1, max_num_seqs: 16 }),
			}),
			{ tp: 1 },
		);
		expect(measurements).toHaveLength(2);
		const [silent, stated] = measurements;
		expect(silent).toMatchObject({
			...{ concurrencyLimit: 8, rate: 3.5 },
			conditions: { tp: 2, gpus: 2, gpusBasis: "inferred", flags: { max_num_seqs: 4 } },
		});
		// What the file states stands, though the folder says otherwise.
		expect(stated).toMatchObject({ concurrencyLimit: 2, conditions: { flags: { max_num_seqs: 16 } } });
	});

	it.each(KINDS)(
		"%s: a summary that repeats the runs is set aside, wherever it stands",
		async (_, __, pack) => {
			const runs = [runOf(10), runOf(11)];
			const summary = `[${runs.join(",")}]`;
			for (const files of [
				{ "s/summary.json": summary, "s/run=0.json": runs[0] ?? "", "s/run=1.json": runs[1] ?? "" },
				{ "s/run=0.json": runs[0] ?? "", "s/run=1.json": runs[1] ?? "", "s/summary.json": summary },
			]) {
				const { items, measurements } = await readBytes(pack(files));
				expect(measurements).toHaveLength(2);
				expect(placesOf(items, "aside")).toEqual([["s/summary.json", expect.stringContaining("repeats")]]);
			}
			// Alone it holds the only results there are.
			expect((await readBytes(pack({ "s/summary.json": summary }))).measurements).toHaveLength(2);
		},
	);
});

describe("archives with a flaw", () => {
	it("a zip without its list of files is refused in words", async () => {
		const zip = zipOf({ "a.json": runOf(10) });
		await expect(readBytes(zip.subarray(0, zip.length - 30))).rejects.toThrow(/zip archive is cut/);
		await expect(readBytes(Uint8Array.from([0x50, 0x4b, 3, 4]))).rejects.toBeInstanceOf(UnreadableFile);
	});

	it.each<[string, Buffer, RegExp]>([
		["encrypted", zipOf({ "a.json": runOf(10) }, { flags: 1 }), /encrypted/],
		["packed by an unknown method", zipOf({ "a.json": runOf(10) }, { method: 14 }), /method 14/],
	])("a zip member that is %s is set aside", async (_, zip, reason) => {
		const { items } = await readBytes(zip);
		expect(placesOf(items, "aside")).toEqual([["a.json", expect.stringMatching(reason)]]);
	});

	it("a member that unpacks to another size than it names is rejected, after what it holds", async () => {
		const { measurements, items } = await readBytes(zipOf({ "a.json": runOf(10) }, { claims: 7 }));
		expect(measurements).toHaveLength(1);
		expect(placesOf(items, "rejected")).toEqual([
			["a.json", expect.stringContaining("not to the 7 it names")],
		]);
	});

	it("a tar that is cut gives the members before, and names the cut one", async () => {
		const tar = tarOf({ "a.json": runOf(10), "b.md": MARKDOWN });
		const cut = tar.subarray(0, tar.length - 1024 - 600);
		const { measurements, items } = await readBytes(cut);
		expect(measurements.length).toBeGreaterThan(1);
		expect(placesOf(items, "rejected")).toContainEqual(["b.md", "the archive is cut inside this member"]);
	});

	it("long names of GNU and pax, links and global headers", async () => {
		const long = `${"deep/".repeat(30)}a.json`;
		const pax = (record: string) => `${record.length + String(record.length + 2).length + 2} ${record}\n`;
		const tar = Buffer.concat([
			tarEntry("g", pax("comment=abc"), "g"),
			tarEntry("././@LongLink", `${long}\0`, "L"),
			tarEntry(long.slice(0, 99), runOf(10)),
			tarEntry("PaxHeader", pax(`path=${long}2`), "x"),
			tarEntry("short", runOf(11)),
			tarEntry("latest", "", "2"),
			Buffer.alloc(1024),
		]);
		const { items } = await readBytes(tar);
		expect(placesOf(items, "measurement").map(([at]) => at?.split(": ")[0])).toEqual([long, `${long}2`]);
		expect(placesOf(items, "aside")).toEqual([["latest", "a link"]]);
	});

	it("ten thousand members are the most", async () => {
		const files = Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`${i}/`, ""]));
		await expect(readBytes(zipOf(files, { method: 0 }))).rejects.toThrow(/more than 10000 members/);
	});

	it("other packings are named", async () => {
		const xz = Uint8Array.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 0, 4]);
		await expect(readBytes(xz)).rejects.toThrow(/packed \(xz\)/);
	});
});

const hasTool = (name: string): boolean => {
	try {
		execFileSync(name, ["--version"], { stdio: "ignore" });
		return true;
	} catch {
		return false;
	}
};

describe("archives of the tools themselves", () => {
	const packers: [string, string[], string][] = [
		["tar", ["-czf", "out.tgz", "sweep"], "out.tgz"],
		["tar", ["--format=pax", "-cf", "out.tar", "-C", ".", "./sweep"], "out.tar"],
		["zip", ["-qr", "out.zip", "sweep"], "out.zip"],
	];
	it.each(packers)("%s %j", async (tool, args, out) => {
		if (!hasTool(tool)) return console.log(`skipped: no ${tool}`);
		const folder = mkdtempSync(join(tmpdir(), "plimsoll-archive-"));
		try {
			const name = `SERVE--max_num_seqs=4-${"x".repeat(90)}=1-BENCH--max_concurrency=2`;
			mkdirSync(join(folder, "sweep", name), { recursive: true });
			writeFileSync(join(folder, "sweep", name, "run=0.json"), runOf(10));
			writeFileSync(join(folder, "sweep", name, "run=1.json"), runOf(11));
			writeFileSync(join(folder, "sweep", name, "summary.json"), `[${runOf(10)},${runOf(11)}]`);
			execFileSync(tool, args, { cwd: folder });
			const { measurements, items } = await readBytes(readFileSync(join(folder, out)));
			expect(measurements.map((m) => m.conditions.flags.max_num_seqs)).toEqual([4, 4]);
			expect(items.map((item) => ("at" in item ? item.at : "")).filter((at) => at.startsWith("."))).toEqual(
				[],
			);
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	});
});
