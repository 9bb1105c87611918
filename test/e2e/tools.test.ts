import { describe, expect, it } from "vitest";
import { figureOf, hasChromium } from "../support/browser.ts";
import { visiting } from "../support/visit.ts";

const LIST = JSON.stringify({
	jsonrpc: "2.0",
	id: 1,
	result: {
		tools: [
			{ name: "now", description: "The time of day.", inputSchema: { type: "object" } },
			{
				name: "rows_write",
				description: "Writes rows into a table and returns how many were written.",
				inputSchema: { type: "object", properties: { rows: { type: "array", items: {}, maxItems: 2000 } } },
			},
			{ description: "Nobody's." },
		],
	},
});

describe.skipIf(!hasChromium)("the tools page", () => {
	const visit = visiting();

	it("shows an example, weighs what is pasted on an RTX card, and takes it to the window", async () => {
		const { page } = visit;
		await visit.open("/tools");
		const heading = page.getByRole("heading", { level: 1 });
		expect(await heading.textContent()).toMatch(/^14 tools weigh/);

		await page.getByRole("combobox", { name: "Configuration" }).click();
		await page.getByRole("option", { name: /RTX 4090/ }).click();
		await page.waitForURL(/configuration=/);
		const field = page.getByRole("textbox", { name: /tools\/list/ });
		await field.evaluate((element, text) => {
			const clipboardData = new DataTransfer();
			clipboardData.setData("text/plain", text);
			element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
		}, LIST);
		await expect.poll(() => heading.textContent()).toMatch(/^2 tools weigh/);
		await expect.poll(() => page.getByText("1 entry is not counted").isVisible()).toBe(true);
		expect(await page.getByText("Known to fail").isVisible()).toBe(true);

		const { search } = new URL(page.url());
		const ask = { method: "POST", body: LIST };
		const answer = await (await fetch(`${visit.dashboard.url}/api/v1/tools${search}`, ask)).json();
		expect(answer.scenario.configuration).toBe(new URLSearchParams(search).get("configuration"));
		for (const [label, quantity] of [
			["Tokens of all tools", answer.tokens],
			["Of the time to the first token", answer.all.firstToken],
			["A month", answer.all.usdPerMonth],
		] as const)
			expect(await figureOf(page.getByRole("region", { name: "All of them" }), label), label).toBeCloseTo(
				quantity.value,
				9,
			);

		// A profile: the address says which tools it leaves out.
		await page.getByRole("checkbox", { name: "rows_write" }).uncheck();
		await page.waitForURL(/leaveOut=2/);
		await expect.poll(() => page.getByText("Your profile", { exact: true }).isVisible()).toBe(true);

		await page.getByRole("link", { name: /fills the window/ }).click();
		await page.waitForURL(/\/window\?/);
		expect(await page.getByLabel("Tools", { exact: true }).inputValue()).toBe("2");
		expect(await page.getByLabel("Schema of each", { exact: true }).inputValue()).toBe(
			String(Math.ceil(answer.all.tokens / 2)),
		);
	});

	it("says where a list breaks, and keeps what it showed", async () => {
		visit.forgive(/400/);
		const { page } = visit;
		await visit.open("/tools");
		await page.getByRole("textbox", { name: /tools\/list/ }).fill('{"paths": 1}');
		await page.getByRole("button", { name: "Weigh it" }).click();
		await expect.poll(() => page.getByText(/no tools array/).isVisible()).toBe(true);
		expect(await page.getByRole("heading", { level: 1 }).textContent()).toMatch(/^14 tools weigh/);
	});
});
