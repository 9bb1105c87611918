import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SERVE_SAMPLES } from "../fixtures/serve-samples.ts";
import { anyDamage, damaged } from "../support/damage.ts";
import { checkItem, readOrRefuse } from "../support/item-check.ts";
import { type FileReading, readText, sharedFolder } from "../support/reading.ts";

const encode = (text: string) => new TextEncoder().encode(text);

/** Reads damaged bytes: a result whose items hold, or a refusal in words. Anything else fails the test. */
async function survives(bytes: Uint8Array): Promise<FileReading | null> {
	const reading = await readOrRefuse(bytes);
	for (const item of reading?.items ?? []) checkItem(item);
	return reading;
}

const samples = Object.entries(SERVE_SAMPLES);
/** Real files of at most 60 KB, a few of each folder: damage is made from them too where they are at hand. */
const FOLDERS =
	"vllm-serve vllm-sweep vllm-latency vllm-throughput vllm-stdout vllm-logs vllm-metrics vllm-requests sglang guidellm aiperf inferencex inference-perf lmbenchmark".split(
		" ",
	);
const real = realFiles();

function realFiles(): [string, string][] {
	const formats = sharedFolder("formats");
	if (formats === null) return [];
	return FOLDERS.flatMap((folder) => {
		const names = readdirSync(join(formats, folder), { recursive: true, encoding: "utf8" }).sort();
		const small = names.filter((name) => {
			const { size } = statSync(join(formats, folder, name));
			return size > 0 && size < 60_000 && !statSync(join(formats, folder, name)).isDirectory();
		});
		const step = Math.max(1, Math.floor(small.length / 3));
		return small
			.filter((_, at) => at % step === 0)
			.slice(0, 3)
			.map((name): [string, string] => [
				`${folder}/${name}`,
				readFileSync(join(formats, folder, name), "utf8"),
			]);
	});
}

describe("each family reads its own sample", () => {
	it.each(samples)("%s", async (format, text) => {
		const reading = await readText(text);
		expect(reading.format).toBe(format);
		expect(reading.items.length).toBeGreaterThan(0);
		for (const item of reading.items) checkItem(item);
		expect(reading.counts.rejected).toBeUndefined();
	});
});

const UTF16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]);
const DRESSES: [string, (text: string) => Uint8Array][] = [
	["a byte order mark", (text) => encode(`\uFEFF${text}`)],
	["UTF-16, as PowerShell writes it", UTF16],
	["Windows line ends", (text) => encode(text.replaceAll("\n", "\r\n"))],
];
/** What may stand around text, and not around CSV, whose first line is its header. */
const WRAPPINGS: [string, (text: string) => Uint8Array][] = [
	[
		"noise in front",
		(text) => encode(`INFO 01-02 starting [pid 7]\n[1/8] loading\n[2026-01-02 00:00:00] ready\n${text}`),
	],
	[
		"colour codes",
		(text) =>
			encode(
				text
					.split("\n")
					.map((line) => `\u001b[0;36m${line}\u001b[0m`)
					.join("\n"),
			),
	],
	[
		"the quoting of a forum",
		(text) =>
			encode(
				text
					.split("\n")
					.map((line) => `> ${line}`)
					.join("\n"),
			),
	],
	[
		"the name of a service",
		(text) =>
			encode(
				`started\n${text}`
					.split("\n")
					.map((line) => `bench-1  | ${line}`)
					.join("\n"),
			),
	],
];

describe("what stands around a file changes nothing", () => {
	const wrapped = samples.filter(([format]) => !format.includes("csv"));
	for (const [dress, wear] of DRESSES) {
		it.each(samples)(`${dress}: %s`, async (format, text) => {
			const [plain, dressed] = await Promise.all([readText(text), survives(wear(text))]);
			expect(dressed?.format).toBe(format);
			expect(dressed?.counts).toEqual(plain.counts);
			expect(dressed?.measurements).toEqual(plain.measurements);
		});
	}
	for (const [dress, wear] of WRAPPINGS) {
		it.each(wrapped)(`${dress}: %s`, async (format, text) => {
			const [plain, dressed] = await Promise.all([readText(text), survives(wear(text))]);
			expect(dressed?.format).toBe(format);
			expect(dressed?.counts).toEqual(plain.counts);
		});
	}
});

describe("a file cut at any byte gives a part, or is refused", () => {
	it.each(samples)("%s", async (_, text) => {
		const bytes = encode(text);
		for (let length = 0; length < bytes.length; length += 3) await survives(bytes.subarray(0, length));
	});

	it.each(samples.filter(([format]) => / json$/.test(format)))(
		"%s: it says that the file breaks off, not only what it lacks",
		async (_, text) => {
			const bytes = encode(text);
			for (let length = 1; length < bytes.length; length += 7) {
				const reading = await readOrRefuse(bytes.subarray(0, length));
				for (const item of reading?.items ?? []) {
					if (item.kind !== "rejected" || !/no count|no latency stat/.test(item.reason)) continue;
					expect(item.reason).toMatch(/^the file breaks off inside this result/);
				}
			}
		},
	);

	it.each(real)("%s", async (_, text) => {
		const bytes = encode(text);
		const step = Math.max(1, Math.floor(bytes.length / 40));
		for (let length = 1; length < bytes.length; length += step) await survives(bytes.subarray(0, length));
	});
});

describe("results that follow one another", () => {
	it.each(["vllm-serve json", "inferencex json", "inference-perf json", "llmperf json", "aiperf json"])(
		"%s: twice the file is twice the measurements",
		async (format) => {
			const text = SERVE_SAMPLES[format] ?? "";
			const [once, twice] = await Promise.all([readText(text), readText(`${text}\n${text}`)]);
			expect(twice.measurements).toHaveLength(2 * once.measurements.length);
		},
	);
});

describe("damage made at random never crashes a reader", () => {
	const property = (text: string) =>
		fc.asyncProperty(fc.array(anyDamage, { minLength: 1, maxLength: 6 }), async (damages) => {
			await survives(encode(damaged(text, damages)));
		});

	it.each(samples)("%s", async (_, text) => {
		await fc.assert(property(text), { numRuns: 150 });
	});

	it.each(real)("%s", async (_, text) => {
		await fc.assert(property(text), { numRuns: 25 });
	});
});
