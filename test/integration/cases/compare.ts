import type { Expected } from "./case.ts";

/** Whether an answer is within the tolerance of what is expected; lists entry by entry. */
export function meets(got: unknown, { value, abs_tol = 0, rel_tol = 0 }: Expected): boolean {
	return same(got, value, (want) => Math.max(abs_tol, rel_tol * Math.abs(want)));
}

/** Whether an answer is a value that must not come out. */
export const isWrong = (got: unknown, wrong: unknown): boolean =>
	same(got, wrong, (want) => 1e-6 * Math.abs(want));

function same(got: unknown, want: unknown, tolerance: (want: number) => number): boolean {
	if (Array.isArray(want))
		return (
			Array.isArray(got) &&
			got.length === want.length &&
			want.every((each, i) => same(got[i], each, tolerance))
		);
	if (typeof want === "number")
		return typeof got === "number" && Math.abs(got - want) <= tolerance(want) + 1e-12 * Math.abs(want);
	return got === want;
}
