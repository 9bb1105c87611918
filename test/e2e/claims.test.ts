import { describe, expect, it } from "vitest";
import { figureOf, hasChromium, settled } from "../support/browser.ts";
import { visiting } from "../support/visit.ts";

describe.skipIf(!hasChromium)("claims and effective lengths", () => {
	const visit = visiting();
	const focused = () => visit.page.evaluate<string>("document.activeElement?.id ?? ''");

	it("shows the open disputes first, narrows by kind, and a link names one entry", async () => {
		const { page } = visit;
		await visit.open("/claims");
		expect(await page.getByRole("heading", { level: 3 }).first().textContent()).toBe("Open disputes");
		expect(await page.getByText("Against it:").count()).toBe(4);
		await page.getByRole("combobox", { name: "Kind" }).first().selectOption("folklore");
		await page.waitForURL(/kind=folklore/);
		await expect.poll(() => page.getByRole("article").count()).toBe(7);
		await visit.open("/claims#rag-1250");
		await expect.poll(focused).toBe("rag-1250");
	});

	it("leads from the evidence of a price to its entry, though the list does not show it", async () => {
		const { page } = visit;
		await visit.open("/?model=llama-3.1-8b&gpu=h100-sxm-80gb&context=1000&concurrency=1");
		await page.getByRole("button", { name: /^One request:.*Show how it is known/ }).click();
		const link = page.locator("[popover]:popover-open").getByRole("link", { name: /^in the ledger.*Price:/ });
		const id = (await link.getAttribute("href"))?.split("#")[1] ?? "";
		expect(id).toMatch(/^price-/);
		await link.click();
		await page.waitForURL(/\/claims#price-/);
		await expect.poll(focused).toBe(id);
		expect(await page.locator(`[id="${id}"]`).textContent()).toContain("H100 SXM 80GB, a GPU-hour:");
	});

	it("enters a claim, refuses what has no source at its field, and takes it out", async () => {
		const { page } = visit;
		visit.forgive(/400/);
		await visit.open("/claims");
		const form = page.getByRole("region", { name: "Enter a claim" });
		await form.getByLabel("What is said").fill("Our agent fills 31,000 tokens first.");
		await form.getByLabel("Conditions").fill("three sessions");
		await form.getByRole("button", { name: "Enter it" }).click();
		await form.getByText("without a source it is folklore").waitFor();
		await form.getByLabel("Source", { exact: true }).fill("our log");
		await form.getByRole("button", { name: "Enter it" }).click();
		const entry = page.getByRole("article").filter({ hasText: "Our agent fills 31,000" });
		await entry.waitFor();
		await expect.poll(focused).toMatch(/^own-/);
		await entry.getByRole("button", { name: /^Take out/ }).click();
		await entry.waitFor({ state: "detached" });
	});

	it("warns on the Plan page by an own test, once it is entered", async () => {
		const { page } = visit;
		const plan = "/?model=gpt-oss-20b&gpu=h100-sxm-80gb&context=30000&concurrency=1";
		await visit.open(plan);
		expect(await page.getByText("Paid for, not used").count()).toBe(0);
		await visit.open("/claims/lengths");
		const form = page.getByRole("region", { name: "Enter a test" });
		for (const [label, value] of [
			["Model", "openai/gpt-oss-20b"],
			["Task", "our contracts"],
			["Threshold", "90 % right"],
			["Length", "24K"],
			["Source", "our test set"],
		] as const)
			await form.getByLabel(label, { exact: true }).fill(value);
		await form.getByRole("button", { name: "Enter it" }).click();
		await page.getByRole("link", { name: "openai/gpt-oss-20b" }).waitFor();
		await visit.open(plan);
		// 30,000 − 24,000
		await page.getByText("Paid for, not used: up to 6,000 of 30,000 prompt tokens").waitFor();
		expect(await figureOf(page, "Prompt tokens beyond the effective length in our contracts")).toBe(6000);
		expect(await page.getByRole("main").textContent()).toContain("our test set");
		await page.getByRole("button", { name: "Context: 16K" }).click();
		await expect.poll(() => page.getByText("Paid for, not used").count()).toBe(0);
	});

	it("says of a run which of the six things to record are known", async () => {
		const { page } = visit;
		const response = await fetch(`${visit.dashboard.url}/api/v1/runs`, {
			method: "POST",
			body: JSON.stringify({
				...{ plimsoll: 1, gpu: "H100 SXM 80GB", gpus: 1, model: "llama-3.1-8b", engine: "vllm" },
				measurements: [{ phase: "prefill", tokens: 512, cached: 0, batch: 1, seconds: [0.05] }],
			}),
		});
		const { id } = await response.json();
		await visit.open(`/measurements/${id}`);
		await settled(page);
		const card = page.getByRole("region", { name: "Comparable runs" });
		const text = ((await card.textContent()) ?? "").replace(/\s+/g, " ");
		expect(text).toContain("0 of 6 known in full");
		expect(text).toMatch(
			/not known All sampling parameters Not known: Sampler\. To record it, send \{"sampling"/,
		);
		expect(await card.getByRole("listitem").count()).toBe(6);

		visit.forgive(/400/);
		const editor = page.getByRole("region", { name: "Correct what was said of it" });
		await editor.getByText("Change the six fields").click();
		await editor.getByLabel("Sampling parameters").fill("temperature=hot");
		await editor.getByRole("button", { name: "Correct it" }).click();
		await editor.getByText("temperature: must be a number").waitFor();
		await editor.getByLabel("Sampling parameters").fill("temperature=0, seed=7");
		await editor.getByRole("button", { name: "Correct it" }).click();
		await editor.getByRole("row", { name: /Sampling parameters not known seed=7, temperature=0/ }).waitFor();
		await card.getByText("seed 7, temperature 0").waitFor();
	});
});
