import { isRecord } from "../ingest/fields.ts";

/** A schema that grows without bound when its references are put in. */
export class TooLarge extends Error {
	override readonly name = "TooLarge";
}

/** Values that one operation may hold once its references are put in, and all of a document. */
const MOST_VALUES = 20_000;
const MOST_VALUES_IN_ALL = 500_000;
const MOST_DEPTH = 40;

/** The value that a local reference names ("#/components/schemas/Order"); undefined: there is none. */
export function pointed(document: unknown, reference: string): unknown {
	if (reference === "#") return document;
	if (!reference.startsWith("#/")) return undefined;
	let at: unknown = document;
	for (const part of reference.slice(2).split("/")) {
		const key = unescaped(part);
		if (Array.isArray(at)) at = at[Number(key)];
		else if (isRecord(at) && Object.hasOwn(at, key)) at = at[key];
		else return undefined;
	}
	return at;
}

function unescaped(part: string): string {
	const plain = part.replaceAll("~1", "/").replaceAll("~0", "~");
	try {
		return decodeURIComponent(plain);
	} catch {
		return plain;
	}
}

/**
 * Puts local references in, operation by operation. A reference into itself, or to nothing, stays as it is.
 * @returns for each operation a function whose values are counted together
 * @throws TooLarge beyond 20,000 values of an operation, or 500,000 of all
 */
export function inliner(document: unknown): () => (value: unknown) => unknown {
	let leftInAll = MOST_VALUES_IN_ALL;
	return () => {
		let left = MOST_VALUES;
		const put = (value: unknown, inside: readonly string[], depth: number): unknown => {
			if (--leftInAll < 0) throw new TooLarge(ALL_TOO_LARGE);
			if (--left < 0 || depth > MOST_DEPTH) throw new TooLarge(ONE_TOO_LARGE);
			if (Array.isArray(value)) return value.map((one) => put(one, inside, depth + 1));
			if (!isRecord(value)) return value;
			const { $ref } = value;
			if (typeof $ref === "string") {
				const target = inside.includes($ref) ? undefined : pointed(document, $ref);
				return target === undefined ? value : put(target, [...inside, $ref], depth + 1);
			}
			return Object.fromEntries(
				Object.entries(value).map(([key, one]) => [key, put(one, inside, depth + 1)]),
			);
		};
		return (value) => put(value, [], 0);
	};
}

const ONE_TOO_LARGE = `its schema grows beyond ${MOST_VALUES} values or ${MOST_DEPTH} levels once references are put in: no model should be sent it; split the operation or send a smaller schema`;
const ALL_TOO_LARGE = `the operations before it fill ${MOST_VALUES_IN_ALL} values once references are put in: send fewer operations at a time`;
