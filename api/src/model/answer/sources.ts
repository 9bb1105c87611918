import type { Source } from "../trust/quantity.ts";
import type { Outlook, Timing } from "./outlook.ts";

/**
 * What a time rests on: the configuration, and the runs whose measurements the laws of its phases were fitted to.
 * Where clients' measurements answer, their runs stand in place of those.
 */
export function sourcesOf(
	{ laws, facts }: Outlook,
	timing: Timing | null,
	...phases: ("prefill" | "decode")[]
): readonly Source[] {
	const used: readonly string[] = timing?.served ? ["serve"] : phases;
	const runs = (facts.runs ?? []).filter(({ phase }) => used.includes(phase));
	return [...laws.sources, ...runs.map(({ id, label }) => ({ label, href: `/measurements/${id}` }))];
}
