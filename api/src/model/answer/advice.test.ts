import { describe, expect, test } from "vitest";
import { measured, servePoints, unknown, unmeasured } from "../fixtures/facts.ts";
import { llama8b } from "../fixtures/models.ts";
import { fitConfiguration } from "../time/configuration.ts";
import type { DecodePoint, Point, PrefillPoint } from "../time/points.ts";
import { advise, ranked } from "./advice.ts";
import { BLANK_SCENARIO } from "./blank.ts";
import type { PlanFacts, Scenario } from "./question.ts";

const to = { server: "http://planner:8787" };
const once = { n: 1, betweenRuns: null, withinRun: null, measurementIds: [] };
/** A law with one per cent of scatter, by a fixed pattern. */
const scatter = (i: number) => 1 + 0.01 * ([1, -1, 0.5, -0.7, 0.2][i % 5] ?? 0);
const prefills = (lengths: readonly number[]): PrefillPoint[] =>
	lengths.map((tokens, i) => ({
		phase: "prefill",
		...{ tokens, cached: 0, batch: 1, ...once },
		seconds: (0.02 + 1e-4 * tokens + 2e-9 * tokens * tokens) * scatter(i),
	}));
const decodes = (contexts: readonly number[]): DecodePoint[] =>
	contexts.map((context, i) => ({
		phase: "decode",
		...{ batch: 1, context, ...once },
		seconds: (0.008 + 1e-8 * context) * scatter(i + 2),
	}));

const llama = (points: Point[]): PlanFacts => ({
	...measured,
	configuration: measured.configuration && {
		...measured.configuration,
		engine: "llama.cpp",
		modelName: "my model-Q8_0.gguf",
		kvK: "q8_0",
		kvV: "q8_0",
		flags: { n_batch: 2048, n_ubatch: 512, n_gpu_layers: -1, flash_attn: "on", cpu_info: "a processor" },
	},
	fits: fitConfiguration(points),
});
const alone = (context: number): Scenario => ({
	...BLANK_SCENARIO,
	configuration: "abc",
	context,
	concurrency: 1,
});

describe("a prompt twice as long as any that was measured", () => {
	const points = [...prefills([512, 1024, 2048, 4096, 8192]), ...decodes([512, 2048, 8192, 16_384])];
	const advice = advise(alone(16_384), llama(points), points, to);
	const [first] = advice.measurements;

	test("is made surer by measuring a prompt beyond those that are there", () => {
		expect(first?.what).toMatch(/^a prompt of (16,384|32,768) tokens$/);
		expect(first?.after.ttft ?? 1).toBeLessThan(0.75 * (advice.now.ttft ?? 0));
		expect(first?.after.tpot).toBe(advice.now.tpot);
	});

	test("costs what the law says of one run to warm up and three that count", () => {
		const tokens = Number(/of ([\d,]+) tokens/.exec(first?.what ?? "")?.[1]?.replaceAll(",", ""));
		const law = 0.02 + 1e-4 * tokens + 2e-9 * tokens * tokens;
		expect((first?.seconds ?? 0) / (4 * law)).toBeCloseTo(1, 1);
	});

	test("is measured by a command that names the settings as they were, and posts the result", () => {
		const tokens = /of ([\d,]+) tokens/.exec(first?.what ?? "")?.[1]?.replaceAll(",", "");
		expect(first?.command).toBe(
			`llama-bench -m 'my model-Q8_0.gguf' -p ${tokens} -n 0 -r 3 -ctk q8_0 -ctv q8_0 -b 2048 -ub 512 -fa on -o jsonl \\\n` +
				`  | curl --data-binary @- "http://planner:8787/api/v1/runs"`,
		);
	});

	test("offers no length that is measured, and none that the model or the memory cannot hold", () => {
		const limited = { ...llama(points), model: { ...llama8b, maxContextTokens: 20_000 } };
		const words = advise(alone(16_384), limited, points, to).measurements.map(({ what }) => what);
		expect(words.join()).not.toMatch(/32,768|a prompt of 8,192/);
	});

	test("offers nothing at or beyond where the configuration stopped", () => {
		const failures = [
			{ phase: "prefill" as const, tokens: 16_000, batch: null, reason: "out of memory", measurementId: "1" },
		];
		const words = advise(alone(16_384), { ...llama(points), failures }, points, to).measurements.map(
			(m) => m.what,
		);
		expect(words.join()).not.toMatch(/a prompt of (16,384|32,768)/);
	});
});

