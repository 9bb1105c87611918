import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axeFindings, hasChromium, launch, openPage, settled } from "../support/browser.ts";
import { type Dashboard, startDashboard } from "../support/dashboard.ts";

describe.skipIf(!hasChromium)("the load page", () => {
	let dashboard: Dashboard;
	let browser: Browser;
	let llama: string;
	let served: string;

	beforeAll(async () => {
		[dashboard, browser] = await Promise.all([startDashboard(), launch()]);
		const response = await fetch(`${dashboard.url}/api/v1/configurations?limit=100`);
		const { items } = await response.json();
		served = items.find(({ fits }: { fits: { serve: unknown } }) => fits.serve).id;
		llama = items.find(({ label }: { label: string }) => /8× H100.*llama-2-70b/.test(label)).id;
	});
	afterAll(async () => {
		await Promise.all([browser?.close(), dashboard?.stop()]);
	});

	const open = async (query: string, options = {}) => {
		const opened = await openPage(browser, dashboard.url, options);
		await opened.page.goto(`/load?${query}`);
		await opened.page.getByRole("table", { name: "Percentiles of the simulated requests" }).waitFor();
		return opened;
	};

	it("simulates in the browser what the server simulates: the same seed, the same figures", async () => {
		const { page, complaints, close } = await open(`configuration=${llama}&users=8&requests=200&seed=5`);
		const workload = {
			arrivals: { kind: "users", users: 8 },
			requests: 200,
			prompt: { kind: "lognormal", median: 1000, p95: 4000 },
			output: { kind: "lognormal", median: 200, p95: 800 },
		};
		const response = await fetch(`${dashboard.url}/api/v1/simulate`, {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: JSON.stringify({ configuration: llama, workload, seed: 5 }),
		});
		const { result } = await response.json();
		const cell = page.getByRole("button", { name: /^Time to first token, 99%/ });
		await cell.click();
		const copy = page.getByRole("button", { name: /^Copy value/ });
		const shown = Number((await copy.locator("code").textContent()) ?? Number.NaN);
		expect(shown).toBeCloseTo(result.times.ttft.p99.value, 9);
		expect(complaints()).toEqual([]);
		await close();
	});

	it.each([
		["light", 1440],
		["dark", 390],
	] as const)(
		"in %s at %i pixels: axe finds nothing, nothing scrolls sideways",
		async (colorScheme, width) => {
			const { page, complaints, close } = await open(`configuration=${llama}&rate=2&requests=300`, {
				colorScheme,
				viewport: { width, height: 900 },
			});
			await settled(page);
			expect(await axeFindings(page)).toEqual([]);
			expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
			expect(complaints()).toEqual([]);
			await close();
		},
	);

	it("keeps the question in the address, back and forth", async () => {
		const { page, close } = await open(`configuration=${llama}&requests=200`);
		await page.getByRole("radio", { name: "Users" }).check();
		await expect.poll(() => new URL(page.url()).searchParams.get("users")).toBe("8");
		const users = page.getByRole("textbox", { name: "Users" });
		await users.fill("32");
		await users.press("Enter");
		await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toContain("With 32 users");
		await page.goBack();
		await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toContain("With 8 users");
		await close();
	});

	it("takes a trace of one's own, and names its wrong lines", async () => {
		const { page, close } = await open(`configuration=${llama}&requests=50`);
		const file = (name: string, text: string) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
		const picker = page.locator('input[type="file"]');
		await picker.setInputFiles(file("broken.csv", "arrival_s,prompt_tokens,output_tokens\n0,many,5\n"));
		await page.getByText("broken.csv is no trace yet").waitFor();
		await page.getByText(/line 2: prompt_tokens "many"/).waitFor();
		await picker.setInputFiles(
			file("our chat.csv", "arrival_s,prompt_tokens,output_tokens\n0,900,50\n1.5,1200,80\n"),
		);
		await expect.poll(() => new URL(page.url()).searchParams.get("trace")).toBe("our-chat");
		await expect
			.poll(() => page.getByRole("heading", { level: 1 }).textContent())
			.toContain("Under our chat");
		await close();
	});

	it("can be cancelled while it simulates, and goes on when asked to", async () => {
		const { page, close } = await openPage(browser, dashboard.url);
		// Laws worked out of serve points first, then many requests: seconds of work.
		await page.goto(`/load?configuration=${served}&arrivals=trace&requests=50000`);
		await page.getByRole("button", { name: "Cancel" }).click();
		await page.getByText("The simulation was cancelled").waitFor();
		await page.getByRole("button", { name: "Simulate" }).click();
		await page.getByRole("table", { name: "Percentiles of the simulated requests" }).waitFor();
		await close();
	});

	it("says what of a link it does not understand", async () => {
		const { page, close } = await open(`configuration=${llama}&rate=fast&requests=200`);
		await page.getByText("dropped rate: 'fast' is not understood").waitFor();
		await close();
	});
});

describe.skipIf(!hasChromium)("the load page where nothing is measured", () => {
	it("says what to do", async () => {
		const [dashboard, browser] = await Promise.all([startDashboard({ examples: false }), launch()]);
		const { page, close } = await openPage(browser, dashboard.url);
		await page.goto("/load");
		await page.getByText("Nothing is measured yet").waitFor();
		await close();
		await Promise.all([browser.close(), dashboard.stop()]);
	});
});
