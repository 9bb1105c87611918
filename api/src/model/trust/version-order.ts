/** "0.10.0rc1", "v0.6.3.post1+cu128", "b5606 247e5c6e": numbers, then what comes after them. */
const VERSION = /^(?:v|b)?(\d+(?:\.\d+)*)(.*)$/;
/** What comes before the release that it is named after. */
const BEFORE_RELEASE = /^[.-]?(?:rc|alpha|beta|dev|pre|a\d|b\d)/;

/**
 * Order of two versions of one engine: by their numbers, and a candidate before its release. Names without numbers come
 * first, in the order of their letters.
 * @returns below 0 where `a` is older
 */
export function versionOrder(a: string, b: string): number {
	const [one, other] = [parsed(a), parsed(b)];
	if (!one || !other) return Number(one !== null) - Number(other !== null) || text(a, b);
	for (let i = 0; i < Math.max(one.numbers.length, other.numbers.length); i++) {
		const difference = (one.numbers[i] ?? 0) - (other.numbers[i] ?? 0);
		if (difference !== 0) return difference;
	}
	return stage(one.rest) - stage(other.rest) || text(one.rest, other.rest);
}

function parsed(version: string): { numbers: number[]; rest: string } | null {
	const [, numbers, rest = ""] = VERSION.exec(version.trim().toLowerCase()) ?? [];
	return numbers === undefined ? null : { numbers: numbers.split(".").map(Number), rest };
}

/** −1 before the release, 0 the release, 1 what was built on it. */
const stage = (rest: string) => (rest === "" ? 0 : BEFORE_RELEASE.test(rest) ? -1 : 1);
const text = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
