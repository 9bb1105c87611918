/** A function of a number that is worked out once for each: the middle and both bounds of a time ask for the same. */
export function remembering<T>(f: (x: number) => T): (x: number) => T {
	const known = new Map<number, T>();
	return (x) => {
		const before = known.get(x);
		if (before !== undefined) return before;
		const now = f(x);
		known.set(x, now);
		return now;
	};
}
