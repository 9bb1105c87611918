import { describe, expect, it } from "vitest";
import { axeFindings, hasChromium, keepScreenshot } from "../support/browser.ts";
import { visiting } from "../support/visit.ts";

const DATA = "**/__data.json*";

describe.skipIf(!hasChromium)("when the server does not answer", () => {
	const at = visiting();
	const pathname = () => new URL(at.page.url()).pathname;
	const heading = () => at.page.getByRole("heading", { level: 1 }).textContent();
	/** Goes to a page as a reader does, by the menus. */
	const follow = async (href: string) => {
		const menu = at.page.locator(".wide details", { has: at.page.locator(`a[href="${href}"]`) });
		await menu.locator("summary").click();
		await menu.locator(`a[href="${href}"]`).click();
	};
	const notice = (title: string) => at.page.locator(".halt").filter({ hasText: title });
	const again = () => at.page.locator(".halt").getByRole("button", { name: "Try again" }).click();

	it.each([
		["/window", "system", "12000"],
		["/fleet", "context", "9000"],
	])("%s greys the figures of the question before, says why, and goes on", async (path, name, value) => {
		at.forgive(/net::ERR_FAILED/);
		await at.open(path);
		const before = await heading();
		await at.page.route(DATA, (route) => route.abort());
		const field = at.page.locator(`main input[name="${name}"]`).first();
		await field.fill(value);
		await field.press("Enter");
		await notice("What you see is from before").waitFor();
		expect(await notice("The server could not be reached").count()).toBe(1);
		expect(await heading()).toBe(before);
		expect(await at.page.locator("main.stale").count()).toBe(1);
		await keepScreenshot(at.page, `halted${path.replace("/", "-")}-light-1440`);
		expect(await axeFindings(at.page)).toEqual([]);
		await at.page.unroute(DATA);
		await again();
		await expect.poll(() => new URL(at.page.url()).searchParams.get(name)).toBe(value);
		await expect.poll(() => at.page.locator(".halt, .stale").count()).toBe(0);
	});

	it.each([
		["/prices", "Prices"],
		// It has no data on the server: only its code is fetched.
		["/trap", "Trap"],
	])("keeps the page when %s cannot be opened, and opens it later", async (href, label) => {
		at.forgive(/net::ERR|Unable to preload|Failed to fetch/);
		await at.open("/");
		const before = await heading();
		await at.page.context().setOffline(true);
		await follow(href);
		await notice(`${label} was not opened`).waitFor();
		expect(await heading()).toBe(before);
		// The figures are those of this page: nothing is stale.
		expect(await at.page.locator("main.stale").count()).toBe(0);
		await again();
		await notice(`${label} was not opened`).waitFor();
		await at.page.context().setOffline(false);
		await again();
		await expect.poll(pathname).toBe(href);
		await expect.poll(heading).not.toBe(before);
	});

	it("names the error that a server in front of it answers with", async () => {
		at.forgive(/503/);
		await at.open("/prices");
		await at.page.route(DATA, (route) => route.fulfill({ status: 503, body: "<h1>Restarting</h1>" }));
		await follow("/models");
		await notice("The server answered 503.").waitFor();
		expect(pathname()).toBe("/prices");
		// Going elsewhere is an answer too.
		await at.page.unroute(DATA);
		await follow("/accuracy");
		await expect.poll(pathname).toBe("/accuracy");
		expect(await at.page.locator(".halt").count()).toBe(0);
	});

	it("lets a search that takes long be stopped", async () => {
		await at.open("/prices");
		let free = () => {};
		const held = new Promise<void>((resolve) => {
			free = resolve;
		});
		await at.page.route(DATA, async (route) => {
			await held;
			await route.continue().catch(() => {});
		});
		await follow("/fleet");
		await at.page.getByRole("progressbar", { name: "Being worked out" }).waitFor({ state: "attached" });
		await at.page.getByRole("button", { name: "Stop" }).click();
		await notice("You stopped it before it was worked out").waitFor();
		expect(pathname()).toBe("/prices");
		free();
		await at.page.unroute(DATA);
		await again();
		await expect.poll(pathname).toBe("/fleet");
	});

	it("says on a plan what could not be read, and keeps the answer", async () => {
		at.forgive(/net::ERR_FAILED/);
		await at.open("/");
		const before = await heading();
		await at.page.route("**/api/v1/**", (route) => route.abort());
		const field = at.page.getByRole("combobox", { name: "Configuration" });
		await field.click();
		await at.page
			.getByText(/^The configurations could not be read: The server could not be reached/)
			.waitFor();
		expect(await heading()).toBe(before);
	});
});
