import { expect, test } from "vitest";
import type { Conditions } from "./conditions.ts";
import { encodeConditions, fitConditions, sizeOf } from "./conditions-header.ts";

const record = (gpus: number, words: number): Conditions => {
	const reading = {
		...{ powerLimitWatts: 700, powerWatts: 118.32, smClockMhz: 1980, memoryClockMhz: 2619 },
		...{ temperatureCelsius: 36, memoryUsedBytes: 1234567890, utilizationPercent: 0 },
	};
	const device = {
		...{ name: "NVIDIA H100 80GB HBM3", driver: "550.54.15", memoryBytes: 85520809984, maxSmClockMhz: 1980 },
	};
	const moment = { loadAverage: 0.5, gpus: Array(gpus).fill(reading) };
	return {
		recordedBy: "plimsoll 0.1.0",
		command: Array(words).fill("word"),
		...{ startedAt: "2026-11-30T12:00:00.000Z", endedAt: "2026-11-30T13:00:00.000Z" },
		...{ exitCode: 0, signal: null, environment: {} },
		host: {
			...{ name: "gpu-7", system: "Linux 6.1", distribution: null, architecture: "x64", cpu: "AMD EPYC" },
			...{ cpus: 192, memoryBytes: 2 ** 41 },
		},
		gpus: { tool: "nvidia-smi", devices: Array(gpus).fill(device) },
		...{ before: structuredClone(moment), after: structuredClone(moment) },
	};
};
const decode = (text: string) => JSON.parse(Buffer.from(text, "base64url").toString());

test("eight GPUs and a long command are sent whole", () => {
	const whole = record(8, 60);
	expect(decode(encodeConditions(fitConditions(whole)))).toEqual(whole);
});

test("what is sent beside it takes its room", () => {
	const beside = { prompts: "x".repeat(3000) };
	const fitting = fitConditions(record(8, 60), sizeOf(beside));
	expect(fitting.gpus?.leftOut).toBeGreaterThan(0);
	expect(decode(encodeConditions({ ...beside, ...fitting })).prompts).toHaveLength(3000);
});

test("of very many GPUs the last are left out, and that is said", () => {
	const fitting = fitConditions(record(40, 60));
	const kept = fitting.gpus?.devices.length ?? 0;
	expect(kept).toBeGreaterThanOrEqual(8);
	expect([fitting.before.gpus.length, fitting.after.gpus.length, fitting.gpus?.leftOut]).toEqual([
		...[kept, kept, 40 - kept],
	]);
	expect(encodeConditions(fitting).length).toBeLessThan(8 * 1024);
});

test("of an endless command the end is left out", () => {
	const fitting = fitConditions(record(1, 5000));
	expect(encodeConditions(fitting).length).toBeLessThan(8 * 1024);
	expect(fitting.command.length).toBeGreaterThan(500);
});

test("what somebody wrote is not shortened but refused", () => {
	expect(() => encodeConditions({ text: "x".repeat(10_000) })).toThrow(/shorter/);
});
