import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
	axeFindings,
	figureOf,
	hasChromium,
	keepScreenshot,
	LOOKS,
	launch,
	openPage,
	pickConfiguration,
	settled,
	type WatchedPage,
} from "../support/browser.ts";
import { type Dashboard, startDashboard } from "../support/dashboard.ts";

const plain = (text: string | null) => (text ?? "").replace(/\s+/g, " ").trim();

/** 0.01 + 1e-4 · s + 1e-9 · s² seconds for a prompt, 0.02 + 1e-4 · B + 2e-8 · B · L for a step. */
const prompt = (s: number) => 0.01 + 1e-4 * s + 1e-9 * s * s;
const step = (batch: number, context: number) => 0.02 + 1e-4 * batch + 2e-8 * batch * context;
const LENGTHS = [512, 1024, 2048, 4096, 8192, 16_384];
const run = (fields: Record<string, unknown>, factor: number) =>
	JSON.stringify({
		plimsoll: 1,
		...{
			gpu: "NVIDIA H100 80GB HBM3",
			gpus: 1,
			model: "llama-3.1-8b",
			engine: "vllm",
			engineVersion: "0.0.1",
		},
		...{ weights: "bf16", kv: "bf16", tp: 1 },
		...fields,
		measurements: [
			...LENGTHS.map((tokens) => ({
				phase: "prefill",
				...{ tokens, cached: 0, batch: 1, seconds: [factor * prompt(tokens)] },
			})),
			...[1, 8].flatMap((batch) =>
				[1024, 8192].map((context) => ({
					phase: "decode",
					batch,
					context,
					seconds: [factor * step(batch, context)],
				})),
			),
		],
	});

