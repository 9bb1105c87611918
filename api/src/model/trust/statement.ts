import type { Evidence, Quantity, Source, Unit } from "./quantity.ts";

/** Whether quantities carry their arithmetic in words, and their sources; without them an answer costs a fraction of the time. */
export interface Wording {
	arithmetic?: boolean;
}

/** A figure that goes into a formula: its value, how it is known, and the words for where it was taken from. */
export interface Figure {
	value: number | null;
	evidence: Evidence;
	from: () => string;
	sources?: Source[];
}

/** What a quantity rests on, or what lists it: only asked for with the words. */
export type Sources = readonly Source[] | (() => readonly Source[]);

/**
 * Builds a quantity; the words and the sources are only written where they are asked for.
 * Not a getter: 25 accessors cost more than 25 strings (measured: 45 µs a plan against 25).
 */
export function state(
	value: number | null,
	unit: Unit,
	evidence: Evidence,
	words: () => string,
	wording: Wording = {},
	sources: Sources = NO_SOURCES,
): Quantity {
	const known = value !== null && Number.isFinite(value) ? value : null;
	const quantity: Quantity = {
		value: known,
		unit,
		evidence,
		arithmetic: "",
	};
	if (wording.arithmetic === false) return quantity;
	quantity.arithmetic = words();
	const listed = typeof sources === "function" ? sources() : sources;
	if (listed.length > 0) quantity.sources = distinct(listed);
	return quantity;
}

const NO_SOURCES: readonly Source[] = [];

/** The same sources, each once. */
function distinct(sources: readonly Source[]): Source[] {
	if (sources.length === 1) return [...sources];
	const seen = new Map<string, Source>();
	for (const source of sources) {
		const key = `${source.href ?? ""} ${source.label}`;
		if (!seen.has(key)) seen.set(key, source);
	}
	return [...seen.values()];
}
