import type { Quantity } from "@plimsoll/api/model";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { figureOf, hasChromium, launch, openPage, settled, type WatchedPage } from "../support/browser.ts";
import { type Dashboard, startDashboard } from "../support/dashboard.ts";

const PLAN = "context=4000&output=500&concurrency=8&price=2.5&busy=0.6";

describe.skipIf(!hasChromium)("the bill page", () => {
	let dashboard: Dashboard;
	let browser: Browser;
	let watched: WatchedPage;
	let page: Page;

	beforeAll(async () => {
		[dashboard, browser] = await Promise.all([startDashboard(), launch()]);
	});
	afterAll(async () => {
		await Promise.all([browser?.close(), dashboard?.stop()]);
	});
	beforeEach(async () => {
		watched = await openPage(browser, dashboard.url);
		page = watched.page;
		await page.goto(`/bill?${PLAN}`);
		await settled(page);
	});
	afterEach(() => watched.close());

	const months = () => page.getByRole("textbox", { name: /^Month, GPU-hours paid/ });
	const hold = () => page.getByRole("button", { name: "Hold it against the plan" }).click();

	it("holds its example against the plan, with the figures of the API", async () => {
		await page.getByRole("button", { name: "Show an example" }).click();
		await hold();
		const row = page.getByRole("table", { name: /^Planned against paid/ }).locator("tbody tr");
		await row.waitFor();
		const response = await fetch(`${dashboard.url}/api/v1/reports/reconciliation?${PLAN}`, {
			method: "POST",
			headers: { "content-type": "text/csv" },
			body: await months().inputValue(),
		});
		const [month] = (await response.json()).months;
		const figures: [string, Quantity][] = [
			["Paid hours", month.actualGpuHours],
			["Hours by the plan", month.plannedGpuHours],
			["Hours explained", month.utilisation],
			["Paid money", month.actualUsd],
			["Planned money", month.plannedUsd],
			["Difference", month.differenceUsd],
			["of it hours", month.ofHoursUsd],
			["of it price", month.ofPriceUsd],
		];
		for (const [label, { value }] of figures) {
			expect(value, label).not.toBeNull();
			expect(await figureOf(row, label), label).toBeCloseTo(value ?? 0, 6);
		}
		for (const finding of month.findings) await page.getByText(finding).waitFor();
		expect(watched.complaints()).toEqual([]);
	});

	it("calls the GPU and the model of the plan by name", async () => {
		const { gpu, model } = await (await fetch(`${dashboard.url}/api/v1/facts`)).json();
		const subtitle = page.getByRole("region", { name: "The plan" }).getByText(/prompts of/);
		expect(await subtitle.textContent()).toContain(`× ${gpu.name}, ${model.name}: prompts of 4,000 tokens`);
	});

	it("takes the months from a file", async () => {
		const text = "month;gpu_hours;usd;prompt_tokens;output_tokens\n2026-09;365;912,50;400000000;50000000\n";
		await page.locator('input[type="file"]').setInputFiles({
			...{ name: "september.csv", mimeType: "text/csv" },
			buffer: Buffer.from(text),
		});
		const row = page.getByRole("table", { name: /^Planned against paid/ }).locator("tbody tr");
		await row.waitFor();
		expect(await months().inputValue()).toBe(text);
		expect(await figureOf(row, "Paid money")).toBe(912.5);
		expect(watched.complaints()).toEqual([]);
	});

	it("names the wrong cell", async () => {
		await months().fill("month,gpu_hours,usd,prompt_tokens,output_tokens\n2026-09,many,1,2,3\n");
		await hold();
		await page.getByText('line 2, gpu_hours: "many" is no number').waitFor();
		expect(await months().getAttribute("aria-invalid")).toBe("true");
		// The browser notes a refused request by itself.
		expect(watched.complaints().filter((complaint) => !/status of 400/.test(complaint))).toEqual([]);
	});
});
