import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recordedConditions } from "./recorded.ts";

const plain = (text: string | null | undefined) => text?.replaceAll("\u00a0", " ");

const RECORD = {
	recordedBy: "plimsoll 0.1.0",
	command: ["llama-bench", "-p", "512,2048", "-m", "my model.gguf"],
	startedAt: "2026-11-30T09:12:00.000Z",
	endedAt: "2026-11-30T09:14:05.000Z",
	exitCode: 0,
	signal: null,
	host: {
		name: "gpu-7",
		system: "Linux 6.8.0",
		distribution: "Ubuntu 24.04.1 LTS",
		architecture: "x64",
		cpu: "AMD EPYC 9274F",
		cpus: 48,
		memoryBytes: 405e9,
	},
	environment: { CUDA_VISIBLE_DEVICES: "0" },
	gpus: {
		tool: "nvidia-smi",
		devices: [
			{ name: "NVIDIA H100 80GB HBM3", driver: "550.54.15", memoryBytes: 85.5e9, maxSmClockMhz: 1980 },
		],
	},
	before: {
		loadAverage: 0.4,
		gpus: [
			{
				powerLimitWatts: 700,
				powerWatts: 70.2,
				smClockMhz: 345,
				temperatureCelsius: 34,
				memoryUsedBytes: null,
			},
		],
	},
	after: {
		loadAverage: 12.25,
		gpus: [
			{
				powerLimitWatts: 700,
				powerWatts: 651,
				smClockMhz: 1755,
				temperatureCelsius: 71,
				memoryUsedBytes: 41e9,
			},
		],
	},
};

const facts = (record: unknown) =>
	Object.fromEntries(recordedConditions(record).facts.map(({ name, value }) => [name, plain(value)]));

describe("what a sender recorded", () => {
	it("is said with both readings where they differ, once where they do not", () => {
		const [gpu] = recordedConditions(RECORD).gpus;
		expect(Object.fromEntries(Object.entries(gpu ?? {}).map(([key, value]) => [key, plain(value)]))).toEqual({
			...{ id: "0", name: "NVIDIA H100 80GB HBM3", driver: "550.54.15", powerLimit: "700 W" },
			...{ power: "70.2 W → 651 W", clock: "345 MHz → 1,755 MHz, at most 1,980 MHz" },
			...{ temperature: "34 °C → 71 °C", memory: "not recorded → 41.0 GB, of 85.5 GB" },
		});
	});

	it("names the machine, the time and the command as it would be typed", () => {
		expect(recordedConditions(RECORD)).toMatchObject({
			by: "plimsoll 0.1.0",
			command: "llama-bench -p 512,2048 -m 'my model.gguf'",
			gpusLeftOut: 0,
		});
		expect(facts(RECORD)).toEqual({
			Ran: "30 Nov 2026, 09:12 UTC, for 2.08 min",
			Ended: "well",
			Host: "gpu-7",
			Processor: "AMD EPYC 9274F · 48 logical cores",
			"Memory of the host": "405 GB",
			System: "Ubuntu 24.04.1 LTS · Linux 6.8.0 · x64",
			"Load of the host": "0.40 → 12.25",
			"Chosen GPUs": "CUDA_VISIBLE_DEVICES=0",
		});
		expect(facts({ ...RECORD, exitCode: 2 }).Ended).toBe("with the error code 2");
		expect(facts({ ...RECORD, exitCode: null, signal: "SIGTERM" }).Ended).toBe("stopped by SIGTERM");
	});

	it("is not recorded where it lacks", () => {
		expect(facts({ host: { name: "gpu-7" } })).toEqual({
			...{ Ran: "not recorded", Ended: "not recorded", Host: "gpu-7", Processor: "not recorded" },
			...{ "Memory of the host": "not recorded", System: "not recorded", "Load of the host": "not recorded" },
			GPUs: "not recorded",
		});
		const names = { gpus: { devices: [{ name: "AMD Instinct MI300X", driver: "6.12.12" }] } };
		const [gpu] = recordedConditions(names).gpus;
		expect(gpu).toMatchObject({
			temperature: "not recorded",
			powerLimit: "not recorded",
			memory: "not recorded",
		});
	});

	it("is read whatever it is, without an unknown number", () => {
		fc.assert(
			fc.property(
				fc.anything({ maxDepth: 4 }),
				fc.constantFrom("gpus", "before", "after", "host", "command"),
				(odd, key) => {
					const text = JSON.stringify(recordedConditions({ ...RECORD, [key]: odd }));
					expect(text).not.toMatch(/NaN|undefined|Infinity/);
				},
			),
		);
		expect(recordedConditions(null).command).toBeNull();
	});
});
