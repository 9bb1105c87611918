import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from "playwright-core";

/** The shell has the same engine without a window: half the time of a page. */
const INSTALLED = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];
const EXECUTABLE = process.env.CHROMIUM ?? INSTALLED.find(existsSync) ?? "/usr/bin/chromium";
const SCREENSHOTS = resolve(import.meta.dirname, "../screenshots");

/** Whether there is a Chromium to test with; said plainly where there is none. */
export const hasChromium = existsSync(EXECUTABLE);
if (!hasChromium)
	console.log(`skipped: no Chromium at ${EXECUTABLE}; name one with CHROMIUM=/path/to/chromium`);

export const launch = (): Promise<Browser> =>
	chromium.launch({
		executablePath: EXECUTABLE,
		args: [
			"--headless",
			"--no-sandbox",
			"--disable-gpu",
			"--disable-quic",
			"--no-first-run",
			"--disable-background-networking",
			"--disable-component-update",
			"--disable-sync",
		],
	});

/** A page that remembers what went wrong on it. */
export interface WatchedPage {
	page: Page;
	/** Errors of scripts, errors and warnings of the console, and requests that left the server. Emptied by being read. */
	complaints(): string[];
	close(): Promise<void>;
}

/** Opens a page in a context of its own; `base` is the only origin that it may talk to. */
export async function openPage(
	browser: Browser,
	base: string,
	options: BrowserContextOptions = {},
): Promise<WatchedPage> {
	const context = await browser.newContext({
		viewport: { width: 1440, height: 900 },
		baseURL: base,
		...options,
	});
	const page = await context.newPage();
	watchTraffic(page);
	let heard: string[] = [];
	page.on("pageerror", (error) => heard.push(`script error: ${error.message}`));
	page.on("console", (message) => {
		if (["error", "warning"].includes(message.type())) heard.push(`console: ${message.text()}`);
	});
	page.on("request", (request) => {
		const url = request.url();
		if (!url.startsWith(base) && !/^(data|blob):/.test(url)) heard.push(`request to ${url}`);
	});
	return {
		page,
		complaints() {
			const said = heard;
			heard = [];
			return said;
		},
		close: () => context.close(),
	};
}

/** Each theme and each width once: the other two pairs hold nothing that these do not. */
export const LOOKS = [
	{ theme: "light", width: 1440 },
	{ theme: "dark", width: 390 },
] as const;

/** Requests that a page has not had its answers to, and since when there are none. */
interface Traffic {
	pending: number;
	quietSince: number;
}
const traffic = new WeakMap<Page, Traffic>();
/** Longer than a page takes to ask for the next thing after an answer; Playwright's own "networkidle" waits 500. */
const QUIET_MS = 120;

function watchTraffic(page: Page): void {
	const state: Traffic = { pending: 0, quietSince: Date.now() };
	traffic.set(page, state);
	const end = () => {
		state.pending -= 1;
		state.quietSince = Date.now();
	};
	page.on("request", () => {
		state.pending += 1;
	});
	page.on("requestfinished", end);
	page.on("requestfailed", end);
}

/** Waits until nothing was asked of the server for a moment. */
async function quiet(page: Page): Promise<void> {
	await page.waitForLoadState("load");
	const state = traffic.get(page);
	if (!state) throw new Error("settled() knows the pages of openPage() alone");
	while (state.pending > 0 || Date.now() - state.quietSince < QUIET_MS) await page.waitForTimeout(20);
}

/** Waits until the page answers to input and its charts are drawn in their width. */
export async function settled(page: Page): Promise<void> {
	// Before the layout is mounted, a press is the browser's own: it sends forms, and no script hears of it.
	await page.locator("html[data-ready], body:not(:has(#main))").first().waitFor({ state: "attached" });
	await quiet(page);
	await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
}

/** Chooses a configuration by typing some of its words; the first that matches, or the one of a name. */
export async function pickConfiguration(field: Locator, words: string, name?: RegExp): Promise<void> {
	await field.click();
	await field.fill(words);
	// Until the server has answered, what is listed matches what was typed before.
	const options = field.page().locator('[role="listbox"][aria-busy="false"]').getByRole("option");
	const option = name ? options.filter({ hasText: name }) : options;
	await option.first().click();
}

/** The plain value that a figure copies, read from its popover; `within` holds one figure whose label begins so. */
export async function figureOf(
	within: Page | Locator,
	label: string,
	how = "Show how it is known",
): Promise<number> {
	const page = "page" in within ? within.page() : within;
	await within.getByRole("button", { name: new RegExp(`^${label}[:,].*${how}`) }).click();
	const text = await page.locator("[popover]:popover-open .copy code").textContent();
	await page.keyboard.press("Escape");
	return Number(text);
}

/** Rules that axe finds broken, as "rule: first place"; empty where there are none. */
export async function axeFindings(page: Page): Promise<string[]> {
	// Without frames the old mode does, and nobody reads the nodes that pass: together a tenth of the time.
	const { violations } = await new AxeBuilder({ page })
		.setLegacyMode(true)
		.options({ resultTypes: ["violations"] })
		.analyze();
	return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")}`));
}

/** Keeps a picture of the whole page for people to look at, where SCREENSHOTS asks for them. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
	if (!process.env.SCREENSHOTS) return;
	await mkdir(SCREENSHOTS, { recursive: true });
	await page.screenshot({ path: resolve(SCREENSHOTS, `${name}.png`), fullPage: true });
}
