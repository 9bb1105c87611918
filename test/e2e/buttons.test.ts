import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium, launch, openPage, settled, type WatchedPage } from "../support/browser.ts";
import { type Dashboard, startDashboard } from "../support/dashboard.ts";

const PATHS = ["/", "/load", "/fleet", "/economics", "/window", "/tools", "/trap", "/bill", "/prices"];
const LISTS = ["/measurements", "/configurations", "/models", "/claims", "/usage"];

/** Counts whatever a press may bring about, under `effects`: something shown, filled in, sent, copied or saved. */
const WATCH = `
	effects = 0;
	const count = () => { effects += 1; };
	const all = { subtree: true, childList: true, attributes: true, characterData: true };
	new MutationObserver(count).observe(document, all);
	for (const event of ["toggle", "submit"]) document.addEventListener(event, count, true);
	const watched = [
		[history, "pushState"], [URL, "createObjectURL"], [window, "print"], [HTMLElement.prototype, "click"],
		[Clipboard.prototype, "writeText"],
	];
	for (const [owner, name] of watched) {
		const was = owner[name];
		owner[name] = function (...given) { count(); return was.apply(this, given); };
	}
	const { set, ...value } = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value");
	Object.defineProperty(HTMLTextAreaElement.prototype, "value", {
		...value,
		set(to) { count(); set.call(this, to); },
	});
`;

/**
 * Names of the buttons that can be pressed, in order: those of one name but for their numbers are one. What is chosen
 * already has nothing left to do; the figures that open their arithmetic have a test of their own.
 */
const READY = `(() => {
	const done = ":disabled, [aria-disabled=true], [aria-pressed=true], [aria-checked=true], [popovertarget]";
	return [...document.querySelectorAll("#main button")]
		.filter((b) => !b.matches(done) && b.checkVisibility({ visibilityProperty: true }))
		.map((b) => {
			const name = (b.getAttribute("aria-label") ?? b.textContent).trim();
			return (b.dataset.press = name.replace(/\\s+/g, " ").replace(/[\\d,.]+/g, "#").replaceAll('"', "”").slice(0, 80));
		});
})()`;

/** Whether a press of a button brings anything about; what the answer to the last press took away cannot be pressed. */
async function acts(page: Page, name: string): Promise<boolean> {
	await page.evaluate("effects = 0");
	const button = page.locator(`[data-press="${name}"]`).first();
	const hit = await button.click({ timeout: 2000 }).then(
		() => true,
		() => button.isHidden().then((gone) => !gone),
	);
	if (!hit) return true;
	for (let waited = 0; waited < 2000; waited += 20) {
		if (await page.evaluate("effects > 0")) return true;
		await page.waitForTimeout(20);
	}
	return false;
}

/** Presses every button of a page once, those too that a press brought; names those that did nothing at all. */
async function press(page: Page, path: string): Promise<{ pressed: string[]; idle: string[] }> {
	const open = async () => {
		await page.goto(path);
		await settled(page);
		await page.evaluate(WATCH);
	};
	await open();
	const pressed = new Set<string>();
	const idle: string[] = [];
	for (;;) {
		const ready: string[] = await page.evaluate(READY);
		const next = ready.find((name) => !pressed.has(name));
		if (next === undefined) return { pressed: [...pressed], idle };
		pressed.add(next);
		// A press may hit a button that the answer to the last one is just drawing anew: one that idles, idles twice.
		if (!(await acts(page, next)) && !(await acts(page, next))) idle.push(next);
		await page.keyboard.press("Escape");
		if (new URL(page.url()).pathname !== path) await open();
	}
}

describe.skipIf(!hasChromium)("every button", () => {
	let dashboard: Dashboard;
	let browser: Browser;
	let watched: WatchedPage;

	beforeAll(async () => {
		[dashboard, browser] = await Promise.all([startDashboard(), launch()]);
		watched = await openPage(browser, dashboard.url, { permissions: ["clipboard-read", "clipboard-write"] });
	});
	afterAll(async () => {
		await Promise.all([browser?.close(), dashboard?.stop()]);
	});

	it.each([...PATHS, ...LISTS])("of %s does something, and none breaks the page", async (path) => {
		const { pressed, idle } = await press(watched.page, path);
		expect(pressed).not.toEqual([]);
		expect(idle).toEqual([]);
		// An empty form is refused by the server, and said so.
		expect(watched.complaints().filter((said) => !said.includes("Failed to load resource"))).toEqual([]);
	});
});
