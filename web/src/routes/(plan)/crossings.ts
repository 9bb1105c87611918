import type { ContextLimits, Plan } from "@plimsoll/api/model";
import type { ChartOption, GroundArea, GroundLine } from "#lib/chart/option.ts";
import { limitLine, shadedRange } from "#lib/chart/series.ts";
import { PAGE_THEME } from "#lib/chart/theme.ts";
import { counted, format, formatCount, shortTokens } from "#lib/format.ts";

/** What a limit draws under the curves of a chart. */
export interface Crossing {
	areas: GroundArea[];
	lines: GroundLine[];
}

/** Per chart: where its limit is crossed, and beyond which length the limit that binds first allows nothing more. */
export interface Crossings {
	time: Crossing;
	memory: Crossing;
	money: Crossing;
}

type Key = keyof ContextLimits;

/** The limit that is crossed at the shortest prompt; null: none. */
function firstOf(limits: ContextLimits): { key: Key; at: number } | null {
	const crossed = (Object.keys(limits) as Key[]).flatMap((key) => {
		const at = limits[key];
		return at === null ? [] : [{ key, at }];
	});
	return crossed.reduce<{ key: Key; at: number } | null>(
		(first, one) => (first && first.at <= one.at ? first : one),
		null,
	);
}

const theme = PAGE_THEME;
const seconds = (value: number | null) => format(value, "seconds").text.replace(/\.0+(?=\s)/, "");
const upright = (at: number, name: string): GroundLine[] =>
	at < 1 ? [] : [{ axis: "x", at, name, colour: theme.limit, width: 1 }];

/** Areas and lines of the limits that are crossed along the context. @param to longest prompt of the charts, tokens */
export function crossingsOf(limits: ContextLimits, { scenario }: Plan, to: number): Crossings {
	const { ttftSlo, tpotSlo, concurrency } = scenario;
	const users = concurrency ?? 1;
	const first = firstOf(limits);
	const beyond = (key: Key[], name: string): GroundArea[] =>
		first && key.includes(first.key)
			? [shadedRange({ from: Math.max(1, first.at), to }, name, theme, theme["limit-soft"])]
			: [];
	const tpotBinds = first?.key === "tpot";
	return {
		time: {
			areas: beyond(
				["ttft", "tpot"],
				tpotBinds ? `over ${seconds(tpotSlo)} per token` : "over the objective",
			),
			lines: [
				...(limits.ttft === null
					? []
					: upright(limits.ttft, `${seconds(ttftSlo)} at ${shortTokens(limits.ttft)}`)),
				...(tpotBinds ? upright(first.at, shortTokens(first.at)) : []),
			],
		},
		memory: {
			areas: beyond(["memory"], `${formatCount(users)} do not fit`),
			lines:
				limits.memory === null
					? []
					: [
							...(users > 1 ? [limitLine(users, "", theme)] : []),
							...upright(limits.memory, `${counted(users, "user")} at ${shortTokens(limits.memory)}`),
						],
		},
		money: { areas: beyond(["ttft", "tpot", "memory"], "over a limit"), lines: [] },
	};
}

/** A chart with its limits drawn under the curves. */
export const marked = (option: ChartOption | null, { areas, lines }: Crossing): ChartOption | null =>
	option && {
		...option,
		areas: [...(option.areas ?? []), ...areas],
		lines: [...(option.lines ?? []), ...lines],
	};
