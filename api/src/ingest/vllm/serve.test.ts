import { describe, expect, it } from "vitest";
import type { Item, Measurement, ServeMeasurement } from "../record.ts";
import { vllmServe } from "./serve.ts";

const read = (text: string): Item[] => [...(vllmServe.document?.(text, {}) ?? [])];
const measurements = (items: Item[]): Measurement[] =>
	items.flatMap((item) => (item.kind === "measurement" ? [item.measurement] : []));
const serveOf = (text: string): ServeMeasurement => {
	const found = measurements(read(text)).find((m) => m.phase === "serve");
	if (found?.phase !== "serve") throw new Error("no serve measurement");
	return found;
};

/** 100 requests of 1000 + 101 tokens in 50 s, 8 clients: TTFT 0.2 s, TPOT 20 ms, so e2e 0.2 + 100·0.02 = 2.2 s. */
const RESULT = {
	date: "20260301-101112",
	backend: "vllm",
	model_id: "org/Model-8B-FP8",
	tokenizer_id: "org/Model-8B-FP8",
	num_prompts: 100,
	request_rate: "inf",
	burstiness: 1.0,
	max_concurrency: 8,
	duration: 27.5,
	completed: 100,
	total_input_tokens: 100_000,
	total_output_tokens: 10_100,
	request_throughput: 100 / 27.5,
	output_throughput: 10_100 / 27.5,
	mean_ttft_ms: 200,
	median_ttft_ms: 190,
	std_ttft_ms: 20,
	p99_ttft_ms: 400,
	mean_tpot_ms: 20,
	median_tpot_ms: 20,
	p99_tpot_ms: 25,
	mean_itl_ms: 20,
	median_itl_ms: 19,
	p99_itl_ms: 40,
};
const withKeys = (changes: Record<string, unknown>) => JSON.stringify({ ...RESULT, ...changes });
const without = (...keys: string[]) =>
	JSON.stringify(Object.fromEntries(Object.entries(RESULT).filter(([key]) => !keys.includes(key))));

