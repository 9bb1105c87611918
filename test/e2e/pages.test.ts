import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
	axeFindings,
	hasChromium,
	keepScreenshot,
	LOOKS,
	launch,
	openPage,
	settled,
} from "../support/browser.ts";
import { type Dashboard, startDashboard } from "../support/dashboard.ts";

/** The page of the one scenario that is kept before the pages are looked at. */
const KEPT = "/scenarios/kept";
const PAGES = [
	...[
		"/",
		"/window",
		"/tools",
		"/trap",
		"/fleet",
		"/bill",
		"/scenarios",
		KEPT,
		"/measurements",
		"/configurations",
	],
	...["/claims", "/claims/lengths", "/usage", "/design", "/api/docs", "/nowhere"],
];

/** Two plans side by side, one of them with a limit crossed. */
const PLANS = `/compare/plans?${new URLSearchParams([
	["plan", "model=llama-3.1-8b&gpu=h100-sxm-80gb&context=16000"],
	["plan", "model=llama-3.1-8b&gpu=l40s&context=16000&weights=fp8"],
])}`;

const nameOf = (path: string) => path.slice(1).split("?")[0]?.replaceAll("/", "-") || "plan";

describe.skipIf(!hasChromium)("every page", () => {
	let dashboard: Dashboard;
	let browser: Browser;
	let kept: string;

	beforeAll(async () => {
		[dashboard, browser] = await Promise.all([startDashboard(), launch()]);
		const response = await fetch(`${dashboard.url}/api/v1/scenarios`, {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: JSON.stringify({ name: "Long chat", query: "context=8000&concurrency=4" }),
		});
		kept = (await response.json()).id;
	});
	afterAll(async () => {
		await Promise.all([browser?.close(), dashboard?.stop()]);
	});

	const cases = [...PAGES, PLANS, "/?solve=price&goal=0.01"].flatMap((path) =>
		LOOKS.map((look) => ({ path, ...look })),
	);

	it.each(cases)(
		"$path in $theme at $width pixels: no complaint, axe finds nothing, nothing scrolls sideways",
		async ({ path, theme, width }) => {
			const { page, complaints, close } = await openPage(browser, dashboard.url, {
				colorScheme: theme,
				viewport: { width, height: 900 },
			});
			const response = await page.goto(path === KEPT ? `/scenarios/${kept}` : path);
			expect(response?.status()).toBe(path === "/nowhere" ? 404 : 200);
			await settled(page);
			await keepScreenshot(page, `${nameOf(path)}-${theme}-${width}`);
			const expected = path === "/nowhere" ? /404/ : /^$/;
			expect(complaints().filter((complaint) => !expected.test(complaint) || !complaint)).toEqual([]);
			expect(await axeFindings(page)).toEqual([]);
			expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
			await close();
		},
	);

	it("keeps a chosen theme over a reload, without a flash of the other", async () => {
		const { page, close } = await openPage(browser, dashboard.url, { colorScheme: "light" });
		await page.goto("/trap");
		await settled(page);
		const ground = () => page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
		const light = await ground();
		await page.getByRole("button", { name: /^Theme: auto/ }).click();
		await page.getByRole("button", { name: /^Theme: light/ }).click();
		const dark = await ground();
		expect(dark).not.toBe(light);
		await page.reload({ waitUntil: "commit" });
		// Not by a function: the page lets nobody evaluate text, which is how one that has to wait is asked again.
		await page.locator("body").waitFor({ state: "attached" });
		expect(await ground()).toBe(dark);
		await page.getByRole("button", { name: /^Theme: dark/ }).click();
		expect(await ground()).toBe(light);
		await close();
	});

	it("lets the keyboard skip to the content", async () => {
		const { page, close } = await openPage(browser, dashboard.url);
		await page.goto("/");
		await settled(page);
		await page.keyboard.press("Tab");
		expect(await page.evaluate<string>("document.activeElement.textContent")).toBe("Skip to the content");
		await page.keyboard.press("Enter");
		await expect.poll(() => page.evaluate<string>("document.activeElement.id")).toBe("main");
		await close();
	});

	it("says on a page that does not exist what to do", async () => {
		const { page, close } = await openPage(browser, dashboard.url);
		const response = await page.goto("/nowhere");
		expect(response?.status()).toBe(404);
		expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("There is no such page");
		await page.getByRole("link", { name: "Go to Plan" }).click();
		await expect.poll(() => new URL(page.url()).pathname).toBe("/");
		await close();
	});
});
