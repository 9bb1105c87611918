import type { DecodeFit, PrefillFit, ServeFit } from "@plimsoll/api/model";
import { formatCount, formatSignificant } from "#lib/format.ts";

const span = (from: number, to: number) =>
	from === to
		? formatCount(Math.round(from))
		: `${formatCount(Math.round(from))}–${formatCount(Math.round(to))}`;

/** "128–16,384 tokens" */
export function prefillRange({ from, to }: PrefillFit["range"]): string {
	return `${span(from, to)} tokens`;
}

/** "batch 1–64, context 192–8,256" */
export function decodeRange({ batch, context }: DecodeFit["range"]): string {
	return `batch ${span(...batch)}, context ${span(...context)}`;
}

/** "4–64 in flight, 1,024–8,192 in, 128 out" */
export function serveRange({ concurrency, input, output }: ServeFit["range"]): string {
	return `${span(...concurrency)} in flight, ${span(...input)} in, ${span(...output)} out`;
}

/** "errs 1.2%" from a leave-one-out error; why there is none where there is none. */
export function errorWords(loo: number | null): string {
	return loo === null ? "too few to test" : `errs ${percent(loo)}`;
}

const LEAST = 1e-4;

/** "1.2%": a relative spread with two digits; below a hundredth of a percent nothing more is worth saying. */
export function percent(share: number): string {
	if (share < LEAST) return "under 0.01%";
	return `${formatSignificant(share * 100, 2)}%`;
}