describe("a vllm bench serve result", () => {
	it("becomes one serve point in seconds and tokens, the load by Little's law", () => {
		const items = read(JSON.stringify(RESULT));
		expect(items).toHaveLength(1);
		const serve = serveOf(JSON.stringify(RESULT));
		expect(serve).toMatchObject({ input: 1000, output: 101, rate: null, status: "ok", completed: 100 });
		// X · W = 100 / 27.5 · (0.2 + 0.02 · 100) = 8
		expect(serve.concurrency).toBeCloseTo(8, 9);
		expect(serve.concurrencyBasis).toBe("measured");
		expect(serve.ttft).toEqual({ mean: 0.2, p50: 0.19, p90: null, p95: null, p99: 0.4, std: 0.02 });
		expect(serve.secondsMean).toBeCloseTo(0.02, 12);
		expect(serve.outputTokensPerSecond).toBeCloseTo(367.27, 2);
		expect(serve.suspicions).toEqual([]);
	});

	it("names no engine and no GPU: backend is the client's protocol, and the date has no zone", () => {
		const { conditions, startedAt, details } = serveOf(JSON.stringify(RESULT));
		expect(conditions).toMatchObject({ engine: null, gpu: null, backend: null, model: "org/Model-8B-FP8" });
		expect(conditions.weights).toBe("fp8");
		expect(startedAt).toBe("2026-03-01T10:11:12");
		expect(details.backend).toBe("vllm");
	});

	it("takes the end-to-end mean where the file has one", () => {
		// 100 / 27.5 · 2.2 s = 8; with 1.1 s it is 4.
		expect(serveOf(withKeys({ mean_e2el_ms: 1100 })).concurrency).toBeCloseTo(4, 9);
	});

	it("falls back to the client's limit, and says so, where no mean is given", () => {
		const serve = serveOf(without("mean_ttft_ms", "mean_tpot_ms"));
		expect(serve).toMatchObject({ concurrency: 8, concurrencyBasis: "limit" });
		expect(serve.secondsMean).toBeCloseTo(0.02, 12);
		expect(serve.notes.join()).toContain("median TPOT");
	});

	it.each([
		["the word inf", '"inf"', null],
		["a bare Infinity", "Infinity", null],
		["a number", "4.5", 4.5],
		["a number as text", '"4.5"', 4.5],
	])("reads a request rate written as %s", (_, written, rate) => {
		expect(
			serveOf(JSON.stringify(RESULT).replace('"request_rate":"inf"', `"request_rate":${written}`)).rate,
		).toBe(rate);
	});

	it("ignores the goodput key with a colon and bare NaN beside it", () => {
		const text = JSON.stringify(RESULT).replace("{", '{"request_goodput:":null,"std_itl_ms":NaN,');
		expect(serveOf(text).itl?.std).toBeNull();
		expect(serveOf(text).conditions.flags).toEqual({});
	});

	it("marks a run partial when fewer requests completed than were asked", () => {
		const serve = serveOf(withKeys({ num_prompts: 102 }));
		expect(serve.status).toBe("partial");
		expect(serve.suspicions).toEqual([]);
	});

	it("stores a run in which every request failed as a failure, never as a speed of 0", () => {
		const zeros = Object.fromEntries(Object.keys(RESULT).map((key) => [key, 0]));
		const items = read(JSON.stringify({ ...zeros, model_id: "org/m", num_prompts: 8, duration: 0.005 }));
		expect(items).toHaveLength(1);
		expect(items[0]).toMatchObject({
			kind: "failure",
			failure: { phase: "serve", reason: expect.stringMatching(/none of 8/) },
		});
	});

	it("rejects a trimmed result without token counts, with the reason", () => {
		const items = read(without("completed", "duration", "total_input_tokens", "total_output_tokens"));
		expect(items).toEqual([
			expect.objectContaining({ kind: "rejected", reason: expect.stringMatching(/input tokens/) }),
		]);
	});

	it("sets a ramp-up aside: its load is not one point", () => {
		const items = read(
			withKeys({
				ramp_up_strategy: "linear",
				ramp_up_start_rps: 1,
				ramp_up_end_rps: 10,
				rps_change_events: [],
			}),
		);
		expect(items).toEqual([
			expect.objectContaining({ kind: "aside", reason: expect.stringMatching(/linear, 1 to 10 requests/) }),
		]);
	});

	it("reads the seconds variant, whose keys have no unit", () => {
		const serve = serveOf(
			JSON.stringify({
				model_id: "org/m",
				num_prompts: 40,
				request_rate: "inf",
				max_concurrency: 4,
				duration: 30,
				completed: 40,
				good_completed: null,
				total_input_tokens: 40_960,
				total_output_tokens: 5120,
				median_ttft: 0.25,
				p99_ttft: 0.5,
				median_tpot: 0.02,
				p99_tpot: 0.03,
				median_e2el: 2.9,
			}),
		);
		expect(serve).toMatchObject({ input: 1024, output: 128, concurrency: 4, concurrencyBasis: "limit" });
		expect(serve.ttft?.p50).toBe(0.25);
		expect(serve.secondsMean).toBe(0.02);
	});

	it("reads appended results and the list of a sweep alike", () => {
		const two = [RESULT, { ...RESULT, max_concurrency: 9 }];
		const places = (text: string) => read(text).map((item) => ("at" in item ? item.at : ""));
		expect(places(two.map((r) => JSON.stringify(r)).join("\n"))).toEqual(["result 1", "result 2"]);
		expect(places(JSON.stringify(two, null, 4))).toEqual(["result 1", "result 2"]);
		expect(places(two.map((r) => JSON.stringify(r, null, 4)).join("\n"))).toEqual(["result 1", "result 2"]);
	});

	it("keeps swept parameters and metadata as settings, parallel sizes as such", () => {
		const { conditions } = serveOf(
			withKeys({ run_number: 0, max_num_seqs: 4, tensor_parallel_size: "4", dataset: "/home/me/share.json" }),
		);
		expect(conditions.flags).toEqual({ max_num_seqs: 4, dataset: "share.json" });
		expect(conditions).toMatchObject({ tp: 4, gpus: 4, gpusBasis: "inferred" });
	});

	it("drops texts and errors, and says what the requests were like instead", () => {
		const serve = serveOf(
			withKeys({
				input_lens: [900, 1100, 1000],
				output_lens: [101, 101, 0],
				ttfts: [0.2, 0.4, 0],
				itls: [[1, 1], [2], []],
				generated_texts: ["secret", "words", ""],
				errors: ["", "", "Traceback"],
			}),
		);
		expect(JSON.stringify(serve)).not.toMatch(/secret|words|Traceback/);
		expect(serve.details.requests).toEqual({
			failed: 1,
			inputTokens: { min: 900, max: 1100 },
			outputTokens: { min: 101, max: 101 },
		});
		// End-to-end of the two good ones: 0.2 + 2 and 0.4 + 2, mean 2.3 s.
		expect(serve.e2e?.mean).toBeCloseTo(2.3, 12);
	});

	it.each([-3, 0])(
		"takes a duration of %i s for none, and the rates that follow from it, and says so",
		(duration) => {
			const serve = serveOf(withKeys({ duration }));
			expect(serve).toMatchObject({ durationSeconds: null, outputTokensPerSecond: null });
			// What is in flight would follow from requests a second: the client's limit is what is left.
			expect(serve).toMatchObject({ concurrency: 8, concurrencyBasis: "limit" });
			expect(serve.notes.join()).toContain(`a duration of ${duration} s is none: left out`);
			expect(serveOf(JSON.stringify(RESULT)).notes).toEqual([]);
		},
	);

	it("leaves times below 0 out, and says which", () => {
		const serve = serveOf(withKeys({ mean_ttft_ms: -5, p99_tpot_ms: -1 }));
		expect([serve.ttft?.mean, serve.tpot?.p99, serve.tpot?.mean]).toEqual([null, null, 0.02]);
		expect(serve.notes).toEqual(["no time is below 0: mean_ttft_ms of -5, p99_tpot_ms of -1 left out"]);
	});

	it("says which times below 0 are why a result has no statistics at all", () => {
		const times = Object.keys(RESULT).filter((key) => key.endsWith("_ms"));
		expect(read(withKeys(Object.fromEntries(times.map((key) => [key, -1]))))).toEqual([
			expect.objectContaining({
				kind: "rejected",
				reason: expect.stringMatching(/^no latency statistics; no time is below 0: mean_ttft_ms of -1/),
			}),
		]);
	});

	describe("the lists of requests", () => {
		const eight = { num_prompts: 8, completed: 8, total_input_tokens: 8000, total_output_tokens: 808 };
		const list = <Value>(value: Value, length = 8) => Array.from({ length }, () => value);
		const lists = {
			...{ input_lens: list(1000), output_lens: list(101), ttfts: list(0.2), itls: list([2]) },
		};
		const notesWith = (changes: object) => serveOf(withKeys({ ...eight, ...lists, ...changes })).notes;

		it("are not spoken of where they hold every request, or every completed one", () => {
			expect(notesWith({})).toEqual([]);
			expect(notesWith({ num_prompts: 10 })).toEqual([]);
			expect(notesWith({ num_prompts: 8, completed: 7 })).toEqual([]);
		});

		it("are named where they hold another number of requests", () => {
			const notes = notesWith({ input_lens: list(1000, 5) });
			expect(notes[0]).toBe("input_lens holds 5 of 8 requests");
			expect(notes[1]).toMatch(/left out$/);
			expect(notesWith({ itls: list([2], 9) })[0]).toBe("itls holds 9 of 8 requests");
			const all = { input_lens: list(1000, 5), output_lens: list(101, 5), ttfts: list(0.2, 5) };
			expect(notesWith({ ...all, itls: list([2], 5) })).toEqual(
				["input_lens", "output_lens", "ttfts", "itls"].map((name) => `${name} holds 5 of 8 requests`),
			);
		});

		it("lose the times below 0, which is said", () => {
			expect(notesWith({ ttfts: [-1, ...list(0.2, 7)] })).toEqual([
				"no time is below 0: 1 of 8 ttfts count as failed requests",
			]);
			const gaps = { itls: [[3, -1], ...list([2], 7)] };
			expect(notesWith(gaps)).toEqual(["no time is below 0: 1 of 8 itls hold such a gap; all are left out"]);
			expect(serveOf(withKeys({ ...eight, ...lists, ...gaps })).e2e).toBeNull();
		});
	});

	it("rejects a detailed result that was cut before its statistics", () => {
		const whole = JSON.stringify({
			num_prompts: 2,
			completed: 2,
			request_rate: 1,
			input_lens: [5, 6],
			ttfts: [1, 2],
		});
		expect(read(whole.slice(0, -4))).toEqual([
			expect.objectContaining({ kind: "rejected", reason: expect.stringMatching(/cut/) }),
		]);
	});

	it("says where a file ends whose counts were cut off, not that it has no counts", () => {
		const sorted = JSON.stringify(Object.fromEntries(Object.entries(RESULT).sort()), null, 2);
		const cut = sorted.slice(0, sorted.indexOf('"total_input_tokens"'));
		const lines = cut.trimEnd().split("\n");
		expect(read(cut)).toEqual([
			expect.objectContaining({
				kind: "rejected",
				reason: expect.stringContaining(
					`in line ${lines.length} behind ${lines.at(-1)?.length} characters): what is left has no count`,
				),
			}),
		]);
	});

	it("keeps a result that was cut behind its statistics, as partial", () => {
		const serve = serveOf(`${JSON.stringify(RESULT).slice(0, -1)},"errors":["",""`);
		expect(serve).toMatchObject({ status: "partial", input: 1000 });
	});
});

