import fc from "fast-check";
import { expect, it } from "vitest";
import { type Figures, figuresIn } from "./figures.ts";

const said = (task: string) =>
	Object.fromEntries(
		Object.entries(figuresIn(task)).filter(([, value]) =>
			Array.isArray(value) ? value.length > 0 : value !== null,
		),
	);

const TASKS: [string, Partial<Figures>][] = [
	["how many users at 64K on our H100s with fp8 KV", { contextTokens: 64_000, kv: "fp8" }],
	["TTFT for a 32k prompt on 8x H100", { contextTokens: 32_000, gpus: 8 }],
	["200 users at 8K with TTFT under 2 s", { contextTokens: 8000, users: 200, ttftSeconds: 2 }],
	["65,536 tokens on one L40S", { contextTokens: 65_536, gpus: 1 }],
	["1.5M tokens context", { contextTokens: 1_500_000 }],
	[
		"20 requests per second, 4000 prompt tokens and 300 output tokens, tpot 50 ms",
		{ requestsPerSecond: 20, contextTokens: 4000, outputTokens: 300, tpotSeconds: 0.05 },
	],
	["8×H100 128K in, 1K out", { gpus: 8, contextTokens: 128_000, outputTokens: 1000 }],
	["80% cached at $2.10 per GPU-hour", { cachedShare: 0.8, usdPerGpuHour: 2.1 }],
	[
		"на восьми H100 c KV в q8_0 и весами int4, 65 536 токенов контекста, ответ 500 токенов, 50 пользователей",
		{ gpus: 8, kv: "q8_0", weights: "int4", contextTokens: 65_536, outputTokens: 500, users: 50 },
	],
	["первый токен за 1,5 секунды при контексте 32к", { ttftSeconds: 1.5, contextTokens: 32_000 }],
	[
		"окно 200К: 15 инструментов, 12К системный промпт, 100 ходов",
		{ windowTokens: 200_000, tools: 15, systemTokens: 12_000, turns: 100 },
	],
	[
		"4x H100 llama-3.1-70b, within 3 s first token and 50 ms per token, tp 4, at 70% busy",
		{ gpus: 4, ttftSeconds: 3, tpotSeconds: 0.05, tensorParallel: 4, busyShare: 0.7 },
	],
	["64 KiB prompts at a rate of 2 per second", { contextTokens: 65_536, requestsPerSecond: 2 }],
	["64K on H100, 7 nines and 12 monkeys", { contextTokens: 64_000, left: ["7 nines", "12 monkeys"] }],
	["llama-3.1-70b fp8", { unclear: ["fp8"] }],
	["a PDF report at 16K in EUR", { contextTokens: 16_000, currency: "EUR" }],
	["отчёт в евро, в рублях не надо, контекст 8К", { contextTokens: 8000, currency: "EUR" }],
	["show the price per hour in the book", {}],
	["budget $10,000 a month at 16k", { contextTokens: 16_000, left: ["$10,000 a"] }],
	["users 64K H100", { contextTokens: 64_000 }],
	["at 64.000 tokens on H100", { left: ["64.000 tokens"] }],
	["$2.10/h for 8xH100 at 1.5k", { usdPerGpuHour: 2.1, gpus: 8, contextTokens: 1500 }],
	["Qwen3-30B-A3B on an RTX 4090 with 24 GB", {}],
];

it.each(TASKS)("reads %j", (task, figures) => expect(said(task)).toEqual(figures));

it("reads any length that the API writes, with users and cards beside it", () => {
	const lengths = fc.tuple(
		fc.integer({ min: 1, max: 999 }),
		fc.integer({ min: 1, max: 9999 }),
		fc.integer({ min: 1, max: 64 }),
	);
	fc.assert(
		fc.property(lengths, ([k, users, gpus]) => {
			expect(said(`${users} users at ${k}K on ${gpus} H100`)).toEqual({
				contextTokens: k * 1000,
				users,
				gpus,
			});
		}),
	);
});
