/// <reference lib="dom" />
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import pixelmatch from "pixelmatch";
import type { Locator, Page } from "playwright-core";
import { PNG } from "pngjs";

const REFERENCES = resolve(import.meta.dirname, "../e2e/references");
const FONTS = join(REFERENCES, "fonts.json");
/** Whether stored pictures are made anew in place of being compared with. */
const renewing = Boolean(process.env.RENEW_REFERENCES);
/** How unlike two colours of a pixel must be to differ, of 0 … 1: less than a pale ground from the paper. */
const UNLIKE = 0.02;
/** Text whose width is this much another, pixels, is set in another font, and stands and breaks elsewhere. */
const SAME_WIDTH = 1;
/** A picture may be this much larger or smaller where an edge falls between two pixels. */
const ROUNDING = 1;
const PROBE = "1,048,576 tokens at 128 ms per token";

/** Width of a line of text as this machine sets it, pixels. */
async function widthOfText(page: Page): Promise<number> {
	return page.evaluate(async (text) => {
		await document.fonts.ready;
		const line = document.createElement("span");
		line.style.cssText = "position: absolute; white-space: nowrap; font-size: var(--text-m)";
		line.textContent = text;
		document.body.append(line);
		const { width } = line.getBoundingClientRect();
		line.remove();
		return width;
	}, PROBE);
}

/** Why pictures of this machine say nothing beside the stored ones; null: they can be compared. */
export async function whyNotComparable(page: Page): Promise<string | null> {
	const width = await widthOfText(page);
	if (renewing) {
		await mkdir(REFERENCES, { recursive: true });
		await writeFile(FONTS, `${JSON.stringify({ probe: PROBE, width })}\n`);
		return null;
	}
	const stored = JSON.parse(await readFile(FONTS, "utf8")) as { width: number };
	if (Math.abs(stored.width - width) <= SAME_WIDTH) return null;
	return `this machine sets “${PROBE}” ${width} pixels wide, the stored pictures ${stored.width}`;
}

/**
 * Letters are smoothed in another way on every machine, a fiftieth of all pixels; lines, dots and grounds are not. So
 * words are kept out of pictures: a lost line is a thousandth of them.
 */
async function hideWords(page: Page): Promise<void> {
	await page.evaluate(() => {
		const sheet = new CSSStyleSheet();
		sheet.replaceSync("* { color: transparent !important } svg text { opacity: 0 !important }");
		document.adoptedStyleSheets = [sheet];
	});
}

/** Share of pixels, 0 … 1, in which two pictures differ; 1 where their sizes do. */
export function shareOfDifference(one: PNG, other: PNG): number {
	const [width, height] = [Math.min(one.width, other.width), Math.min(one.height, other.height)];
	const apart = Math.max(Math.abs(one.width - other.width), Math.abs(one.height - other.height));
	if (apart > ROUNDING) return 1;
	const [a, b] = [one, other].map((picture) => {
		const part = new PNG({ width, height });
		PNG.bitblt(picture, part, 0, 0, width, height, 0, 0);
		return part.data;
	});
	if (!a || !b) return 1;
	return pixelmatch(a, b, undefined, width, height, { threshold: UNLIKE }) / (width * height);
}

/** Share of pixels in which an element without its words differs from its stored picture; 0 where that is made anew. */
export async function differenceFromReference(element: Locator, name: string): Promise<number> {
	const file = join(REFERENCES, `${name}.png`);
	await hideWords(element.page());
	const taken = await element.screenshot({ animations: "disabled" });
	if (renewing) {
		await writeFile(file, taken);
		return 0;
	}
	if (!existsSync(file)) throw new Error(`No stored picture ${name}.png: RENEW_REFERENCES=1 makes it`);
	return shareOfDifference(PNG.sync.read(taken), PNG.sync.read(await readFile(file)));
}
