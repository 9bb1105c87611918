/** The palette of tokens.css as plain values: a chart on a canvas cannot read `light-dark()`. */
export type ThemeName = "light" | "dark";

const PAIRS = {
	paper: ["#f7f8f6", "#0e151c"],
	surface: ["#ffffff", "#151f29"],
	sunken: ["#eceeeb", "#0a1016"],
	ink: ["#14212e", "#e9eef1"],
	"ink-soft": ["#4b5966", "#a9b5bf"],
	"ink-stale": ["#5f6b76", "#93a0ab"],
	line: ["#d8dcd9", "#2a3743"],
	"line-strong": ["#7b8790", "#6f7f8c"],
	accent: ["#0b5c7a", "#7ccbe8"],
	"accent-soft": ["#dfeef4", "#133443"],
	"on-accent": ["#ffffff", "#0a1820"],
	limit: ["#b02a1b", "#ff9482"],
	"limit-soft": ["#fbe8e4", "#3d1d18"],
	good: ["#1c6b42", "#74d39e"],
	"good-soft": ["#e0f1e7", "#12321f"],
	warn: ["#855400", "#e9b95c"],
	"warn-soft": ["#faedd3", "#392a0e"],
	time: ["#0b5c7a", "#7ccbe8"],
	memory: ["#5f4596", "#bda5f0"],
	money: ["#7a5200", "#e0b45a"],
	weights: ["#45566a", "#93a4b5"],
	overhead: ["#9aa6b0", "#56656f"],
} as const satisfies Record<string, readonly [light: string, dark: string]>;

export type ColourName = keyof typeof PAIRS;
export type Colours = Record<ColourName, string>;

/** Every colour of one theme, by its token name without the dashes in front. */
export function coloursOf(theme: ThemeName): Colours {
	const entries = Object.entries(PAIRS).map(([name, [light, dark]]) => [
		name,
		theme === "light" ? light : dark,
	]);
	return Object.fromEntries(entries) as Colours;
}