test("what is far wider than the rest is measured first: prompts are known, steps are not", () => {
	const points = prefills([512, 1024, 2048, 4096, 8192, 16_384, 32_768]);
	const advice = advise(alone(16_384), llama(points), points, to);
	expect(advice.measurements[0]?.what).toMatch(/^64 tokens one by one/);
	expect(advice.measurements[0]?.after.tpot ?? 9).toBeLessThan(advice.now.tpot ?? 0);
});

test("where too little is known for any one measurement to help, the runs that do so together are named", () => {
	const steps = [1, 4].flatMap((batch) => decodes([512, 2048]).map((point) => ({ ...point, batch })));
	const poor = [...prefills([512, 2048, 8192]), ...steps];
	const together = advise({ ...alone(8192), concurrency: 16 }, llama(poor), poor, to);
	expect(together.now.ttft ?? 9).toBeGreaterThan(0.25);
	expect(together.measurements).toEqual([]);
	expect(together.note).toContain("No single measurement");
	expect(together.start?.script).toContain("llama-batched-bench");
});

test("sequences that were measured together are measured with the tool that does so", () => {
	const points = [
		...prefills([512, 1024, 2048, 4096, 8192]),
		...[1, 2, 4].flatMap((batch) =>
			decodes([512, 2048, 8192]).map((point) => ({
				...point,
				batch,
				seconds: 0.008 + 1e-4 * batch + 1e-8 * batch * point.context,
			})),
		),
	];
	const facts = llama(points);
	const advice = advise({ ...alone(8192), concurrency: 16 }, facts, points, to);
	const [first] = advice.measurements;
	expect(first?.tool).toBe("llama-batched-bench");
	const [, sequences, tokens] =
		/^(\d+) sequences? together of ([\d,]+) \+ 64 tokens$/.exec(first?.what ?? "") ?? [];
	const cells = Number(sequences) * (Number(tokens?.replaceAll(",", "")) + 64);
	expect(first?.command).toContain(`-npl ${sequences} -c ${cells} `);
	// Its file names neither card nor model.
	expect(first?.command).toContain("?gpu=NVIDIA%20H100%2080GB%20HBM3&gpus=1&model=my%20model-Q8_0.gguf");
});

test("a server is measured by its client, and the upload says what the client cannot", () => {
	const facts = { ...measured, fits: fitConfiguration(servePoints) };
	const scenario = { ...BLANK_SCENARIO, configuration: "abc", context: 16_384, output: 256, concurrency: 32 };
	const [first] = advise(scenario, facts, servePoints, to).measurements;
	expect(first?.tool).toBe("vllm bench serve");
	expect(first?.command).toMatch(
		/^vllm bench serve --model llama-3.1-8b --dataset-name random --random-input-len 16384 --random-output-len 256 --ignore-eos --num-prompts \d+ --max-concurrency \d+ --save-result/,
	);
	expect(first?.command).toContain("&engine=vllm&engineVersion=0.10.0&weights=bf16&kv=bf16&tp=1");
});

test("an answer that is sure is left alone, with the reason", () => {
	const lengths = Array.from({ length: 12 }, (_, i) => 2 ** (7 + i / 1.4)).map(Math.round);
	const points = [...prefills(lengths), ...decodes(lengths)];
	const advice = advise(alone(4096), llama(points), points, to);
	expect(advice.measurements).toEqual([]);
	expect(advice.note).toMatch(/within ±[\d.]+ %/);
});

