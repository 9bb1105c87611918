import { describe, expect, it } from "vitest";
import { axeFindings, hasChromium, keepScreenshot, LOOKS, openPage, settled } from "../support/browser.ts";
import { visiting } from "../support/visit.ts";

describe.skipIf(!hasChromium)("finding one's way", () => {
	const at = visiting();
	const field = () => at.page.getByRole("combobox", { name: /^Search pages, configurations/ });
	const options = () => at.page.getByRole("listbox", { name: "Found" }).getByRole("option");
	const pathname = () => new URL(at.page.url()).pathname;

	it("searches everything by the keyboard alone, and lists first what was gone to last", async () => {
		await at.open("/fleet");
		// What is typed before the search is there is not lost.
		await at.page.keyboard.press("Control+k");
		await at.page.keyboard.type("splitwise h100");
		await expect.poll(() => field().inputValue()).toBe("splitwise h100");
		await at.page.keyboard.press("ControlOrMeta+a");
		await at.page.keyboard.type("h100 llama-2-70b");
		const found = options().filter({ hasText: "llama-2-70b" });
		await found.first().waitFor();
		await at.page.keyboard.press("ArrowDown");
		await at.page.keyboard.press("ArrowUp");
		expect(await field().getAttribute("aria-activedescendant")).toBe(
			await options().first().getAttribute("id"),
		);
		const first = (await options().first().textContent()) ?? "";
		await at.page.keyboard.press("Enter");
		await expect.poll(pathname).toMatch(/^\/configurations\//);
		await at.page.goto("/models");
		await settled(at.page);
		await at.page.keyboard.press("Control+k");
		await field().waitFor();
		expect(await options().first().textContent()).toBe(first);
		expect(await at.page.getByRole("group", { name: "Recent" }).getByRole("option").count()).toBe(1);
		await at.page.keyboard.press("Shift+Enter");
		await expect.poll(pathname).toBe("/");
		await expect.poll(() => new URL(at.page.url()).searchParams.get("configuration")).not.toBeNull();
	});

	it("finds pages, models and kept scenarios, and closes on Escape where it was", async () => {
		await fetch(`${at.dashboard.url}/api/v1/scenarios`, {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: JSON.stringify({ name: "Quarterly mixtral question", query: "context=8000" }),
		});
		await at.open("/prices");
		const button = at.page.getByRole("button", { name: "Search" });
		await button.click();
		await field().fill("usage");
		await expect.poll(() => options().first().textContent()).toContain("Usage");
		await field().fill("mixtral");
		await at.page.getByRole("group", { name: "Models" }).getByRole("option").first().waitFor();
		await at.page
			.getByRole("group", { name: "Kept scenarios" })
			.getByText("Quarterly mixtral question")
			.waitFor();
		await at.page.keyboard.press("Escape");
		await expect.poll(() => at.page.getByRole("dialog").count()).toBe(0);
		expect(pathname()).toBe("/prices");
		expect(await button.and(at.page.locator(":focus")).count()).toBe(1);
	});

	it("says when the server cannot be asked, still finds pages, and tries again", async () => {
		at.forgive(/net::ERR_FAILED/);
		await at.open("/prices");
		await at.page.keyboard.press("Control+k");
		await field().waitFor();
		await at.page.route("**/api/v1/**", (route) => route.abort());
		await field().fill("model");
		const alert = at.page.getByRole("alert").filter({ hasText: "The server could not be reached" });
		await alert.waitFor();
		expect(await options().first().textContent()).toContain("Models");
		await at.page.unroute("**/api/v1/**");
		await alert.getByRole("button", { name: "Try again" }).click();
		await expect.poll(() => alert.count()).toBe(0);
	});

	it("lists the keys, which act on the page and never in a field", async () => {
		await at.open("/measurements");
		await at.page.keyboard.press("?");
		const keys = at.page.getByRole("dialog", { name: "Keys" });
		await keys.waitFor();
		expect(await keys.getByRole("heading", { level: 3 }).first().textContent()).toBe("On Measurements");
		await at.page.keyboard.press("Escape");
		await expect.poll(() => keys.count()).toBe(0);
		await at.page.keyboard.press("/");
		const search = at.page.getByRole("searchbox", { name: "Search" });
		await expect.poll(() => search.and(at.page.locator(":focus")).count()).toBe(1);
		await at.page.keyboard.type("?gf/");
		expect(await search.inputValue()).toBe("?gf/");
		expect(await at.page.getByRole("dialog").count()).toBe(0);
		expect(pathname()).toBe("/measurements");
		await at.page.getByRole("heading", { level: 1 }).click();
		await at.page.keyboard.type("gf");
		await expect.poll(pathname).toBe("/fleet");
		await settled(at.page);
		await at.page.keyboard.press("?");
		await keys.getByRole("checkbox").uncheck();
		await at.page.keyboard.press("Escape");
		await at.page.keyboard.type("gp?");
		expect(pathname()).toBe("/fleet");
		expect(await keys.count()).toBe(0);
	});

	it("takes changes of a plan back, makes them again and resets them by keys", async () => {
		await at.open("/?context=2000");
		const context = () => new URL(at.page.url()).searchParams.get("context");
		const field = at.page.getByRole("textbox", { name: "Context", exact: true });
		await field.fill("3000");
		await field.press("Enter");
		await expect.poll(context).toBe("3000");
		// In the field the keys are the field's own.
		await field.press("Shift+R");
		expect(await at.page.getByText("Back to the defaults").count()).toBe(0);
		await field.press("Escape");
		await field.fill("3000");
		await at.page.getByRole("heading", { level: 1 }).click();
		await at.page.keyboard.press("Control+z");
		await expect.poll(context).toBe("2000");
		await at.page.keyboard.press("Control+y");
		await expect.poll(context).toBe("3000");
		await at.page.keyboard.press("Shift+R");
		await at.page.getByText("Back to the defaults").waitFor();
		await expect.poll(context).not.toBe("3000");
		await at.page.keyboard.press("Control+z");
		await expect.poll(context).toBe("3000");
	});

	it.each(LOOKS)("reads well in $theme at $width pixels", async ({ theme: colorScheme, width }) => {
		const { page, complaints, close } = await openPage(at.browser, at.dashboard.url, {
			...{ colorScheme, viewport: { width, height: 900 } },
		});
		const look = async (name: string) => {
			await keepScreenshot(page, `${name}-${colorScheme}-${width}`);
			expect(await axeFindings(page), name).toEqual([]);
			expect(await page.evaluate<number>("document.documentElement.scrollWidth"), name).toBeLessThanOrEqual(
				width,
			);
		};
		await page.goto("/claims/lengths");
		await settled(page);
		const menu = page.locator("header summary:visible").first();
		await menu.click();
		await look("menu");
		await page.keyboard.press("Escape");
		expect(await page.locator("header details[open]").count()).toBe(0);
		await page.keyboard.press("Control+k");
		await page.keyboard.type("h100");
		await page
			.getByRole("group", { name: "Models" })
			.or(page.getByRole("group", { name: "Configurations" }))
			.first()
			.waitFor();
		await look("search");
		await page.keyboard.press("Escape");
		// While one sheet is still closing, no other is opened.
		await expect.poll(() => page.locator("dialog").count()).toBe(0);
		await page.keyboard.press("?");
		await page.getByRole("dialog", { name: "Keys" }).waitFor();
		await look("keys");
		expect(complaints()).toEqual([]);
		await close();
	});
});
