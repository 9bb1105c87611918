import { isRecord } from "../ingest/fields.ts";
import { pointed } from "./inline.ts";

/**
 * fails: a server was seen to refuse a request with it. slow: it was reported to make building slow or fail. check: it makes
 * the grammar larger, or a server may not enforce it.
 */
export type Severity = "fails" | "slow" | "check";

/** A construct of a schema that a server which builds a grammar from it may not take. */
export interface Finding {
	severity: Severity;
	/** Path in the schema: "properties.rows.maxItems". */
	at: string;
	/** What was found, with its numbers. */
	what: string;
	/** What is known of it, and from where. */
	known: string;
	advice: string;
}

/** Our runs on llama.cpp v0.4.0: bounds that answered 400 "failed to parse grammar"; 1991…1997 were not tried. */
const FAILING_BOUND = { from: 1998, to: 2001 };
const LARGEST_GOOD_BOUND = 1990;
const LARGE_BOUND = 500;
const LARGE_LENGTH = 1000;
const DEEP = 6;
const WIDE_ENUM = 100;
const WIDE_UNION = 10;
/** A list that a person reads. */
const MOST_FINDINGS = 50;
const MOST_VALUES = 50_000;

const OURS = "measured by us on llama.cpp v0.4.0";
const REPORTED =
	"reported of one set-up whose 83 and 96 tools failed to build a grammar after 123.84 s and 142.94 s (OpenCode, llama.cpp, 2026-09-14)";

type Found = Omit<Finding, "at">;
interface Place {
	path: string[];
	/** Levels of objects and arrays around it. */
	level: number;
}

/** Constructs of a tool's schema that are known to make grammar building slow or fail, gravest first. */
export function schemaFindings(schema: unknown): Finding[] {
	const findings: Finding[] = [];
	let deepest: Place = { path: [], level: 0 };
	let left = MOST_VALUES;
	const stack: { value: unknown; place: Place }[] = [{ value: schema, place: deepest }];
	for (let next = stack.pop(); next && left-- > 0; next = stack.pop()) {
		const { value, place } = next;
		if (!isRecord(value)) continue;
		for (const { key, ...found } of findingsOf(value, schema))
			if (findings.length < MOST_FINDINGS) findings.push({ at: pathText([...place.path, key]), ...found });
		if (place.level > deepest.level) deepest = place;
		stack.push(...childrenOf(value, place));
	}
	if (deepest.level > DEEP) findings.push(deeply(deepest));
	return findings.sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
}

const ORDER: readonly Severity[] = ["fails", "slow", "check"];

const pathText = (path: readonly string[]): string => path.join(".") || "the schema";

const deeply = ({ path, level }: Place): Finding => ({
	severity: "check",
	at: pathText(path),
	what: `${level} levels of objects and lists`,
	known: `each level adds rules; ${OURS}: 27 tools with ten lists of up to 1,900 each took 0.68 s before inference began, nested one level deeper 1.08 s`,
	advice: "flatten it: fewer levels, or the inner part as text that the tool itself checks",
});

