import { describe, expect, it } from "vitest";
import { readAmd, readNvidia, readRocm } from "./gpus.ts";

describe("nvidia-smi", () => {
	it("gives every card of a machine with its readings", () => {
		const text = [
			"NVIDIA H100 80GB HBM3, 550.54.15, 81559, 1980, 700.00, 118.32, 1980, 2619, 36, 1234, 0",
			"NVIDIA H100 80GB HBM3, 550.54.15, 81559, 1980, 650.00, 70.01, 345, 2619, 29, 0, 0",
			"",
		].join("\n");
		const state = readNvidia(text);
		expect(state?.devices).toEqual(
			Array(2).fill({
				// 81559 MiB by nvidia-smi's own unit.
				...{ name: "NVIDIA H100 80GB HBM3", driver: "550.54.15", memoryBytes: 81559 * 1024 * 1024 },
				maxSmClockMhz: 1980,
			}),
		);
		expect(state?.readings).toEqual([
			{
				...{ powerLimitWatts: 700, powerWatts: 118.32, smClockMhz: 1980, memoryClockMhz: 2619 },
				...{ temperatureCelsius: 36, memoryUsedBytes: 1234 * 1024 * 1024, utilizationPercent: 0 },
			},
			{
				...{ powerLimitWatts: 650, powerWatts: 70.01, smClockMhz: 345, memoryClockMhz: 2619 },
				...{ temperatureCelsius: 29, memoryUsedBytes: 0, utilizationPercent: 0 },
			},
		]);
	});

	it("leaves unknown what a card does not say", () => {
		const state = readNvidia(
			"NVIDIA GB10, 580.82.09, [N/A], 3003, [N/A], 4.69, 208, [Not Supported], 38, [N/A], 0\n",
		);
		expect(state?.devices[0]).toMatchObject({ name: "NVIDIA GB10", memoryBytes: null });
		expect(state?.readings[0]).toMatchObject({
			powerLimitWatts: null,
			memoryClockMhz: null,
			powerWatts: 4.69,
		});
	});

	it.each(["", "No devices were found\n", "NVIDIA-SMI has failed because it couldn't communicate\n"])(
		"finds none in %j",
		(text) => {
			expect(readNvidia(text)).toBeNull();
		},
	);
});

describe("amd-smi", () => {
	const gpu = (n: number) => ({
		gpu: n,
		asic: { market_name: "AMD Instinct MI300X", vendor_id: "0x1002" },
		driver: { name: "amdgpu", version: "6.12.12" },
	});
	const device = {
		...{ name: "AMD Instinct MI300X", driver: "6.12.12", memoryBytes: null, maxSmClockMhz: null },
	};

	it.each([
		["a list", [gpu(0), gpu(1)]],
		["a list in an object", { gpu_data: [gpu(0), gpu(1)] }],
	])("gives names and driver from %s", (_, body) => {
		expect(readAmd(JSON.stringify(body))).toEqual({
			tool: "amd-smi",
			devices: [device, device],
			readings: [],
		});
	});

	it.each(["", "{}", "[]", "null", '[{"gpu": 0}]', '[{"asic": {"market_name": "N/A"}}]', "text"])(
		"finds none in %s",
		(text) => {
			expect(readAmd(text)).toBeNull();
		},
	);
});

describe("rocm-smi", () => {
	it.each(["Card Series", "Card series", "Card Model"])("gives names by the field %s", (field) => {
		const body = { card0: { [field]: "AMD Radeon RX 7900 XTX" }, system: { "Driver version": "6.8.5" } };
		expect(readRocm(JSON.stringify(body))?.devices).toEqual([
			{ name: "AMD Radeon RX 7900 XTX", driver: "6.8.5", memoryBytes: null, maxSmClockMhz: null },
		]);
	});

	it.each(["", "{}", "null", '{"card0": {}}', "WARNING: no AMD GPU"])("finds none in %s", (text) => {
		expect(readRocm(text)).toBeNull();
	});
});