describe.skipIf(!hasChromium)("the page that compares", () => {
	let dashboard: Dashboard;
	let browser: Browser;
	let watched: WatchedPage;
	let page: Page;
	const ids: Record<string, string> = {};

	/** Posts a run twice, 2 % apart, so that its noise is known. */
	async function measured(name: string, fields: Record<string, unknown>, factor: number) {
		for (const [i, once] of [factor / Math.sqrt(1.02), factor * Math.sqrt(1.02)].entries()) {
			const response = await fetch(`${dashboard.url}/api/v1/runs?label=${name}-${i}`, {
				method: "POST",
				body: run(fields, once),
			});
			const { configurations } = (await response.json()) as { configurations: { id: string }[] };
			ids[name] = configurations[0]?.id ?? "";
		}
	}
	const address = (...names: string[]) =>
		`/compare?${names.map((name) => `configuration=${ids[name]}`).join("&")}`;

	beforeAll(async () => {
		[dashboard, browser] = await Promise.all([startDashboard(), launch()]);
		await measured("old", { engineVersion: "0.9.2" }, 1.25);
		await measured("new", { engineVersion: "0.10.0" }, 1);
		await measured("same", { engineVersion: "0.10.1", kv: null }, 1.005);
	});
	afterAll(async () => {
		await Promise.all([browser?.close(), dashboard?.stop()]);
	});
	beforeEach(async () => {
		watched = await openPage(browser, dashboard.url);
		page = watched.page;
	});
	afterEach(async () => {
		const complaints = watched.complaints();
		await watched.close();
		expect(complaints).toEqual([]);
	});
	const text = async () => plain(await page.locator("main").textContent());

	it("is reached by ticking configurations in their list", async () => {
		await page.goto("/configurations?q=llama-3.1-8b+vllm+0.10");
		await settled(page);
		const button = page.getByRole("button", { name: "Compare", exact: true });
		expect(await button.isDisabled()).toBe(true);
		const boxes = page.getByRole("checkbox", { name: /^Compare / });
		await boxes.nth(0).check();
		await page.getByText("tick one more").waitFor();
		await boxes.nth(1).check();
		await button.click();
		await page.getByRole("heading", { level: 1, name: "Compare" }).waitFor();
		expect(new URL(page.url()).searchParams.getAll("configuration").sort()).toEqual(
			[ids.new, ids.same].sort(),
		);
		await page.getByRole("heading", { name: "Prompts" }).waitFor();
	});

	it("says by how much the others take longer, and where the noise is larger than the difference", async () => {
		await page.goto(address("new", "old", "same"));
		await settled(page);
		// Measured twice each: 1.96 · ln(1.02)/√2 = 2.7 %.
		expect(await text()).toContain("B against A: 25% more time (floor 2.7%), median of 6.");
		expect(await text()).toContain("C against A: not distinguishable (floor 2.7%), median of 6.");
		const row = page
			.getByRole("table", { name: "Prompts: times and differences" })
			.getByRole("row", { name: /^8,192 tokens/ });
		const cells = plain(await row.textContent());
		// 0.01 + 1e-4 · 8,192 + 1e-9 · 8,192² = 0.896 s
		expect(cells).toContain("896 ms");
		expect(cells).toContain("1.12 s");
	});

	it("says how often to run a planned A/B, from the noise between runs; the address is the question", async () => {
		await page.goto(address("new"));
		await settled(page);
		await page.getByLabel("Smallest difference to see").fill("1%");
		await page.getByRole("button", { name: "Work it out" }).click();
		await expect.poll(() => new URL(page.url()).searchParams.get("effect")).toBe("1%");
		// 2 · ((1.960 + 0.8416) · 1.400 % / ln(1.01))² = 31.1, and one more for the t-test; the floor is ln(1.02)/√2.
		const card = page.getByRole("region", { name: "Plan an A/B" });
		await expect.poll(() => figureOf(card, "Runs of each arm, prompts")).toBe(33);
		expect(plain(await card.textContent())).toContain("1% more time in 80% of comparisons");
	});

	it("draws all in one chart of each phase, each named at its line", async () => {
		await page.goto(address("new", "old"));
		await settled(page);
		for (const name of [/^Prefill time against prompt tokens/, /^Time of one decode step/]) {
			const chart = page.getByRole("img", { name });
			await chart.scrollIntoViewIfNeeded();
			for (const line of ["A", "B"])
				await chart
					.locator("svg text", { hasText: new RegExp(`^${line}$`) })
					.first()
					.waitFor();
		}
		await page.getByRole("radio", { name: "8 together" }).check({ force: true });
		await page
			.getByRole("img", { name: /^Time of one decode step against the context, 8 together/ })
			.waitFor();
	});

	it("lists what differs and what nobody said", async () => {
		await page.goto(address("new", "same"));
		await settled(page);
		const differ = page.getByRole("table", { name: "Conditions that differ" });
		expect(plain(await differ.textContent())).toContain("Engine build0.10.00.10.1");
		const unknown = plain(
			await page.getByRole("table", { name: "Conditions that are not known of all" }).textContent(),
		);
		for (const name of ["Driver", "Power limit", "KV cache, Kbf16not said"]) expect(unknown).toContain(name);
	});

	it("asks for a second where one is named, and begins with none", async () => {
		await page.goto(address("new"));
		await settled(page);
		expect(await text()).toContain("Choose two or more.");
		await pickConfiguration(page.getByRole("combobox").nth(1), "h100 vllm 0.9.2");
		await expect
			.poll(() => new URL(page.url()).searchParams.getAll("configuration").filter(Boolean))
			.toEqual([...[ids.new, ids.old]]);
		await page.getByRole("heading", { name: "Prompts" }).waitFor();
		await page.goto("/compare");
		expect(await text()).toContain("Choose two or more.");
	});

	it("says that an id is not known, and that a fifth does not fit", async () => {
		await page.goto(`${address("new", "old", "same")}&configuration=nobody`);
		await settled(page);
		expect(await text()).toContain("The comparison could not be made");
		await page.goto(`${address("new", "old", "same")}&configuration=x&configuration=y`);
		expect(await text()).toContain("1 more was left out");
	});

	it("is linked from the configuration, whose versions show what each changed", async () => {
		await page.goto(`/configurations/${ids.new}`);
		await settled(page);
		const versions = page.locator("section", {
			has: page.getByRole("heading", { name: "With the engine's versions" }),
		});
		const said = plain(await versions.textContent());
		expect(said).toContain("0.10.0 this one compare with 0.9.2");
		expect(said).toContain("Prompts: 20% less time (floor 2.7%)");
		expect(said).toContain("0.10.1");
		await versions.getByRole("link", { name: "compare with 0.9.2" }).click();
		await page.getByRole("heading", { level: 1, name: "Compare" }).waitFor();
		expect(await text()).toContain("B against A: 20% less time");
	});

	it.each(LOOKS)("reads well in $theme at $width pixels", async ({ theme, width }) => {
		const other = await openPage(browser, dashboard.url, {
			colorScheme: theme,
			viewport: { width, height: 900 },
		});
		for (const [name, path] of [
			["compare-three", address("new", "old", "same")],
			["compare-none", "/compare"],
			["configuration-versions", `/configurations/${ids.new}`],
			["configurations-list", "/configurations"],
		] as const) {
			await other.page.goto(path);
			await settled(other.page);
			await keepScreenshot(other.page, `${name}-${theme}-${width}`);
			expect(await axeFindings(other.page), name).toEqual([]);
			expect(
				await other.page.evaluate<number>("document.documentElement.scrollWidth"),
				name,
			).toBeLessThanOrEqual(width);
		}
		expect(other.complaints()).toEqual([]);
		await other.close();
	});
});
