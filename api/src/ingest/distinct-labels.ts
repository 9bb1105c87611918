import { configurationLabel, knownConditions } from "./conditions.ts";
import type { Conditions } from "./record.ts";

interface Named {
	id: string;
	conditions: Conditions;
}

interface Member extends Named {
	known: ReadonlyMap<string, unknown>;
}

/** Differing conditions that a label holds in any case; of more of them it holds the fewest that tell all apart. */
const MOST_SHOWN = 3;
const LONGEST_VALUE = 40;
const ID_SHOWN = 6;

/**
 * Labels under which configurations can be told apart: those whose short name is shared carry what differs behind it,
 * "… · ubatch 512" and "… · ubatch 2048".
 * @param all configurations of distinct keys
 * @returns a label by id, no two of them equal
 */
export function distinctLabels(all: readonly Named[]): Map<string, string> {
	const labels = new Map<string, string>();
	const members = all.map((one): Member => ({ ...one, known: knownConditions(one.conditions) }));
	for (const [name, group] of grouped(members, ({ conditions }) => configurationLabel(conditions)))
		for (const [label, same] of grouped(group, labelIn(name, group)))
			for (const { id } of same)
				labels.set(id, same.length === 1 ? label : `${label} · ${id.slice(0, ID_SHOWN)}`);
	return labels;
}

function grouped(members: readonly Member[], by: (member: Member) => string): Map<string, Member[]> {
	const groups = new Map<string, Member[]>();
	for (const member of members) {
		const key = by(member);
		const group = groups.get(key) ?? [];
		group.push(member);
		groups.set(key, group);
	}
	return groups;
}

/** Writes labels of one group, whose members share a name. */
function labelIn(name: string, group: readonly Member[]): (member: Member) => string {
	const conditions = [...new Set(group.flatMap(({ known }) => [...known.keys()]))].sort();
	const differing = conditions.filter((condition) => kinds(group, [condition]) > 1);
	const shown = differing.length <= MOST_SHOWN ? differing : fewest(group, differing);
	return ({ known }) =>
		[name, ...shown.map((condition) => inWords(condition, known.get(condition)))].join(" · ");
}

/** How many kinds of members some conditions tell apart. */
const kinds = (group: readonly Member[], conditions: readonly string[]): number =>
	new Set(group.map(({ known }) => JSON.stringify(conditions.map((one) => known.get(one) ?? null)))).size;

/** Few conditions that tell all members apart: each time the one that tells most of those apart that are left. */
function fewest(group: readonly Member[], conditions: readonly string[]): string[] {
	const chosen: string[] = [];
	for (let told = 1; told < group.length; ) {
		const counted = conditions.map((one) => ({ one, kinds: kinds(group, [...chosen, one]) }));
		const best = counted.reduce((a, b) => (b.kinds > a.kinds ? b : a));
		if (best.kinds === told) break;
		told = best.kinds;
		chosen.push(best.one);
	}
	return chosen.sort();
}

const WORDS: Record<string, string> = {
	engineVersion: "build",
	modelParams: "parameters",
	modelBytes: "bytes of weights",
	gpus: "GPUs",
	gpu: "GPU",
	kvK: "K cache",
	kvV: "V cache",
};

/** A condition with its value as a label says it: "ubatch 2048", "flash attn on", "build not said". */
function inWords(condition: string, value: unknown): string {
	const flag = condition.replace(/^flags\.(n_)?/, "").replaceAll(/[_-]+/g, " ");
	const words = Object.hasOwn(WORDS, condition) ? WORDS[condition] : flag;
	if (value === undefined) return `${words} not said`;
	const said = typeof value === "boolean" ? (value ? "on" : "off") : String(value);
	return `${words} ${said.length > LONGEST_VALUE ? `${said.slice(0, LONGEST_VALUE - 1)}…` : said}`;
}
