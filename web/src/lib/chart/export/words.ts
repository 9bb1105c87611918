import type { Language } from "#lib/language/languages.ts";
import type { ChosenPlace } from "../chosen.ts";
import type { ChartOption } from "../option.ts";

/** Says English words in the language of the page. */
export type Say = (english: string) => string;

export const inEnglish: Say = (english) => english;

/** What says words in the language of the page: a file is never on it, so nothing else translates its words. */
export async function pageWords(): Promise<Say> {
	const language = document.documentElement.lang;
	if (language === "en") return inEnglish;
	const { translatorInto } = await import("#lib/language/catalogue.ts");
	const translate = await translatorInto(language as Language);
	return translate ? (english) => translate(english) ?? english : inEnglish;
}

/** A chart with all its words in another language; its values stay. */
export function saidIn(option: ChartOption, say: Say): ChartOption {
	const axis = (one: ChartOption["xAxis"]) => ({
		...one,
		name: say(one.name),
		unit: say(one.unit),
		write: (value: number) => say(one.write(value)),
	});
	const named = <T extends { name: string }>(one: T): T => ({ ...one, name: say(one.name) });
	return {
		...option,
		xAxis: axis(option.xAxis),
		yAxis: axis(option.yAxis),
		areas: (option.areas ?? []).map(named),
		lines: (option.lines ?? []).map(named),
		series: option.series.map((one) => ({
			...named(one),
			write: (value: number) => say(one.write(value)),
			...(one.kind === "line" && one.keyName !== undefined && { keyName: say(one.keyName) }),
			...(one.kind === "line" && one.endLabel !== undefined && { endLabel: say(one.endLabel) }),
		})),
		empty: say(option.empty ?? "No values"),
		place: (at) => say(option.place(at)),
	};
}

export const chosenIn = (chosen: ChosenPlace | null, say: Say): ChosenPlace | null =>
	chosen && { ...chosen, text: say(chosen.text) };
