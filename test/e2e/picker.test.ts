import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
	axeFindings,
	hasChromium,
	keepScreenshot,
	launch,
	openPage,
	settled,
	type WatchedPage,
} from "../support/browser.ts";
import { type Dashboard, startDashboard } from "../support/dashboard.ts";

const prefill = (tokens: number) => ({
	...{ phase: "prefill", tokens, cached: 0, batch: 1, seconds: [0.01 + tokens * 1e-4] },
});
const run = (fields: Record<string, unknown>) =>
	JSON.stringify({
		...{ plimsoll: 1, gpu: "Homebrew 9000", gpus: 1, model: "llama-3.1-8b", engine: "vllm", weights: "bf16" },
		...{ kv: "bf16", tp: 1, ...fields },
		measurements: [512, 2048, 8192].map(prefill),
	});

/** More than any list of the API answers at once. */
const MANY = 120;

describe.skipIf(!hasChromium)("choosing a configuration", () => {
	let dashboard: Dashboard;
	let browser: Browser;
	let watched: WatchedPage;
	let page: Page;
	let provoked: RegExp | null;
	let oldest = "";

	async function post(fields: Record<string, unknown>): Promise<string> {
		const response = await fetch(`${dashboard.url}/api/v1/runs`, { method: "POST", body: run(fields) });
		expect(response.status).toBe(201);
		const { configurations } = (await response.json()) as { configurations: { id: string }[] };
		return configurations[0]?.id ?? "";
	}

	beforeAll(async () => {
		[dashboard, browser] = await Promise.all([startDashboard(), launch()]);
		oldest = await post({ flags: { max_num_seqs: 64 }, engineVersion: "0.0.1" });
		await post({ flags: { max_num_seqs: 256 }, engineVersion: "0.0.1" });
		for (let i = 0; i < MANY; i++) await post({ gpu: "H100 SXM 80GB", engineVersion: `1.${i}` });
	});
	afterAll(async () => {
		await Promise.all([browser?.close(), dashboard?.stop()]);
	});
	beforeEach(async () => {
		provoked = null;
		watched = await openPage(browser, dashboard.url);
		page = watched.page;
	});
	afterEach(async () => {
		const complaints = watched.complaints().filter((complaint) => !provoked?.test(complaint));
		await watched.close();
		expect(complaints).toEqual([]);
	});

	const field = () => page.getByRole("combobox", { name: "Configuration" });
	const options = () => page.getByRole("listbox").getByRole("option");
	const text = async (at: number) => ((await options().nth(at).textContent()) ?? "").trim();
	const chosen = () => new URL(page.url()).searchParams.get("configuration");

	it.each(["/", "/trap", "/load"])(
		"finds by the keyboard one beyond the newest hundred, at %s",
		async (path) => {
			await page.goto(path);
			await settled(page);
			await field().focus();
			await page.keyboard.press("ControlOrMeta+a");
			await page.keyboard.type("homebrew seqs 64");
			await expect.poll(() => options().first().textContent()).toContain("max num seqs 64");
			await page.keyboard.press("Enter");
			await expect.poll(chosen).toBe(oldest);
			await expect.poll(() => field().inputValue()).toContain("Homebrew 9000");
		},
	);

	it("takes the first hit by one step down after typing, and the next by two", async () => {
		for (const [steps, at] of [
			[1, 0],
			[2, 1],
		] as const) {
			await page.goto("/");
			await settled(page);
			await field().fill("homebrew");
			await expect.poll(() => options().count()).toBe(3);
			for (let step = 0; step < steps; step++) await page.keyboard.press("ArrowDown");
			expect(await field().getAttribute("aria-activedescendant")).toBe(
				await options().nth(at).getAttribute("id"),
			);
			const label = await text(at);
			await page.keyboard.press("Enter");
			await expect.poll(() => field().inputValue()).toBe(label);
		}
	});

	it("shows one's own first, says how many more there are, and what tells namesakes apart", async () => {
		await page.goto("/");
		await settled(page);
		await field().click();
		const groups = page.getByRole("listbox").getByRole("group");
		await expect
			.poll(() => groups.locator(".heading").allTextContents())
			.toEqual([
				"Measured by you",
				"Published, not measured by you",
				"Examples: our own runs",
				"Not measured",
			]);
		expect(await groups.first().textContent()).toContain(`${MANY + 2 - 8} more: type to narrow them down`);
		await field().fill("homebrew");
		await expect.poll(() => options().count()).toBe(3);
		expect(await text(0)).toContain(" · max num seqs 256");
		expect(await text(1)).toContain(" · max num seqs 64");
		await keepScreenshot(page, "picker-light-1440");
		expect(await axeFindings(page)).toEqual([]);
	});

	it("keeps the chosen one when the field is left or Escape is pressed", async () => {
		await page.goto(`/trap?configuration=${oldest}`);
		await settled(page);
		const before = await field().inputValue();
		expect(before).toContain("max num seqs 64");
		await field().fill("nothing has these words");
		await page.getByText("No configuration matches.").waitFor();
		await page.keyboard.press("Escape");
		expect(await field().inputValue()).toBe(before);
		expect(await field().getAttribute("aria-expanded")).toBe("false");
		await field().fill("h100");
		await options().first().waitFor();
		await page.getByRole("heading", { level: 1 }).click();
		expect(await field().inputValue()).toBe(before);
		expect(chosen()).toBe(oldest);
	});

	it("moves through the choices with the arrows and tells assistive technology where one is", async () => {
		await page.goto("/trap");
		await settled(page);
		await field().focus();
		await page.keyboard.press("ArrowDown");
		await options().first().waitFor();
		for (const [key, at] of [
			["ArrowDown", 0],
			["ArrowDown", 1],
			["ArrowUp", 0],
			["ArrowUp", (await options().count()) - 1],
		] as const) {
			await page.keyboard.press(key);
			const active = await field().getAttribute("aria-activedescendant");
			expect(active).toBe(await options().nth(at).getAttribute("id"));
		}
	});

	it("says why there are no choices while the server fails, and tries again", async () => {
		provoked = /503|net::ERR/;
		await page.goto("/trap");
		await settled(page);
		await page.route("**/api/v1/configurations?*", (route) =>
			route.fulfill({ status: 503, json: { detail: "The database did not answer in time; try again." } }),
		);
		await field().click();
		const alert = page.getByRole("alert").filter({ hasText: "The database did not answer" });
		await alert.waitFor();
		expect(await axeFindings(page)).toEqual([]);
		await page.unroute("**/api/v1/configurations?*");
		await alert.getByRole("button", { name: "Try again" }).click();
		await options().first().waitFor();
		expect(await alert.count()).toBe(0);
	});

	it("plans with a card that no catalog knows, once its memory is said", async () => {
		await page.goto(`/?configuration=${oldest}&context=8000`);
		await settled(page);
		await page.getByText("The catalog has no GPU called “Homebrew 9000”").waitFor();
		const memory = page.getByRole("textbox", { name: "Memory of one card" });
		await memory.fill("48 GB");
		await memory.press("Enter");
		await expect.poll(() => new URL(page.url()).searchParams.get("totalBytes")).toBe("48000000000");
		await page.getByText("48,000,000,000 bytes").waitFor();
		const response = await fetch(`${dashboard.url}/api/v1/plan${new URL(page.url()).search}`);
		const answer = (await response.json()) as { memory: { maxSequences: { value: number } } };
		const shown = page.getByRole("button", { name: /^Users that fit at this length: / }).locator(".number");
		expect(await shown.textContent()).toBe(String(answer.memory.maxSequences.value));
		await expect.poll(() => page.locator(".stale").count()).toBe(0);
		expect(await axeFindings(page)).toEqual([]);
		await memory.fill("much");
		await memory.press("Enter");
		await page.getByText("is no memory size").waitFor();
	});

	it.each([
		["light", 1440],
		["dark", 390],
	] as const)("reads well in %s at %i pixels", async (colorScheme, width) => {
		const other = await openPage(browser, dashboard.url, { colorScheme, viewport: { width, height: 900 } });
		for (const path of [`/?configuration=${oldest}`, "/compare", "/configurations?gpu=h100-sxm-80gb"]) {
			await other.page.goto(path);
			await settled(other.page);
			const choice = other.page.getByRole("combobox").first();
			if (path !== "/configurations?gpu=h100-sxm-80gb") {
				await choice.click();
				await other.page.getByRole("option").first().waitFor();
			}
			await keepScreenshot(other.page, `picker-${path.split(/[/?]/)[1] || "plan"}-${colorScheme}-${width}`);
			expect(await axeFindings(other.page), path).toEqual([]);
			expect(
				await other.page.evaluate<number>("document.documentElement.scrollWidth"),
				path,
			).toBeLessThanOrEqual(width);
		}
		expect(other.complaints()).toEqual([]);
		await other.close();
	});
});