describe("a setup that nobody measured", () => {
	const scenario: Scenario = {
		...BLANK_SCENARIO,
		engine: "vllm",
		context: 32_000,
		output: 256,
		concurrency: 8,
	};

	test("starts with prompts of three lengths alone and a few loads, as a script", () => {
		const { start, measurements, note } = advise(scenario, unmeasured, [], to);
		expect(measurements).toEqual([]);
		expect(note).toContain("roofline");
		expect(start?.runs.map(({ what }) => what)).toEqual([
			"requests one at a time, 2,048 + 256 tokens",
			"requests one at a time, 8,192 + 256 tokens",
			"requests one at a time, 32,000 + 256 tokens",
			"2 requests in flight, 32,000 + 256 tokens",
			"8 requests in flight, 32,000 + 256 tokens",
		]);
		expect(start?.script).toMatch(/^PLIMSOLL="\$\{PLIMSOLL:-http:\/\/planner:8787\}"$/m);
		expect(start?.script.match(/^vllm bench serve /gm)).toHaveLength(5);
		const sum = start?.runs.reduce((total, { seconds }) => total + (seconds ?? Number.NaN), 0);
		expect(start?.seconds).toBeCloseTo(sum ?? 0, 9);
	});

	test("of llama.cpp is one command for one user and one for several", () => {
		const one = advise({ ...scenario, engine: "llama.cpp", concurrency: 1 }, unmeasured, [], to).start;
		expect(one?.script).toContain("-p 2048,8192,32000 -n 0");
		expect(one?.script).toContain("-p 0 -n 64 -d 8192,32000");
		const several = advise({ ...scenario, engine: "llama.cpp" }, unmeasured, [], to).start;
		expect(several?.script).toContain("-npp 2048,8192,32000 -ntg 64 -npl 1,8 ");
	});

	test("and that the catalog does not know has no duration, but its script all the same", () => {
		const { start, note } = advise(scenario, unknown, [], to);
		expect(start?.seconds).toBeNull();
		expect(start?.script).toContain("--model MODEL");
		expect(note).not.toContain("roofline");
	});

	test("or only in another split is measured anew: points of the old one cannot answer", () => {
		const points = [...prefills([512, 2048, 8192]), ...decodes([512, 2048])];
		const facts = { ...measured, fits: fitConfiguration(points) };
		const advice = advise({ ...BLANK_SCENARIO, configuration: "abc", tp: 2, gpus: 2 }, facts, points, to);
		expect(advice.measurements).toEqual([]);
		expect(advice.note).toContain("another setup");
		expect(advice.start?.script).toContain("gpus=2");
	});
});

test("names of models and cards cannot end the shell's words", () => {
	const facts = llama(prefills([512, 1024]));
	const { configuration } = facts;
	const names = { modelName: "a'; rm -rf $HOME #\nreboot", gpuName: '$(id)"`!' };
	const evil = { ...facts, configuration: configuration && { ...configuration, ...names } };
	const { start } = advise({ ...alone(4096), concurrency: 4 }, { ...evil, fits: unmeasured.fits }, [], to);
	expect(start?.script).toContain(`-m 'a'\\''; rm -rf $HOME #\nreboot.gguf'`);
	// A comment ends with its line.
	expect(start?.script).toContain("# First measurements of a'; rm -rf $HOME # reboot on");
	expect(start?.script).toContain("gpu=%24(id)%22%60%21");
});

test("of those that help nearly as much as the best, the cheapest is first", () => {
	const run = { tool: "llama-bench", kind: "steps", depth: 1 } as const;
	const tried = [
		{ run, shrink: 1, seconds: 100 },
		{ run, shrink: 0.95, seconds: 10 },
		{ run, shrink: 0.5, seconds: 1 },
		{ run, shrink: 0.92, seconds: null },
	];
	expect(ranked(tried).map(({ seconds }) => seconds)).toEqual([10, 100, null, 1]);
});
