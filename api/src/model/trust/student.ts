/** Steps that halve an interval until nothing is left of it in double precision. */
const HALVINGS = 80;
/** No quantile that anybody asks for lies beyond. */
const FAR_OUT = 1e4;

/**
 * Quantile of the standard normal distribution.
 * @param share 0…1, open; to 1e-12 from 1e-9 to 1 − 1e-9
 * @throws RangeError
 * @source Φ(x) = ½ + φ(x)·Σ x^(2k+1)/(1·3·5…(2k+1)), Abramowitz & Stegun 26.2.11
 */
export function normalQuantile(share: number): number {
	requireShare(share);
	if (share < 0.5) return -normalQuantile(1 - share);
	return inverse((x) => normalShare(x), share, 8);
}

/** Beyond it a share differs from 0 or 1 by less than 1e-15. */
const CERTAIN = 8;

/** Share of the standard normal distribution below x. */
function normalShare(x: number): number {
	if (x < 0) return 1 - normalShare(-x);
	if (x > CERTAIN) return 1;
	let term = x;
	let sum = x;
	for (let k = 1; term > sum * 1e-17; k++) {
		term *= (x * x) / (2 * k + 1);
		sum += term;
	}
	return 0.5 + (sum * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
}

/** Places at which the spread that runs may show is looked at. */
const PLACES = 400;

/**
 * Share of comparisons in which a two-sided t-test finds a difference that is there.
 * ∫ (Φ(δ − t·s) + Φ(−δ − t·s)) f(s) ds, where ν·s² is χ² with ν = 2n − 2 degrees and δ = d·√(n/2)
 * @param standardised difference d over the standard deviation of a single run
 * @param perArm n, whole, ≥ 2
 * @param alpha share of equal arms that are called different, 0…1
 * @source Cohen 1988, chapter 2; the noncentral t distribution as a mixture of normal ones
 */
export function powerOf(standardised: number, perArm: number, alpha: number): number {
	const degrees = 2 * perArm - 2;
	const limit = studentQuantile(1 - alpha / 2, degrees);
	const shift = standardised * Math.sqrt(perArm / 2);
	const reach = 10 / Math.sqrt(2 * degrees);
	const [from, to] = [Math.max(0, 1 - reach), 1 + reach];
	// Scaled by the density at 1, so that nothing leaves what a number holds.
	const weight = (s: number) => Math.exp((degrees - 1) * Math.log(s) - (degrees / 2) * (s * s - 1));
	let [found, all] = [0, 0];
	for (let i = 1; i < PLACES; i++) {
		const s = from + ((to - from) * i) / PLACES;
		const w = weight(s);
		found += w * (normalShare(shift - limit * s) + normalShare(-shift - limit * s));
		all += w;
	}
	return found / all;
}

/** Degrees of freedom from which on the series in 1/ν is exact to 1e-8. */
const MANY_DEGREES = 200;

/**
 * Quantile of Student's t.
 * @param share 0…1, open
 * @param degrees of freedom, whole, ≥ 1; without end: the normal distribution
 * @throws RangeError
 * @source Abramowitz & Stegun 26.7.3 and 26.7.4; above 200 degrees 26.7.5
 */
export function studentQuantile(share: number, degrees: number): number {
	requireShare(share);
	if (!((Number.isInteger(degrees) || degrees === Number.POSITIVE_INFINITY) && degrees >= 1))
		throw new RangeError(`degrees must be whole and at least 1, not ${degrees}`);
	if (share < 0.5) return -studentQuantile(1 - share, degrees);
	if (degrees > MANY_DEGREES) return nearNormal(normalQuantile(share), degrees);
	return inverse((t) => (1 + withinShare(t, degrees)) / 2, share, FAR_OUT);
}

const T975 = new Map<number, number>();

/** 97.5 % quantile of Student's t: half of a 95 % interval. Kept by degrees, for every prediction asks for it. */
export function studentT975(degrees: number): number {
	let known = T975.get(degrees);
	if (known === undefined) {
		known = studentQuantile(0.975, degrees);
		T975.set(degrees, known);
	}
	return known;
}

/** Share of the distribution between −t and t. */
function withinShare(t: number, degrees: number): number {
	const angle = Math.atan(t / Math.sqrt(degrees));
	const squared = Math.cos(angle) ** 2;
	const odd = degrees % 2 === 1;
	let term = odd ? Math.cos(angle) : 1;
	let sum = degrees === 1 ? 0 : term;
	for (let k = odd ? 3 : 2; k <= degrees - 2; k += 2) {
		term *= ((k - 1) / k) * squared;
		sum += term;
	}
	const part = Math.sin(angle) * sum;
	return odd ? (2 / Math.PI) * (angle + part) : part;
}

function nearNormal(z: number, degrees: number): number {
	const first = (z ** 3 + z) / 4;
	const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
	const third = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384;
	return z + first / degrees + second / degrees ** 2 + third / degrees ** 3;
}

/** Where a rising function reaches a value, from 0 to `most`. */
function inverse(of: (x: number) => number, value: number, most: number): number {
	let [low, high] = [0, most];
	for (let i = 0; i < HALVINGS; i++) {
		const middle = (low + high) / 2;
		if (of(middle) < value) low = middle;
		else high = middle;
	}
	return (low + high) / 2;
}

function requireShare(share: number): void {
	if (!(share > 0 && share < 1)) throw new RangeError(`share must lie between 0 and 1, not ${share}`);
}
