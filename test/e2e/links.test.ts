import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium, launch, openPage, settled } from "../support/browser.ts";
import { type Dashboard, startDashboard } from "../support/dashboard.ts";

describe.skipIf(!hasChromium)("from the first page on", () => {
	let dashboard: Dashboard;
	let browser: Browser;

	beforeAll(async () => {
		[dashboard, browser] = await Promise.all([startDashboard(), launch()]);
	});
	afterAll(async () => {
		await Promise.all([browser?.close(), dashboard?.stop()]);
	});

	it("on a phone the pages open below the one that is shown, and close again", async () => {
		const { page, close } = await openPage(browser, dashboard.url, { viewport: { width: 390, height: 800 } });
		await page.goto("/");
		await settled(page);
		const models = page.getByRole("link", { name: "Models", exact: true });
		expect(await models.isVisible()).toBe(false);
		await page.locator("header .narrow summary").click();
		await page.keyboard.press("Escape");
		await expect.poll(() => models.isVisible()).toBe(false);
		await page.locator("header .narrow summary").click();
		await models.click();
		await expect.poll(() => page.locator("header .narrow summary").textContent()).toBe("Models");
		await expect.poll(() => models.isVisible()).toBe(false);
		await close();
	});

	it("every link of the header and the first of each list leads to a page without a complaint", async () => {
		const { page, complaints, close } = await openPage(browser, dashboard.url);
		const missing: string[] = [];
		page.on("response", (response) => {
			if (response.status() >= 400) missing.push(`${response.status()} ${response.url()}`);
		});
		const visited: string[] = [];
		/** Follows a link as a reader does, and looks whether a page with a heading comes. */
		const follow = async (href: string) => {
			const menu = page.locator(".wide details", { has: page.locator(`a[href="${href}"]`) });
			if (await menu.count()) await menu.locator("summary").click();
			await page.locator(`a[href="${href}"]:visible`).last().click();
			await page.waitForURL((url) => url.pathname + url.search === href);
			await settled(page);
			visited.push(href);
			expect(complaints(), href).toEqual([]);
			expect(missing, href).toEqual([]);
		};

		await page.goto("/");
		await settled(page);
		const hrefs = async (selector: string) => {
			const links = await page.locator(selector).all();
			return Promise.all(links.map(async (link) => (await link.getAttribute("href")) ?? ""));
		};
		const header = await hrefs(".wide a");
		expect(header.length).toBeGreaterThanOrEqual(20);
		for (const href of header) {
			await follow(href);
			if (href.startsWith("/api")) {
				await page.goto("/");
				await settled(page);
				continue;
			}
			expect(await page.getByRole("heading", { level: 1 }).count(), href).toBe(1);
			const first = (await hrefs(`main ul li h3 a[href^="${href}/"]`))[0];
			if (!first) continue;
			await follow(first);
			expect(await page.getByRole("heading", { level: 1 }).count(), first).toBe(1);
		}
		const lists = visited.map((href) => href.split("/")[1]);
		for (const list of ["measurements", "configurations", "models"])
			expect(
				lists.filter((one) => one === list),
				list,
			).toHaveLength(2);
		await close();
	});
});
