import {
	type Evidence,
	figure,
	type Quantity,
	type Sensitivity,
	type SensitivityBar,
	usd,
	weakest,
} from "@plimsoll/api/model";

/** The money from the cheapest to the dearest end of all bars, for one scale. */
export function spanOf({ base, bars }: Sensitivity): { from: number; to: number } {
	const known = [base, ...bars.flatMap(({ atLow, atHigh }) => [atLow, atHigh])].filter((usd) => usd !== null);
	const [from, to] = [Math.min(...known), Math.max(...known)];
	return known.length === 0 || to <= from ? { from: 0, to: Math.max(1, to) } : { from, to };
}

/** An end of an assumption as people say it. */
export function valueWords(key: string, value: number): string {
	if (key === "price") return usd(value);
	if (key === "demand" || key === "peak") return `× ${figure(value, 3)}`;
	return figure(value, 3);
}

/** The money of a month with one assumption at an end. */
export function withAssumption(bar: SensitivityBar, end: "low" | "high", evidence: Evidence): Quantity {
	const value = end === "low" ? bar.atLow : bar.atHigh;
	const at = `${bar.label} at ${valueWords(bar.key, bar[end])}, all else as it stands`;
	return {
		...{ value, unit: "USD/month", evidence: weakest(evidence, "assumed") },
		arithmetic:
			value === null
				? `not known: ${at}`
				: `${at}: ⌈load of the busiest hour / load of a replica⌉ and its spares × GPUs × price × 730 h = ${usd(value)}`,
	};
}
