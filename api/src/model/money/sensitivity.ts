/** One assumption of an answer, with the range it may lie in. */
export interface Assumption {
	key: string;
	label: string;
	low: number;
	base: number;
	high: number;
}

/** How an answer moves when one assumption does and all others stay. null: no answer there. */
export interface SensitivityBar {
	key: string;
	label: string;
	low: number;
	high: number;
	/** The answer with the assumption at its low and its high end. */
	atLow: number | null;
	atHigh: number | null;
	/** Distance between both answers; null where one is missing. */
	swing: number | null;
}

/** The bars of a tornado chart, the widest first; those without an answer at one end stand before all, as nothing bounds them. */
export interface Sensitivity {
	base: number | null;
	bars: SensitivityBar[];
}

/**
 * What each assumption alone does to an answer.
 * swing = |answer(high) − answer(low)|, all others at their base
 * @param answer of the values by key; null where there is none
 */
export function sensitivity(
	assumptions: readonly Assumption[],
	answer: (values: Readonly<Record<string, number>>) => number | null,
): Sensitivity {
	const base = Object.fromEntries(assumptions.map(({ key, base }) => [key, base]));
	const bars = assumptions.map(({ key, label, low, high }): SensitivityBar => {
		const [atLow, atHigh] = [answer({ ...base, [key]: low }), answer({ ...base, [key]: high })];
		const swing = atLow === null || atHigh === null ? null : Math.abs(atHigh - atLow);
		return { key, label, low, high, atLow, atHigh, swing };
	});
	const width = ({ swing }: SensitivityBar) => swing ?? Number.POSITIVE_INFINITY;
	return { base: answer(base), bars: bars.sort((a, b) => width(b) - width(a) || 0) };
}
