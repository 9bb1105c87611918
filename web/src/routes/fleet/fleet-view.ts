import type { CheckedOption } from "@plimsoll/api";
import { EVIDENCE, type Evidence, type Quantity } from "@plimsoll/api/model";
import { readAmount } from "#lib/amount.ts";

/** A range of an axis; null: no bound. */
export interface Range {
	from: number | null;
	to: number | null;
}

/** Which of the fleets of an answer are shown. An empty list, and a range without bounds, leave all in. */
export interface FleetView {
	/** USD per month. */
	cost: Range;
	/** Seconds of the time that the chart is drawn against. */
	time: Range;
	/** Names of GPUs. */
	gpus: readonly string[];
	evidence: readonly Evidence[];
}

export const WHOLE_VIEW: FleetView = {
	cost: { from: null, to: null },
	time: { from: null, to: null },
	gpus: [],
	evidence: [],
};

const BOUNDS = ["costFrom", "costTo", "timeFrom", "timeTo"] as const;
type Bound = (typeof BOUNDS)[number];
const GPU = "showGpu";
const GROUND = "showEvidence";
/** Keys of the address that say what is shown of the answer: they are no part of the question. */
const VIEW_KEYS: readonly string[] = [...BOUNDS, GPU, GROUND];

/** An address as it is read: that of a page may not be changed. */
type Query = Pick<URLSearchParams, "get" | "getAll"> & Iterable<[string, string]>;

/** The question of an address, without what is shown of its answer. */
export function questionOf(query: Iterable<[string, string]>): URLSearchParams {
	return new URLSearchParams([...query].filter(([key]) => !VIEW_KEYS.includes(key)));
}

const isEvidence = (text: string): text is Evidence => (EVIDENCE as readonly string[]).includes(text);

/** From the lower end to the upper one, however they were said. */
const ordered = (from: number | null, to: number | null): Range =>
	from !== null && to !== null && from > to ? { from: to, to: from } : { from, to };

/** What an address shows of the answer, and the parts of it that say nothing here. */
export function viewOf(query: Query): { view: FleetView; dropped: string[] } {
	const dropped: string[] = [];
	const bound = (key: Bound): number | null => {
		const text = query.get(key);
		const value = text === null ? null : readAmount(text);
		if (text !== null && value === null) dropped.push(`${key}=${text}`);
		return value;
	};
	const [costFrom, costTo, timeFrom, timeTo] = BOUNDS.map(bound);
	const grounds = query.getAll(GROUND);
	dropped.push(...grounds.filter((one) => !isEvidence(one)).map((one) => `${GROUND}=${one}`));
	const view = {
		cost: ordered(costFrom ?? null, costTo ?? null),
		time: ordered(timeFrom ?? null, timeTo ?? null),
		gpus: query.getAll(GPU),
		evidence: grounds.filter(isEvidence),
	};
	return { view, dropped };
}

/** A bound as the address has it: no more digits than a pixel of the chart tells. */
const short = (value: number) => String(Number(value.toPrecision(3)));

/** The address of a question with what is shown of its answer. */
export function addressOf(
	question: Iterable<[string, string]>,
	{ cost, time, gpus, evidence }: FleetView,
): string {
	const query = questionOf(question);
	const bounds = [cost.from, cost.to, time.from, time.to];
	for (const [i, key] of BOUNDS.entries()) {
		const value = bounds[i] ?? null;
		if (value !== null) query.set(key, short(value));
	}
	for (const gpu of gpus) query.append(GPU, gpu);
	for (const ground of evidence) query.append(GROUND, ground);
	return query.size > 0 ? `/fleet?${query}` : "/fleet";
}

const isBounded = ({ from, to }: Range) => from !== null || to !== null;

/** A value that is not known lies in no range that has a bound. */
function within({ value }: Quantity, range: Range): boolean {
	if (!isBounded(range)) return true;
	if (value === null) return false;
	return value >= (range.from ?? Number.NEGATIVE_INFINITY) && value <= (range.to ?? Number.POSITIVE_INFINITY);
}

/** Whether a fleet is shown. @param time what the chart is drawn against */
export function isShown(
	{ cost, time, gpus, evidence }: FleetView,
	{ gpu, basis }: Pick<CheckedOption, "gpu" | "basis">,
	usdPerMonth: Quantity,
	seconds: Quantity,
): boolean {
	return (
		(gpus.length === 0 || gpus.includes(gpu.name)) &&
		(evidence.length === 0 || evidence.includes(basis)) &&
		within(usdPerMonth, cost) &&
		within(seconds, time)
	);
}

/** Whether a view leaves anything out. */
export const isNarrowed = ({ cost, time, gpus, evidence }: FleetView): boolean =>
	isBounded(cost) || isBounded(time) || gpus.length > 0 || evidence.length > 0;

/** A list with a member, or without it where it had it. */
export const toggled = <T>(list: readonly T[], one: T): T[] =>
	list.includes(one) ? list.filter((other) => other !== one) : [...list, one];
