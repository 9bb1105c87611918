import { expect, it } from "vitest";
import { prefillOption } from "./options/prefill.ts";
import { plotOf } from "./plot.ts";
import { placeMeant } from "./pointing.ts";
import { placesOf } from "./readings.ts";

it("means the dot under the pointer, and elsewhere the nearest place of the curve", () => {
	const option = prefillOption({
		curve: [1000, 1100, 4000].map((x) => ({ x, y: x / 1e4, evidence: "fitted" as const })),
		points: [{ x: 1050, y: 0.3 }],
		range: { from: 1000, to: 4000 },
		powerLaw: null,
	});
	const plot = plotOf(option, 700, 300);
	const meant = (x: number, y: number) =>
		placeMeant(option, placesOf(option), plot, { x: plot.x(x), y: plot.y(y) });
	expect(meant(1077, 0.3)).toBe(1050);
	expect(meant(1077, 0.11)).toBe(1100);
	expect(meant(3500, 0.3)).toBe(4000);
	expect(placeMeant({ ...option, series: [] }, [], plot, { x: 100, y: 100 })).toBeNull();
});
