import { scenarioFromQuery, unknownKeys } from "@plimsoll/api/scenario";

/** A part of a plan's query string that was not used. */
export interface DroppedPart {
	at: string;
	value: string;
	reason: string;
}

export interface PlanParts {
	/** What can be used of it, each key once; null: nothing that would make a plan. */
	query: URLSearchParams | null;
	dropped: DroppedPart[];
}

const SUBJECT = ["configuration", "model", "gpu"];

/** Holds the parts of a plan that can be used apart from those that cannot, each of these with the reason. */
export function partsOf(plan: string): PlanParts {
	const asked = new URLSearchParams(plan);
	const query = new URLSearchParams();
	const dropped: DroppedPart[] = [];
	for (const [key, value] of asked) {
		if (query.has(key)) dropped.push({ at: key, value, reason: "it is there already; the first counts" });
		else query.set(key, value);
	}
	const drop = (at: string, reason: string) => {
		dropped.push({ at, value: query.get(at) ?? "", reason });
		query.delete(at);
	};
	for (const { at } of unknownKeys(query)) drop(at, "it is no part of a plan");
	if (query.has("configuration"))
		for (const at of ["model", "gpu"]) if (query.has(at)) drop(at, "a configuration names its own");
	// One at a time: a part may be in the way of another only until it is dropped.
	for (const at of [...query.keys(), "rate", "tp"]) {
		const problem = scenarioFromQuery(query).problems.find((one) => one.at === at);
		if (problem) drop(at, problem.reason);
	}
	const about = (params: URLSearchParams) => SUBJECT.some((key) => params.has(key));
	// Without what it is about it would be another plan: the default one.
	const lost = query.size === 0 || (about(asked) && !about(query));
	return { query: lost ? null : query, dropped };
}

/** Text of an address as it can be shown: nothing invisible, and not endless. */
export function shownText(text: string): string {
	const visible = text.replace(/\p{C}/gu, (sign) => encodeURIComponent(sign.toWellFormed()));
	return visible.length > 120 ? `${visible.slice(0, 120)}…` : visible;
}
