import { render } from "svelte/server";
import { expect, it } from "vitest";
import RunConditions from "./RunConditions.svelte";

const drawn = (record: unknown) =>
	render(RunConditions, { props: { record } }).body.replaceAll("\u00a0", " ");

it("shows what changed while it ran, and what nobody recorded", () => {
	const body = drawn({
		...{ recordedBy: "plimsoll 0.1.0", command: ["llama-bench", "-p", "512"], host: { name: "gpu-7" } },
		gpus: { devices: [{ name: "NVIDIA H100", driver: null }], leftOut: 7 },
		...{ before: { gpus: [{ temperatureCelsius: 34 }] }, after: { gpus: [{ temperatureCelsius: 71 }] } },
	});
	for (const text of ["34 °C → 71 °C", "gpu-7", "llama-bench -p 512", "7 more GPUs", "plimsoll 0.1.0"])
		expect(body).toContain(text);
	expect(body.split("not recorded").length).toBeGreaterThan(4);
});

it("says how to have them recorded where nobody did", () => {
	expect(drawn(null)).toMatch(/were not recorded.*plimsoll run/s);
});
