import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { axeFindings, hasChromium, launch, openPage, settled, type WatchedPage } from "../support/browser.ts";
import { type Dashboard, startDashboard } from "../support/dashboard.ts";

const eventually = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: 15_000 });

describe.skipIf(!hasChromium)("the price book", () => {
	let dashboard: Dashboard;
	let browser: Browser;
	let watched: WatchedPage;
	let page: Page;
	/** What a page may complain about: refused entries are answers of the server, seen in the console. */
	let expected = /^$/;

	beforeAll(async () => {
		[dashboard, browser] = await Promise.all([startDashboard(), launch()]);
	});
	afterAll(async () => {
		await Promise.all([browser?.close(), dashboard?.stop()]);
	});
	beforeEach(async () => {
		expected = /^$/;
		watched = await openPage(browser, dashboard.url);
		page = watched.page;
	});
	afterEach(async () => {
		const complaints = watched.complaints().filter((complaint) => !expected.test(complaint));
		await watched.close();
		expect(complaints).toEqual([]);
	});

	const open = async (path: string) => {
		await page.goto(path);
		await settled(page);
	};
	const api = (path: string) => fetch(`${dashboard.url}/api/v1${path}`).then((response) => response.json());
	const amount = (legend: string) => page.getByRole("group", { name: legend }).getByLabel("from");

	it("is narrowed by what is paid for and how, and the address keeps it", async () => {
		await open("/prices");
		await page.getByLabel("GPU or hosted model").selectOption({ label: "MI300X" });
		await eventually(() => new URL(page.url()).searchParams.get("subject")).toBe("mi300x");
		await page.getByLabel("Kind").selectOption("on-demand");
		await eventually(() => new URL(page.url()).search).toBe("?subject=mi300x&kind=on-demand");
		await page.reload();
		await settled(page);
		const rows = page.getByRole("table", { name: "Prices" }).locator("tbody tr");
		expect(await rows.count()).toBe((await api("/prices?subject=mi300x&kind=on-demand")).totalCount);
		expect(await rows.first().textContent()).toContain("$3.45");
		await open("/prices?kind=spot");
		await page.getByText("No price is like that").waitFor();
	});

	it("takes a newer reading in place of the one that came with it; Plan's money follows, the history keeps both", async () => {
		const plan = "/?gpu=h100-sxm-80gb&model=llama-3.1-8b&gpus=2&context=1000&concurrency=1";
		const monthOf = async () =>
			(await api(`/plan${plan.slice(1)}`)).cost.usdPerMonth as { value: number; arithmetic: string };
		await open("/prices?subject=h100-sxm-80gb&kind=on-demand");
		await page.getByRole("link", { name: "H100 SXM 80GB" }).click();
		await page.getByRole("link", { name: "Enter a newer reading" }).click();
		await page.getByRole("heading", { level: 1, name: "Enter a newer reading" }).waitFor();
		await settled(page);
		await amount("One GPU for an hour").fill("10");
		await page.getByRole("group", { name: "One GPU for an hour" }).getByLabel("to, where").fill("");
		await page.getByLabel("Source", { exact: true }).fill("our offer of today");
		await page.getByText("Will be kept as: $10.00 an hour: $10.00 a GPU-hour").waitFor();
		await page.getByRole("button", { name: "Keep this price" }).click();
		await page.getByText("Version 2 is kept").waitFor();
		const history = page.getByRole("table", { name: "Versions of this price" });
		const rows = history.locator("tbody tr");
		expect(await rows.count()).toBe(2);
		expect(await rows.nth(0).textContent()).toMatch(
			/in use.*\$10\.00 an hour.*our offer of today.*entered here/s,
		);
		expect(await rows.nth(1).textContent()).toMatch(/superseded.*came with Plimsoll/s);
		// By hand: 2 GPUs × $10.00 × 730 h.
		expect((await monthOf()).value).toBe(14_600);
		await open(plan);
		expect(await page.locator("main").textContent()).toContain("$14,600");

		await open("/prices?subject=h100-sxm-80gb&kind=on-demand&history=true");
		expect(await page.getByRole("table", { name: "Prices" }).locator("tbody tr").count()).toBe(2);
	});

	it("says at each field what is wrong, then takes what was mended", async () => {
		await open("/prices/new?kind=owned&subject=l40s");
		await page.getByRole("button", { name: "Keep this price" }).click();
		await page.getByText("say where the price stands").waitFor();
		expect(await page.getByText("enter a number").count()).toBe(8);
		expect(await axeFindings(page)).toEqual([]);
		await amount("One GPU with its share of server and network").fill("8760");
		await page.getByLabel("Written off over").fill("12");
		await page.getByLabel("Worth at the end").fill("0");
		await page.getByLabel("Power of a GPU").fill("1000");
		await page.getByLabel("PUE").fill("0.5");
		await amount("A kWh").fill("0.1");
		await amount("Staff, per GPU and month").fill("0");
		await amount("Hosting, per GPU and month").fill("0");
		await page.getByLabel("Source", { exact: true }).fill("our books");
		expected = /status of 400/;
		await page.getByRole("button", { name: "Keep this price" }).click();
		const pue = page.getByLabel("PUE");
		await eventually(() => pue.getAttribute("aria-invalid")).toBe("true");
		await page.getByText("must be at least 1").waitFor();
		await pue.fill("1");
		await page.getByRole("button", { name: "Keep this price" }).click();
		await page.getByText("The price is kept").waitFor();
		// By hand: 8,760 / (12 × 730) = 1, and 1 kW × 0.1 = 0.1.
		expect(await page.locator("main").textContent()).toContain("$1.10");
	});

	it("keeps a price in another currency with its rate, and a hosted model with its cache", async () => {
		await open("/prices/new?kind=hosted");
		await page.getByLabel("Model", { exact: true }).fill("large-model");
		await page.getByLabel("Currency", { exact: true }).fill("EUR");
		await page.getByLabel("1 EUR in US dollars").fill("1.10");
		await amount("A million input tokens").fill("2");
		await amount("A million output tokens").fill("8");
		await page
			.getByLabel("How its prompt cache is charged")
			.selectOption({ label: "Writing costs more than input" });
		await page.getByLabel("Writing, over the input price").fill("1.25");
		await page.getByLabel("Reading, over the input price").fill("0.1");
		await page.getByLabel("Kept without use").fill("5");
		await page.getByLabel("Source", { exact: true }).fill("their list");
		await page.getByRole("button", { name: "Keep this price" }).click();
		await page.getByText("The price is kept").waitFor();
		const text = (await page.locator("main").textContent())?.replaceAll("\u00a0", " ");
		expect(text).toContain("EUR 2.00 per 1M input, EUR 8.00 per 1M output");
		expect(text).toContain("1 EUR = $1.1, source not said");
		const kept = (await api("/prices?subject=large-model")).items[0];
		expect(kept.terms.cache).toEqual({ scheme: "paid write", write: 1.25, read: 0.1 });
		expect(kept.terms.lifetimeSeconds).toBe(300);
	});

	it.each(
		["/prices", "/prices/new?kind=hosted"].flatMap((path) =>
			["light", "dark"].map((theme) => ({ path, theme })),
		),
	)("$path in $theme: axe finds nothing, a phone scrolls nothing sideways", async ({ path, theme }) => {
		await page.setViewportSize({ width: 390, height: 900 });
		await page.emulateMedia({ colorScheme: theme as "light" | "dark" });
		await open(path);
		expect(await axeFindings(page)).toEqual([]);
		expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
	});
});
