import type { Point } from "@plimsoll/api/model";
import type { Extent } from "./axis.ts";
import type { Dot } from "./series.ts";

/** Measured prompts as dots: one sequence, nothing cached. */
export function prefillDots(points: readonly Point[], { from, to }: Extent): Dot[] {
	return points.flatMap((p) =>
		p.phase === "prefill" && p.batch === 1 && p.cached === 0 && p.tokens >= from && p.tokens <= to
			? [{ x: p.tokens, y: p.seconds, n: p.n }]
			: [],
	);
}