describe("one request at a time", () => {
	/** Alone: 100 requests of 2.2 s in 220 s. */
	const alone = {
		max_concurrency: 1,
		duration: 220,
		output_throughput: 10_100 / 220,
		request_throughput: 100 / 220,
	};

	it("gives a prefill point from TTFT and a decode point from TPOT at input + output/2", () => {
		const [serve, prefill, decode, ...more] = measurements(read(withKeys(alone)));
		expect(more).toEqual([]);
		expect(serve).toMatchObject({ phase: "serve", suspicions: [] });
		expect(prefill).toMatchObject({ phase: "prefill", tokens: 1000, cached: 0, batch: 1, secondsMean: 0.2 });
		expect(decode).toMatchObject({ phase: "decode", batch: 1, context: 1000 + 101 / 2, secondsMean: 0.02 });
	});

	it("gives one prefill point for each prompt length where requests are listed", () => {
		const points = measurements(
			read(
				withKeys({
					...alone,
					input_lens: [512, 2048, 512],
					output_lens: [101, 101, 101],
					ttfts: [0.1, 0.4, 0.12],
					itls: [[2], [2], [2]],
				}),
			),
		).filter((m) => m.phase === "prefill");
		expect(points.map((m) => [m.tokens, m.seconds])).toEqual([
			[512, [0.1, 0.12]],
			[2048, [0.4]],
		]);
		expect(points[0]?.secondsMean).toBeCloseTo(0.11, 12);
	});

	it("gives none under load, whatever the limit says", () => {
		expect(measurements(read(JSON.stringify(RESULT))).map((m) => m.phase)).toEqual(["serve"]);
	});

	it("doubts a mean TTFT that a cold first request pulled up", () => {
		const [, prefill] = measurements(read(withKeys({ ...alone, median_ttft_ms: 60 })));
		expect(prefill?.suspicions.join()).toContain("cold start");
	});
});

