import { type ColourName, type Colours, coloursOf } from "#lib/design/colours.ts";

/** The palette of a chart, by token name. */
export type ChartTheme = Colours;

/**
 * The palette as CSS variables: an SVG chart then follows the reader's theme, and paper, without being drawn again.
 * A chart that leaves the page as a file takes `coloursOf(name)` instead.
 */
export const PAGE_THEME: ChartTheme = Object.fromEntries(
	(Object.keys(coloursOf("light")) as ColourName[]).map((name) => [name, `var(--${name})`]),
) as Colours;

/** Font of every text in a chart: that of the page. */
export const CHART_FONT = 'var(--sans), "Inter Variable", system-ui, sans-serif';
