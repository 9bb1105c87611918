import { expect, test } from "vitest";
import { withEqualAxes } from "./equal-axes.ts";
import { costOption } from "./options/cost.ts";

const chart = (dollars: number[]) =>
	costOption({
		lines: [
			{ id: "request", name: "One request", points: dollars.map((y, i) => ({ x: 1000 * (i + 1), y })) },
		],
		unit: "USD/request",
	});

test("one axis holds what every chart shows; a chart that is missing stays missing", () => {
	const [cheap, none, dear] = withEqualAxes([chart([0.001, 0.002]), null, chart([0.3, 0.5])]);
	expect(none).toBeNull();
	expect(cheap?.yAxis).toEqual(dear?.yAxis);
	expect(cheap?.yAxis.from).toBeLessThanOrEqual(0.001);
	expect(cheap?.yAxis.to).toBeGreaterThanOrEqual(0.5);
	expect(withEqualAxes([null])).toEqual([null]);
});
