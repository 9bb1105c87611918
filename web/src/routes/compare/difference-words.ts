import type { ComparedSummary, Difference } from "@plimsoll/api/model";
import { percent } from "../configurations/fit-words.ts";

/** "12% more time": how much longer or shorter the other takes. */
const timeWords = (relative: number) =>
	`${percent(Math.abs(relative))} ${relative < 0 ? "less" : "more"} time`;

/** A difference beside the floor that it is judged against. */
export function differenceWords({ relative, floor, verdict }: Difference): string {
	if (floor === null) return `${timeWords(relative)}; noise not known`;
	const said = verdict === "not distinguishable" ? verdict : timeWords(relative);
	return `${said} (floor ${percent(floor)})`;
}

/** What a phase adds up to for one configuration, with what is assumed or missing and how to come to know it. */
export function summaryWords({ difference, words }: ComparedSummary, name: string, rows: number): string {
	if (!difference) return `${name}: ${words}`;
	const over = rows === 1 ? "" : `, median of ${rows}`;
	const said = `${name} against A: ${differenceWords(difference)}${over}.`;
	if (difference.floor === null)
		return `${said} Run the same command again: only repeated runs tell what the difference must exceed.`;
	if (!difference.floorAssumed) return said;
	return `${said} A part of the floor is assumed, 3% between runs: no run of one of the two was repeated.`;
}
