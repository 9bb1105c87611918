import type { Point } from "@plimsoll/api/model";
import type { Extent } from "./axis.ts";
import type { Dot } from "./option.ts";

/** A dot of a measured point, with where it comes from. */
export function dotOf(
	x: number,
	y: number,
	{ n, measurementIds }: Pick<Point, "n" | "measurementIds">,
	configuration: string | null,
): Dot {
	const source = configuration === null ? null : { configuration, measurement: measurementIds[0] ?? null };
	return { x, y, n, source };
}

/** Measured prompts as dots: one sequence, nothing cached. */
export function prefillDots(
	points: readonly Point[],
	{ from, to }: Extent,
	configuration: string | null = null,
): Dot[] {
	return points.flatMap((p) =>
		p.phase === "prefill" && p.batch === 1 && p.cached === 0 && p.tokens >= from && p.tokens <= to
			? [dotOf(p.tokens, p.seconds, p, configuration)]
			: [],
	);
}