/** Schemas inside a schema, each with its path; lists and maps of schemas are no level of their own. */
function childrenOf(schema: Record<string, unknown>, { path, level }: Place) {
	const children: { value: unknown; place: Place }[] = [];
	const add = (value: unknown, further: string[], deeper: boolean) =>
		children.push({ value, place: { path: [...path, ...further], level: level + (deeper ? 1 : 0) } });
	for (const key of ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"])
		if (isRecord(schema[key]))
			for (const [name, value] of Object.entries(schema[key]))
				add(value, [key, name], key === "properties" || key === "patternProperties");
	for (const key of ["anyOf", "oneOf", "allOf", "prefixItems"])
		if (Array.isArray(schema[key]))
			for (const [index, value] of schema[key].entries())
				add(value, [key, String(index)], key === "prefixItems");
	for (const key of ["items", "additionalProperties", "contains"])
		if (isRecord(schema[key])) add(schema[key], [key], true);
	for (const key of ["not", "if", "then", "else"]) if (isRecord(schema[key])) add(schema[key], [key], false);
	return children;
}

function* findingsOf(schema: Record<string, unknown>, root: unknown): Generator<Found & { key: string }> {
	for (const key of ["maxItems", "minItems"]) {
		const found = boundFinding(key, schema[key]);
		if (found) yield { key, ...found };
	}
	for (const key of ["maxLength", "minLength"]) {
		const found = lengthFinding(key, schema[key]);
		if (found) yield { key, ...found };
	}
	if (typeof schema.pattern === "string")
		for (const found of patternFindings(schema.pattern)) yield { key: "pattern", ...found };
	if (typeof schema.$ref === "string") {
		const found = referenceFinding(schema.$ref, root);
		if (found) yield { key: "$ref", ...found };
	}
	if (Array.isArray(schema.enum) && schema.enum.length > WIDE_ENUM)
		yield { key: "enum", ...wide(schema.enum.length, "values to choose from") };
	for (const key of ["anyOf", "oneOf"]) {
		const { [key]: union } = schema;
		if (Array.isArray(union) && union.length > WIDE_UNION)
			yield { key, ...wide(union.length, "alternatives") };
	}
}

function boundFinding(key: string, bound: unknown): Found | null {
	if (typeof bound !== "number" || bound < LARGE_BOUND) return null;
	const what = `${key} ${bound.toLocaleString("en-US")}`;
	const advice =
		"take the bound out of the schema and let the tool check it, or lower it to what a call really carries";
	if (key === "minItems")
		return {
			severity: "check",
			...{ what, advice },
			known: "a lower bound is written out like an upper one; measured by us for maxItems only",
		};
	if (bound >= FAILING_BOUND.from && bound <= FAILING_BOUND.to)
		return {
			severity: "fails",
			...{ what, advice },
			known: `${OURS}: 1,998 to 2,001 answer 400 "failed to parse grammar"; a bound of 2,000 is also ${REPORTED}`,
		};
	if (bound > LARGEST_GOOD_BOUND && bound < FAILING_BOUND.from)
		return {
			severity: "slow",
			...{ what, advice },
			known: `${OURS}: 1,990 is accepted and 1,998 refused; between them nothing was tried`,
		};
	if (bound > FAILING_BOUND.to)
		return {
			severity: "check",
			...{ what, advice },
			known: `${OURS}: bounds of 2,002 to 5,000 are taken as no bound at all, so it is not enforced; other engines may build all of it`,
		};
	return {
		severity: "check",
		...{ what, advice },
		known: `${OURS}: accepted, but the rules are repeated up to the bound: 96 tools with ten lists of up to 1,900 each took 2.1 to 2.5 s before inference began, 96 plain ones 0.13 s`,
	};
}

function lengthFinding(key: string, bound: unknown): Found | null {
	if (typeof bound !== "number" || bound < LARGE_LENGTH) return null;
	return {
		severity: "check",
		what: `${key} ${bound.toLocaleString("en-US")}`,
		known: "a bound on characters is repeated like a bound on items; not measured by us",
		advice: "take the bound out of the schema and let the tool check it",
	};
}

function* patternFindings(pattern: string): Generator<Found> {
	const what = `pattern ${JSON.stringify(pattern.length > 60 ? `${pattern.slice(0, 59)}…` : pattern)}`;
	if (!isExpression(pattern)) {
		yield {
			severity: "fails",
			what: `${what} is no regular expression`,
			known: `${OURS}: such a pattern answers 400 "Invalid pattern"`,
			advice: "mend the pattern or take it out",
		};
		return;
	}
	const classes = [...new Set(pattern.match(/\\[dDwWsSbB]/g) ?? [])];
	if (classes.length > 0)
		yield {
			severity: "slow",
			what: `${what} with ${classes.join(" and ")}`,
			known: `\\d in a pattern is ${REPORTED}; ${OURS} it is accepted, but as any text, so it is not enforced`,
			advice: "write the characters out: [0-9] for \\d, [A-Za-z0-9_] for \\w",
		};
	if (!(pattern.startsWith("^") && pattern.endsWith("$")))
		yield {
			severity: "check",
			what: `${what} without ^ and $`,
			known: `${OURS}: accepted; JSON Schema then lets it match anywhere, a grammar may not`,
			advice: "anchor it with ^ and $, or take it out",
		};
}

function isExpression(pattern: string): boolean {
	for (const flags of ["u", ""])
		try {
			new RegExp(pattern, flags);
			return true;
		} catch {
			// Older patterns escape what Unicode ones may not.
		}
	return false;
}

function referenceFinding(reference: string, root: unknown): Found | null {
	const what = `$ref ${JSON.stringify(reference.slice(0, 80))}`;
	if (!reference.startsWith("#"))
		return {
			severity: "check",
			what: `${what} outside the schema`,
			known: "an engine reads no other file; not measured by us",
			advice: "put what it refers to into the schema",
		};
	if (pointed(root, reference) !== undefined) return null;
	// What refers to itself cannot be put in: the reader of OpenAPI leaves its reference as it stands in the file.
	if (/^#\/components\//.test(reference))
		return {
			severity: "check",
			what: `${what} refers to a part of the file that refers to itself`,
			known: `${OURS}: a reference to nothing answers 400 "Error resolving ref"; what your generator makes of it is not known`,
			advice:
				"see that your generator puts it under $defs of the schema, or end the recursion after a few levels",
		};
	return {
		severity: "fails",
		what: `${what} names nothing`,
		known: `${OURS}: a reference to nothing answers 400 "Error resolving ref"`,
		advice: "put what it refers to under $defs of this schema",
	};
}

const wide = (count: number, of: string): Found => ({
	severity: "check",
	what: `${count.toLocaleString("en-US")} ${of}`,
	known: "each is a branch of the grammar and tokens of every request; not measured by us",
	advice: "take plain text and let the tool refuse what is not known, or offer a tool that lists them",
});
