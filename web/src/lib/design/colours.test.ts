import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type ColourName, coloursOf, type ThemeName } from "./colours.ts";

const css = readFileSync(new URL("./tokens.css", import.meta.url), "utf8");

/** WCAG 2.2 relative luminance of an sRGB colour. */
function luminance(hex: string): number {
	const [r, g, b] = [1, 3, 5].map((at) => {
		const c = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
		return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
	}) as [number, number, number];
	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
	const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
	return (high + 0.05) / (low + 0.05);
}

describe("the palette", () => {
	it("is the one of tokens.css, colour by colour", () => {
		const inCss = [...css.matchAll(/--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(
			([, name, light, dark]) => ({ name, light, dark }),
		);
		const here = Object.keys(coloursOf("light")).map((name) => ({
			name,
			light: coloursOf("light")[name as ColourName],
			dark: coloursOf("dark")[name as ColourName],
		}));
		expect(inCss).toEqual(here);
	});

	const text: ColourName[] = [
		"ink",
		"ink-soft",
		"ink-stale",
		"accent",
		"limit",
		"good",
		"warn",
		"time",
		"memory",
		"money",
	];
	const grounds: ColourName[] = ["paper", "surface"];
	const softPairs: [ColourName, ColourName][] = [
		["accent", "accent-soft"],
		["ink", "accent-soft"],
		["limit", "limit-soft"],
		["good", "good-soft"],
		["warn", "warn-soft"],
		["on-accent", "accent"],
		["ink-soft", "sunken"],
		["on-accent", "ink-stale"],
		["ink-stale", "accent-soft"],
		["ink-stale", "limit-soft"],
		["ink-stale", "good-soft"],
		["ink-stale", "warn-soft"],
	];
	for (const theme of ["light", "dark"] as ThemeName[]) {
		const colours = coloursOf(theme);
		it(`reads at AA (4.5 : 1) in ${theme}`, () => {
			const pairs = [...text.flatMap((t) => grounds.map((g) => [t, g] as const)), ...softPairs];
			const poor = pairs.filter(([a, b]) => contrast(colours[a], colours[b]) < 4.5);
			expect(poor).toEqual([]);
		});
		it(`draws control edges at 3 : 1 in ${theme}`, () => {
			expect(contrast(colours["line-strong"], colours.surface)).toBeGreaterThanOrEqual(3);
			expect(contrast(colours["line-strong"], colours.paper)).toBeGreaterThanOrEqual(3);
		});
	}
});
