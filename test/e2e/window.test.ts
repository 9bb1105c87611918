import { describe, expect, it } from "vitest";
import { figureOf, hasChromium } from "../support/browser.ts";
import { visiting } from "../support/visit.ts";

describe.skipIf(!hasChromium)("the window page", () => {
	const visit = visiting();

	it("works out what its form asks; the address is the question, and its figures are those of /window", async () => {
		const { page } = visit;
		await visit.open("/window");
		for (const [label, value] of [
			["Window", "200K"],
			["Written", "0"],
			["Results of tools", "3000"],
			["Answer", "0"],
		] as const)
			await page.getByLabel(label, { exact: true }).fill(value);
		await page.getByRole("button", { name: "Work it out" }).click();
		// 18,000 constant, 3,000 a turn: 60.7 turns.
		await expect
			.poll(() => page.getByRole("heading", { level: 1 }).textContent())
			.toContain("Full at turn 61: 18,000 tokens before the task, 3,000 more with every turn");
		const { search } = new URL(page.url());
		const { session } = await (await fetch(`${visit.dashboard.url}/api/v1/window${search}`)).json();
		for (const [label, quantity] of [
			["A session", session.usd],
			["A month", session.usdPerMonth],
			["Waiting for first tokens", session.waiting],
		] as const)
			expect(await figureOf(page, label), label).toBeCloseTo(quantity.value, 9);
		await page.reload();
		expect(await page.getByLabel("Results of tools", { exact: true }).inputValue()).toBe("3000");
	});

	it("says at the field what it does not understand", async () => {
		visit.forgive(/400/);
		await visit.open("/window?turns=0");
		const field = visit.page.getByLabel("Turns", { exact: true });
		expect(await field.getAttribute("aria-invalid")).toBe("true");
	});
});