describe("doubts", () => {
	const doubts = (changes: Record<string, unknown>) => serveOf(withKeys(changes)).suspicions.join("\n");

	it("are raised by milliseconds that are seconds, and by seconds that are milliseconds", () => {
		const times = Object.entries(RESULT).filter(([key]) => /_(ttft|tpot|itl)_ms$/.test(key));
		const scaled = (factor: number) =>
			Object.fromEntries(times.map(([key, value]) => [key, Number(value) * factor]));
		expect(doubts(scaled(1000))).toContain("wrong units");
		expect(doubts(scaled(0.001))).toContain("wrong units");
		expect(doubts({})).toBe("");
	});

	it("are raised by few completed requests", () => {
		expect(
			doubts({ completed: 1, total_input_tokens: 1000, total_output_tokens: 101, num_prompts: 500 }),
		).toContain("only 1 of 500");
	});

	it("are raised by a rate that the server could not follow, and not by the tail of a short run", () => {
		// 100 requests offered at 10/s, served at 3.6/s, 5 s to the first token: 18 wait on average.
		expect(
			doubts({ request_rate: 10, max_concurrency: null, mean_ttft_ms: 5000, median_ttft_ms: 5000 }),
		).toContain("queue grew");
		expect(doubts({ request_rate: 4.2, max_concurrency: null })).toBe("");
	});

	it("are raised by percentiles out of order", () => {
		expect(doubts({ p99_ttft_ms: 100 })).toContain("percentiles of TTFT");
	});

	it("are raised by a throughput that tokens and duration do not make", () => {
		expect(doubts({ output_throughput: 3672 })).toContain("output tokens/s");
	});

	it("are raised by a TTFT that falls when more requests are in flight: the prefix cache answered", () => {
		const calm = {
			...RESULT,
			max_concurrency: 4,
			duration: 55,
			output_throughput: 10_100 / 55,
			request_throughput: 100 / 55,
		};
		const busy = { ...RESULT, mean_ttft_ms: 60, median_ttft_ms: 60 };
		const found = measurements(read(JSON.stringify([calm, busy])));
		expect(found.map((m) => m.suspicions.join().includes("prefix cache"))).toEqual([false, true]);
	});
});

describe("detection", () => {
	const sees = (json: unknown) => vllmServe.detect({ text: "", whole: true, json, jsonLines: true });

	it("takes results by their keys and leaves others", () => {
		expect(sees(RESULT)).toBe(true);
		expect(sees([RESULT])).toBe(true);
		expect(sees({ avg_latency: 1, latencies: [1] })).toBe(false);
		expect(sees({ build_commit: "a", n_prompt: 512, avg_ns: 1 })).toBe(false);
	});
});
