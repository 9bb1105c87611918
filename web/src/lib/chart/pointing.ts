import type { ChartOption } from "./option.ts";
import type { Plot } from "./plot.ts";
import { nearestPlace } from "./readings.ts";

/** A pointer this near to a dot means the dot, pixels. */
const REACH = 12;

/** The place that a pointer means: that of a dot within its reach, else the nearest that has a value; null: there is none. */
export function placeMeant(
	option: ChartOption,
	places: readonly number[],
	plot: Plot,
	pointer: { x: number; y: number },
): number | null {
	let [best, far] = [null as number | null, REACH];
	for (const series of option.series) {
		if (series.kind !== "dots") continue;
		for (const { x, y } of series.points) {
			const distance = Math.hypot(plot.x(x) - pointer.x, plot.y(y) - pointer.y);
			if (distance <= far) [best, far] = [x, distance];
		}
	}
	return best ?? nearestPlace(places, plot.valueAt(pointer.x));
}
