/**
 * The last whole number from `known` to `most` for which something holds that ends once and for all, by halving.
 * @param known a number for which it holds, or 0 where none is known
 */
export function last(most: number, holds: (n: number) => boolean, known = 0): number {
	if (most <= known) return known;
	if (holds(most)) return most;
	let [good, bad] = [known, most];
	while (bad - good > 1) {
		const middle = Math.floor((good + bad) / 2);
		if (holds(middle)) good = middle;
		else bad = middle;
	}
	return good;
}
